"""What fails is sometimes not the program, but what it runs on: the database, or the disk."""

import errno
import sqlite3

from django.db import InterfaceError, OperationalError

# To let through where one text that fails shall not keep the others away: this is no text's fault.
DATABASE_OUTAGES = (OperationalError, InterfaceError)
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})
_POSTGRESQL_DISK_FULL = "53100"


def outage_of(error: BaseException | None) -> str:
    """Say in a sentence what is missing; empty where the program itself failed."""
    if _is_disk_full(error):
        return "The server's disk is full."
    if isinstance(error, DATABASE_OUTAGES):
        return "The database doesn't answer."
    return ""


def _is_disk_full(error: BaseException | None) -> bool:
    """The database's own error is the cause of Django's."""
    if error is None:
        return False
    if isinstance(error, OSError) and error.errno in _NO_SPACE:
        return True
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return True
    if getattr(error, "sqlstate", None) == _POSTGRESQL_DISK_FULL:
        return True
    return _is_disk_full(error.__cause__)
