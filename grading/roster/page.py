"""What a roster would change, for the page that shows it, and what was changed, in a sentence."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from grading.models import Membership
from grading.pyramid.figures import number_of
from grading.pyramid.formats.roster_csv import Roster
from grading.roster.actions import RosterApplied, roster_diff
from grading.roster.forms import RosterShownForm

FIELD_NAMES = {
    "name": "name",
    "roster_email": "e-mail address in the roster",
    "first": "first name",
    "last": "last name",
    "email": "e-mail address",
    "login": "login",
    "lms_login": "login in the LMS",
    "student_number": "student number",
    "lms_id": "number in the LMS",
    "section": "section",
    "role": "role",
}


def diff_context(
    membership: Membership, roster: Roster, *, present: Collection[int] = ()
) -> dict[str, Any]:
    """``present`` are users who are not in this roster, and are not gone either."""
    diff = roster_diff(course=membership.course, roster=roster)
    form = RosterShownForm(course=membership.course)
    form.show(roster, diff)
    diff = replace(diff, gone=tuple(known for known in diff.gone if known.pk not in present))
    return {
        "roster": roster,
        "diff": diff,
        "shown_form": form,
        "columns": [(heading, FIELD_NAMES[field]) for heading, field in roster.columns],
        "changed": [
            (person, [(FIELD_NAMES[change.field], change) for change in person.changes])
            for person in diff.changed
        ],
        "is_stale": False,
    }


def applied_message(applied: RosterApplied) -> str:
    parts = [
        f"{number_of(applied.made, 'new account')}" if applied.made else "",
        f"{number_of(applied.joined, 'person')} with an account" if applied.joined else "",
        f"{number_of(applied.changed, 'change')}" if applied.changed else "",
        f"{applied.left} removed" if applied.left else "",
    ]
    summary = ", ".join(filter(None, parts))
    return f"Roster applied: {summary}." if summary else "Nothing changed."
