"""What a worker does for bulk import."""

from grading.bulk_import.actions import imports_read
from grading.jobs.runner import register
from grading.models import Job

register(Job.Kind.READ_IMPORT, imports_read)
