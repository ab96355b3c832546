"""What changed in the scores of an assignment when a new version of the method calculated them."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.scoring.method_changes import method_change_dismiss
from grading.scoring.score_changes import changed_results, method_change_of
from grading.web.rendering import SignedInRequest, render_page


@require_safe
def score_changes(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    change = method_change_of(assignment)
    context = {
        "assignment": assignment,
        "membership": membership,
        "change": change,
        "rows": changed_results(assignment, change) if change else [],
    }
    return render_page(request, "grading/assignments/score_changes.html", context)


@require_POST
def score_changes_dismiss(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    method_change_dismiss(assignment=assignment, method=request.POST.get("method", ""))
    return redirect("assignment", pk)
