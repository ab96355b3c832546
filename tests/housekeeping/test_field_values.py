"""Values go to a file and come back; others are refused."""

import uuid
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import models

from grading.housekeeping.field_values import FieldValueError, value_for_file, value_from_file

WHEN = datetime(2026, 5, 3, 9, 30, 0, 123456, tzinfo=UTC)
POINTS = models.DecimalField(max_digits=5, decimal_places=2)


@pytest.mark.parametrize(
    ("kept", "value"),
    [
        (models.TextField(), " \n\u202b"),
        (models.CharField(max_length=3, choices=[("a", "A")]), "a"),
        (models.BooleanField(), False),
        (models.FloatField(), 1e-9),
        (models.DateTimeField(), WHEN),
        (models.UUIDField(), uuid.UUID(int=7)),
        (POINTS, Decimal("100.50")),
        (models.BinaryField(), b"\0\xff"),
        (models.JSONField(), {"a": [1, None]}),
        (models.FloatField(null=True), None),
    ],
)
def test_a_value_comes_back(kept: "models.Field[Any, Any]", value: object) -> None:
    assert value_from_file(kept, value_for_file(value)) == value


@pytest.mark.parametrize(
    ("kept", "value"),
    [
        (models.TextField(), 5),
        (models.TextField(), None),
        (models.CharField(max_length=3, choices=[("a", "A")]), "b"),
        (models.CharField(max_length=3), "long"),
        (models.BooleanField(), 1),
        (models.FloatField(), True),
        (models.FloatField(), "1"),
        (models.FloatField(), 1e30),
        (models.FloatField(), float("nan")),
        (models.DateTimeField(), "2026-05-03T09:30:00"),
        (models.DateTimeField(), "0001-01-01T00:00:00+00:00"),
        (models.DateTimeField(), 5),
        (models.UUIDField(), "7"),
        (POINTS, "NaN"),
        (POINTS, "100000"),
        (models.BinaryField(), "%"),
    ],
)
def test_another_kind_of_value_is_refused(kept: "models.Field[Any, Any]", value: object) -> None:
    with pytest.raises((FieldValueError, ValidationError)):
        value_from_file(kept, value)
