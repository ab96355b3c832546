"""Two methods, or two pyramids, on the same summaries: how far they agree."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from grading.pyramid.agreement import Judgements, Sheet, compare_scores, program_and_people
from grading.pyramid.cli.correlating import cells_of, correlation_figures
from grading.pyramid.cli.files import read_pyramid_file
from grading.pyramid.cli.scoring import Scored, ScoreTask
from grading.pyramid.cli.tables import Cell, Table
from grading.pyramid.cli.tasks import ContentTask, Options, check_out, deliver
from grading.pyramid.comparison import compare_pyramids
from grading.pyramid.content import Column, PlugIn
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Points

COLUMNS = ("score", "figure", "value", "low", "high", "texts")
_SCORES = (Column.RAW, Column.QUALITY, Column.COVERAGE, Column.COMPREHENSIVE)
_Rows = Iterator[tuple[Cell, ...]]


class CompareTask(ContentTask):
    help = (
        "Score summaries by two methods, or by two pyramids, and say how far they agree. "
        "Intervals are 95 % (bootstrap over texts)."
    )
    example = "pyreval compare cities.pyr summaries --with-method pyreval"
    out_help = "the figures, a .csv, .json or .txt file; by default they are printed"
    makes_table = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pyramid", type=Path, metavar="PYRAMID.pyr")
        parser.add_argument("summaries", type=Path, metavar="SUMMARIES_DIR")
        super().add_arguments(parser)
        parser.add_argument("--with-method", metavar="NAME", help="the second method")
        parser.add_argument(
            "--with-pyramid",
            type=Path,
            metavar="OTHER.pyr",
            help=(
                "the second pyramid. --encoder, --option and files of components are for the "
                "first method, and for the second where it is the same"
            ),
        )

    def run(self, options: Options) -> str:
        check_out(options)
        if not options["with_method"] and not options["with_pyramid"]:
            raise InputError("Nothing to compare with: give --with-method or --with-pyramid.")
        first = self._options_of(options)
        second = first | {"pyramid": options["with_pyramid"] or options["pyramid"]}
        if options["with_method"] and options["with_method"] != options["method"]:
            second |= {"method": options["with_method"], "encoder": None, "option": []}
            second |= {plug_in.value: None for plug_in in PlugIn}
        task = ScoreTask(self.host)
        ours, theirs = list(task.scored(first)), list(task.scored(second))
        rows = list(_rows_of_scores(ours, theirs))
        if options["with_pyramid"]:
            rows += _rows_of_pyramids(options["pyramid"], options["with_pyramid"])
        else:
            rows += _rows_of_ideas(options["pyramid"], ours, theirs)
        return deliver(Table(COLUMNS, tuple(rows)), options)

    def _options_of(self, options: Options) -> Options:
        """As scoring takes them."""
        return options | {
            "points": Points.EXPECTED,
            "calibration": None,
            "match_threshold": None,
            "pan_dir": None,
        }


def _rows_of_scores(ours: Sequence[Scored], theirs: Sequence[Scored]) -> _Rows:
    """Of each score that both have."""
    for column in _SCORES:
        pairs = [
            (first, second)
            for own, other in zip(ours, theirs, strict=True)
            if isinstance(first := own.cells.get(column), float)
            and isinstance(second := other.cells.get(column), float)
        ]
        if not pairs:
            continue
        xs, ys = (np.array(scores, dtype=np.float64) for scores in zip(*pairs, strict=True))
        for measure, figure in correlation_figures(xs, ys):
            yield (column.value, measure, *cells_of(figure))
        both = compare_scores(xs.tolist(), ys.tolist())
        if both:
            yield (column.value, "mean of the first", both.first_mean, None, None, len(pairs))
            yield (column.value, "mean of the second", both.second_mean, None, None, len(pairs))
            yield (column.value, "second less first", *cells_of(both.difference))


def _rows_of_ideas(path: Path, ours: Sequence[Scored], theirs: Sequence[Scored]) -> _Rows:
    """Krippendorff's alpha over which ideas of one pyramid are matched in which text."""
    pairs = [
        (own.ideas, other.ideas)
        for own, other in zip(ours, theirs, strict=True)
        if own.ideas is not None and other.ideas is not None
    ]
    if not pairs:  # a sister system matches no ideas
        return
    uids = [scu.uid for scu in read_pyramid_file(path).counted().scus]

    def answers(ideas: frozenset[int]) -> Judgements:
        return np.array([uid in ideas for uid in uids], dtype=np.bool_)

    sheets = [
        Sheet(number, answers(first), {0: answers(second)})
        for number, (first, second) in enumerate(pairs)
    ]
    yield ("ideas matched", "Krippendorff's alpha", *cells_of(program_and_people(sheets)))


def _rows_of_pyramids(first: Path, second: Path) -> _Rows:
    """How many ideas are the same in both."""
    differences = compare_pyramids(read_pyramid_file(first), read_pyramid_file(second))
    counts = {
        "the same": differences.same,
        "changed": differences.changed,
        "in the second alone": differences.new,
        "in the first alone": differences.gone,
    }
    for words, ideas in counts.items():
        yield ("ideas", words, len(ideas), None, None, None)
