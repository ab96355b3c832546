"""Files and lists from which a draft is begun."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from grading.editor.forms_proposals import Proposal
from grading.models import Assignment, Draft
from grading.pyramid.errors import InputError
from grading.pyramid.formats.file_import import read_file
from grading.pyramid.formats.import_report import Imported
from grading.pyramid.formats.rubric_list import Rubric, pyramid_of_rubric, read_rubric
from grading.pyramid.structures import Text
from grading.scoring.conversion import reference_to_text
from grading.submissions.actions_summaries import MOST_REFERENCES

LARGEST_PYRAMID_FILE = 1_500_000  # bytes: it goes through the browser twice
LONGEST_RUBRIC = 120_000  # characters
MOST_PROBLEMS = 10  # that are named at once


def _own_texts(assignment: Assignment) -> list[Text]:
    return [reference_to_text(reference) for reference in assignment.references.all()]


class PyramidFileForm(forms.Form):
    """A pyramid in a file; when it is valid, ``imported`` and ``proposal`` are there."""

    file = forms.FileField(
        label="File with a pyramid",
        help_text="A .pyr or .pan file of DUCView, a .json file of PyrEval Classroom, or PyrEval's "
        "list (.tsv or .txt). At most 1.5 MB.",
        widget=forms.FileInput(attrs={"accept": ".pyr,.pan,.json,.tsv,.txt,.xml"}),
        error_messages={
            "required": "Choose a file.",
            "empty": "The file is empty.",
        },
    )

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._assignment = assignment
        self.imported: Imported | None = None

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_PYRAMID_FILE:
            raise forms.ValidationError(
                f"“{file.name}” has {file.size or 0:,} bytes; at most {LARGEST_PYRAMID_FILE:,} "
                "can be taken."
            )
        try:
            self.imported = read_file(file.read(), _own_texts(self._assignment))
        except InputError as error:
            raise forms.ValidationError(f"“{file.name}”: {error}") from None
        count = len(self.imported.pyramid.references)
        if count > MOST_REFERENCES:
            raise forms.ValidationError(
                f"“{file.name}” has {count} reference texts; at most {MOST_REFERENCES} can be "
                "worked with."
            )
        return file

    def proposal(self) -> Proposal | None:
        if self.imported is None:
            return None
        name = str(self.cleaned_data["file"].name)
        return Proposal(self.imported.pyramid, Draft.Origin.FILE, name[:200])


class RubricForm(forms.Form):
    """Statements with weights, one a line; when it is valid, ``rubric`` is there."""

    statements = forms.CharField(
        label="Statements",
        max_length=LONGEST_RUBRIC,
        strip=False,
        help_text="One a line. The weight stands behind a bar, as in “Dark roofs store heat | 3”, "
        "in brackets at the end, as in “Dark roofs store heat (3)”, or in front with a tab. "
        "Without one it is 1.",
        widget=forms.Textarea(attrs={"rows": 14, "class": "textarea-long", "spellcheck": "true"}),
        error_messages={"required": "There is no statement yet. Write or paste some."},
    )

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._assignment = assignment
        self.rubric: Rubric | None = None

    def clean_statements(self) -> str:
        text = str(self.cleaned_data["statements"]).replace("\r\n", "\n").replace("\r", "\n")
        rubric = read_rubric(text)
        if rubric.problems:
            raise forms.ValidationError(_first(rubric.problems))
        self.rubric = rubric
        return text

    def proposal(self) -> Proposal | None:
        if self.rubric is None:
            return None
        pyramid = pyramid_of_rubric(self.rubric, _own_texts(self._assignment))
        note = f"{len(self.rubric.statements)} statements"
        return Proposal(pyramid, Draft.Origin.RUBRIC, note)


def _first(problems: tuple[str, ...]) -> list[str]:
    """As many as one wants to read, and how many there are besides."""
    more = len(problems) - MOST_PROBLEMS
    rest = [f"{more} more lines are wrong, most likely in the same way."] if more > 0 else []
    return [*problems[:MOST_PROBLEMS], *rest]
