"""An uploaded gradebook file: what would be filled in, the choices, and the filled file."""

from collections.abc import Sequence
from functools import cached_property

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from grading import access
from grading.grades.actions_gradebook_exports import (
    FillChoices,
    Prepared,
    comments_to_students,
    export_keep,
    filling_of,
    prepared_filling,
    upload_choose,
)
from grading.grades.forms_gradebook_exports import FillForm
from grading.models import GradebookUpload, Membership
from grading.pyramid.formats.lms.filling import Filling
from grading.pyramid.formats.lms.grade_file import GradeFile
from grading.pyramid.formats.lms.matching import Pair
from grading.pyramid.formats.lms.reading import read_grade_file
from grading.scoring.grades import points_possible
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    render_page,
)


@require_http_methods(["GET", "POST"])
def gradebook_fill(request: SignedInRequest, pk: int) -> HttpResponse:
    """What is shown, or else the file: only if it is the one that was shown."""
    upload, membership = access.get_gradebook_upload_for(request.user, pk)
    shown = Shown(upload)
    form = shown.form(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, shown, membership, form)
    shown = shown.with_choices(form.choices(shown.pairs))
    upload_choose(upload=upload, choices=shown.choices)
    if "download" not in request.POST:
        return redirect("gradebook_fill", pk)
    if shown.prepared is None or form.cleaned_data["stamp"] != shown.prepared.stamp:
        return _page(request, shown, membership, shown.form(), has_changed=True)
    export = export_keep(assignment=upload.assignment, author=request.user, prepared=shown.prepared)
    return redirect("gradebook_exported_file", export.pk)


class Shown:
    """An upload with what was chosen for it, as it would be filled now."""

    def __init__(
        self,
        upload: GradebookUpload,
        file: GradeFile | None = None,
        choices: FillChoices | None = None,
    ) -> None:
        self.upload = upload
        self.file = file or read_grade_file(bytes(upload.data))
        self.choices = choices or FillChoices.from_json(upload.choices)

    def with_choices(self, choices: FillChoices) -> "Shown":
        return Shown(self.upload, self.file, choices)

    @cached_property
    def filling(self) -> Filling | None:
        return filling_of(self.upload, self.file, self.choices)

    @cached_property
    def prepared(self) -> Prepared | None:
        if self.filling is None or self.filling.refusal:
            return None
        return prepared_filling(self.upload, self.filling, self.choices.scope)

    def pairs(self) -> list[tuple[int, int]]:
        """Rows with the students of whom they have only the name."""
        named = self.filling.matching.named if self.filling else ()
        return [(pair.person.line, pair.student.key) for pair in named]

    def form(self, sent: QueryDict | None = None) -> FillForm:
        return FillForm(sent, file=self.file, kept=self.choices)


def _page(
    request: SignedInRequest,
    shown: Shown,
    membership: Membership,
    form: FillForm,
    *,
    has_changed: bool = False,
) -> HttpResponse:
    assignment = shown.upload.assignment
    context = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "upload": shown.upload,
        "file": shown.file,
        "filling": shown.filling,
        "prepared": shown.prepared,
        "possible": points_possible(assignment),
        "named": _named(shown.filling, shown.choices),
        "has_comments": shown.file.comments is not None and bool(comments_to_students(assignment)),
        "has_changed": has_changed,
    }
    refused = UNPROCESSABLE if form.is_bound else 200
    status = CONFLICT if has_changed else refused
    return render_page(request, "grading/grades/fill.html", context, status=status)


def _named(filling: Filling | None, choices: FillChoices) -> Sequence[tuple[Pair, str, bool]]:
    """Rows that only a name is known of, with the value of their tick and whether it is set."""
    pairs = filling.matching.named if filling else ()
    return [
        (
            pair,
            f"{pair.person.line}-{pair.student.key}",
            (pair.person.line, pair.student.key) in choices.names,
        )
        for pair in pairs
    ]
