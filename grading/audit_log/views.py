"""The audit log: of a course for its instructors, of the whole site for administrators."""

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.audit_log.forms import KINDS, KINDS_OF_COURSES, FilterForm
from grading.audit_log.page import audit_lines
from grading.models import AuditRecord, Role, User
from grading.web.rendering import SignedInRequest, render_page

RECORDS_A_PAGE = 50


@require_safe
def audit_log(request: SignedInRequest) -> HttpResponse:
    access.get_operator(request.user)
    form = FilterForm(request.GET, kinds=KINDS)
    records = form.filtered(AuditRecord.objects.all(), User.objects.all())
    return _page(request, form, records, {})


@require_safe
def course_audit_log(request: SignedInRequest, pk: int) -> HttpResponse:
    """Addresses (of the internet) are for administrators: an instructor need not have them."""
    membership = access.get_course_even_if_archived_for(request.user, pk)
    form = FilterForm(request.GET, kinds=KINDS_OF_COURSES)
    members = membership.course.memberships.all()
    if membership.course.assignments.filter(names_hidden=True).exists():
        # To search for a student by name would tell whose pseudonym it is.
        members = members.exclude(role=Role.STUDENT)
    people = User.objects.filter(pk__in=members.values("user"))
    records = form.filtered(AuditRecord.objects.filter(course=pk), people)
    return _page(request, form, records, {"course": membership.course, "membership": membership})


def _page(
    request: SignedInRequest,
    form: FilterForm,
    records: QuerySet[AuditRecord],
    context: dict[str, object],
) -> HttpResponse:
    page = Paginator(records, RECORDS_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context |= {
        "form": form,
        "page": page,
        "lines": audit_lines(list(page), of_a_course="course" in context),
        "is_filtered": any(query.values()),
    }
    return render_page(request, "grading/audit_log/list.html", context)
