"""References, builds and their progress, drafts and versions."""

from typing import Annotated, Any

from django.conf import settings
from django.http import HttpResponse
from ninja import Path, Router, Status

from grading import access
from grading.api.middleware import TokenRequest
from grading.api.pages import USUAL_PAGE, After, Limit, page_of_rows, shown_page
from grading.api.problems import CONFLICT, UNPROCESSABLE, RefusedError
from grading.api.schemas import (
    BuildIn,
    DraftOut,
    JobOut,
    Page,
    PublishIn,
    PyramidOut,
    ReferenceIn,
    ReferenceOut,
    ReferencesIn,
    VersionOut,
)
from grading.api.shown import (
    shown_draft,
    shown_job,
    shown_pyramid,
    shown_reference,
    shown_version,
)
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.pyramid.characters import with_one_line_end
from grading.pyramid.errors import InputError
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.registry import BuildSettings, get_method, settings_of
from grading.pyramid.structures import Pyramid, Text
from grading.pyramids.actions import (
    PublishResult,
    draft_publish,
    is_built_with,
    pyramid_start_build,
    reference_change,
    reference_delete,
    reference_stamp,
    references_add,
)
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row

router = Router(tags=["References and pyramids"])

Kind = Annotated[str, Path(pattern=f"^({'|'.join(FILE_KINDS)})$")]


# --- references ---


@router.get(
    "/assignments/{id:assignment}/references",
    response=list[ReferenceOut],
    summary="Expert summaries of an assignment",
)
def references(request: TokenRequest, assignment: int) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    return [shown_reference(reference) for reference in row.references.all()]


@router.post(
    "/assignments/{id:assignment}/references",
    response={201: list[ReferenceOut]},
    summary="Add expert summaries",
)
def references_create(request: TokenRequest, assignment: int, payload: ReferencesIn) -> Any:
    row, _ = access.get_editable_assignment_for(request.user, assignment)
    texts = [_text_of(reference) for reference in payload.references]
    added = references_add(assignment=row, texts=texts)
    return Status(201, [shown_reference(reference) for reference in added])


@router.get("/references/{id:reference}", response=ReferenceOut, summary="An expert summary")
def reference(request: TokenRequest, response: HttpResponse, reference: int) -> Any:
    row, _ = access.get_graded_reference_for(request.user, reference)
    put_stamp(response, reference_stamp(row))
    return shown_reference(row)


@router.put("/references/{id:reference}", response=ReferenceOut, summary="Change an expert summary")
def reference_update(
    request: TokenRequest,
    response: HttpResponse,
    reference: int,
    payload: ReferenceIn,
    if_match: IfMatch = None,
) -> Any:
    """Send the ETag as If-Match. Versions that were built before keep the old text."""
    row, _ = access.get_editable_reference_for(request.user, reference)
    text = _text_of(payload)
    changed = reference_change(
        reference=row, name=text.name or row.name, text=text.content, stamp=stamp_sent(if_match)
    )
    if changed is None:
        raise stale()
    put_stamp(response, reference_stamp(changed))
    return shown_reference(changed)


@router.delete(
    "/references/{id:reference}", response={204: None}, summary="Delete an expert summary"
)
def reference_remove(request: TokenRequest, reference: int) -> Any:
    """Versions that were built from it stay."""
    row, _ = access.get_editable_reference_for(request.user, reference)
    reference_delete(reference=row)
    return Status(204, None)


def _text_of(reference: ReferenceIn) -> Text:
    content = with_one_line_end(reference.text).strip()
    if not content:
        raise InputError("The text is empty.")
    return Text(reference.name.strip(), content)


# --- builds ---


