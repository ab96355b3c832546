"""The roster of a course: show what a file would change, then apply it as it was shown."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.models import AuditKind, record
from grading.models.rosters import linkable_members
from grading.pyramid.figures import number_of
from grading.pyramid.formats.gradebook import table_csv
from grading.roster import actions
from grading.roster.forms import RosterFileForm, RosterShownForm
from grading.roster.page import applied_message, diff_context
from grading.web.claims import HANDED, claim_link
from grading.web.destinations import own_destination
from grading.web.downloads import CSV, render_file
from grading.web.fields import error_of_hidden
from grading.web.rendering import CONFLICT, SignedInRequest, render_form_page, render_page


@require_http_methods(["GET", "POST"])
def roster_file(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = RosterFileForm(*data, owner=request.user.pk)
    context = {
        "form": form,
        "membership": membership,
        "course": membership.course,
        "next": own_destination(request),
    }
    if form.is_valid():
        context |= diff_context(membership, form.cleaned_data["file"])
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
        messages.error(request, error_of_hidden(form, "shown"))
        address = reverse("roster", args=[pk])
        return redirect(f"{address}?{urlencode({'next': destination})}" if destination else address)
    roster = form.cleaned_data["shown"]
    applied = actions.roster_apply(
        course=membership.course, roster=roster, answers=form.answers(), author=request.user
    )
    if applied is not None:
        messages.success(request, applied_message(applied))
        return redirect(destination or reverse("members", args=[pk]))
    context = {
        "form": RosterFileForm(owner=request.user.pk),
        "membership": membership,
        "course": membership.course,
        "next": destination,
    }
    context |= diff_context(membership, roster) | {"is_stale": True}
    return render_page(request, "grading/roster/detail.html", context, status=CONFLICT)


@require_POST
def member_link(request: SignedInRequest, pk: int, member_pk: int) -> HttpResponse:
    """Show, this once, a link by which a person of the roster sets a password."""
    member = access.get_linkable_member_for(request.user, pk, member_pk)
    link = claim_link(member.user.roster_account, HANDED)
    sentence = "Created a password link for a person of the roster."
    record(AuditKind.INVITED, sentence, course=member.course, person=member.user)
    context = {"member": member, "course": member.course, "link": link}
    return render_page(request, "grading/roster/link.html", context)


@require_POST
def member_links(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show, this once, links for people of the roster without a password, or save them all."""
    course = access.get_instructor_membership_for(request.user, pk).course
    members = linkable_members(course).select_related("user__roster_account")
    people = [
        (
            member.user.name,
            member.user.username,
            member.roster_email,
            claim_link(member.user.roster_account, HANDED),
        )
        for member in members.order_by("user__name", "user__username")
    ]
    if not people:
        messages.info(request, "Everybody of the roster has a password.")
        return redirect("members", pk)
    sentence = f"Created {number_of(len(people), 'password link')} for people of the roster."
    record(AuditKind.INVITED, sentence, course=course)
    if "file" in request.POST:
        content = table_csv(("name", "login", "e-mail", "link"), people)
        return render_file(content, "password-links.csv", CSV)
    context = {"course": course, "people": people, "lines": "\n".join(map("\t".join, people))}
    return render_page(request, "grading/roster/links.html", context)
