"""``manage.py backup DIR``: one file with everything, while people work."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.management.backups import backup_write, backups_forget
from grading.pyramid.errors import InputError


class Command(BaseCommand):
    help = "Write a backup of the database and the secret key into a directory."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path)
        parser.add_argument("--keep", type=int, help="keep only this many of the newest backups")

    def handle(self, **options: Any) -> None:
        if options["keep"] is not None and options["keep"] < 1:
            raise CommandError("--keep needs at least 1: the backup that is written now.")
        try:
            written = backup_write(options["directory"])
        except (InputError, OSError) as error:
            raise CommandError(f"Nothing was backed up. {error}") from None
        self.stdout.write(str(written))
        if options["keep"]:
            backups_forget(options["directory"], keep=options["keep"])
