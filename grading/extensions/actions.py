"""Grant extensions, change them and remove them. What was late by then may be in time after."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from grading.models import Assignment, Extension, Role, User
from grading.scoring.lateness import LateChanged, submissions_mark_late


@transaction.atomic
def extension_save(*, extension: Extension, author: User) -> LateChanged | None:
    """Save an extension; None, and nothing is done, where somebody granted one at that moment."""
    Assignment.objects.select_for_update().get(pk=extension.assignment_id)
    extension.author, extension.changed_at = author, timezone.now()
    try:
        with transaction.atomic():
            extension.save()
    except IntegrityError:
        return None
    return _mark(extension)


@transaction.atomic
def extension_remove(*, extension: Extension) -> LateChanged:
    """Remove it: the terms of the class apply again, or those of another extension."""
    Assignment.objects.select_for_update().get(pk=extension.assignment_id)
    Extension.objects.filter(pk=extension.pk).delete()
    return _mark(extension)


def _mark(extension: Extension) -> LateChanged:
    """Mark what those to whom it applies have submitted."""
    students = [extension.student_id] if extension.student_id is not None else []
    if extension.section:
        members = extension.assignment.course.memberships.filter(
            role=Role.STUDENT, section=extension.section
        )
        students = list(members.values_list("user", flat=True))
    return submissions_mark_late(assignment=extension.assignment, students=students)
