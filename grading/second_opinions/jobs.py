"""What a worker does for second opinions."""

from grading.jobs.runner import register
from grading.models import Job
from grading.second_opinions.actions import opinions_calculate

register(Job.Kind.SECOND_OPINIONS, opinions_calculate)
