"""Scores against those that people gave, and two methods by how well they do it."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grading.pyramid import agreement
from grading.pyramid.agreement import Numbers, figure
from grading.pyramid.cli.correlating import cells_of, correlation_figures
from grading.pyramid.cli.tables import Cell, Table
from grading.pyramid.cli.tasks import Options, Task, check_out, deliver
from grading.pyramid.correlations import pearson, williams
from grading.pyramid.errors import InputError
from grading.pyramid.formats.csv_table import read_table

COLUMNS = ("score", "figure", "value", "low", "high", "texts", "p")
_FEWEST = 4  # texts: Williams's test has three degrees of freedom less
Scores = dict[str, float]  # by the name of the text


class EvaluateTask(Task):
    help = (
        "Compare scores with human scores of the same texts. Gives Pearson's, Spearman's and "
        "Kendall's correlation with 95 % intervals (bootstrap over texts)."
    )
    example = "pyreval evaluate scores.csv human.csv --against scores-pyreval.csv"
    out_help = "the figures, a .csv, .json or .txt file; by default they are printed"
    makes_table = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "scores", type=Path, metavar="SCORES.csv", help="the output of score: a row a text"
        )
        parser.add_argument(
            "human",
            type=Path,
            metavar="HUMAN.csv",
            help="human scores: the names of the texts in the first column",
        )
        parser.add_argument(
            "--human-column",
            metavar="NAME",
            help="the column of human scores; by default the first one with numbers",
        )
        parser.add_argument(
            "--score",
            action="append",
            metavar="NAME",
            help="a column of SCORES.csv; may be given several times; by default all with numbers",
        )
        parser.add_argument(
            "--against",
            type=Path,
            metavar="OTHER.csv",
            help="scores of another method: Williams's test says which is closer to people, if any",
        )

    def run(self, options: Options) -> str:
        check_out(options)
        scores = _read(options["scores"])
        human = _read(options["human"])
        people = human.column(options["human_column"] or next(iter(human.columns), ""))
        other = _read(options["against"]) if options["against"] else None
        names = options["score"] or list(scores.columns)
        rows: list[tuple[Cell, ...]] = []
        for done, name in enumerate(names):
            self.host.progress("Comparing scores", done, len(names))
            if other and not options["score"] and name not in other.columns:
                continue
            theirs = other.column(name) if other else None
            rows += _rows(name, scores.column(name), people, theirs)
        return deliver(Table(COLUMNS, tuple(rows)), options)


@dataclass(frozen=True, slots=True)
class _ScoreFile:
    path: Path
    columns: dict[str, Scores]  # those in which all cells are numbers, or empty

    def column(self, name: str) -> Scores:
        if not self.columns:
            raise InputError(f"“{self.path}” has no column of numbers.")
        if name not in self.columns:
            known = ", ".join(self.columns)
            raise InputError(
                f"“{self.path}” has no column “{name}” of numbers. Its columns of numbers: {known}."
            )
        return self.columns[name]


def _read(path: Path) -> _ScoreFile:
    """The columns of numbers; the first column names the texts."""
    data = path.read_bytes()
    try:
        table = read_table(data)
    except InputError as error:
        raise InputError(f"“{path}”: {error}") from error
    names: set[str] = set()
    for row in table.rows:
        if row.cell(0) in names:
            raise InputError(f"“{path}”, line {row.line}: “{row.cell(0)}” is there twice.")
        names.add(row.cell(0))
    columns: dict[str, Scores] = {}
    for place, heading in enumerate(table.heading[1:], start=1):
        cells = {row.cell(0): row.cell(place) for row in table.rows if row.cell(place)}
        try:
            numbers = {name: float(cell) for name, cell in cells.items()}
        except ValueError:
            continue
        if numbers and np.isfinite(list(numbers.values())).all():
            columns[heading] = numbers
    return _ScoreFile(path, columns)


def _rows(
    name: str, scores: Scores, people: Scores, theirs: Scores | None
) -> Iterator[tuple[Cell, ...]]:
    """The figures of a column, over the texts that have all of the scores."""
    shared = scores.keys() & people.keys()
    if theirs is not None:
        shared &= theirs.keys()
    texts = sorted(shared)
    if len(texts) < _FEWEST:
        raise InputError(
            f"Only {len(texts)} texts have both a score ({name}) and a human score; "
            f"{_FEWEST} are needed. Do all files use the same names?"
        )
    ours, human = _numbers(scores, texts), _numbers(people, texts)
    for measure, correlation in correlation_figures(ours, human):
        yield (name, measure, *cells_of(correlation), None)
    if theirs is None:
        return
    other = _numbers(theirs, texts)
    for measure, correlation in correlation_figures(other, human):
        yield (name, f"{measure} of the other", *cells_of(correlation), None)
    gain = figure(
        lambda counts: (
            agreement.pearson(counts, ours, human) - agreement.pearson(counts, other, human)
        ),
        len(texts),
    )
    correlations = pearson(ours, human), pearson(other, human), pearson(ours, other)
    chance = williams(*correlations, len(texts))
    yield (name, "Difference (Williams)", *cells_of(gain), chance)


def _numbers(scores: Scores, texts: list[str]) -> Numbers:
    return np.array([scores[text] for text in texts], dtype=np.float64)
