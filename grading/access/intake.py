"""Access to what comes in for a class: uploads of work, and accounts that a roster has made.

As in grading/access/: an outsider gets 404, a member without the right 403.
"""

from django.core.exceptions import PermissionDenied
from django.http import Http404

from grading.access.assignments import get_graded_assignment_for
from grading.access.courses import get_member_for
from grading.models import Membership, User, WorkImport
from grading.models.rosters import linkable_members


def get_import_for(user: User, import_pk: int) -> tuple[WorkImport, Membership]:
    """Work that was sent in for a class that the user grades."""
    rows = WorkImport.objects.select_related("author", "ended_by", "reading", "scoring")
    bulk_import = rows.filter(pk=import_pk).first()
    if bulk_import is None:
        raise Http404("No such upload.")
    assignment, membership = get_graded_assignment_for(user, bulk_import.assignment_id)
    bulk_import.assignment = assignment
    return bulk_import, membership


def get_linkable_member_for(user: User, course_pk: int, member_pk: int) -> Membership:
    """A member whose account nobody uses yet: the user may make a link to set its password."""
    member = get_member_for(user, course_pk, member_pk)
    if not linkable_members(member.course).filter(pk=member.pk).exists():
        raise PermissionDenied(
            "This person already has a password, or the account wasn't created in your course."
        )
    return member
