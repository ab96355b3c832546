"""What an instructor links: the course, its links and their assignments, rosters and grades."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.lti.actions import (
    assignment_make,
    connect_read,
    context_link,
    context_unlink,
    link_choose,
    person_connect,
)
from grading.lti.deep_links import response_to
from grading.lti.forms import ChooseAssignmentForm, LinkCourseForm
from grading.lti.grades import grades_try_again
from grading.lti.middleware import allow_forms_to
from grading.lti.page import course_lms_context
from grading.lti.rosters import context_sync, open_people, wants_sync
from grading.models import Assignment, Course, User
from grading.pyramid.errors import InputError
from grading.pyramid.figures import number_of
from grading.roster.page import diff_context
from grading.web.rendering import SignedInRequest, render_form_page, render_page
from grading.web.same_person import needs_password_to_post

NEXT_PAGE: Final = "lti_next_page"  # in the session: after a course was linked
DEEP_LINK_ASKED: Final = "lti_deep_link"  # in the session: what an LMS asked to choose


@require_http_methods(["GET", "POST"])
def lti_course(request: SignedInRequest, pk: int) -> HttpResponse:
    """Which course here is it that the LMS's course leads to?"""
    context = access.get_lti_context_for(request.user, pk)
    if context.course is not None:
        return _after_linking(request, context.course)
    form = LinkCourseForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data["course"]
        if chosen is not None:
            access.get_instructor_membership_for(request.user, chosen.pk)
        course = context_link(context=context, course=chosen, instructor=request.user)
        if wants_sync(context):
            context_sync(context_pk=context.pk)
        messages.success(request, f"“{course.name}” is linked with your LMS.")
        return _after_linking(request, course)
    return render_form_page(
        request, "grading/lti/course.html", {"form": form, "lti_context": context}
    )


def _after_linking(request: SignedInRequest, course: Course) -> HttpResponse:
    after = request.session.pop(NEXT_PAGE, None)
    return redirect(after) if after else redirect("course", course.pk)


@require_http_methods(["GET", "POST"])
def lti_link(request: SignedInRequest, pk: int) -> HttpResponse:
    """Which assignment does a link of the LMS open?"""
    link, membership = access.get_lti_link_for(request.user, pk)
    form = ChooseAssignmentForm(request.POST or None, context=link.context, link=link)
    if form.is_valid():
        assignment = _chosen(form, membership.course, request.user)
        link_choose(
            link=link,
            assignment=assignment,
            sends_grades=form.cleaned_data["sends_grades"],
            sends_comments=form.cleaned_data["sends_comments"],
            author=request.user,
        )
        messages.success(request, f"The link in your LMS opens “{assignment.title}”.")
        return redirect("assignment", assignment.pk)
    context = {"form": form, "membership": membership, "course": link.context.course, "link": link}
    return render_form_page(request, "grading/lti/link.html", context)


@require_http_methods(["GET", "POST"])
def lti_deep_link(request: SignedInRequest, pk: int) -> HttpResponse:
    """Choose what the LMS gets a link to, and send it there."""
    lti_context = access.get_lti_context_for(request.user, pk)
    linking_request = request.session.get(DEEP_LINK_ASKED)
    if lti_context.course_id is None or linking_request is None or linking_request["context"] != pk:
        raise Http404("Start in your LMS, where you add a link, and choose this tool.")
    membership = access.get_instructor_membership_for(request.user, lti_context.course_id)
    form = ChooseAssignmentForm(request.POST or None, context=lti_context)
    context = {"form": form, "membership": membership, "course": lti_context.course}
    if not form.is_valid():
        return render_form_page(request, "grading/lti/deep_link.html", context)
    assignment = _chosen(form, membership.course, request.user)
    context["answer"] = response_to(linking_request, context=lti_context, assignment=assignment)
    context["return_url"] = linking_request["return_url"]
    del request.session[DEEP_LINK_ASKED]
    response = render_page(request, "grading/lti/deep_link_answer.html", context)
    platform = lti_context.deployment.platform
    sources = [linking_request["return_url"].split("?")[0], *platform.frame_origins]
    return allow_forms_to(response, sources)


def _chosen(form: ChooseAssignmentForm, course: Course, author: User) -> Assignment:
    chosen: Assignment | None = form.cleaned_data["assignment"]
    if chosen is not None:
        return access.get_editable_assignment_for(author, chosen.pk)[0]
    title = form.cleaned_data["title"]
    return assignment_make(course=course, title=title, author=author)


# --- the page of a course ---


@require_safe
def course_lms(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    return render_page(request, "grading/lti/course_lms.html", course_lms_context(membership))


@require_POST
def lti_sync(request: SignedInRequest, pk: int) -> HttpResponse:
    """Follow the LMS's roster now."""
    context, membership = access.get_course_lti_context_for(request.user, pk)
    synced = context_sync(context_pk=context.pk)
    if synced is None:
        messages.error(request, "The roster could not be synchronised. The reason is below.")
    else:
        sentence = f"{number_of(synced.added, 'person')} added, {synced.left} left."
        messages.success(request, f"The roster is synchronised: {sentence}")
    return redirect("course_lms", membership.course_id)


@require_safe
def lti_people(request: SignedInRequest, pk: int) -> HttpResponse:
    """The difference that is left: people of the LMS who may have an account here already."""
    context, membership = access.get_course_lti_context_for(request.user, pk)
    if not context.memberships_url:
        raise InputError("The LMS doesn't share the roster of this course.")
    roster, present = open_people(context)
    page = diff_context(membership, roster, present=present) | {
        "membership": membership,
        "course": membership.course,
        "lti_context": context,
        "next": reverse("course_lms", args=[membership.course_id]),
    }
    return render_page(request, "grading/lti/people.html", page)


@require_POST
def lti_unlink(request: SignedInRequest, pk: int) -> HttpResponse:
    context, membership = access.get_course_lti_context_for(request.user, pk)
    context_unlink(context=context, author=request.user)
    messages.success(request, "The course in your LMS is no longer linked. People and grades stay.")
    return redirect("course_lms", membership.course_id)


@require_POST
def lti_grades(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send an assignment's grades now, failed ones again."""
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    grades_try_again(assignment=assignment, requested_by=request.user)
    messages.success(request, "Missing grades are being sent to the LMS.")
    return redirect("course_lms", membership.course_id)


# --- an account that somebody has here already ---


@login_not_required
@require_http_methods(["GET", "POST"])
@needs_password_to_post
def lti_connect(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever launches with the address of an account here logs in once, to connect the two."""
    about = connect_read(token)
    if about is None:
        raise Http404("This page has expired. Launch again from your LMS.")
    user = request.user if isinstance(request.user, User) else None
    is_meant = user is not None and user in {member.user for member in about.members}
    if request.method == "POST" and user is not None and is_meant:
        if person_connect(platform=about.platform, subject=about.subject, user=user) is None:
            messages.error(request, "Your LMS is already connected with another account here.")
        else:
            messages.success(request, f"Connected. {about.platform.name} opens this account now.")
        return redirect("course", about.course.pk)
    context = {
        "platform": about.platform,
        "course": about.course,
        "is_meant": is_meant,
        "path": request.path,
    }
    return render(request, "grading/lti/connect.html", context)
