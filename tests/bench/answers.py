"""Short answers that people call correct or contradictory: what does the check of truth hold?

SAF, and SciEntsBank and Beetle of SemEval 2013 (task 7). An answer is compared with the reference
answer that its annotator named, else with the first: each of its sentences is an idea. Labels are
by answer, not by idea. Evaluation only; the data stays beside the project (../shared/data).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

from grading.pyramid.pipeline import Engine, prepare_matcher, read_summaries
from grading.pyramid.structures import Contributor, HeldFor, Pyramid, Scu, Text
from tests.bench.engines import engine_of
from tests.bench.statistics import Numbers, Statistic, with_spread
from tests.bench.table import Reach, Row, Table

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
SETS = {
    "SAF": "saf/training",
    "SciEntsBank": "semeval2013_task7/training/3way/sciEntsBank",
    "Beetle": "semeval2013_task7/training/3way/beetle",
}
CORRECT, CONTRADICTORY = "correct", "contradictory"
_LEAST = 3  # words of an answer that says something


@dataclass(frozen=True, eq=False, slots=True)
class Question:
    """Answers by their label, each with the reference answer that it goes with."""

    answers: Mapping[str, Sequence[tuple[Text, Text]]]


def load(name: str) -> list[Question]:
    """The questions of a set, in the order of their files."""
    files = sorted((FOLDER / SETS[name]).glob("*.xml"))
    return [question_of(ET.parse(file).getroot()) for file in files]  # noqa: S314


def table(name: str = "classroom") -> Table:
    """How much of what is matched contradicts the experts, says the program."""
    rows = [row for of_set in SETS for row in _rows(of_set, load(of_set), engine_of(name))]
    return Table(
        "What is held as contradicting the reference, of short answers",
        "Matches from one half on. Of correct answers all that is held is a false alarm, but for "
        "what another reference answer says.",
        tuple(rows),
    )


def question_of(root: ET.Element) -> Question:
    """The correct and the contradictory answers, each with its reference answer."""
    references = {
        element.get("id", ""): Text("reference", _words(element))
        for element in root.iter("referenceAnswer")
    }
    first = next(iter(references.values()))
    answers: dict[str, list[tuple[Text, Text]]] = {CORRECT: [], CONTRADICTORY: []}
    for element in root.iter("studentAnswer"):
        text = Text(element.get("id", ""), _words(element.find("response")) or _words(element))
        label = element.get("accuracy") or _words(element.find("verification_feedback")).lower()
        if label in answers and text.word_count >= _LEAST:
            reference = references.get(element.get("answerMatch", ""), first)
            answers[label].append((text, reference))
    return Question(answers)


def _words(element: ET.Element | None) -> str:
    return (element.text or "").strip() if element is not None else ""


def pyramid_of(reference: Text, engine: Engine) -> Pyramid:
    """Each sentence of a reference answer is an idea."""
    [read] = read_summaries([reference], engine)
    spans = [(sentence.span,) for sentence in read.sentences]
    scus = [
        Scu(uid, reference.words_at(where), (Contributor(reference.name, where),))
        for uid, where in enumerate(spans, 1)
    ]
    return Pyramid((reference,), tuple(scus))


@dataclass(frozen=True, slots=True)
class _Counts:
    """Of the answers to a question."""

    answers: int
    matches: int
    contradicting: int  # among the matches
    held: int  # answers that are held for contradictions as a whole


def _counts(answers: Sequence[tuple[Text, Text]], engine: Engine) -> _Counts:
    matches = contradicting = held = 0
    for reference in dict.fromkeys(reference for _, reference in answers):
        matcher = prepare_matcher(pyramid_of(reference, engine), engine)
        texts = [text for text, of in answers if of == reference]
        for text in read_summaries(texts, engine):
            evidence = matcher.match(text)
            matches += len(evidence.matches)
            contradicting += len(evidence.contradicting)
            held += evidence.held_for is HeldFor.TRUTH
    return _Counts(len(answers), matches, contradicting, held)


def _rows(of_set: str, questions: Sequence[Question], engine: Engine) -> Iterator[Row]:
    for label in (CORRECT, CONTRADICTORY):
        counts = [_counts(question.answers[label], engine) for question in questions]
        table = np.array([astuple(of_question) for of_question in counts])
        answers, matches, contradicting, held = table.sum(axis=0).tolist()
        if answers:
            aim = Reach(0.01, most=True) if label == CORRECT else None
            share = with_spread(_ratio(table[:, 2], table[:, 1]), len(table))
            what = f"{label}: matches that contradict ({contradicting} of {matches})"
            yield Row(of_set, what, share, aim, 4)
            whole = with_spread(_ratio(table[:, 3], table[:, 0]), len(table))
            yield Row(of_set, f"{label}: answers held whole ({held} of {answers})", whole, None, 4)


def _ratio(part: Numbers, of: Numbers) -> Statistic:
    return lambda rows: float(part[rows].sum() / max(of[rows].sum(), 1))
