"""Imports of files with submissions: sent, read by a worker, looked at, applied."""

from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.utils.datastructures import MultiValueDict
from ninja import File, Router, Status, UploadedFile

from grading import access
from grading.access.hidden_names import person_key
from grading.api.course_schemas import (
    ImportApplyIn,
    ImportChoicesIn,
    ImportOut,
    ImportPlanOut,
)
from grading.api.middleware import TokenRequest
from grading.api.pages import USUAL_PAGE, After, Limit, page_of_rows, shown_page
from grading.api.problems import CONFLICT, UNPROCESSABLE, RefusedError, check_form
from grading.api.schemas import Page
from grading.api.shown_courses import import_stamp, shown_import, shown_plan
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.bulk_import.actions import (
    import_apply,
    import_choose,
    import_discard,
    import_start,
)
from grading.bulk_import.forms import WorkImportForm
from grading.bulk_import.queries import ImportChoices, import_choices, import_plan
from grading.models import Assignment, Role, User, WorkImport
from grading.pyramid.formats.bulk_plan import Plan

router = Router(tags=["Imports of submissions"])

ENDED = "This upload was already imported or discarded."


@router.get(
    "/assignments/{id:assignment}/imports", response=Page[ImportOut], summary="Imports so far"
)
def imports(
    request: TokenRequest, assignment: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    rows = WorkImport.objects.filter(assignment=row).select_related("assignment")
    page_rows, following = page_of_rows(rows.defer("document", "choices"), after, limit)
    return shown_page([shown_import(work_import) for work_import in page_rows], following)


@router.post(
    "/assignments/{id:assignment}/imports",
    response={202: ImportOut},
    summary="Send files with submissions",
    url_name="import_files",
)
def import_create(request: TokenRequest, assignment: int, files: File[list[UploadedFile]]) -> Any:
    """A zip, texts, or a CSV, as the page takes them. A worker reads them; nothing is imported."""
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    form = check_form(WorkImportForm({}, MultiValueDict({"chosen": [*files]})))
    work_import = import_start(
        assignment=row, uploads=form.uploads(), name=form.name(), author=request.user
    )
    return Status(202, shown_import(work_import))


@router.get("/imports/{id:upload}", response=ImportPlanOut, summary="What an import would do")
def import_read(request: TokenRequest, response: HttpResponse, upload: int) -> Any:
    row, _ = access.get_import_for(request.user, upload)
    return _shown(row, response)


@router.put(
    "/imports/{id:upload}/choices",
    response=ImportPlanOut,
    summary="Say whose the files are, and when they were submitted",
)
def import_choices_set(
    request: TokenRequest,
    response: HttpResponse,
    upload: int,
    payload: ImportChoicesIn,
    if_match: IfMatch = None,
) -> Any:
    """Send the ETag of the import as If-Match. The answer is the new plan."""
    with transaction.atomic():
        row, plan = _locked(request.user, upload, if_match)
        given = dict(import_choices(work_import=row).given)
        numbers = {file.file.number for file in plan.rows}
        students = row.assignment.course.memberships.filter(role=Role.STUDENT)
        owners = {
            person_key(row.assignment, pk): pk for pk in students.values_list("user", flat=True)
        }
        for number, key in payload.given.items():
            if int(number) not in numbers:
                raise _refused("There is no file with this number.")
            given.pop(int(number), None)
            if key is not None:
                if key not in owners:
                    raise _refused("No student of this course.")
                given[int(number)] = owners[key]
        at = payload.submitted_at or import_choices(work_import=row).handed_in_at
        import_choose(work_import=row, choices=ImportChoices(given, at))
    row, _ = access.get_import_for(request.user, upload)
    return _shown(row, response)


@router.post(
    "/imports/{id:upload}/apply", response={201: ImportOut}, summary="Import the ticked files"
)
def import_take(
    request: TokenRequest, upload: int, payload: ImportApplyIn, if_match: IfMatch = None
) -> Any:
    """Send the ETag of the import as If-Match. All are scored in one job."""
    with transaction.atomic():
        row, plan = _locked(request.user, upload, if_match)
        ticked = {file.file.number for file in plan.rows if file.ticked}
        if payload.ticked is not None:
            ticked = set(payload.ticked)
        applied = import_apply(
            work_import=row, stamp=plan.stamp, ticked=ticked, author=request.user
        )
        if applied is None:
            raise stale()
    return Status(201, shown_import(applied))


@router.delete(
    "/imports/{id:upload}", response={204: None}, summary="Discard an import and its files"
)
def import_delete(request: TokenRequest, upload: int) -> Any:
    row, _ = access.get_import_for(request.user, upload)
    if not import_discard(work_import=row, author=request.user):
        raise RefusedError(CONFLICT, ENDED)
    return Status(204, None)


def _shown(work_import: WorkImport, response: HttpResponse) -> dict[str, Any]:
    shown, stamp = shown_plan(work_import)
    put_stamp(response, stamp)
    return shown


def _locked(user: User, upload: int, if_match: str | None) -> tuple[WorkImport, Plan]:
    """The import and its plan, if they are still what the program has read."""
    stamp = stamp_sent(if_match)
    row, _ = access.get_import_for(user, upload)
    Assignment.objects.select_for_update().get(pk=row.assignment_id)
    row, _ = access.get_import_for(user, upload)
    if row.is_being_read:
        raise RefusedError(CONFLICT, "The files are still being read. Wait for the job.")
    if not row.is_ready:
        raise RefusedError(CONFLICT, ENDED)
    plan = import_plan(work_import=row)
    if import_stamp(row, plan) != stamp:
        raise stale()
    return row, plan


def _refused(sentence: str) -> RefusedError:
    return RefusedError(UNPROCESSABLE, sentence, [{"field": "given", "message": sentence}])
