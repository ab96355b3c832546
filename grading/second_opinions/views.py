"""Second opinions: choose the methods, read about them, and compare what they say of a text."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from grading import access
from grading.pyramid.method_words import METHOD_WORDS
from grading.scoring.second_opinions import chosen_methods, opinion_setting_of, opinions_job
from grading.second_opinions.actions import opinion_setting_change
from grading.second_opinions.forms import OpinionSettingForm
from grading.second_opinions.page import method_rows, submission_views
from grading.second_opinions.queries import unavailable_methods
from grading.web.blind import blind_notice
from grading.web.rendering import SignedInRequest, render_form_page, render_page


@require_http_methods(["GET", "POST"])
def second_opinions(request: SignedInRequest, pk: int) -> HttpResponse:
    """The setting of an assignment, for its instructors."""
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    setting = opinion_setting_of(assignment)
    form = OpinionSettingForm(
        request.POST or None, setting=setting, unavailable=unavailable_methods(assignment)
    )
    if form.is_valid():
        job = opinion_setting_change(
            assignment=assignment, author=request.user, **form.cleaned_data
        )
        message = "The opinions are being calculated." if job else "Second opinions are off."
        messages.success(request, f"Second opinions saved. {message}")
        return redirect("second_opinions", pk)
    context = {
        "form": form,
        "methods": method_rows(form, assignment),
        "is_on": bool(chosen_methods(setting)),
        "submissions": assignment.submissions.count(),
        "job": opinions_job(assignment),
        "assignment": assignment,
        "membership": membership,
    }
    return render_form_page(request, "grading/second_opinions/setting.html", context)


@require_safe
def opinion_methods(request: SignedInRequest, pk: int) -> HttpResponse:
    """What each method looks at, in plain words."""
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    in_use = chosen_methods(opinion_setting_of(assignment))
    context = {
        "assignment": assignment,
        "membership": membership,
        "methods": [
            {"name": name, "words": words, "is_in_use": name in in_use}
            for name, words in METHOD_WORDS.items()
        ],
    }
    return render_page(request, "grading/second_opinions/methods.html", context)


@require_safe
def submission_opinions(request: SignedInRequest, pk: int) -> HttpResponse:
    """What each method found in a text, side by side."""
    submission, membership = access.get_graded_submission_for(request.user, pk)
    if notice := blind_notice(request, submission, membership):
        return notice
    assignment = submission.assignment
    score = access.get_score_for(submission, access.get_sight_of(submission, membership))
    context = {
        "submission": submission,
        "assignment": assignment,
        "membership": membership,
        "views": submission_views(submission, score),
        "job": opinions_job(assignment),
    }
    return render_page(request, "grading/second_opinions/submission.html", context)
