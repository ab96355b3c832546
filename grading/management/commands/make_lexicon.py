"""``manage.py make_lexicon``: a WordNet dictionary to the lexicon of Basic Elements."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.management.files import check_target
from grading.pyramid.basic_elements.lexicon import read_lexicon, write_lexicon
from grading.pyramid.errors import InputError


class Command(BaseCommand):
    help = "Write the synonyms and compounds of WordNet that Basic Elements need."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--wordnet",
            type=Path,
            required=True,
            metavar="DIR",
            help="the dictionary, such as /usr/share/wordnet of Debian's package wordnet-base",
        )
        parser.add_argument(
            "--out", type=Path, required=True, metavar="FILE", help="the lexicon, a .txt.gz file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        out: Path = options["out"]
        try:
            check_target(out)
            lines = read_lexicon(options["wordnet"])
        except InputError as error:
            raise CommandError(str(error)) from error
        write_lexicon(lines, out)
        self.stderr.write(f"{len(lines):,} lines in {out}", style_func=str)
