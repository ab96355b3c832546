"""``manage.py score_summaries``: a pyramid and student summaries to scores and annotations."""

import csv
import io
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from grading.management.files import (
    check_target,
    made_directory,
    read_pyramid_file,
    read_texts,
    staged_files,
)
from grading.management.research import ResearchCommand
from grading.pyramid.errors import InputError
from grading.pyramid.figures import points_in_file
from grading.pyramid.formats.ducview import annotation_of, write_annotation
from grading.pyramid.formats.learnt_curve_json import read_curve
from grading.pyramid.formats.pyramid_json import content_hash
from grading.pyramid.pipeline import Engine, score_summaries
from grading.pyramid.registry import with_learnt_curve, with_match_threshold, with_points
from grading.pyramid.structures import Points, Pyramid, ScoreReport, Text
from grading.scoring.engine import load_engine

COLUMNS = (
    *("summary", "scus", "raw", "quality", "coverage", "comprehensive"),
    *("held", "contradicted"),
)


class Command(ResearchCommand):
    help = "Score a directory of summaries (.txt, UTF-8, one a file) by a pyramid (.pyr)."
    out_help = "the scores, a .csv file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pyramid", type=Path, metavar="PYRAMID.pyr")
        parser.add_argument("summaries", type=Path, metavar="SUMMARIES_DIR")
        super().add_arguments(parser)
        parser.add_argument(
            "--points",
            type=Points,
            choices=list(Points),
            default=Points.EXPECTED,
            help=(
                "what a match earns: the weight of its idea times its probability (expected, the "
                "default), or the whole weight (matched); for methods that know probabilities"
            ),
        )
        parser.add_argument(
            "--pan-dir",
            type=Path,
            metavar="DIR",
            help="a directory for an annotation of each summary, a .pan file of DUCView",
        )
        parser.add_argument(
            "--calibration",
            type=Path,
            metavar="CURVE.json",
            help="what calibrate learnt from annotations with this pyramid and method",
        )

        parser.add_argument(
            "--match-threshold",
            metavar="NUMBER",
            help=(
                "for pyreval and its variants: the least similarity of a match, by default 0.5; "
                "or “learnt”, from each pyramid"
            ),
        )

    def run(self, options: dict[str, Any]) -> None:
        out: Path = options["out"]
        pan_directory: Path | None = options["pan_dir"]
        check_target(out)
        pyramid = read_pyramid_file(options["pyramid"])
        summaries = read_texts(options["summaries"])
        with (
            made_directory(pan_directory) if pan_directory else nullcontext(),
            staged_files() as files,
        ):
            scored = []
            for summary, report in self._scored(pyramid, summaries, options):
                scored.append((summary, report))
                if pan_directory:
                    annotation = annotation_of(pyramid, summary, report)
                    files.add(pan_directory / f"{summary.name}.pan", write_annotation(annotation))
            files.add(out, _table(scored))

    def _scored(
        self, pyramid: Pyramid, summaries: list[Text], options: dict[str, Any]
    ) -> Iterator[tuple[Text, ScoreReport]]:
        self.progress("Loading the language model", 0, 0)
        engine = load_engine(options["method"], options["encoder"])
        engine = _calibrated(engine, pyramid, options["calibration"])
        engine = replace(engine, method=with_points(engine.method, Points(options["points"])))
        engine = _with_threshold(engine, options["match_threshold"])
        reports = score_summaries(pyramid, summaries, engine, progress=self.progress)
        return zip(summaries, reports, strict=True)


def _with_threshold(engine: Engine, threshold: str | None) -> Engine:
    """The engine with the threshold that was asked for, a number or “learnt”."""
    if threshold is None:
        return engine
    try:
        number = None if threshold == "learnt" else float(threshold)
    except ValueError:
        raise InputError(
            f"The match threshold “{threshold}” is neither a number between 0 and 1 nor “learnt”."
        ) from None
    return replace(engine, method=with_match_threshold(engine.method, number))


def _calibrated(engine: Engine, pyramid: Pyramid, path: Path | None) -> Engine:
    """The engine with what ``calibrate`` wrote into a file."""
    if path is None:
        return engine
    data = path.read_bytes()
    try:
        curve = read_curve(data, signature=engine.signature, pyramid=content_hash(pyramid))
    except InputError as error:
        raise InputError(f"“{path}”: {error}") from error
    return replace(engine, method=with_learnt_curve(engine.method, curve))


def _table(scored: list[tuple[Text, ScoreReport]]) -> str:
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    for summary, report in scored:
        numbers = (report.quality, report.coverage, report.comprehensive)
        evidence = report.evidence
        table.writerow(
            [
                summary.name,
                report.scus,
                points_in_file(report.raw),
                *(f"{number:.4f}" for number in numbers),
                "yes" if evidence.is_held else "in part" if evidence.held else "no",
                len(evidence.contradicting),
            ]
        )
    return written.getvalue()
