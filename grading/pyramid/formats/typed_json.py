"""Values of the core as JSON and back, between a process that reads files and the one that asked.

A dataclass is a list of its fields. What comes back is checked against its type, leaf by leaf: it
was made from a stranger's file.
"""

import base64
import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

Build = Callable[[Any], Any]

_LEAVES: Final = frozenset({str, int, bool})
_FROM_TEXT: Final[dict[type, Build]] = {
    Decimal: Decimal,
    datetime: datetime.fromisoformat,
    bytes: lambda text: base64.b64decode(text, validate=True),
}


def to_json(value: object) -> str:
    return json.dumps(value, default=_plain)


def from_json(document: object, kind: Any) -> Any:
    """The value of this type in what ``json.loads`` made; ValueError where it is none."""
    try:
        return _builder(kind)(document)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise ValueError(f"This is no {kind}.") from error


def _plain(value: Any) -> object:
    if is_dataclass(value):
        return [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{type(value)} has no form in JSON here.")


@cache
def _builder(kind: Any) -> Build:
    """What makes a value of this type from what JSON has; TypeError where that does not fit."""
    if origin := get_origin(kind):
        return _builder_of_several(origin, get_args(kind))
    if is_dataclass(kind) or issubclass(kind, tuple):
        return _record(kind)
    if issubclass(kind, Enum):
        member: Build = kind
        return member
    if kind is float:
        return lambda value: float(_checked(value, float, int))
    if kind in _LEAVES:
        return lambda value: _checked(value, kind)
    read = _FROM_TEXT[kind]
    return lambda text: read(_checked(text, str))


def _builder_of_several(origin: Any, parts: tuple[Any, ...]) -> Build:
    if origin in {Union, UnionType}:
        return _optional(*parts)
    if origin is tuple and parts[-1] is not Ellipsis:
        builders = [_builder(part) for part in parts]
        return lambda values: tuple(_each(builders, values))
    build, make = _builder(parts[0]), frozenset if origin is frozenset else tuple
    return lambda values: make([build(value) for value in _checked(values, list)])


def _checked(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise TypeError(f"{type(value)} instead of {kinds}.")
    return value


def _optional(kind: Any, none: Any) -> Build:
    if none is not NoneType:
        raise TypeError("Of several types, None must be the second of two.")
    build = _builder(kind)
    return lambda value: None if value is None else build(value)


def _record(kind: Any) -> Build:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields
    kinds = [hints[name] for name in names]
    if _LEAVES.issuperset(kinds):
        return _record_of_leaves(kind, kinds)
    builders = [_builder(part) for part in kinds]

    def build(values: Any) -> Any:
        return kind(*_each(builders, values))

    return build


def _record_of_leaves(kind: Any, kinds: list[Any]) -> Build:
    """The same, faster: a gradebook can have half a million cells."""

    def build(values: Any) -> Any:
        if type(values) is not list or [*map(type, values)] != kinds:
            raise TypeError(f"These are no fields of {kind}.")
        return kind(*values)

    return build


def _each(builders: list[Build], values: Any) -> list[Any]:
    pairs = zip(builders, _checked(values, list), strict=True)
    return [build(value) for build, value in pairs]
