"""Commands as JSON, which the log of a draft keeps; and the patch that undoes any of them."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from grading.pyramid.editing import commands, reference_commands
from grading.pyramid.editing.commands import Command, Several
from grading.pyramid.editing.wording import storable
from grading.pyramid.errors import EditError, InputError
from grading.pyramid.formats.pyramid_json import Json, scu_from_json, scu_to_json
from grading.pyramid.structures import Pyramid, Scu, Span, Standing, Text

# The difference of two pyramids: what takes one into the other, whatever the edit was.
#
# The inverse of every command is the patch from its result to what was there before; undoing by it
# is exact to the byte of the pyramid's JSON.


@dataclass(frozen=True, slots=True)
class Patch:
    """The units that differ, the order of all, and the references where they differ."""

    summary: str
    order: tuple[int, ...]
    scus: tuple[Scu, ...]
    references: tuple[Text, ...] | None = None

    def apply(self, pyramid: Pyramid) -> Pyramid:
        known = {scu.uid: scu for scu in (*pyramid.scus, *self.scus)}
        if not known.keys() >= set(self.order):
            raise EditError("This can't be done any more: an idea it needs was deleted.")
        references = pyramid.references if self.references is None else self.references
        return replace(pyramid, references=references, scus=tuple(known[uid] for uid in self.order))

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return self.summary


def patch_between(before: Pyramid, after: Pyramid, summary: str) -> Patch:
    """What turns ``before`` into ``after``."""
    known = {scu.uid: scu for scu in before.scus}
    return Patch(
        summary=summary,
        order=tuple(scu.uid for scu in after.scus),
        scus=tuple(scu for scu in after.scus if known.get(scu.uid) != scu),
        references=None if before.references == after.references else after.references,
    )


# Commands as JSON: what the log of a draft keeps.

Convert = Callable[[Any], Any]

COMMANDS: MappingProxyType[str, type[Any]] = MappingProxyType(
    {
        command_class.__name__: command_class
        for command_class in (
            commands.NewScu,
            commands.AddContributor,
            commands.AddPart,
            commands.SetSpans,
            commands.MoveEnd,
            commands.RemovePart,
            commands.RemoveContributor,
            commands.MoveContributor,
            commands.MergeScus,
            commands.SplitScu,
            commands.SetLabel,
            commands.LabelFromContributor,
            commands.SetComment,
            commands.DeleteScu,
            commands.Reorder,
            commands.SetStanding,
            commands.SetWeight,
            reference_commands.AddReference,
            reference_commands.RemoveReference,
            reference_commands.ChangeReference,
            Several,
            Patch,
        )
    }
)


def command_to_json(command: Command) -> Json:
    """The command as objects that ``json.dumps`` takes."""
    kind = type(command)
    document: Json = {"type": kind.__name__}
    for field in fields(kind):  # type: ignore[arg-type]  # every command is a dataclass
        value = getattr(command, field.name)
        document[field.name] = _TO_JSON.get(field.name, _same)(value)
    return document


def command_from_json(value: object) -> Command:
    """The command in what ``command_to_json`` made; InputError where it is something else."""
    if not isinstance(value, dict) or str(value.get("type")) not in COMMANDS:
        raise InputError(f"This is no edit that is known here: {str(value)[:100]}")
    kind = COMMANDS[value["type"]]
    try:
        values = {field.name: _FROM_JSON[field.name](value[field.name]) for field in fields(kind)}
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"The edit {value['type']} is damaged: {error}") from error
    command: Command = kind(**values)
    return command


# --- by the name of the field: it means the same in every command ---


def _same(value: Any) -> Any:
    return value


def _reference(name_or_text: str | Text) -> object:
    """A name in an edit, a whole text in a patch."""
    return (
        name_or_text if isinstance(name_or_text, str) else [name_or_text.name, name_or_text.content]
    )


_TO_JSON: dict[str, Convert] = {
    **dict.fromkeys(("label", "comment", "summary"), storable),
    "spans": lambda spans: [[span.start, span.end] for span in spans],
    "references": lambda listed: None if listed is None else [_reference(item) for item in listed],
    "order": list,
    "scus": lambda scus: [scu_to_json(scu) for scu in scus],
    "commands": lambda listed: [command_to_json(item) for item in listed],
    "standing": str,
}


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r:.50} is not a whole number")
    return value


def _whole_or_none(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.50} is not text")
    return value


def _list(value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r:.50} is not a list")
    return value


def _span_in(value: Any) -> Span:
    start, end = _list(value)
    return Span(_whole(start), _whole(end))


def _reference_in(value: Any) -> str | Text:
    if isinstance(value, list | tuple):
        name, content = value
        return Text(_text(name), _text(content))
    return _text(value)


_FROM_JSON: dict[str, Convert] = {
    **dict.fromkeys(("uid", "new_uid", "to", "into", "part", "by"), _whole),
    **dict.fromkeys(("before", "given_weight"), _whole_or_none),
    **dict.fromkeys(("label", "comment", "reference", "name", "new_name", "content"), _text),
    **dict.fromkeys(("summary", "end"), _text),
    "spans": lambda spans: tuple(map(_span_in, _list(spans))),
    "references": lambda listed: (
        None if listed is None else tuple(map(_reference_in, _list(listed)))
    ),
    "order": lambda order: tuple(map(_whole, _list(order))),
    "scus": lambda scus: tuple(map(scu_from_json, _list(scus))),
    "commands": lambda listed: tuple(map(command_from_json, _list(listed))),
    "standing": Standing,
}
