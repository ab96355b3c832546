"""What a worker does for marking."""

from grading.jobs.runner import register
from grading.marking.actions import copies_run
from grading.models import Job

register(Job.Kind.COPY_STEP, copies_run)
