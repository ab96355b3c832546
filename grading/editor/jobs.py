"""What a worker does for editor."""

from grading.editor.actions import draft_analyse
from grading.jobs.runner import register
from grading.models import Job

register(Job.Kind.ANALYSE_DRAFT, draft_analyse)
