"""Values of fields as a file of a course has them, and back, checked by the field."""

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
    models.BinaryField: lambda value: b64decode(value, validate=True),
}

YEARS = range(1900, 2200)  # outside, a time may not exist in another zone
LARGEST_FLOAT = 1e6  # scores, shares and probabilities are far smaller


class FieldValueError(Exception):
    """A value that the field cannot hold."""


def name_in_files(field: "Field[Any, Any]") -> str:
    """The name of a field in course files: its first one, which a renamed field keeps as column."""
    return field.db_column or field.name


def value_for_file(value: Any) -> Any:
    """Turn the value of a field into one that JSON can hold."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    return value


def value_from_file(field: "Field[Any, Any]", value: Any) -> Any:
    """Turn it back; FieldValueError or ValidationError where it does not fit the field."""
    if value is None:
        if field.null:
            return None
        raise FieldValueError("a value is required.")
    converted = _converted(field, value)
    return converted if converted in field.empty_values else field.clean(converted, None)


def _converted(field: "Field[Any, Any]", value: Any) -> Any:
    if isinstance(field, models.JSONField):
        return value
    if isinstance(field, models.DateTimeField):
        try:
            moment = datetime.fromisoformat(value)
        except (TypeError, ValueError):
            raise FieldValueError("this is not a time such as 2026-05-01T09:30:00+00:00.") from None
        if moment.tzinfo is None or moment.year not in YEARS:
            raise FieldValueError("this time has no zone, or is out of range.")
        return moment
    if isinstance(field, models.UUIDField | models.DecimalField | models.BinaryField):
        # What a file holds as text.
        try:
            read = _READ[type(field)](value) if isinstance(value, str) else None
        except (ValueError, InvalidOperation):
            read = None
        if read is None or (isinstance(read, Decimal) and not read.is_finite()):
            raise FieldValueError("this value isn't allowed.")
        return read
    if not isinstance(value, _kinds_of(field)) or (
        isinstance(value, bool) and not isinstance(field, models.BooleanField)
    ):
        raise FieldValueError("this value isn't allowed.")
    if isinstance(value, float) and not -LARGEST_FLOAT < value < LARGEST_FLOAT:
        raise FieldValueError("this number is out of range.")
    return value


def _kinds_of(field: "Field[Any, Any]") -> tuple[type, ...]:
    if isinstance(field, models.BooleanField):
        return (bool,)
    if isinstance(field, models.IntegerField):
        return (int,)
    if isinstance(field, models.FloatField):
        return (int, float)
    return (str,)
