"""What a worker does for LMSs: send grades."""

from grading.jobs.runner import register
from grading.lti.grades import grades_send
from grading.models import Job

register(Job.Kind.SEND_GRADES, grades_send)
