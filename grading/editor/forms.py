"""Edits of a draft as the page sends them, and the files and lists from which a draft is begun."""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from grading.drafts.log import Sender
from grading.models import Assignment, Draft, User
from grading.models.summaries import MOST_REFERENCES
from grading.pyramid.characters import with_one_line_end
from grading.pyramid.editing import Command
from grading.pyramid.editing.command_json import COMMANDS
from grading.pyramid.errors import InputError
from grading.pyramid.formats.file_import import read_file
from grading.pyramid.formats.import_report import Imported
from grading.pyramid.formats.pyramid_json import Json, pyramid_from_json, pyramid_to_json
from grading.pyramid.formats.rubric_list import Rubric, pyramid_of_rubric, read_rubric
from grading.pyramid.structures import Pyramid, Scu, Span, Spans, Standing, Text
from grading.scoring.conversion import reference_to_text
from grading.web.file_reader import read_apart

LARGEST_PYRAMID_FILE = 1_500_000  # bytes: it goes through the browser twice
LONGEST_RUBRIC = 120_000  # characters
MOST_PROBLEMS = 10  # that are named at once

# --- edits ---

# What people can do in the editor, by the name that a form gives it.
_COMMAND_NAMES = (
    "NewScu", "AddContributor", "AddPart", "SetSpans", "MoveEnd", "RemovePart", "RemoveContributor",
    "MoveContributor", "MergeScus", "SplitScu", "SetLabel", "LabelFromContributor", "SetComment",
    "DeleteScu", "Reorder", "SetStanding", "SetWeight",
)  # fmt: skip
KINDS: Mapping[str, type[Any]] = MappingProxyType(
    {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower(): COMMANDS[name] for name in _COMMAND_NAMES}
)
_MOVES = {
    "start-earlier": ("start", -1),
    "start-later": ("start", 1),
    "end-earlier": ("end", -1),
    "end-later": ("end", 1),
}
_NOTHING_CHOSEN = {
    "into": "Choose the other idea first.",
    "to": "Choose the other idea first.",
    "references": "Tick some of the experts first.",
    "spans": "Select some words of a reference first.",
}
_MAY_BE_NONE = {"before", "given_weight"}  # None has a meaning of its own there
_MAY_BE_EMPTY_TEXT = {"label", "comment"}
_OLD_PAGE = dict.fromkeys(("required", "invalid", "min_value"), "Reload the page, then try again.")


class RevisionForm(forms.Form):
    """On which state of the draft an edit was made, and the token that tells one sent twice."""

    revision = forms.IntegerField(min_value=0, error_messages=_OLD_PAGE)
    token = forms.UUIDField(required=False, error_messages=_OLD_PAGE)

    def sender(self, author: User) -> Sender:
        cleaned = self.cleaned_data
        return Sender(author, cleaned["revision"], cleaned["token"] or uuid.uuid4())


class ShownForm(forms.Form):
    """Which state a browser shows."""

    since = forms.IntegerField(min_value=0)


def words_of_idea(pyramid: Pyramid, scu: Scu) -> str:
    """Its label, and what experts say."""
    words = (
        pyramid.reference(contributor.reference).words_at(contributor.spans)
        for contributor in scu.contributors
    )
    return "\n".join([scu.label, *words])


class AlikeForm(forms.Form):
    """What other ideas are to be like: an idea, what one reference contributes to it, or words."""

    idea = forms.IntegerField(required=False)
    reference = forms.CharField(required=False)
    spans = forms.CharField(required=False, max_length=3_000)

    def __init__(self, *args: Any, pyramid: Pyramid, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pyramid = pyramid
        self.scu: Scu | None = None
        self.words = ""

    def clean(self) -> dict[str, Any]:
        super().clean()
        uid, name = self.cleaned_data.get("idea"), self.cleaned_data.get("reference", "")
        text = next((text for text in self._pyramid.references if text.name == name), None)
        self.scu = next((scu for scu in self._pyramid.scus if scu.uid == uid), None)
        contributor = self.scu.contributor(name) if self.scu else None
        if text and contributor:
            self.words = text.words_at(contributor.spans)
        elif self.scu:
            self.words = words_of_idea(self._pyramid, self.scu)
        elif text:
            try:
                self.words = text.words_at(_spans(self.cleaned_data.get("spans", "")))
            except (TypeError, ValueError):
                raise forms.ValidationError("These words can't be read.") from None
        return self.cleaned_data


class EditForm(RevisionForm):
    """``command`` and its fields.

    A button may add one more word to it: a reference, as in “remove_contributor:Ben”, or the way
    that an end goes, as in “move_end:start-earlier”.
    """

    command = forms.CharField(max_length=200)

    def __init__(self, data: QueryDict, *, draft: Draft) -> None:
        super().__init__(data)
        self.sent = data
        self.draft = draft

    def clean_command(self) -> type[Any]:
        name, _, word = str(self.cleaned_data["command"]).partition(":")
        if name not in KINDS:
            raise forms.ValidationError("Unknown edit. Reload the page.")
        self._from_button = {"end": word, "by": word} if name == "move_end" else {"reference": word}
        return KINDS[name]

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.errors:
            return self.cleaned_data
        kind = self.cleaned_data["command"]
        values = {}
        for field in fields(kind):
            value = self._value(kind, field.name)
            if value is None and field.default is not MISSING:
                value = field.default
            elif value is None and field.name not in _MAY_BE_NONE:
                message = _NOTHING_CHOSEN.get(
                    field.name, "This edit is incomplete. Reload the page."
                )
                raise forms.ValidationError(message)
            values[field.name] = value
        self._command = kind(**values)
        return self.cleaned_data

    def edit(self) -> Command:
        """The command, with all its fields; only of a valid form."""
        command: Command = self._command
        return command

    def _value(self, kind: type[Any], name: str) -> Any:
        """The value of a field; None where nothing was sent."""
        if name == "new_uid" or (kind is COMMANDS["NewScu"] and name == "uid"):
            return self.draft.next_uid  # the draft knows which number is free
        sent = self._sent(name)
        try:
            return None if sent is None else _READERS.get(name, str)(sent)
        except (TypeError, ValueError):
            raise forms.ValidationError("This edit can't be read. Reload the page.") from None

    def _sent(self, name: str) -> Any:
        if name == "references":
            return self.sent.getlist(name) or None
        if self._from_button.get(name):
            return self._from_button[name]
        if name in {"to", "into"} and name not in self.sent:
            name = "other"  # the one list of ideas of an open card
        sent = self.sent.get(name)
        return sent if sent or name in _MAY_BE_EMPTY_TEXT else None


def _spans(sent: str) -> Spans:
    return tuple(Span(*map(_whole_number, part.split("-", 1))) for part in sent.split())


def _whole_number(sent: str) -> int:
    if len(sent) > 9:
        raise ValueError("too large")
    return int(sent)


_READERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("uid", "to", "into", "before", "given_weight", "part"), _whole_number),
    "by": lambda sent: _MOVES[sent][1] if sent in _MOVES else _whole_number(sent),
    "end": lambda sent: _MOVES[sent][0] if sent in _MOVES else sent,
    "spans": _spans,
    "standing": Standing,
    "references": tuple,
}


