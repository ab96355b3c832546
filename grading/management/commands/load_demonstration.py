"""``manage.py load_demonstration``: the demonstration course; running it again changes nothing."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from grading.management.demonstration_course import DEMONSTRATION_PASSWORD, demonstration_load


class Command(BaseCommand):
    help = "Load the demonstration course. A worker then builds its pyramid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--password", help="for all its accounts; needed on a public server")

    def handle(self, **options: Any) -> None:
        password = options["password"]
        if password is None and settings.SECURE:
            raise CommandError(
                "This server isn't local. Set a password for the demonstration accounts with "
                "--password."
            )
        course = demonstration_load(password=password or DEMONSTRATION_PASSWORD)
        if options["verbosity"]:
            self.stdout.write(f"The demonstration course is ready: {course}")
