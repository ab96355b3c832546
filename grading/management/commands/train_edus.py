"""``manage.py train_edus``: documents with marked EDUs to the segmenter of the EDU methods."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from grading.management.files import check_target
from grading.pyramid.edus.corpus import (
    Document,
    MarkedText,
    boundaries,
    marked_sentences,
    read_documents,
    together,
)
from grading.pyramid.edus.segmenter import Segmenter, write_segmenter
from grading.pyramid.edus.training import train
from grading.pyramid.edus.units import SegmentedUnits
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText, SpacyParser


class Command(BaseCommand):
    help = "Train the segmenter of elementary discourse units, and measure it on dev.jsonl."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--data",
            type=Path,
            required=True,
            metavar="DIR",
            help="a directory with train.jsonl and dev.jsonl, such as ../shared/data/gum_edu",
        )
        parser.add_argument(
            "--out", type=Path, required=True, metavar="FILE", help="the segmenter, a .npz file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        try:
            self._run(options["data"], options["out"])
        except InputError as error:
            raise CommandError(str(error)) from error

    def _run(self, data: Path, out: Path) -> None:
        check_target(out)
        documents = read_documents(data / "train.jsonl")
        held_out = read_documents(data / "dev.jsonl")
        parser = SpacyParser()
        sentences = marked_sentences(documents, parser)
        self._say(f"{len(documents)} documents, {len(sentences):,} sentences in two forms")
        segmenter = train(sentences, progress=self._say)
        write_segmenter(segmenter, out)
        self._say(f"{out}: {out.stat().st_size:,} bytes")
        self._measure(segmenter, held_out, parser)

    def _measure(
        self, segmenter: Segmenter, documents: list[Document], parser: SpacyParser
    ) -> None:
        tokenised = [one.tokenised for one in documents]
        running = [one.running for one in documents]
        given = parser.parse_tokenised([one.text for one in tokenised])
        own = parser.parse([one.text for one in running])
        self._say(f"F1 on dev.jsonl, given sentences: {_f1(segmenter, tokenised, given):.3f}")
        self._say(f"F1 on dev.jsonl, own sentences: {_f1(segmenter, running, own):.3f}")

    def _say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)


def _f1(segmenter: Segmenter, marked: list[MarkedText], parsed: list[ParsedText]) -> float:
    cutter = SegmentedUnits(segmenter)
    return together(
        boundaries(text, (spans[0].start for spans in cutter.spans_of(read)))
        for text, read in zip(marked, parsed, strict=True)
    ).f1
