"""An edit of a draft, as the forms and the script of the editor send it."""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any

from django import forms
from django.http import QueryDict

from grading.drafts.log import Sender
from grading.models import Draft, User
from grading.pyramid.editing import Command
from grading.pyramid.editing.command_json import COMMANDS
from grading.pyramid.structures import Span, Spans, Standing

# What people can do in the editor, by the name that a form gives it.
_NAMES = (
    "NewScu", "AddContributor", "AddPart", "SetSpans", "MoveEnd", "RemovePart", "RemoveContributor",
    "MoveContributor", "MergeScus", "SplitScu", "SetLabel", "LabelFromContributor", "SetComment",
    "DeleteScu", "Reorder", "SetStanding", "SetWeight",
)  # fmt: skip
KINDS: Mapping[str, type[Any]] = MappingProxyType(
    {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower(): COMMANDS[name] for name in _NAMES}
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
            raise forms.ValidationError("This edit is not known here. Reload the page.")
        self._named = {"end": word, "by": word} if name == "move_end" else {"reference": word}
        return KINDS[name]

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.errors:
            kind = self.cleaned_data["command"]
            self.cleaned_data["made"] = kind(**self._fields_of(kind))
        return self.cleaned_data

    def edit(self) -> Command:
        made: Command = self.cleaned_data["made"]
        return made

    def _fields_of(self, kind: type[Any]) -> dict[str, Any]:
        read = {field.name: self._read(kind, field.name) for field in fields(kind)}
        for field in fields(kind):
            if read[field.name] is not None:
                continue
            if field.default is not MISSING:
                read[field.name] = field.default
            elif field.name not in _MAY_BE_EMPTY:
                told = _NOTHING_CHOSEN.get(field.name, "Something is missing in this edit.")
                raise forms.ValidationError(told)
        return read

    def _read(self, kind: type[Any], name: str) -> Any:
        """The value of a field; None where nothing was sent."""
        if name == "new_uid" or (kind is COMMANDS["NewScu"] and name == "uid"):
            return self.draft.next_uid  # the draft knows which number is free
        sent = self._sent(name)
        try:
            return None if sent is None else _READERS.get(name, str)(sent)
        except (TypeError, ValueError):
            raise forms.ValidationError("This edit cannot be read. Reload the page.") from None

    def _sent(self, name: str) -> Any:
        if name == "references":
            return self.sent.getlist(name) or None
        if self._named.get(name):
            return self._named[name]
        if name in {"to", "into"} and name not in self.sent:
            name = "other"  # the one list of ideas of an open card
        sent = self.sent.get(name)
        return sent if sent or name in _MAY_SAY_NOTHING else None


_MAY_BE_EMPTY = {"before", "given_weight"}  # None has a meaning of its own there
_MAY_SAY_NOTHING = {"label", "comment"}


def _spans(sent: str) -> Spans:
    return tuple(Span(*map(_whole, part.split("-", 1))) for part in sent.split())


def _whole(sent: str) -> int:
    if len(sent) > 9:
        raise ValueError("too large")
    return int(sent)


_READERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("uid", "to", "into", "before", "given_weight", "part"), _whole),
    "by": lambda sent: _MOVES[sent][1] if sent in _MOVES else _whole(sent),
    "end": lambda sent: _MOVES[sent][0] if sent in _MOVES else sent,
    "spans": _spans,
    "standing": Standing,
    "references": tuple,
}