# --- a draft that is proposed on one page and made on the next ---


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pyramid to begin a draft with; ``note`` says where it comes from."""

    pyramid: Pyramid
    origin: Draft.Origin
    note: str = ""


class ProposalForm(forms.Form):
    """The hidden field that carries a proposal from the preview to the page that makes the draft.

    The pyramid travels through the browser, signed for its assignment, so that any web process can
    go on with it and nothing that was not shown can come back.
    """

    proposal = forms.CharField(
        widget=forms.HiddenInput,
        error_messages={"required": "There is nothing to create a draft from."},
    )

    def __init__(
        self, *args: Any, assignment: Assignment, shown: Proposal | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._salt = f"proposal of a draft for assignment {assignment.pk}"
        if shown is not None:
            value: Json = {
                "pyramid": pyramid_to_json(shown.pyramid),
                "origin": str(shown.origin),
                "note": shown.note,
            }
            self.initial["proposal"] = signing.dumps(value, salt=self._salt, compress=True)

    def clean_proposal(self) -> Proposal:
        try:
            value = signing.loads(self.cleaned_data["proposal"], salt=self._salt)
        except signing.BadSignature:
            raise forms.ValidationError(
                "The preview is no longer valid. Choose the file or paste the list again."
            ) from None
        pyramid = pyramid_from_json(value["pyramid"])
        return Proposal(pyramid, Draft.Origin(value["origin"]), value["note"])


class PyramidFileForm(forms.Form):
    """A pyramid in a file; when it is valid, ``imported`` and ``proposal`` are there."""

    file = forms.FileField(
        label="File with a pyramid",
        help_text=".pyr, .pan, .json, .tsv or .txt, at most 1.5 MB.",
        widget=forms.FileInput(attrs={"accept": ".pyr,.pan,.json,.tsv,.txt,.xml"}),
        error_messages={
            "required": "Choose a file.",
            "empty": "The file is empty.",
        },
    )

    def __init__(self, *args: Any, assignment: Assignment, owner: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._assignment = assignment
        self._owner = owner
        self.imported: Imported | None = None

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_PYRAMID_FILE:
            raise forms.ValidationError(
                f"“{file.name}” has {file.size or 0:,} bytes; the limit is "
                f"{LARGEST_PYRAMID_FILE:,}."
            )
        try:
            texts = _reference_texts(self._assignment)
            self.imported = read_apart(read_file, file.read(), texts, owner=self._owner)
        except InputError as error:
            raise forms.ValidationError(f"“{file.name}”: {error}") from None
        count = len(self.imported.pyramid.references)
        if count > MOST_REFERENCES:
            raise forms.ValidationError(
                f"“{file.name}” has {count} reference texts; the limit is {MOST_REFERENCES}."
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
        help_text="One per line: “Dark roofs store heat | 3” or “Dark roofs store heat (3)”.",
        widget=forms.Textarea(attrs={"rows": 14, "class": "textarea-long", "spellcheck": "true"}),
        error_messages={"required": "Write or paste at least one statement."},
    )

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._assignment = assignment
        self.rubric: Rubric | None = None

    def clean_statements(self) -> str:
        text = with_one_line_end(str(self.cleaned_data["statements"]))
        rubric = read_rubric(text)
        if rubric.problems:
            problems = list(rubric.problems[:MOST_PROBLEMS])
            if more := rubric.problems[MOST_PROBLEMS:]:
                problems.append(f"{len(more)} more lines have errors, probably of the same kind.")
            raise forms.ValidationError(problems)
        self.rubric = rubric
        return text

    def proposal(self) -> Proposal | None:
        if self.rubric is None:
            return None
        pyramid = pyramid_of_rubric(self.rubric, _reference_texts(self._assignment))
        note = f"{len(self.rubric.statements)} statements"
        return Proposal(pyramid, Draft.Origin.RUBRIC, note)


def _reference_texts(assignment: Assignment) -> list[Text]:
    return [reference_to_text(reference) for reference in assignment.references.all()]
