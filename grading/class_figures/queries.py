"""What a worker found in a class. Read-only."""

from grading.models import Assignment, ClassFinding, Job
from grading.pyramid.class_figures import NewIdeas
from grading.pyramid.formats.findings_json import NEW_IDEAS_FORMAT, new_ideas_from_json


def new_ideas_of(assignment: Assignment) -> tuple[ClassFinding, NewIdeas] | None:
    """The newest finding, perhaps about an earlier version or earlier attempts."""
    findings = ClassFinding.objects.filter(assignment=assignment, document__format=NEW_IDEAS_FORMAT)
    row = findings.first()
    return None if row is None else (row, new_ideas_from_json(row.document))


def new_ideas_job(assignment: Assignment) -> Job | None:
    """The newest job, if it is still to be done or has failed."""
    newest = Job.objects.filter(assignment=assignment, kind=Job.Kind.FIND_NEW_IDEAS).first()
    return None if newest is None or newest.is_done else newest
