"""What a worker does for webhooks."""

from grading.api.deliveries import webhooks_send
from grading.jobs.runner import register
from grading.models import Job

register(Job.Kind.SEND_WEBHOOKS, webhooks_send)
