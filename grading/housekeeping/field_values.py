"""Values of tables as a file has them, and back, checked for the field that they are for."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Field

_READ: dict[type, Callable[[str], UUID | Decimal | bytes]] = {
    models.UUIDField: UUID,
    models.DecimalField: Decimal,
    models.BinaryField: lambda told: b64decode(told, validate=True),
}

YEARS = range(1900, 2200)  # outside, a time may not exist in another zone
LARGEST_FLOAT = 1e6  # scores, shares and probabilities are far smaller


class InFileError(Exception):
    """A value that the field cannot hold."""


def told_value(value: Any) -> Any:
    """The value of a field as a file has it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    return value


def value_in(kept: "Field[Any, Any]", told: Any) -> Any:
    """The value as the field has it; InFileError or ValidationError where it does not fit."""
    if told is None:
        if kept.null:
            return None
        raise InFileError("something must stand here.")
    value = _of_its_kind(kept, told)
    return value if value in kept.empty_values else kept.clean(value, None)


def _of_its_kind(kept: "Field[Any, Any]", told: Any) -> Any:
    if isinstance(kept, models.JSONField):
        return told
    if isinstance(kept, models.DateTimeField):
        return _moment(told)
    if isinstance(kept, models.UUIDField | models.DecimalField | models.BinaryField):
        return _exact(kept, told)
    if not isinstance(told, _kinds_of(kept)) or (
        isinstance(told, bool) and not isinstance(kept, models.BooleanField)
    ):
        raise InFileError("this is not what can stand here.")
    if isinstance(told, float) and not -LARGEST_FLOAT < told < LARGEST_FLOAT:
        raise InFileError("this number cannot be meant.")
    return told


def _kinds_of(kept: "Field[Any, Any]") -> tuple[type, ...]:
    if isinstance(kept, models.BooleanField):
        return (bool,)
    if isinstance(kept, models.IntegerField):
        return (int,)
    if isinstance(kept, models.FloatField):
        return (int, float)
    return (str,)


def _moment(told: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(told)
    except (TypeError, ValueError):
        raise InFileError("this is not a time such as 2026-05-01T09:30:00+00:00.") from None
    if moment.tzinfo is None or moment.year not in YEARS:
        raise InFileError("this time has no zone, or cannot be meant.")
    return moment


def _exact(kept: "Field[Any, Any]", told: Any) -> UUID | Decimal | bytes:
    """What a file holds as text."""
    try:
        value = _READ[type(kept)](told) if isinstance(told, str) else None
    except (ValueError, InvalidOperation):
        value = None
    if value is None or (isinstance(value, Decimal) and not value.is_finite()):
        raise InFileError("this is not what can stand here.")
    return value
