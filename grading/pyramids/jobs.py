"""What a worker does for pyramids."""

from grading.jobs.runner import register
from grading.models import Job
from grading.pyramids.actions import pyramid_build

register(Job.Kind.BUILD_PYRAMID, pyramid_build)
