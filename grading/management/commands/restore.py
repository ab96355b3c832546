"""``manage.py restore FILE``: the database as a backup has it. Stop the site first."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.management.backups import backup_restore
from grading.pyramid.errors import InputError


class Command(BaseCommand):
    help = "Replace the database with a backup's. Stop web servers and workers first."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="replace a database that already has accounts"
        )

    def handle(self, **options: Any) -> None:
        try:
            left = backup_restore(options["file"], replace=options["replace"])
        except (InputError, OSError) as error:
            raise CommandError(f"Nothing was restored. {error}") from None
        self.stdout.write("Restored.")
        for sentence in left:
            self.stdout.write(sentence)
