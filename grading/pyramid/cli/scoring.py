"""A pyramid and summaries to scores, annotations and explanations."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from grading.pyramid.cli.files import (
    made_directory,
    read_pyramid_file,
    read_texts,
    staged_files,
)
from grading.pyramid.cli.tables import Cell, Format, Table
from grading.pyramid.cli.tasks import ContentTask, Options, check_out
from grading.pyramid.content import Column, ContentScore
from grading.pyramid.content_pipeline import score_content
from grading.pyramid.errors import InputError
from grading.pyramid.formats.content_json import score_to_json
from grading.pyramid.formats.ducview import annotation_of, write_annotation
from grading.pyramid.formats.learnt_curve_json import read_curve
from grading.pyramid.formats.pyramid_json import Json, content_hash, report_to_json
from grading.pyramid.pipeline import Engine, score_summaries
from grading.pyramid.registry import with_learnt_curve, with_match_threshold, with_points
from grading.pyramid.structures import Points, Pyramid, ScoreReport, Text

COLUMNS = ("summary", *Column)


class ScoreTask(ContentTask):
    help = (
        "Score a directory of summaries (.txt, UTF-8, one a file). Give a pyramid (.pyr), or a "
        "sister system's model of content (.json)."
    )
    example = "pyreval score cities.pyr summaries --out scores.csv --pan-dir annotations"
    out_help = "the scores, a .csv, .json or .txt file; by default they are printed"
    makes_table = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "pyramid",
            type=Path,
            metavar="PYRAMID.pyr",
            help=(
                "the pyramid; for a sister system its model (.json), or a pyramid or a directory "
                "of references to make one from"
            ),
        )
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
            "--explain-dir",
            type=Path,
            metavar="DIR",
            help="a directory for the evidence of each summary, a .json file",
        )
        parser.add_argument(
            "--calibration",
            type=Path,
            metavar="CURVE.json",
            help="the curve that calibrate learnt with this pyramid and method",
        )

        parser.add_argument(
            "--match-threshold",
            metavar="NUMBER",
            help=(
                "for pyreval and its variants: the least similarity of a match, by default 0.5; "
                "or “learnt”, from each pyramid"
            ),
        )

    def run(self, options: Options) -> str:
        pan_directory: Path | None = options["pan_dir"]
        explained: Path | None = options["explain_dir"]
        check_out(options)
        rows: list[tuple[Cell, ...]] = []
        with (
            made_directory(pan_directory) if pan_directory else nullcontext(),
            made_directory(explained) if explained else nullcontext(),
            staged_files() as files,
        ):
            for scored in self.scored(options):
                rows.append((scored.summary.name, *(scored.cells.get(column) for column in Column)))
                if pan_directory:
                    files.add(pan_directory / f"{scored.summary.name}.pan", scored.annotation)
                if explained:
                    named = {"summary": scored.summary.name} | scored.document
                    output = json.dumps(named, ensure_ascii=False, indent=1) + "\n"
                    files.add(explained / f"{scored.summary.name}.json", output)
            table = Table(COLUMNS, tuple(rows), points=frozenset({Column.RAW}))
            content = table.written(Format(options["format"]))
            if options["out"] is None:
                return content
            files.add(options["out"], content)
        return ""

    def scored(self, options: Options) -> Iterator["Scored"]:
        """Each summary, as it is scored."""
        content = self.content_engine_and_model(options)
        if content is None:
            pyramid = read_pyramid_file(options["pyramid"])
            summaries = read_texts(options["summaries"])
            for summary, report in self._scored(pyramid, summaries, options):
                yield _by_pyramid(pyramid, summary, report)
            return
        engine, model = content
        summaries = read_texts(options["summaries"])
        scores = score_content(model, summaries, engine, progress=self.host.progress)
        for summary, score in zip(summaries, scores, strict=True):
            yield _by_model(summary, score)

    def _scored(
        self, pyramid: Pyramid, summaries: list[Text], options: Options
    ) -> Iterator[tuple[Text, ScoreReport]]:
        engine = self.engine(options)
        engine = calibrated(engine, pyramid, options["calibration"])
        engine = replace(engine, method=with_points(engine.method, Points(options["points"])))
        engine = _with_threshold(engine, options["match_threshold"])
        reports = score_summaries(pyramid, summaries, engine, progress=self.host.progress)
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


def calibrated(engine: Engine, pyramid: Pyramid, path: Path | None) -> Engine:
    """The engine with what ``calibrate`` wrote into a file."""
    if path is None:
        return engine
    data = path.read_bytes()
    try:
        curve = read_curve(data, signature=engine.signature, pyramid=content_hash(pyramid))
    except InputError as error:
        raise InputError(f"“{path}”: {error}") from error
    return replace(engine, method=with_learnt_curve(engine.method, curve))


@dataclass(frozen=True)
class Scored:
    """A summary with its row of the table, what to say of it, and what a pyramid adds to that."""

    summary: Text
    cells: Mapping[Column, Cell]
    document: Json
    annotation: str = ""
    ideas: frozenset[int] | None = None  # the matched ones by uid, where a pyramid was matched


def _by_pyramid(pyramid: Pyramid, summary: Text, report: ScoreReport) -> Scored:
    evidence = report.evidence
    cells: dict[Column, Cell] = {
        Column.UNITS: report.statements,
        Column.RAW: float(report.raw),
        Column.QUALITY: float(report.quality),
        Column.COVERAGE: float(report.coverage),
        Column.COMPREHENSIVE: float(report.comprehensive),
        Column.HELD: "yes" if evidence.is_held else "in part" if evidence.held else "no",
        Column.CONTRADICTED: len(evidence.contradicting),
    }
    annotation = write_annotation(annotation_of(pyramid, summary, report))
    ideas = frozenset(match.scu_uid for match in evidence.credited)
    return Scored(summary, cells, report_to_json(report), annotation, ideas)


def _by_model(summary: Text, score: ContentScore) -> Scored:
    values = {column: score.value(column) for column in Column}
    cells: dict[Column, Cell] = {
        column: int(value) if column is Column.UNITS else float(value)
        for column, value in values.items()
        if value is not None
    }
    return Scored(summary, cells, score_to_json(score))
