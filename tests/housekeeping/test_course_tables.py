"""No table and no field is forgotten when a course is exported, copied or deleted."""

from collections import Counter

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model

from grading.housekeeping.course_tables import NOT_IN_FILES, PEOPLE, TABLES, Table
from grading.housekeeping.field_values import name_in_files
from grading.models import User

DECLARED = (PEOPLE, *TABLES)


def test_every_model_is_declared_once() -> None:
    declared = Counter([table.model for table in DECLARED] + list(NOT_IN_FILES))
    there = Counter(apps.get_app_config("grading").get_models())

    assert declared == there, "see the docstring of grading/housekeeping/course_tables.py"


@pytest.mark.parametrize("table", DECLARED, ids=lambda table: table.name)
def test_every_field_is_declared_once(table: Table) -> None:
    declared = Counter([*table.copied.split(), *table.keys.split(), *table.left_out])
    fields = [field.name for field in table.model._meta.fields if not field.primary_key]
    rights = [relation.name for relation in table.model._meta.many_to_many if table.model is User]

    assert declared == Counter(fields + rights), "see grading/housekeeping/course_tables.py"
    between = [
        relation.remote_field.through for relation in table.model._meta.many_to_many if not rights
    ]
    unnamed = [field for field in between if field is not None and field._meta.auto_created]
    assert not unnamed, "give the table between the two a model of its own"
    assert all(table.left_out.values())


@pytest.mark.parametrize(
    ("name", "first"),
    [("scores", "scus"), ("second_looks", "scu"), ("corrections", "scu"), ("comments", "scu")],
)
def test_a_renamed_field_has_its_first_name_in_files(name: str, first: str) -> None:
    """So that files of earlier and of later days can be read."""
    (table,) = (table for table in TABLES if table.name == name)

    assert first in map(name_in_files, table.copied_fields)


def test_keys_lead_to_people_or_to_tables_above() -> None:
    known: set[type[Model]] = {User}
    for table in TABLES:
        keys = [table.model._meta.get_field(name) for name in table.keys.split()]
        assert all(isinstance(key, ForeignKey) for key in keys), table.name
        assert {key.related_model for key in keys} <= known | {table.model}, table.name
        copied = [table.model._meta.get_field(name) for name in table.copied.split()]
        assert not [field.name for field in copied if isinstance(field, ForeignKey)], table.name
        assert not table.student or table.student in table.keys.split(), table.name
        known.add(table.model)
