"""What a worker does for calibration."""

from grading.calibration.actions import calibrate
from grading.jobs.runner import register
from grading.models import Job

register(Job.Kind.CALIBRATE, calibrate)
