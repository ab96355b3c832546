"""Our own topics: texts of every quality, with gold annotations, and texts that game the score.

They were annotated before the product read them (tests/topics/README.md). ``container-shipping``
was looked at while choosing; ``school-start-times`` confirms.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from grading.pyramid.correlations import pearson
from grading.pyramid.pipeline import Engine, build_pyramid, score_summaries
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from tests.bench.agreement import baselines
from tests.bench.engines import engine_of
from tests.bench.gaming import gamed_texts
from tests.bench.statistics import Measure, f1
from tests.bench.table import Reach, Row, Table
from tests.bench.topics import Topic

DEMONSTRATION = Path(__file__).resolve().parents[2] / "grading/management/demonstration"
_HONEST = ("excellent", "good", "medium", "weak")
_DENYING = ("mixed", "opposite")


def tables(topics: Sequence[Topic], name: str = "classroom") -> Iterator[Table]:
    engine = engine_of(name)
    for topic in topics:
        yield _marks(topic, engine)
    yield _gaming(topics, engine)


def _marks(topic: Topic, engine: Engine) -> Table:
    gold = _reports(topic.pyramid, topic.students, engine)
    automatic = _reports(build_pyramid(topic.references, engine), topic.students, engine)
    rows = [*_cells(topic, gold), *_statements(topic, gold)]
    for which, reports in (("gold pyramid", gold), ("automatic pyramid", automatic)):
        rows += _scores(topic, reports, which)
    rows += _baselines(topic)
    return Table(
        f"Own topic: {topic.name} ({len(topic.students)} texts, {len(topic.pyramid.scus)} ideas)",
        "A mark is a match that earns points. Annotated by one person of the project.",
        tuple(rows),
    )


def _reports(pyramid: Pyramid, texts: Sequence[Text], engine: Engine) -> dict[str, ScoreReport]:
    reports = score_summaries(pyramid, texts, engine)
    return {text.name: report for text, report in zip(texts, reports, strict=True)}


def _cells(topic: Topic, reports: dict[str, ScoreReport]) -> Iterator[Row]:
    right = marked = wanted = credited = denied = held = 0
    for name, gold in topic.gold.items():
        evidence = reports[name].evidence
        earning = {match.scu for match in evidence.matches if match.credit}
        against = {match.scu for match in evidence.contradicting}
        right += len(earning & gold.expressed.keys())
        marked += len(earning - gold.contradicted.keys())
        wanted += len(gold.expressed)
        credited += len(earning & gold.contradicted.keys())
        denied += len(gold.contradicted)
        held += len(against & gold.expressed.keys())
    yield Row("marks", "precision, contradicted ideas apart", Measure(right / marked))
    yield Row("marks", "recall", Measure(right / wanted))
    yield Row("marks", "F1", Measure(f1(right, marked, wanted)))
    yield Row(
        "marks",
        f"contradicted ideas that are credited, of {denied}",
        Measure(credited / denied),
        Reach(0.1, most=True),
    )
    yield Row(
        "marks",
        f"expressed ideas called contradicted, of {wanted}",
        Measure(held / wanted),
        Reach(0.01, most=True),
        3,
    )


def _statements(topic: Topic, reports: dict[str, ScoreReport]) -> Iterator[Row]:
    errors = [abs(reports[name].statements - gold.statements) for name, gold in topic.gold.items()]
    yield Row("statements", "mean error of k", Measure(float(np.mean(errors))))


def _scores(topic: Topic, reports: dict[str, ScoreReport], which: str) -> Iterator[Row]:
    weights = {scu.uid: scu.weight for scu in topic.pyramid.scus}
    scores: dict[str, list[float]] = {}
    for name, gold in topic.gold.items():
        scores.setdefault(gold.category, []).append(reports[name].comprehensive)
    excellent = min(scores["excellent"])
    for category, values in scores.items():
        reach = Reach(0.6) if category == "excellent" else None
        yield Row(which, f"comprehensive, {category}: mean", Measure(float(np.mean(values))), reach)
    others = [value for key in ("medium", "mixed", "opposite") for value in scores[key]]
    below = float(np.mean([value < excellent for value in others]))
    yield Row(which, "medium, mixed, opposite below all excellent", Measure(below), Reach(1.0))
    honest = [name for name, gold in topic.gold.items() if gold.category in _HONEST]
    points = [sum(weights[uid] for uid in topic.gold[name].expressed) for name in honest]
    raw = [reports[name].raw for name in honest]
    r = pearson(np.array(points, dtype=np.float64), np.array(raw, dtype=np.float64))
    yield Row(which, "r of points, honest texts", Measure(r))


def _baselines(topic: Topic) -> Iterator[Row]:
    """The simplest measures beside it: how they order the honest texts, and all of them."""
    weights = {scu.uid: scu.weight for scu in topic.pyramid.scus}
    categories = [topic.gold[text.name].category for text in topic.students]
    points = [
        sum(weights[uid] for uid in topic.gold[student.name].expressed)
        for student in topic.students
    ]
    honest = np.array([category in _HONEST for category in categories])
    others = np.array([category in ("medium", *_DENYING) for category in categories])
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
                games["denied by a person"] = topic.denial.text
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
