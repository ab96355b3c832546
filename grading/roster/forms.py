"""The file with a roster, and the answers to what it would change."""

from dataclasses import asdict
from typing import Any, cast

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from grading.models import Course
from grading.pyramid.errors import InputError
from grading.pyramid.formats.roster_csv import Roster, RosterLine, RosterProblem, read_roster
from grading.pyramid.formats.roster_diff import RosterDiff
from grading.roster.actions import RosterAnswers
from grading.web.fields import whole_number
from grading.web.file_reader import read_apart

LARGEST_ROSTER = 2_000_000  # bytes
SAME, NEW = "same", "new"
LINE = "line-"


class RosterFileForm(forms.Form):
    """A CSV; when the form is valid, ``cleaned_data["file"]`` is a Roster.

    ``owner`` is the pk of the user who sends it.
    """

    file = forms.FileField(
        label="File with the roster",
        help_text="A CSV or your platform's export. At most 2 MB and 3,000 people.",
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xls"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )

    def __init__(self, *args: Any, owner: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owner = owner

    def clean_file(self) -> Roster:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_ROSTER:
            raise forms.ValidationError(
                f"“{file.name}” has {(file.size or 0) / 1e6:.1f} MB; at most 2 MB can be read."
            )
        try:
            roster = read_apart(read_roster, file.read(), owner=self._owner)
        except InputError as error:
            raise forms.ValidationError(f"“{file.name}”: {error}") from None
        return roster


class RosterShownForm(forms.Form):
    """What was shown, signed for its course, as the browser sends it back with ticks.

    So what is applied is what was shown, and nothing is kept that nobody applied.
    """

    shown = forms.CharField(
        widget=forms.HiddenInput, error_messages={"required": "There was nothing to apply."}
    )

    def __init__(self, *args: Any, course: Course, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._salt = f"roster of course {course.pk}"

    def show(self, roster: Roster, diff: RosterDiff) -> None:
        value = {"roster": asdict(roster), "stamp": diff.stamp}
        self.initial["shown"] = signing.dumps(value, salt=self._salt, compress=True)

    def clean_shown(self) -> Roster:
        try:
            value = signing.loads(self.cleaned_data["shown"], salt=self._salt)
        except signing.BadSignature:
            raise forms.ValidationError("The preview has expired. Choose the file again.") from None
        self._stamp = str(value["stamp"])
        return _roster_from_json(value["roster"])

    def answers(self) -> RosterAnswers:
        """Call it on a valid form."""
        answers = {
            whole_number(name.removeprefix(LINE)): value
            for name, value in self.data.items()
            if name.startswith(LINE)
        }
        ticked = cast(QueryDict, self.data).getlist("leaving")
        return RosterAnswers(
            stamp=self._stamp,
            same=frozenset(line for line, value in answers.items() if line and value == SAME),
            new=frozenset(line for line, value in answers.items() if line and value == NEW),
            leaving=frozenset(filter(None, map(whole_number, ticked))),
        )


def _roster_from_json(value: dict[str, Any]) -> Roster:
    return Roster(
        lines=tuple(RosterLine(**line) for line in value["lines"]),
        problems=tuple(RosterProblem(**problem) for problem in value["problems"]),
        columns=tuple((heading, field) for heading, field in value["columns"]),
        ignored=tuple(value["ignored"]),
        remarks=tuple(value["remarks"]),
        skipped=value["skipped"],
    )
