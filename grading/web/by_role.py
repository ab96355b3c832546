"""One address with a page for students and another one for graders, from two topics."""

from collections.abc import Callable

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.models import Assignment, Membership
from grading.web.rendering import SignedInRequest

AssignmentPage = Callable[[SignedInRequest, Assignment, Membership], HttpResponse]


def by_role(
    *, student: AssignmentPage, grader: AssignmentPage
) -> Callable[[SignedInRequest, int], HttpResponse]:
    """Make a view that fetches the assignment, authorises, and calls the page of the role."""

    @require_safe
    def view(request: SignedInRequest, pk: int) -> HttpResponse:
        assignment, membership = access.get_assignment_for(request.user, pk)
        page = grader if membership.is_grader else student
        return page(request, assignment, membership)

    return view
