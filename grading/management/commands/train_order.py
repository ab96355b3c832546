"""``manage.py train_order``: a WordNet dictionary to the counts that the order of words needs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.management.files import check_target
from grading.pyramid.encoders.wordnet_glosses import read_examples
from grading.pyramid.errors import InputError
from grading.pyramid.order.counts import count_trigrams, write_counts
from grading.pyramid.order.sentences import words_of
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text

LEAST_WORDS = 5  # shorter examples are phrases


class Command(BaseCommand):
    help = "Count which words follow each other in WordNet's example sentences."
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
            "--out", type=Path, required=True, metavar="FILE", help="the counts, a text file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        try:
            self._run(options["wordnet"], options["out"])
        except InputError as error:
            raise CommandError(str(error)) from error

    def _run(self, wordnet: Path, out: Path) -> None:
        check_target(out)
        examples = sorted({_as_sentence(example) for example in read_examples(wordnet)})
        texts = [Text("", example) for example in examples if len(example.split()) >= LEAST_WORDS]
        self.stderr.write(f"{len(texts):,} sentences", style_func=str)
        parsed = SpacyParser().parse(texts)
        counts = count_trigrams(
            words_of(sentence.tokens) for text in parsed for sentence in text.sentences
        )
        write_counts(counts, out)
        self.stderr.write(f"{len(counts):,} trigrams in {out}", style_func=str)


def _as_sentence(example: str) -> str:
    """With a capital and a final stop, which most examples lack and most sentences have."""
    words = " ".join(example.split())
    stop = "" if words.endswith((".", "!", "?")) else "."
    return words[:1].upper() + words[1:].rstrip(",;:") + stop
