"""Drafts and versions of pyramids."""

from django.http import Http404

from grading.access.assignments import enter_as_grader
from grading.access.courses import check_instructor
from grading.models import (
    Draft,
    Membership,
    StoredPyramid,
    User,
)


def get_draft_for(user: User, draft_pk: int) -> tuple[Draft, Membership]:
    """A draft of a pyramid whose class the user may see; its documents are not loaded."""
    draft = (
        Draft.objects.select_related("assignment__course")
        .defer("document", "first")
        .filter(pk=draft_pk)
        .first()
    )
    if draft is None:
        raise Http404("No such draft.")
    return draft, enter_as_grader(user, draft.assignment)


def get_editable_draft_for(user: User, draft_pk: int) -> tuple[Draft, Membership]:
    """A draft that the user may change: instructors."""
    draft, membership = get_draft_for(user, draft_pk)
    check_instructor(membership)
    return draft, membership


def get_version_for(user: User, version_pk: int) -> tuple[StoredPyramid, Membership]:
    """A published pyramid of a class that the user may see."""
    version = (
        StoredPyramid.objects.select_related("assignment__course").filter(pk=version_pk).first()
    )
    if version is None:
        raise Http404("No such version.")
    return version, enter_as_grader(user, version.assignment)


def get_editable_version_for(user: User, version_pk: int) -> tuple[StoredPyramid, Membership]:
    """A published pyramid of a course that the user teaches."""
    version, membership = get_version_for(user, version_pk)
    check_instructor(membership)
    return version, membership
