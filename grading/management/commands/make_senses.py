"""``manage.py make_senses``: a WordNet dictionary to the lexicon of senses that ADW walks in."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.management.files import check_target
from grading.pyramid.errors import InputError
from grading.pyramid.word_senses.dictionary import read_dictionary
from grading.pyramid.word_senses.lexicon import write_lexicon


class Command(BaseCommand):
    help = "Make the lexicon of word senses from a WordNet dictionary."
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
            "--out", type=Path, required=True, metavar="FILE", help="the lexicon, a .npz file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        out: Path = options["out"]
        try:
            check_target(out)
            lexicon = read_dictionary(options["wordnet"])
        except InputError as error:
            raise CommandError(str(error)) from error
        write_lexicon(lexicon, out)
        self.stderr.write(
            f"{len(lexicon.entries):,} words with {lexicon.size:,} senses in {out}",
            style_func=str,
        )
