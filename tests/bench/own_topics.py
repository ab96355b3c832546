"""Our own topics: texts of every quality, with gold annotations, and texts that game the score.

They were annotated before the product read them (tests/topics/README.md). ``container-shipping``
was looked at while choosing; ``school-start-times`` confirms.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from grading.pyramid.correlations import pearson
from grading.pyramid.pipeline import Engine, build_pyramid, score_read, score_summaries
from grading.pyramid.structures import HeldFor, Pyramid, ScoreReport, Text
from tests.bench.agreement import baselines
from tests.bench.engines import engine_of, read_once
from tests.bench.gaming import gamed_texts
from tests.bench.statistics import Measure, f1
from tests.bench.table import Reach, Row, Table
from tests.bench.topics import Gold, Topic

DEMONSTRATION = Path(__file__).resolve().parents[2] / "grading/management/demonstration"
DENIED_BY_A_PERSON = "denied by a person"
_HONEST = ("excellent", "good", "medium", "weak")
_WEAKER = ("medium", "mixed", "opposite")


def tables(topics: Sequence[Topic], name: str = "classroom") -> Iterator[Table]:
    engine = engine_of(name)
    for topic in topics:
        yield _marks(topic, engine)
    yield _gaming(topics, engine)


def _marks(topic: Topic, engine: Engine) -> Table:
    gold = reports_of(topic.pyramid, topic.students, engine)
    automatic = reports_of(build_pyramid(topic.references, engine), topic.students, engine)
    rows = [*_cells(topic, gold), *_statements(topic, gold)]
    for which, reports in (("gold pyramid", gold), ("automatic pyramid", automatic)):
        rows += _scores(topic, reports, which)
    rows += _baselines(topic)
    return Table(
        f"Own topic: {topic.name} ({len(topic.students)} texts, {len(topic.pyramid.scus)} ideas)",
        "A mark is a match that earns points. Annotated by one person of the project.",
        tuple(rows),
    )


def reports_of(pyramid: Pyramid, texts: Sequence[Text], engine: Engine) -> dict[str, ScoreReport]:
    """By the names of the texts."""
    reports = score_read(pyramid, read_once(texts, engine), engine)
    return {text.name: report for text, report in zip(texts, reports, strict=True)}


@dataclass(frozen=True, slots=True)
class Marks:
    """The ideas of a text, or of several: as people have them, and as the product does.

    A mark is a match that earns points.
    """

    right: int = 0
    marked: int = 0  # without contradicted ideas
    expressed: int = 0
    credited: int = 0  # contradicted ideas that earn points
    contradicted: int = 0
    called_contradicted: int = 0  # of those that are expressed

    @classmethod
    def of(cls, gold: Gold, report: ScoreReport) -> "Marks":
        earning = {match.scu_uid for match in report.evidence.matches if match.credit}
        against = {match.scu_uid for match in report.evidence.contradicting}
        return cls(
            right=len(earning & gold.expressed.keys()),
            marked=len(earning - gold.contradicted.keys()),
            expressed=len(gold.expressed),
            credited=len(earning & gold.contradicted.keys()),
            contradicted=len(gold.contradicted),
            called_contradicted=len(against & gold.expressed.keys()),
        )

    @property
    def f1(self) -> float:
        return f1(self.right, self.marked, self.expressed)


def _cells(topic: Topic, reports: dict[str, ScoreReport]) -> Iterator[Row]:
    of_texts = [Marks.of(gold, reports[name]) for name, gold in topic.gold.items()]
    marks = Marks(*np.sum([astuple(marks) for marks in of_texts], axis=0).tolist())
    yield Row("marks", "precision, contradicted ideas apart", Measure(marks.right / marks.marked))
    yield Row("marks", "recall", Measure(marks.right / marks.expressed))
    yield Row("marks", "F1", Measure(marks.f1))
    yield Row(
        "marks",
        f"contradicted ideas that are credited, of {marks.contradicted}",
        Measure(marks.credited / marks.contradicted),
        Reach(0.1, most=True),
    )
    yield Row(
        "marks",
        f"expressed ideas called contradicted, of {marks.expressed}",
        Measure(marks.called_contradicted / marks.expressed),
        Reach(0.01, most=True),
        3,
    )


def _statements(topic: Topic, reports: dict[str, ScoreReport]) -> Iterator[Row]:
    errors = [abs(reports[name].statements - gold.statements) for name, gold in topic.gold.items()]
    yield Row("statements", "mean error of k", Measure(float(np.mean(errors))))


def _scores(topic: Topic, reports: dict[str, ScoreReport], which: str) -> Iterator[Row]:
    weights = {scu.uid: scu.weight for scu in topic.pyramid.scus}
    scores = comprehensive_by_category(topic, reports)
    for category, values in scores.items():
        reach = Reach(0.6) if category == "excellent" else None
        yield Row(which, f"comprehensive, {category}: mean", Measure(float(np.mean(values))), reach)
    for category in scores:
        of_category = [
            reports[name] for name, gold in topic.gold.items() if gold.category == category
        ]
        held = sum(report.evidence.held_for is HeldFor.TRUTH for report in of_category)
        yield Row(which, f"held for contradictions, {category}", Measure(held), None, 0)
    below = Measure(share_below_excellent(scores))
    yield Row(which, "medium, mixed, opposite below all excellent", below, Reach(1.0))
    honest = [name for name, gold in topic.gold.items() if gold.category in _HONEST]
    points = [sum(weights[uid] for uid in topic.gold[name].expressed) for name in honest]
    raw = [reports[name].raw for name in honest]
    r = pearson(np.array(points, dtype=np.float64), np.array(raw, dtype=np.float64))
    yield Row(which, "r of points, honest texts", Measure(r))


def comprehensive_by_category(
    topic: Topic, reports: dict[str, ScoreReport]
) -> dict[str, list[float]]:
    """The scores of the texts of each category."""
    scores: dict[str, list[float]] = {}
    for name, gold in topic.gold.items():
        scores.setdefault(gold.category, []).append(reports[name].comprehensive)
    return scores


def share_below_excellent(scores: Mapping[str, Sequence[float]]) -> float:
    """Of medium, mixed and opposite texts, those below every excellent one."""
    least = min(scores["excellent"])
    others = [score for category in _WEAKER for score in scores[category]]
    return float(np.mean([score < least for score in others]))


def _baselines(topic: Topic) -> Iterator[Row]:
    """The simplest measures beside it: how they order the honest texts, and all of them."""
    weights = {scu.uid: scu.weight for scu in topic.pyramid.scus}
    categories = [topic.gold[text.name].category for text in topic.students]
    points = [
        sum(weights[uid] for uid in topic.gold[student.name].expressed)
        for student in topic.students
    ]
    honest = np.array([category in _HONEST for category in categories])
    others = np.array([category in _WEAKER for category in categories])
    is_excellent = np.array([category == "excellent" for category in categories])
    for name, values in baselines(topic.references, topic.students).items():
        r = pearson(np.array(points, dtype=np.float64)[honest], values[honest])
        yield Row(name, "r of points, honest texts", Measure(r))
        below = float(np.mean(values[others] < values[is_excellent].min()))
        yield Row(name, "medium, mixed, opposite below all excellent", Measure(below))


# --- gaming ---


def _gaming(topics: Sequence[Topic], engine: Engine) -> Table:
    rows: list[Row] = []
    for topic in topics:
        for name in (topic.denial.student, "excellent"):
            text = next(student for student in topic.students if student.name.startswith(name))
            ideas = topic.gold[text.name].expressed
            games = gamed_texts(text, engine.parser, pyramid=topic.pyramid, ideas=ideas)
            if text.name == topic.denial.student:
                games[DENIED_BY_A_PERSON] = topic.denial.text
            rows += _game_rows(text, games, topic.pyramid, engine)
    text, pyramid = _demonstration(engine)
    games = gamed_texts(text, engine.parser, pyramid=pyramid, ideas={})
    rows += _game_rows(text, games, pyramid, engine)
    return Table(
        "Texts that game the score: comprehensive as a share of the honest text's",
        "A keyword tail leaves the honest text in it; everything else may earn half of it at most.",
        tuple(rows),
    )


def _game_rows(
    text: Text, games: dict[str, Text], pyramid: Pyramid, engine: Engine
) -> Iterable[Row]:
    honest, *gamed = score_summaries(pyramid, [text, *games.values()], engine)
    yield Row(text.name, "honest text: comprehensive", Measure(honest.comprehensive))
    for game, report in zip(games, gamed, strict=True):
        bound = 1.03 if game == "keyword_tail" else 0.5
        share = report.comprehensive / honest.comprehensive if honest.comprehensive else 0.0
        yield Row(text.name, game.replace("_", " "), Measure(share), Reach(bound, most=True))


def _demonstration(engine: Engine) -> tuple[Text, Pyramid]:
    """An excellent text of the demonstration course, and the pyramid of its references."""
    references = [
        Text(file.stem, file.read_text("utf-8"))
        for file in sorted((DEMONSTRATION / "references").glob("*.txt"))
    ]
    text = Text(
        "demonstration", (DEMONSTRATION / "students" / "amara.okafor.txt").read_text("utf-8")
    )
    return text, build_pyramid(references, engine)
