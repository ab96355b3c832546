"""Work that is sent in for many students, and what a grader says of it before it is taken in."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from grading.assignments.forms import CourseTimeField
from grading.bulk_import.actions import ImportChoices
from grading.pyramid.figures import number_of
from grading.pyramid.formats.bulk_files import Upload
from grading.pyramid.formats.bulk_plan import NOBODY, Plan, PlanRow, RowState
from grading.web.texts_in_forms import ManyFilesInput

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
        help_text="One zip as your platform exports it, or any number of .txt, .docx, .pdf and "
        ".html files, or a CSV with a column of texts. Together at most 50 MB.",
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
        help_text="A zip that you have unpacked, or a folder of files named after the students.",
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
                f"These are {len(files)} files; at most {MOST_UPLOADS} can be sent at once. Put "
                "them into a zip."
            )
        size = sum(file.size or 0 for file in files)
        if size > LARGEST_UPLOAD:
            raise forms.ValidationError(
                f"These are {size / 1e6:.1f} MB; at most 50 MB can be sent at once. Send them in "
                "several parts."
            )
        return cleaned

    def uploads(self) -> list[Upload]:
        """Files of a folder with their way into it, where the browser has told it."""
        plain = [Upload(str(file.name), file.read()) for file in self.cleaned_data["chosen"]]
        folder: list[UploadedFile[Any]] = self.cleaned_data["folder"]
        ways = self._ways(folder)
        return [*plain, *(Upload(way, file.read()) for way, file in zip(ways, folder, strict=True))]

    def name(self) -> str:
        """Of a single text only “1 file”: its name is most likely a student's."""
        files = [*self.cleaned_data["chosen"], *self.cleaned_data["folder"]]
        if len(files) == 1 and str(files[0].name).lower().endswith((".zip", ".csv", ".tsv")):
            return str(files[0].name)
        folder = PurePosixPath(self.cleaned_data["paths"].split("\n", 1)[0]).parts[:1]
        where = f" of “{folder[0]}”" if self.cleaned_data["folder"] and folder else ""
        return f"{number_of(len(files), 'file')}{where}"

    def _ways(self, folder: list[UploadedFile[Any]]) -> list[str]:
        names = [str(file.name) for file in folder]
        ways = self.cleaned_data["paths"].split("\n")
        if len(ways) != len(names):
            return names
        return [
            way if PurePosixPath(way).name == name else name
            for way, name in zip(ways, names, strict=True)
        ]


class PlanForm(forms.Form):
    """Whose files are, when they were handed in, and which are taken in.

    ``labels`` leads from what stands in the list of students, and what else is one, to their keys.
    """

    handed_in_at = CourseTimeField(
        label="Handed in",
        help_text="Of files that do not say when.",
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
        self._names = _by_name(labels)
        self._choices = choices
        field = cast(CourseTimeField, self.fields["handed_in_at"])
        field.zone = zone
        field.help_text = f"Of files that do not say when. In the course's time zone, {zone.key}."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["given"] = self._given()
        ticked = cast(QueryDict, self.data).getlist("take")
        cleaned["taken"] = frozenset(int(one) for one in ticked if one.isdecimal())
        return cleaned

    def is_seen(self, shown_at: datetime) -> bool:
        """Is what is said now what the plan on the page was made with?"""
        at: datetime = self.cleaned_data["handed_in_at"]
        same_minute = at == shown_at.replace(second=0, microsecond=0)
        return dict(self.cleaned_data["given"]) == dict(self._choices.given) and same_minute

    def choices(self, shown_at: datetime) -> ImportChoices:
        at: datetime = self.cleaned_data["handed_in_at"]
        taken: frozenset[int] = self.cleaned_data["taken"]
        ticks = {row.file.number: row.file.number in taken for row in self._plan.of(RowState.NEW)}
        is_same = at == shown_at.replace(second=0, microsecond=0)
        return ImportChoices(
            self.cleaned_data["given"], self._choices.handed_in_at if is_same else at, ticks
        )

    def twice(self) -> list[PlanRow]:
        """Ticked files of students of whom another one is ticked."""
        taken = [
            row for row in self._plan.of(RowState.NEW)
            if row.file.number in self.cleaned_data["taken"]
        ]  # fmt: skip
        people = [row.person for row in taken]
        return [row for row in taken if people.count(row.person) > 1]

    def _given(self) -> dict[int, int]:
        given = dict(self._choices.given)
        for name, value in self.data.items():
            number = name.removeprefix(WHOSE)
            if name == number or not number.isdecimal():
                continue
            said = " ".join(str(value).split()).casefold()
            if not said:
                given.pop(int(number), None)
                continue
            meant = [self._labels[said]] if said in self._labels else self._names.get(said, [])
            if len(meant) == 1:
                given[int(number)] = meant[0]
            elif meant:
                self.add_error(
                    None, f"{len(meant)} students are called “{value}”: choose one from the list."
                )
            else:
                self.add_error(None, f"“{value}” is no student of this course.")
        return {number: person for number, person in given.items() if person != NOBODY}


def _by_name(labels: Mapping[str, int]) -> dict[str, list[int]]:
    """Who is called so, where somebody types a name without the login that stands behind it."""
    found: dict[str, list[int]] = {}
    for label, person in labels.items():
        found.setdefault(label.rpartition(" (")[0].casefold(), []).append(person)
    return found
