"""What the commands share that make one of the project's own data files out of a directory."""

from abc import abstractmethod
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.pyramid.cli.files import check_target
from grading.pyramid.errors import InputError


class MakingCommand(BaseCommand):
    """Makes one file out of a directory; what is wrong with either ends it with one sentence."""

    requires_system_checks = []
    source = "wordnet"  # the option that names the directory
    source_help = "the dictionary, such as /usr/share/wordnet of Debian's package wordnet-base"
    out_help: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            f"--{self.source}", type=Path, required=True, metavar="DIR", help=self.source_help
        )
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=self.out_help)

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        try:
            check_target(options["out"])
            self.make(options[self.source], options["out"])
        except InputError as error:
            raise CommandError(str(error)) from error

    @abstractmethod
    def make(self, source: Path, out: Path) -> None:
        """Read the directory and write the file."""

    def say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)
