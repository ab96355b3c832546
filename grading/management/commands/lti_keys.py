"""``manage.py lti_keys``: the keys by which platforms know this site."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from grading.lti.keys import key_ensure, key_make, usable_keys
from grading.models import AuditKind, record


class Command(BaseCommand):
    help = (
        "Make this site's LTI key if there is none. With --rotate, make a new one that signs; the "
        "earlier one stays public for a week."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rotate", action="store_true", help="make a new key in any case")

    def handle(self, **options: Any) -> None:
        if options["rotate"]:
            key = key_make()
            record(AuditKind.PLATFORM_CHANGED, f"Rotated the LTI key: {key.kid} now signs.")
        else:
            key_ensure()
        for key in usable_keys():
            until = f"public until {key.retires_at:%Y-%m-%d}" if key.retires_at else "signs"
            self.stdout.write(f"{key.kid}  made {key.created_at:%Y-%m-%d}  {until}")
