"""The review desk: looking at it, steps and comments, saved comments, and annotations as files."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import trigger_client_event

from grading import access
from grading.access.hidden_names import hide_names
from grading.marking.actions import (
    TakenStep,
    annotations_take,
    comment_change,
    comment_delete,
    comment_restore,
    comment_write,
    copies_undo,
    saved_comment_write,
    step_copy,
    step_redo,
    step_take,
    step_undo,
)
from grading.marking.annotations import (
    ComparedFile,
    annotation_names,
    annotations_archive,
    annotations_compare,
    annotations_write,
)
from grading.marking.forms import (
    AnnotationsForm,
    CommentForm,
    CopyForm,
    ProposedForm,
    RewordForm,
    SavedCommentForm,
    StepForm,
)
from grading.marking.page import DeskQuery, desk_page, graders_history, same_wording_page
from grading.marking.queries import Desk, find_desk
from grading.models import (
    Assignment,
    AuditKind,
    MarkingStep,
    Membership,
    SavedComment,
    Submission,
    User,
    record,
)
from grading.pyramid.editing.wording import without_full_stop
from grading.pyramid.figures import hundredths, number_of
from grading.scoring.conversion import submission_to_text
from grading.web.blind import blind_notice
from grading.web.downloads import ZIP, render_file
from grading.web.fields import error_of_hidden
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    asks_for_parts,
    render_form_page,
    render_page,
    render_part,
)
from grading.web.word_spans import span_ref

DESK, ANSWER, IDEAS, HISTORY = (
    f"grading/marking/{name}.html" for name in ("desk", "_answer", "_ideas", "_history")
)
CORRECTED = "submission-corrected"  # the bar above the desk then asks for its state again
SAME_PART, SAME_PAGE = "grading/marking/_same.html", "grading/marking/same_wording.html"
SAVED_COMMENTS = "grading/marking/saved_comments.html"
ANNOTATIONS = "grading/marking/annotations.html"


@require_safe
def marking(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_markable_submission_for(request.user, pk)
    if notice := blind_notice(request, submission, membership):
        return notice
    query = DeskQuery.of(request.GET, submission.text)
    if query.history and asks_for_parts(request):
        context = {"submission": submission, "history": graders_history(submission)}
        return render_page(request, HISTORY, context)
    return render_part(request, IDEAS, DESK, desk_page(submission, membership, query))


@require_POST
def marking_step(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take one step on the desk, undo or redo one, or look for an idea.

    A stale page is answered with 409 and the steps taken since, before what is invalid in the form:
    that may be wrong only because the desk has changed.
    """
    with transaction.atomic():  # locked from the first look at the text to the last write
        submission, membership = access.get_markable_submission_for(request.user, pk, locked=True)
        desk = find_desk(submission)
        if desk is None:
            raise Http404("There is no score to correct yet.")
        form = StepForm(request.POST, content=submission.text, desk=desk)
        is_valid = form.is_valid()
        is_stale = form.cleaned_data.get("stamp", "") != desk.stamp
        taken = None if is_stale or not is_valid else _take_step(form, desk, request.user)
    if taken:
        root = taken.desk.steps.root(taken.step.pk)
        answer = _answer_change(
            request, submission, membership, _step_message(taken), taken.desk, step=root
        )
        return trigger_client_event(answer, CORRECTED)
    words = form.cleaned_data.get("spans", ())
    query = DeskQuery(words=words, idea=form.cleaned_data.get("idea"))
    if form.verb == "find" and is_valid:  # it changes nothing, so a stale page may do it
        if asks_for_parts(request):
            return render_page(request, IDEAS, desk_page(submission, membership, query, desk))
        shown = {"spans": span_ref(words)} | ({"idea": query.idea} if query.idea else {})
        return redirect(f"{reverse('marking', args=[pk])}?{urlencode(shown)}")
    page = desk_page(submission, membership, query, desk)
    template = ANSWER if asks_for_parts(request) else DESK
    if is_stale:
        # The steps that were taken after a page with this stamp was made.
        _, _, last = form.cleaned_data.get("stamp", "").partition("-")
        since = int(last) if last.isdecimal() and len(last) < 19 else 0
        page["stale"] = [step for step in desk.steps.steps.values() if step.pk > since]
        answer = render_page(request, template, page, status=CONFLICT)
        return trigger_client_event(answer, CORRECTED)
    page["errors"] = _all_errors(form)
    return render_page(request, template, page, status=UNPROCESSABLE)


