"""What each rule of ``classroom`` is worth: everything is measured again without it.

A rule is switched off where it is in the code. Differences from all rules together are paired: the
same students, essays, documents and texts are drawn for both.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass, field, replace
from typing import Any
from unittest.mock import patch

import numpy as np

from grading.pyramid.correlations import pearson
from grading.pyramid.matchers import classroom, compared_text, match_curve
from grading.pyramid.matchers.classroom import ClassroomMatcher
from grading.pyramid.matchers.contradicting_text import PlacedMatch
from grading.pyramid.matchers.judged_text import JudgedText
from grading.pyramid.matchers.text_facts import TextFacts
from grading.pyramid.order.held_words import HeldWords
from grading.pyramid.pipeline import Engine, build_pyramid
from grading.pyramid.registry import settings_of, with_settings
from grading.pyramid.similarity import Meanings, Recall
from grading.pyramid.structures import (
    Match,
    Points,
    Repeat,
    ScoreReport,
    SegmentedText,
    Sentence,
    Spans,
    Text,
    Unit,
)
from tests.bench import agreement, essays, own_topics, realsumm, units, wim
from tests.bench.cells import correlations_of_points
from tests.bench.engines import loaded, remembering
from tests.bench.gaming import gamed_texts
from tests.bench.own_topics import DENIED_BY_A_PERSON, Marks
from tests.bench.statistics import (
    RESAMPLES,
    SEED,
    Measure,
    Numbers,
    Rows,
    Statistic,
    auc,
    f1,
    kappa,
)
from tests.bench.table import Row, Table
from tests.bench.topics import Topic

ALL_RULES = "all rules"
_REMEMBERED = 4_096  # texts: all that are measured
_COUNTED = "segments counted"
_GAMES = {
    "out of order": ("shuffled", "shuffled_in_sentences", "heap", "keywords"),
    "repeated": ("repeated",),
    "denied": ("every_idea_denied", "main_clauses_denied", DENIED_BY_A_PERSON),
}

Games = Mapping[str, Mapping[str, Text]]  # of one good text of each topic, by the topic's name


@dataclass(frozen=True, slots=True)
class Swap:
    """What takes the place of a name of the product while a rule is off."""

    target: object
    name: str
    value: object


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and how it is switched off."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    swaps: tuple[Swap, ...] = ()
    builder: str | None = None
    only_builds: bool = False  # nothing changes with pyramids that people made

    def switched_off(self, engine: Engine) -> Engine:
        """The engine with the options and the builder that are without the rule."""
        method = engine.method
        if self.builder is not None:
            method = with_settings(method, replace(settings_of(method), builder=self.builder))
        config = replace(method.config, **self.options)
        return replace(engine, method=replace(method, config=config))


def _all_words(sentence: Sentence) -> Spans:
    return (sentence.span,)


def _no_less(sentences: Sequence[str]) -> Numbers:
    return np.ones((len(sentences), 1))


def _no_meanings(_: Recall, units: Sequence[Unit]) -> Meanings:
    return np.zeros((len(units), 0), dtype=np.float16)


def _nothing_known(*_: object) -> TextFacts:
    return TextFacts()


def _as_they_are(_: ClassroomMatcher, matches: Sequence[Match]) -> list[Match]:
    return list(matches)


def _nothing_more_held(
    text: SegmentedText,
    matches: Sequence[PlacedMatch],
    judged: JudgedText,
    held: HeldWords,
    *,
    several_wordings: bool,
) -> HeldWords:
    del text, matches, judged, several_wordings
    return held


def _no_repeats(*_: object) -> Iterator[Repeat]:
    return iter(())


_NOTHING_KEPT = (  # of a text that was compared with the rule
    Swap(classroom, "facts_about", _nothing_known),
    Swap(compared_text, "facts_about", _nothing_known),
)

RULES = (
    Rule("points from .5 alone", {"possible_from": 0.5}),
    Rule("whole weights of marks", {"points": Points.MATCHED}),
    Rule("no contrast", {"contrast": 0.0}),
    Rule(
        "contrast of words",
        swaps=(Swap(Recall, "meanings", _no_meanings), *_NOTHING_KEPT),
    ),
    Rule(
        "contrast no less in long sentences", swaps=(Swap(compared_text, "room_for_one", _no_less),)
    ),
    Rule("no number agreement", {"number_agreement": 0.0}),
    Rule(
        "framing words stay in",
        swaps=(Swap(compared_text, "_telling_words", _all_words), *_NOTHING_KEPT),
    ),
    Rule("statements from .5", swaps=(Swap(match_curve, "PROBABLE_WITHOUT_EXAMPLES", 0.5),)),
    Rule("no lower threshold after a builder", swaps=(Swap(match_curve, "SHARED_AT_LEAST", 0.0),)),
    Rule("truth not judged", {"checks_truth": False}),
    Rule(
        "no texts held",
        swaps=(Swap(classroom, "held_where_it_contradicts", _nothing_more_held),),
    ),
    Rule("order not judged", {"checks_order": False}),
    Rule(
        "no shared statements",
        swaps=(Swap(ClassroomMatcher, "_with_same_statements", _as_they_are),),
    ),
    Rule("all segments are statements", swaps=(Swap(ClassroomMatcher, "_repeats", _no_repeats),)),
    Rule("pyramids by EDUA-G", builder="edua-g", only_builds=True),
    Rule("rhetoric joined as ideas", {"ideas_only": False}, only_builds=True),
    Rule("labels as they are cut", {"whole_labels": False}, only_builds=True),
)


@dataclass(frozen=True, slots=True)
class Sets:
    """What is measured on."""

    students: wim.Wim
    essays: essays.Essays
    documents: Sequence[realsumm.Document]
    topics: Sequence[Topic]


@dataclass(frozen=True, slots=True)
class Figure:
    """A statistic of so many rows; of none it is one number without an interval."""

    what: str
    statistic: Statistic
    rows: int = 0

    def drawn(self) -> Numbers:
        """Of all rows, and then of draws of them that are the same for each rule."""
        values = [self.statistic(np.arange(self.rows))]
        if self.rows:
            random = np.random.default_rng(SEED)
            values += map(self.statistic, random.integers(0, self.rows, (RESAMPLES, self.rows)))
        return np.array(values)


def table(sets: Sets, rules: Sequence[Rule] = RULES) -> Table:
    """For each rule the figures without it, and what that changes."""
    engine = remembering("classroom", _REMEMBERED)
    games = _games(sets.topics, engine)
    with_all: dict[str, Numbers] = {}
    rows: list[Row] = []
    for rule in (Rule(ALL_RULES), *rules):
        loaded[rule.name] = rule.switched_off(engine)
        with ExitStack() as stack:
            for swap in rule.swaps:
                stack.enter_context(patch.object(swap.target, swap.name, swap.value))
            figures = {figure.what: figure.drawn() for figure in _figures(rule, sets, games)}
        with_all = with_all or figures
        for what, values in figures.items():
            rows.append(Row(rule.name, what, Measure(float(values[0])), None, 3))
            if rule.name != ALL_RULES:
                change = difference(values, with_all[what])
                rows.append(Row(rule.name, f"{what}: change", change, None, 3))
    note = (
        "One rule is switched off at a time. The change is from all rules, with the same draws. "
        "Topics are the five own ones, their texts together. Games are of one good text of each: "
        "the mean share of the honest text's score."
    )
    return Table("What each rule of classroom is worth", note, tuple(rows))


def difference(values: Numbers, others: Numbers) -> Measure:
    """Of two drawn figures, with the interval of their paired draws."""
    change = values - others
    if len(change) == 1:
        return Measure(float(change[0]))
    low, high = np.nanpercentile(change[1:], (2.5, 97.5))
    return Measure(float(change[0]), float(low), float(high))


def _figures(rule: Rule, sets: Sets, games: Games) -> Iterator[Figure]:
    yield from _on_students(rule.name, sets.students)
    yield from _with_built_pyramids(rule.name, sets.topics)
    if not rule.only_builds:
        yield from _on_cells(rule.name, sets)
        yield from _with_gold_pyramids(rule.name, sets.topics)
        yield from _on_games(rule.name, sets.topics, games)


def _on_students(name: str, data: wim.Wim) -> Iterator[Figure]:
    pyramid = build_pyramid(data.references, loaded[name])
    scores = agreement.scores_of(agreement.reports_of(data, pyramid, name))
    people = agreement.scores_of(data.by_hand)
    for what in agreement.SCORES:
        correlation = _correlation(scores[what], people[what])
        yield Figure(f"wim, r of {what}", correlation, len(data.summaries))
    yield _mean("wim, error of k", np.abs(scores[_COUNTED] - people[_COUNTED]))


def _on_cells(name: str, sets: Sets) -> Iterator[Figure]:
    students = units.cells_on_wim(sets.students, name)
    counts = [(c.matched & c.truth, c.matched, c.truth) for c in students]
    yield Figure("wim, F1 of cells", _f1(np.array(counts).sum(axis=2)), len(students))
    written = essays.cells_of(sets.essays, name)
    matched = np.array([cells.matched for cells in written])
    truth = np.array([cells.truth for cells in written])
    yield Figure("essays, κ", lambda rows: kappa(matched[rows], truth[rows]), len(written))
    documents = units.cells_on_news(sets.documents, name)
    strengths, present = [c.strengths for c in documents], [c.truth for c in documents]
    yield Figure(
        "REALSumm, AUC",
        lambda rows: auc(
            np.concatenate([strengths[row] for row in rows]),
            np.concatenate([present[row] for row in rows]),
        ),
        len(documents),
    )
    texts = [len(document.summaries) for document in sets.documents]
    yield _mean("REALSumm, r of points", correlations_of_points(documents, texts))


def _with_gold_pyramids(name: str, topics: Sequence[Topic]) -> Iterator[Figure]:
    reports = [own_topics.reports_of(t.pyramid, t.students, loaded[name]) for t in topics]
    pairs = [
        (gold, of_topic[student])
        for topic, of_topic in zip(topics, reports, strict=True)
        for student, gold in topic.gold.items()
    ]
    marks = np.array([astuple(Marks.of(gold, report)) for gold, report in pairs])
    for what, share in _OF_MARKS.items():
        yield Figure(f"topics, {what}", _of_marks(marks, share), len(marks))
    off = [abs(report.statements - gold.statements) for gold, report in pairs]
    yield _mean("topics, error of k", np.array(off, dtype=np.float64))
    yield from _of_excellent("gold", topics, reports)


def _with_built_pyramids(name: str, topics: Sequence[Topic]) -> Iterator[Figure]:
    engine = loaded[name]
    reports = [
        own_topics.reports_of(build_pyramid(topic.references, engine), topic.students, engine)
        for topic in topics
    ]
    yield from _of_excellent("automatic", topics, reports)


def _of_excellent(
    which: str, topics: Sequence[Topic], reports: Sequence[dict[str, ScoreReport]]
) -> Iterator[Figure]:
    scores = [
        own_topics.comprehensive_by_category(topic, of_topic)
        for topic, of_topic in zip(topics, reports, strict=True)
    ]
    below = np.mean([own_topics.share_below_excellent(of_topic) for of_topic in scores])
    yield _number(f"topics, below excellent, {which}", float(below))
    mean = np.mean([np.mean(of_topic["excellent"]) for of_topic in scores])
    yield _number(f"topics, excellent, {which}", float(mean))


def _on_games(name: str, topics: Sequence[Topic], games: Games) -> Iterator[Figure]:
    shares: dict[str, list[float]] = {}
    for topic in topics:
        honest = topic.student(topic.denial.student)
        texts = (honest, *games[topic.name].values())
        reports = own_topics.reports_of(topic.pyramid, texts, loaded[name])
        for game, text in games[topic.name].items():
            share = reports[text.name].comprehensive / reports[honest.name].comprehensive
            shares.setdefault(game, []).append(share)
    for kind, of_kind in _GAMES.items():
        mean = np.mean([share for game in of_kind for share in shares[game]])
        yield _number(f"games, {kind}", float(mean))


def _games(topics: Sequence[Topic], engine: Engine) -> Games:
    wanted = {game for of_kind in _GAMES.values() for game in of_kind}
    games: dict[str, dict[str, Text]] = {}
    for topic in topics:
        honest = topic.student(topic.denial.student)
        ideas = topic.gold[honest.name].expressed
        made = gamed_texts(honest, engine.parser, pyramid=topic.pyramid, ideas=ideas)
        made[DENIED_BY_A_PERSON] = topic.denial.text
        games[topic.name] = {game: text for game, text in made.items() if game in wanted}
    return games


# --- statistics of rows ---

_OF_MARKS: Mapping[str, Callable[[Marks], float]] = {
    "F1": lambda marks: marks.f1,
    "contradicted ideas credited": lambda marks: marks.credited / marks.contradicted,
    "expressed ideas called contradicted": lambda m: m.called_contradicted / m.expressed,
}


def _number(what: str, value: float) -> Figure:
    return Figure(what, lambda _: value)


def _mean(what: str, values: Numbers) -> Figure:
    return Figure(what, lambda rows: float(np.nanmean(values[rows])), len(values))


def _correlation(values: Numbers, people: Numbers) -> Statistic:
    return lambda rows: pearson(values[rows], people[rows])


def _f1(counts: Numbers) -> Statistic:
    return lambda rows: f1(*counts[rows].sum(axis=0).tolist())


def _of_marks(marks: Numbers, share: Callable[[Marks], float]) -> Statistic:
    def of_rows(rows: Rows) -> float:
        drawn = Marks(*marks[rows].sum(axis=0).tolist())
        return share(drawn) if drawn.contradicted else float("nan")

    return of_rows
