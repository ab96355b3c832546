"""``manage.py score_summaries``: a pyramid and student summaries to scores and annotations."""

import csv
import io
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from grading.engine import load_engine
from grading.management.files import check_target, made_directory, read_texts, staged_files
from grading.management.research import ResearchCommand
from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import annotation_of, read_pyramid, write_annotation
from grading.pyramid.pipeline import score_summaries
from grading.pyramid.structures import Pyramid, ScoreReport, Text

COLUMNS = ("summary", "scus", "raw", "quality", "coverage", "comprehensive")


class Command(ResearchCommand):
    help = "Score a directory of summaries (.txt, UTF-8, one a file) by a pyramid (.pyr)."
    out_help = "the scores, a .csv file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pyramid", type=Path, metavar="PYRAMID.pyr")
        parser.add_argument("summaries", type=Path, metavar="SUMMARIES_DIR")
        super().add_arguments(parser)
        parser.add_argument(
            "--pan-dir",
            type=Path,
            metavar="DIR",
            help="a directory for an annotation of each summary, a .pan file of DUCView",
        )

    def run(self, options: dict[str, Any]) -> None:
        out: Path = options["out"]
        pan_directory: Path | None = options["pan_dir"]
        check_target(out)
        pyramid = _read_pyramid(options["pyramid"])
        summaries = read_texts(options["summaries"])
        with (
            made_directory(pan_directory) if pan_directory else nullcontext(),
            staged_files() as files,
        ):
            scored = []
            for summary, report in self._scored(pyramid, summaries, options["method"]):
                scored.append((summary, report))
                if pan_directory:
                    annotation = annotation_of(pyramid, summary, report)
                    files.add(pan_directory / f"{summary.name}.pan", write_annotation(annotation))
            files.add(out, _table(scored))

    def _scored(
        self, pyramid: Pyramid, summaries: list[Text], method: str | None
    ) -> Iterator[tuple[Text, ScoreReport]]:
        self.progress("Loading the language model", 0, 0)
        reports = score_summaries(pyramid, summaries, load_engine(method), progress=self.progress)
        return zip(summaries, reports, strict=True)


def _read_pyramid(path: Path) -> Pyramid:
    if path.exists() and not path.is_file():
        raise InputError(f"“{path}” is not a file.")
    data = path.read_bytes()
    try:
        return read_pyramid(data)
    except InputError as error:
        raise InputError(f"“{path}”: {error}") from error


def _table(scored: list[tuple[Text, ScoreReport]]) -> str:
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    for summary, report in scored:
        numbers = (report.quality, report.coverage, report.comprehensive)
        row = [summary.name, report.scus, report.raw, *(f"{number:.4f}" for number in numbers)]
        table.writerow(row)
    return written.getvalue()
