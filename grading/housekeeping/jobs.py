"""What a worker does for housekeeping."""

from grading.housekeeping.course_export import course_export
from grading.housekeeping.course_import import course_import
from grading.jobs.runner import register
from grading.models import Job

register(Job.Kind.EXPORT_COURSE, course_export)
register(Job.Kind.IMPORT_COURSE, course_import)