def _take_step(form: StepForm, desk: Desk, author: User) -> TakenStep | None:
    """Do what the button says. Returns None where it changes nothing, as a search for an idea."""
    if form.step is not None:
        did, corrections = form.step
        return step_take(desk=desk, corrections=corrections, did=did, author=author)
    if form.verb == "undo":
        return step_undo(desk=desk, author=author)
    return step_redo(desk=desk, author=author) if form.verb == "redo" else None


def _step_message(taken: TakenStep) -> str:
    did, about = MarkingStep.Did(taken.step.did).label, without_full_stop(taken.step.about)
    if taken.after.held:
        return f"You {did}: “{about}”. The text is held."
    before, after = (hundredths(score.comprehensive) for score in (taken.before, taken.after))
    scores = f"Comprehensive {before} → {after}"
    if taken.before.held:
        scores = f"Comprehensive {after}"
    elif before == after:
        scores = f"Comprehensive stays {after}"
    return f"You {did}: “{about}”. {scores}."


def _answer_change(
    request: SignedInRequest,
    submission: Submission,
    membership: Membership,
    message: str,
    desk: Desk | None = None,
    **shown: Any,
) -> HttpResponse:
    """Answer with the parts that may have changed; without script the page is loaded again.

    ``shown`` is more for the parts: the ``step`` that was done or undone, whose wording is then
    looked for elsewhere; ``is_commented`` where the field for a comment is to be empty again.
    """
    if not asks_for_parts(request):
        messages.success(request, message)
        return redirect("marking", submission.pk)
    page = desk_page(submission, membership, DeskQuery(), desk)
    return render_page(request, ANSWER, page | {"message": message} | shown)


def _all_errors(form: Form) -> list[Any]:
    return [error for errors in form.errors.values() for error in errors]


# --- one decision for many submissions ---


@require_http_methods(["GET", "POST"])
def same_wording(request: SignedInRequest, pk: int, step: int) -> HttpResponse:
    """Where else the words of a decision are, to apply it there or to undo that."""
    submission, membership = access.get_markable_submission_for(request.user, pk)
    if notice := blind_notice(request, submission, membership):
        return notice
    marking_step = (
        submission.marking_steps.select_related("author").filter(pk=step, undoes=None).first()
    )
    if marking_step is None:
        raise Http404("No such decision.")
    message, errors = "", list[Any]()
    if request.method == "POST":
        pks = submission.assignment.submissions.exclude(pk=pk).values_list("pk", flat=True)
        form = CopyForm(request.POST, submissions=pks)
        if form.is_valid():
            message = _copy_step(form, submission, marking_step, request.user)
            if not asks_for_parts(request):
                messages.success(request, message)
                return redirect("marking", pk)
        errors = _all_errors(form)
    desk = find_desk(submission)
    page = same_wording_page(submission, membership, desk, marking_step, request.user)
    page |= {"message": message, "errors": errors}
    status = UNPROCESSABLE if errors else 200
    return render_part(request, SAME_PART, SAME_PAGE, page, status=status)


def _copy_step(form: CopyForm, submission: Submission, step: MarkingStep, author: User) -> str:
    """Returns what was done, as a message."""
    later = "This takes a moment. Reload this page to see the progress."
    if form.cleaned_data["do"] == "undo":
        undone, kept, job = copies_undo(submission=submission, step_pk=step.pk, author=author)
        changed = f" Not undone: {kept}, because they were corrected again." if kept else ""
        return later if job else f"Undone in {number_of(undone, 'submission')}.{changed}"
    chosen = form.cleaned_data["submission"]
    copied, job = step_copy(submission=submission, step_pk=step.pk, chosen=chosen, author=author)
    left = len(chosen) - len(copied)
    skipped = f" Not applied: {left}, because somebody else has decided." if left else ""
    return later if job else f"Applied in {number_of(len(copied), 'submission')}.{skipped}"


# --- comments to students, and notes for graders ---


