"""``manage.py score_summaries``: a pyramid and student summaries to scores and annotations."""

from grading.management.research import ResearchCommand
from grading.pyramid.cli.scoring import ScoreTask


class Command(ResearchCommand):
    task_type = ScoreTask
