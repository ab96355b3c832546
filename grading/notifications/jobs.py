"""What a worker does for e-mails."""

from grading.jobs.runner import register
from grading.models import Job
from grading.notifications.actions import mails_send

register(Job.Kind.SEND_MAIL, mails_send)
