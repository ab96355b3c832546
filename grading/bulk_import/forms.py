"""The files of an import, and what a grader chooses before they are imported."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from grading.bulk_import.queries import ImportChoices
from grading.pyramid.figures import number_of
from grading.pyramid.formats.bulk_files import Upload
from grading.pyramid.formats.bulk_plan import NOBODY, Plan, PlanRow, RowState
from grading.web.fields import whole_number
from grading.web.texts_in_forms import ManyFilesInput
from grading.web.time_zones import CourseTimeField

LARGEST_UPLOAD = settings.LARGEST_WORK_UPLOAD  # bytes, all files together
MOST_UPLOADS = 500  # files at once that are not packed in a zip
WHOSE = "whose-"


class FolderInput(ManyFilesInput):
    """The browser's own choice of a folder, with all that is in it."""

    def __init__(self) -> None:
        super().__init__(attrs={"webkitdirectory": True, "data-folder": ""})


class ManyFilesField(forms.FileField):
    """Any number of files, as a list of them."""

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        del initial
        files = data if isinstance(data, list | tuple) else [data]
        return [file for file in files if file]


class WorkImportForm(forms.Form):
    """Files, a folder, or both; when the form is valid, ``uploads()`` are there."""

    chosen = ManyFilesField(
        label="Files",
        required=False,
        help_text="A zip from your LMS, .txt, .docx, .pdf, .html, or a CSV. At most 50 MB.",
        widget=ManyFilesInput(
            attrs={
                "accept": ".zip,.txt,.docx,.pdf,.html,.htm,.csv,.tsv",
                "data-largest-whole": LARGEST_UPLOAD,
                "data-most-files": MOST_UPLOADS,
            }
        ),
    )
    folder = ManyFilesField(
        label="Or a folder",
        required=False,
        widget=FolderInput(),
    )
    paths = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-paths": ""}))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        files = [*cleaned.get("chosen", []), *cleaned.get("folder", [])]
        if not files:
            raise forms.ValidationError("Choose a zip, some files, or a folder.")
        if len(files) > MOST_UPLOADS:
            raise forms.ValidationError(
                f"You chose {len(files)} files; at most {MOST_UPLOADS} can be sent at once. Zip "
                "them first."
            )
        size = sum(file.size or 0 for file in files)
        if size > LARGEST_UPLOAD:
            raise forms.ValidationError(
                f"You chose {size / 1e6:.1f} MB; at most 50 MB can be sent at once. Send them in "
                "parts."
            )
        return cleaned

    def uploads(self) -> list[Upload]:
        """Files, those of a folder with their path in it where the browser has sent that."""
        plain = [Upload(str(file.name), file.read()) for file in self.cleaned_data["chosen"]]
        folder: list[UploadedFile[Any]] = self.cleaned_data["folder"]
        names = [str(file.name) for file in folder]
        paths = self.cleaned_data["paths"].split("\n")
        if len(paths) == len(names):
            names = [
                path if PurePosixPath(path).name == name else name
                for path, name in zip(paths, names, strict=True)
            ]
        return [
            *plain,
            *(Upload(name, file.read()) for name, file in zip(names, folder, strict=True)),
        ]

    def name(self) -> str:
        """A name for the upload; “1 file” for a text, which is often named after a student."""
        files = [*self.cleaned_data["chosen"], *self.cleaned_data["folder"]]
        if len(files) == 1 and str(files[0].name).lower().endswith((".zip", ".csv", ".tsv")):
            return str(files[0].name)
        folder = PurePosixPath(self.cleaned_data["paths"].split("\n", 1)[0]).parts[:1]
        origin = f" of “{folder[0]}”" if self.cleaned_data["folder"] and folder else ""
        return f"{number_of(len(files), 'file')}{origin}"


class PlanForm(forms.Form):
    """Whose files these are, when they were submitted, and which of them to import.

    ``labels`` leads from what can be typed for a student to the student's key.
    """

    handed_in_at = CourseTimeField(
        label="Submitted",
        help_text="For files without a time.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    stamp = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        plan: Plan,
        labels: Mapping[str, int],
        zone: ZoneInfo,
        choices: ImportChoices,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._plan = plan
        self._labels = {label.casefold(): person for label, person in labels.items()}
        self._names: dict[str, list[int]] = {}  # where somebody types a name without the login
        for label, person in labels.items():
            self._names.setdefault(label.rpartition(" (")[0].casefold(), []).append(person)
        self._choices = choices
        field = cast(CourseTimeField, self.fields["handed_in_at"])
        field.zone = zone
        field.help_text = f"For files without a time. In the course's time zone, {zone.key}."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        given = dict(self._choices.given)
        for name, value in self.data.items():
            number = whole_number(name.removeprefix(WHOSE)) if name.startswith(WHOSE) else None
            if number is None:
                continue
            typed = " ".join(str(value).split()).casefold()
            if not typed:
                given.pop(number, None)
                continue
            people = [self._labels[typed]] if typed in self._labels else self._names.get(typed, [])
            if len(people) == 1:
                given[number] = people[0]
            elif people:
                self.add_error(
                    None, f"{len(people)} students are called “{value}”: choose one from the list."
                )
            else:
                self.add_error(
                    None,
                    f"“{value}” is not a student of this course. Choose a student from the list, "
                    "or import the roster first.",
                )
        cleaned["given"] = {number: person for number, person in given.items() if person != NOBODY}
        ticked = cast(QueryDict, self.data).getlist("take")
        cleaned["ticked"] = frozenset(map(whole_number, ticked)) - {None}
        return cleaned

    def is_as_shown(self, shown_at: datetime) -> bool:
        """Are these the choices that the plan on the page was made with?"""
        at: datetime = self.cleaned_data["handed_in_at"]
        same_minute = at == shown_at.replace(second=0, microsecond=0)
        return dict(self.cleaned_data["given"]) == dict(self._choices.given) and same_minute

    def choices(self, shown_at: datetime) -> ImportChoices:
        at: datetime = self.cleaned_data["handed_in_at"]
        ticked: frozenset[int] = self.cleaned_data["ticked"]
        numbers = [row.file.number for row in self._plan.of(RowState.NEW)]
        ticks = {number: number in ticked for number in numbers}
        is_same = at == shown_at.replace(second=0, microsecond=0)
        return ImportChoices(
            self.cleaned_data["given"], self._choices.handed_in_at if is_same else at, ticks
        )

    def twice(self) -> list[PlanRow]:
        """Ticked files of students of whom another one is ticked."""
        numbers = self.cleaned_data["ticked"]
        ticked = [row for row in self._plan.of(RowState.NEW) if row.file.number in numbers]
        people = [row.person for row in ticked]
        return [row for row in ticked if people.count(row.person) > 1]