@router.post("/assignments/{id:assignment}/builds", response={202: JobOut}, summary="Build a draft")
def build_start(request: TokenRequest, assignment: int, payload: BuildIn) -> Any:
    """Answers at once with a job. Ask for it until it is done; it then says which draft it made."""
    row, _ = access.get_editable_assignment_for(request.user, assignment)
    if not row.references.exists():
        sentence = "Add a reference summary first: a pyramid is built from them."
        raise RefusedError(UNPROCESSABLE, sentence)
    if not payload.dict(exclude_none=True):
        chosen = None
    else:
        usual = settings_of(get_method(settings.PYREVAL_METHOD))
        chosen = BuildSettings(
            builder=payload.builder or usual.builder,
            edge_percentile=usual.edge_percentile
            if payload.edge_percentile is None
            else payload.edge_percentile,
            beta=usual.beta if payload.beta is None else payload.beta,
        )
    job = pyramid_start_build(assignment=row, requested_by=request.user, settings=chosen)
    if chosen and not is_built_with(job, chosen):
        sentence = "Another draft is being built. Wait for it, then start this one."
        raise RefusedError(CONFLICT, sentence)
    return Status(202, shown_job(job))


@router.get("/jobs/{id:job}", response=JobOut, summary="The progress of a job")
def job(request: TokenRequest, job: int) -> Any:
    row, _ = access.get_job_for(request.user, job)
    access.get_graded_assignment_for(request.user, row.assignment.pk)
    return shown_job(row)


# --- drafts ---


@router.get(
    "/assignments/{id:assignment}/drafts", response=Page[DraftOut], summary="Drafts of a pyramid"
)
def drafts(
    request: TokenRequest, assignment: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    page_rows, following = page_of_rows(row.drafts.defer("document", "first"), after, limit)
    return shown_page([shown_draft(draft) for draft in page_rows], following)


@router.get("/drafts/{id:draft}", response=PyramidOut, summary="The current state of a draft")
def draft(request: TokenRequest, response: HttpResponse, draft: int) -> Any:
    row, _ = access.get_draft_for(request.user, draft)
    pyramid = pyramid_from_draft(row)
    put_stamp(response, str(row.revision))
    return shown_pyramid(row, pyramid)


@router.post("/drafts/{id:draft}/publish", response={201: VersionOut}, summary="Publish a draft")
def publish(request: TokenRequest, draft: int, payload: PublishIn, if_match: IfMatch = None) -> Any:
    """Send the ETag of the draft as If-Match. The class is scored with the new version."""
    row, _ = access.get_editable_draft_for(request.user, draft)
    stamp = stamp_sent(if_match)
    publication = draft_publish(
        draft=row,
        revision=int(stamp) if stamp.isdecimal() and len(stamp) < 10 else -1,
        note=payload.note,
        author=request.user,
        even_if_same=payload.even_if_same,
        even_if_doubtful=payload.even_if_doubtful,
    )
    if publication.result is PublishResult.STALE:
        raise stale()
    if publication.result is not PublishResult.DONE or publication.version is None:
        raise RefusedError(CONFLICT, publication.message)
    return Status(201, shown_version(publication.version))


# --- versions ---


@router.get(
    "/assignments/{id:assignment}/versions",
    response=Page[VersionOut],
    summary="Published versions of the pyramid",
)
def versions(
    request: TokenRequest, assignment: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    page_rows, following = page_of_rows(row.pyramids.defer("document"), after, limit)
    return shown_page([shown_version(version) for version in page_rows], following)


@router.get("/versions/{id:version}", response=PyramidOut, summary="A published version")
def version(request: TokenRequest, version: int) -> Any:
    row, _ = access.get_version_for(request.user, version)
    return shown_pyramid(row, pyramid_from_row(row))


@router.get("/drafts/{id:draft}/file/{kind}", summary="A draft as a file: pyr, json, tsv or csv")
def draft_file(request: TokenRequest, draft: int, kind: Kind) -> Any:
    row, _ = access.get_draft_for(request.user, draft)
    return _file(pyramid_from_draft(row), kind)


@router.get(
    "/versions/{id:version}/file/{kind}", summary="A version as a file: pyr, json, tsv or csv"
)
def version_file(request: TokenRequest, version: int, kind: Kind) -> Any:
    row, _ = access.get_version_for(request.user, version)
    return _file(pyramid_from_row(row), kind)


def _file(pyramid: Pyramid, kind: str) -> HttpResponse:
    file_kind = FILE_KINDS[kind]
    content_type = f"{file_kind.content_type}; charset=utf-8"
    return HttpResponse(file_kind.write(pyramid), content_type=content_type)
