"""Triggers and rights that let the audit log be added to and nothing else.

On PostgreSQL the account that owns the table also gives up its rights to change or empty it. Who
owns a table can drop a trigger and take rights back. So can whoever has the file of an SQLite
database. What both stop is the program itself: a mistake in it, or somebody who has found a way to
make it run other SQL than ours.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db import connection, transaction

TABLE = "grading_auditrecord"
_REFUSAL = "The audit log can only be added to."

_SQLITE_TRIGGER = (
    f"CREATE TRIGGER audit_no_%s BEFORE %s ON {TABLE} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
)
_FUNCTION = f"""
CREATE FUNCTION grading_audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';
END $$
"""
_TRIGGER = f"""
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON {TABLE}
FOR EACH ROW EXECUTE FUNCTION grading_audit_append_only()
"""
_CREATE = {
    "sqlite": (_SQLITE_TRIGGER % ("update", "UPDATE"), _SQLITE_TRIGGER % ("delete", "DELETE")),
    "postgresql": (_FUNCTION, _TRIGGER),
}
_DROP = {
    "sqlite": ("DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete"),
    "postgresql": (
        f"DROP TRIGGER audit_append_only ON {TABLE}",
        "DROP FUNCTION grading_audit_append_only()",
    ),
}


_GIVE_UP = f"""
DO $$ BEGIN
  IF to_regclass('{TABLE}') IS NOT NULL THEN
    REVOKE UPDATE, DELETE, TRUNCATE ON {TABLE} FROM CURRENT_USER;
  END IF;
END $$
"""


def rights_give_up(**kwargs: object) -> None:
    """After each migration and restore, which may have made the table again."""
    del kwargs
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_GIVE_UP)


def _right_take_back() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"GRANT DELETE ON {TABLE} TO CURRENT_USER")


def drop_function_sql() -> str:
    """For a restore on PostgreSQL, which brings the function with the tables."""
    return "DROP FUNCTION IF EXISTS grading_audit_append_only()"


def create_triggers(*_: object) -> None:
    _execute(_CREATE)


def drop_triggers(*_: object) -> None:
    _execute(_DROP)


@contextmanager
def erasing_allowed() -> Iterator[None]:
    """For the operator's ``manage.py erase_audit`` alone. All is as before with its commit."""
    with transaction.atomic():
        drop_triggers()
        _right_take_back()
        yield
        rights_give_up()
        create_triggers()


def _execute(statements: Mapping[str, tuple[str, ...]]) -> None:
    with connection.cursor() as cursor:
        for statement in statements[connection.vendor]:
            cursor.execute(statement)
