"""Numbers for ideas that a suggestion makes: 0, -1 … until it is taken, the draft's next then."""

from dataclasses import fields, replace

from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import Several

_NUMBERS = ("uid", "new_uid", "into", "to")


def with_new_uids(command: Command, next_uid: int) -> Command:
    """The same edit, with the first new idea as ``next_uid``, the second one higher, and so on."""
    if isinstance(command, Several):
        commands = tuple(with_new_uids(one, next_uid) for one in command.commands)
        return replace(command, commands=commands)
    names = {field.name for field in fields(command)}  # type: ignore[arg-type]  # a dataclass
    numbers = {name: getattr(command, name) for name in _NUMBERS if name in names}
    new = {name: next_uid - uid for name, uid in numbers.items() if uid <= 0}
    changed: Command = replace(command, **new)  # type: ignore[type-var]
    return changed
