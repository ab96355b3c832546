"""Which gradebook file, whose grades, and what is to be filled in."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from grading.grades.actions_gradebook_exports import FillChoices
from grading.models import GradebookExport, Scope
from grading.pyramid.errors import InputError
from grading.pyramid.formats.lms.grade_file import Column, GradeFile
from grading.pyramid.formats.lms.numbers import written
from grading.pyramid.formats.lms.reading import read_grade_file

LARGEST_GRADE_FILE = 4_000_000  # bytes

Kind = GradebookExport.Kind
NamedPair = tuple[int, int]  # line of the file, and key of the student


def _scope_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Which grades",
        choices=Scope.choices,
        initial=Scope.ALL,
        error_messages={"required": "Say which grades: all, or those of released results."},
    )


class LmsFileForm(forms.Form):
    """A file that the platform exported; when it is valid, ``content`` is there."""

    file = forms.FileField(
        label="The file that your LMS exported",
        help_text="Canvas, Moodle (gradebook, or the grading worksheet of an assignment), "
        "Blackboard, Brightspace or Sakai. At most 4 MB.",
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xls"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )
    scope = _scope_field()

    content: bytes

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_GRADE_FILE:
            raise forms.ValidationError(
                f"“{file.name}” has {file.size or 0:,} bytes; at most {LARGEST_GRADE_FILE:,} can "
                "be taken."
            )
        self.content = file.read()
        try:
            found = read_grade_file(self.content)
        except InputError as error:
            raise forms.ValidationError(f"“{file.name}”: {error}", code="unknown") from None
        if problem := _nothing_to_fill(found):
            raise forms.ValidationError(f"“{file.name}”, a {found.name}: {problem}")
        return file

    @property
    def is_unknown(self) -> bool:
        """Was the file one that no platform writes?"""
        return self.has_error("file", "unknown")


def _nothing_to_fill(file: GradeFile) -> str:
    if not file.people:
        return f"there is no row of a student in it. {' '.join(file.remarks)}".strip()
    if file.candidates:
        return ""
    named = "; ".join(f"“{column.title}”: {column.why_not}" for column in file.columns)
    return f"it has no column that can be filled. {named or 'Add the assignment there first.'}"


class FillForm(forms.Form):
    """What to fill in. ``stamp`` is of the file that was shown, where the file is wanted."""

    column = forms.TypedChoiceField(
        label="Column to fill",
        coerce=int,
        error_messages={"required": "Choose the column that is to be filled."},
    )
    scope = _scope_field()
    out_of = forms.DecimalField(
        label="Points of this column in the LMS",
        help_text="The file does not say. Leave it empty where they are the same as here.",
        required=False,
        min_value=0,
        max_digits=8,
        decimal_places=2,
    )
    scale = forms.BooleanField(required=False)
    comments = forms.BooleanField(label="Fill in the comments to students", required=False)
    all_names = forms.BooleanField(required=False)
    stamp = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, file: GradeFile, kept: FillChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        columns: Any = self.fields["column"]
        columns.choices = [("", "Choose a column")] if kept.column is None else []
        columns.choices += [(one.index, _told(one)) for one in file.candidates]
        self.initial.update(kept.as_json())

    def choices(self, named: Callable[[], Iterable[NamedPair]]) -> FillChoices:
        """What is to be kept. ``named`` are the pairs to tick, asked for where all are meant."""
        data = self.cleaned_data
        ticked = self.data.getlist("names")  # type: ignore[attr-defined]
        return FillChoices(
            column=data["column"],
            scope=Scope(data["scope"]),
            scale=data["scale"],
            out_of=data["out_of"] or None,
            comments=data["comments"],
            names=frozenset(named() if data["all_names"] else map(_pair, ticked)),
        )


def _pair(value: str) -> NamedPair:
    """What a tick says; (0, 0), which is nobody, where it makes no sense."""
    line, _, key = value.partition("-")
    is_pair = all(part.isascii() and part.isdigit() for part in (line, key))
    return (int(line), int(key)) if is_pair and len(value) < 40 else (0, 0)


def _told(column: Column) -> str:
    points = "" if column.points is None else f" ({written(column.points)} points)"
    return f"{column.title}{points}"


class FreshForm(forms.Form):
    """A new file."""

    kind = forms.ChoiceField(
        label="File",
        choices=[(kind.value, kind.label) for kind in (Kind.CANVAS, Kind.MOODLE, Kind.CSV)],
        initial=Kind.CSV,
    )
    scope = _scope_field()
    title = forms.CharField(
        label="Title of the column",
        max_length=200,
        required=False,
        help_text="For Canvas and Moodle: as the assignment is called there. Empty: as it is "
        "called here.",
    )
    stamp = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, title: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._title = title

    def clean_title(self) -> str:
        return " ".join(str(self.cleaned_data["title"]).split()) or self._title
