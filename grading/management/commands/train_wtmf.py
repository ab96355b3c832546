"""``manage.py train_wtmf``: a WordNet dictionary to the model of the WTMF encoder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.management.files import check_target
from grading.pyramid.encoders.wordnet_glosses import read_sentences
from grading.pyramid.encoders.wtmf_file import write_model
from grading.pyramid.encoders.wtmf_training import DEFAULT_SETTINGS, train
from grading.pyramid.errors import InputError


class Command(BaseCommand):
    help = "Train the model of the WTMF encoder on WordNet's definitions and examples."
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
            "--out", type=Path, required=True, metavar="FILE", help="the model, a gensim file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        try:
            self._run(options["wordnet"], options["out"])
        except InputError as error:
            raise CommandError(str(error)) from error

    def _run(self, wordnet: Path, out: Path) -> None:
        check_target(out)
        sentences = read_sentences(wordnet)
        self.stderr.write(f"{len(sentences):,} sentences", style_func=str)
        model = train(sentences, progress=self._progress)
        write_model(model, out)
        self.stderr.write(f"{len(model.words):,} words: {model.name} in {out}", style_func=str)

    def _progress(self, done: int) -> None:
        turn = f"turn {done + 1} of {DEFAULT_SETTINGS.iterations}"
        self.stderr.write(turn, style_func=str)
