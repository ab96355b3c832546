"""The roster of a course: show what a file would change, then apply it as it was shown."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.models import AuditKind, Membership, record
from grading.pyramid.figures import number_of
from grading.pyramid.formats.roster_csv import Roster
from grading.roster import actions
from grading.roster.actions import roster_diff
from grading.roster.forms import RosterFileForm, RosterShownForm
from grading.web.claims import HANDED, claim_link
from grading.web.destinations import own_destination
from grading.web.rendering import CONFLICT, SignedInRequest, render_form_page, render_page

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


@require_http_methods(["GET", "POST"])
def roster_file(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    form = RosterFileForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    context = {
        "form": form,
        "membership": membership,
        "course": membership.course,
        "next": own_destination(request),
    }
    if form.is_valid():
        context |= _diff_context(membership, form.cleaned_data["file"])
    return render_form_page(request, "grading/roster/detail.html", context)


@require_POST
def roster_apply(request: SignedInRequest, pk: int) -> HttpResponse:
    """Apply what was shown; where that would do something else by now, show the new difference.

    Whoever came from another page of ours, such as an import of submissions, returns to it.
    """
    membership = access.get_instructor_membership_for(request.user, pk)
    destination = own_destination(request)
    form = RosterShownForm(request.POST, course=membership.course)
    if not form.is_valid():
        messages.error(request, form.errors["shown"].as_text().removeprefix("* "))
        address = reverse("roster", args=[pk])
        return redirect(f"{address}?{urlencode({'next': destination})}" if destination else address)
    roster = form.cleaned_data["shown"]
    applied = actions.roster_apply(
        course=membership.course, roster=roster, answers=form.answers(), author=request.user
    )
    if applied is not None:
        parts = [
            f"{number_of(applied.made, 'new account')}" if applied.made else "",
            f"{number_of(applied.joined, 'person')} with an account" if applied.joined else "",
            f"{number_of(applied.changed, 'change')}" if applied.changed else "",
            f"{applied.left} taken out" if applied.left else "",
        ]
        summary = ", ".join(filter(None, parts))
        messages.success(
            request, f"The roster is applied: {summary}." if summary else "Nothing changed."
        )
        return redirect(destination or reverse("members", args=[pk]))
    context = {
        "form": RosterFileForm(),
        "membership": membership,
        "course": membership.course,
        "next": destination,
    }
    context |= _diff_context(membership, roster) | {"is_stale": True}
    return render_page(request, "grading/roster/detail.html", context, status=CONFLICT)


@require_POST
def member_link(request: SignedInRequest, pk: int, member_pk: int) -> HttpResponse:
    """Show, this once, a link by which a person of the roster sets a password."""
    member = access.get_linkable_member_for(request.user, pk, member_pk)
    link = claim_link(member.user.roster_account, HANDED)
    sentence = "Made a link with which a person of the roster sets a password."
    record(AuditKind.INVITED, sentence, course=member.course, person=member.user)
    context = {"member": member, "course": member.course, "link": link}
    return render_page(request, "grading/roster/link.html", context)


def _diff_context(membership: Membership, roster: Roster) -> dict[str, Any]:
    diff = roster_diff(course=membership.course, roster=roster)
    form = RosterShownForm(course=membership.course)
    form.show(roster, diff)
    return {
        "roster": roster,
        "diff": diff,
        "shown_form": form,
        "columns": [(heading, FIELD_NAMES[what]) for heading, what in roster.columns],
        "changed": [
            (person, [(FIELD_NAMES[change.field], change) for change in person.changes])
            for person in diff.changed
        ],
        "is_stale": False,
    }