@require_POST
def comment_new(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_markable_submission_for(request.user, pk)
    form = CommentForm(request.POST, content=submission.text)
    if not form.is_valid():
        return _refuse_comment(request, submission, membership, form)
    is_private = form.cleaned_data["audience"] == "graders"
    desk = find_desk(submission)
    comment_write(
        submission=submission,
        text=form.cleaned_data["comment"],
        is_private=is_private,
        spans=form.cleaned_data["spans"],
        idea=desk.commented(form.about_idea) if desk else None,
        author=request.user,
    )
    message = "Comment saved. The student sees it with the result."
    if is_private:
        message = "Note saved. Only graders see it."
    return _answer_change(request, submission, membership, message, desk, is_commented=True)


@require_POST
def comment_reword(request: SignedInRequest, pk: int) -> HttpResponse:
    comment, membership = access.get_own_comment_for(request.user, pk)
    form = RewordForm(request.POST)
    if not form.is_valid():
        return _refuse_comment(request, comment.submission, membership, form)
    comment_change(comment=comment, text=form.cleaned_data["comment"], author=request.user)
    return _answer_change(request, comment.submission, membership, "Comment changed.")


@require_POST
def comment_remove(request: SignedInRequest, pk: int) -> HttpResponse:
    comment, membership = access.get_own_comment_for(request.user, pk)
    comment_delete(comment=comment, author=request.user)
    message = "Comment deleted. You can restore it below the others."
    return _answer_change(request, comment.submission, membership, message)


@require_POST
def comment_return(request: SignedInRequest, pk: int) -> HttpResponse:
    comment, membership = access.get_own_comment_for(request.user, pk)
    comment_restore(comment=comment, author=request.user)
    return _answer_change(request, comment.submission, membership, "Comment restored.")


def _refuse_comment(
    request: SignedInRequest,
    submission: Submission,
    membership: Membership,
    form: CommentForm | RewordForm,
) -> HttpResponse:
    query = DeskQuery(form.cleaned_data.get("spans", ()), form.cleaned_data.get("idea"))
    page = desk_page(submission, membership, query)
    page |= {"errors": _all_errors(form), "typed": form.data.get("comment", "")}
    template = ANSWER if asks_for_parts(request) else DESK
    return render_page(request, template, page, status=UNPROCESSABLE)


# --- saved comments, which the graders of a course share ---


@require_http_methods(["GET", "POST"])
def saved_comments(request: SignedInRequest, pk: int) -> HttpResponse:
    """The list, and a form for a new one."""
    membership = access.get_grader_membership_for(request.user, pk)
    form = SavedCommentForm(request.POST if request.method == "POST" else None)
    form.check_room(membership.course)
    if _save_comment(form, membership, request.user):
        return redirect("saved_comments", pk)
    return render_form_page(request, SAVED_COMMENTS, _saved_context(membership, form))


@require_http_methods(["GET", "POST"])
def saved_comment_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change it, or delete it: comments that used it stay as they are."""
    saved, membership = access.get_saved_comment_for(request.user, pk)
    if "delete" in request.POST:
        saved.delete()
        messages.success(request, f"“/{saved.key}” deleted. Comments that used it stay.")
        return redirect("saved_comments", saved.course_id)
    initial = {"key": saved.key, "text": saved.text}
    form = SavedCommentForm(request.POST if request.method == "POST" else None, initial=initial)
    if _save_comment(form, membership, request.user, saved):
        return redirect("saved_comments", saved.course_id)
    context = _saved_context(membership, form) | {"saved": saved}
    return render_form_page(request, SAVED_COMMENTS, context)


def _save_comment(
    form: SavedCommentForm, membership: Membership, author: User, saved: SavedComment | None = None
) -> bool:
    if not form.is_bound or not form.is_valid():
        return False
    key, text = form.cleaned_data["key"], form.cleaned_data["text"]
    is_saved = saved_comment_write(
        course=membership.course, key=key, text=text, author=author, saved=saved
    )
    if not is_saved:
        form.add_error("key", f"“/{key}” is in use. Choose another key.")
    return is_saved


def _saved_context(membership: Membership, form: SavedCommentForm) -> dict[str, Any]:
    rows = membership.course.saved_comments.select_related("author")
    return {
        "course": membership.course,
        "membership": membership,
        "form": form,
        "saved": None,
        "rows": rows,
    }


# --- annotations as files of DUCView: out and in, for one text and for a class ---


@require_safe
def annotation_file(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, _ = access.get_graded_submission_for(request.user, pk)
    content = annotations_write([submission]).get(pk)
    if content is None:
        raise Http404("There is no score yet, or its pyramid has no references for DUCView.")
    name = f"{annotation_names([submission])[pk]}.pan"
    return render_file(content, name, "application/xml; charset=utf-8")


@require_safe
def annotations_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """A zip with each student's attempt that counts."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    submissions = _with_students(assignment, assignment.submissions.latest_attempts())
    title = slugify(assignment.title)[:60] or str(assignment.pk)
    content = annotations_archive(submissions)
    sentence = "Downloaded the class's texts with their annotations."
    record(AuditKind.EXPORTED, sentence, assignment=assignment)
    return render_file(content, f"annotations-{title}.zip", ZIP)


@require_http_methods(["GET", "POST"])
def annotation_upload(request: SignedInRequest, pk: int) -> HttpResponse:
    """A file for one text, whatever its name."""
    submission, membership = access.get_markable_submission_for(request.user, pk)
    form = _annotations_form(request)
    compared: tuple[ComparedFile, ...] = ()
    if form.is_valid():
        file = form.files_read[0]
        compared = annotations_compare(files=[file], submissions={file.name: submission})
    context = _annotations_context(submission.assignment, membership, form, compared)
    return render_form_page(request, ANNOTATIONS, context | {"submission": submission})


@require_http_methods(["GET", "POST"])
def annotations(request: SignedInRequest, pk: int) -> HttpResponse:
    """Files for a class, by the names that the download gives them."""
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    form = _annotations_form(request)
    compared: tuple[ComparedFile, ...] = ()
    if form.is_valid():
        by_pk = {row.pk: row for row in _markable(assignment, request.user)}
        counting = set(assignment.submissions.latest_attempts().values_list("pk", flat=True))
        names = {name: pk for pk, name in annotation_names(by_pk.values()).items()}
        latest = [row for row in by_pk.values() if row.pk in counting]
        names |= {name: pk for pk, name in annotation_names(latest).items()}
        submissions = {name: by_pk[pk] for name, pk in names.items()}
        compared = annotations_compare(files=form.files_read, submissions=submissions)
    context = _annotations_context(assignment, membership, form, compared)
    return render_form_page(request, ANNOTATIONS, context | {"submission": None})


@require_POST
def annotations_accept(request: SignedInRequest, pk: int) -> HttpResponse:
    """Import the corrections that the preview showed, and nothing else."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    form = ProposedForm(request.POST, assignment=assignment)
    if not form.is_valid():
        messages.error(request, error_of_hidden(form, "proposed"))
        return redirect("annotations", pk)
    proposed = form.cleaned_data["proposed"]
    submissions = {row.pk: row for row in _markable(assignment, request.user)}
    still_markable = [proposal for proposal in proposed if proposal.submission in submissions]
    imported, stale = annotations_take(
        proposed=still_markable, submissions=submissions, author=request.user
    )
    if imported:
        texts = number_of(len(imported), "text")
        messages.success(request, f"Imported for {texts}. You can undo each on its review desk.")
    if stale:
        names = ", ".join(submission_to_text(row).name for row in stale[:10])
        messages.warning(
            request,
            f"Not imported, because it has changed since: {names}"
            f"{' and more' if len(stale) > 10 else ''}. Choose the file again.",
        )
    if len(proposed) == len(imported) == 1:
        return redirect("marking", imported[0].pk)
    return redirect("annotations", pk)


def _annotations_form(request: SignedInRequest) -> AnnotationsForm:
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    return AnnotationsForm(*data, owner=request.user.pk)


def _with_students(assignment: Assignment, rows: Any) -> list[Submission]:
    """Fetch the rows with their students, who have pseudonyms where names are hidden."""
    submissions: list[Submission] = list(rows.select_related("student").order_by("pk"))
    hide_names(assignment, submissions)
    return submissions


def _markable(assignment: Assignment, grader: User) -> list[Submission]:
    """All submissions that this grader may mark: nobody marks their own work."""
    return _with_students(assignment, assignment.submissions.exclude(student=grader))


def _annotations_context(
    assignment: Assignment,
    membership: Membership,
    form: AnnotationsForm,
    compared: tuple[ComparedFile, ...],
) -> dict[str, Any]:
    changing = [file for file in compared if file.is_change]
    return {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "changing": changing,
        "same": [file for file in compared if file.changes and not file.is_change],
        "refused": [file for file in compared if file.problem],
        "is_shown": bool(compared),
        "proposed": ProposedForm(assignment=assignment, shown=changing) if changing else None,
    }
