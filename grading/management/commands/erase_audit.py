"""``manage.py erase_audit``: the operator's only way to take records out of the audit log."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from grading.models import AuditKind, AuditRecord, User, record
from grading.models.append_only import erasing_allowed
from grading.pyramid.figures import number_of


class Command(BaseCommand):
    help = (
        "Erase audit records before a day (retention), or about an account (erasure). The database "
        "account must own the tables. The audit log records the erasure."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--before", metavar="YYYY-MM-DD", help="older than this day, in UTC")
        parser.add_argument("--account", metavar="LOGIN", help="a login, an address or a number")

    def handle(self, **options: Any) -> None:
        chosen = AuditRecord.objects.all()
        if not (options["before"] or options["account"]):
            raise CommandError("Say which records: --before YYYY-MM-DD, --account LOGIN, or both.")
        if options["before"]:
            chosen = chosen.filter(at__lt=_day(options["before"]))
        if options["account"]:
            number = _account_number(options["account"])
            chosen = chosen.filter(Q(actor=number) | Q(person=number))
        with erasing_allowed():
            erased, _ = chosen.delete()
            record(AuditKind.RECORDS_ERASED, f"Erased {number_of(erased, 'record')}.")
        if options["verbosity"]:
            self.stdout.write(f"Erased {number_of(erased, 'record')}.")


def _day(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise CommandError(f"“{text}” is not a day. Write it as 2026-11-19.") from None


def _account_number(login: str) -> int:
    """Of an account that is gone, only its number is known."""
    try:
        return User.objects.get_by_natural_key(login).pk
    except User.DoesNotExist:
        if login.isascii() and login.isdecimal():
            return int(login)
        raise CommandError(f"There is no account “{login}”.") from None
