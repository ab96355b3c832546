"""What a worker does for scoring."""

from grading.jobs.runner import register
from grading.models import Job
from grading.scoring.effects import predict_effect
from grading.scoring.flags import flags_find
from grading.scoring.scores import submissions_score

register(Job.Kind.PREDICT_EFFECT, predict_effect)
register(Job.Kind.FIND_FLAGS, flags_find)
register(Job.Kind.SCORE_SUBMISSIONS, submissions_score)
