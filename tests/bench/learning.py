"""What learning from the marks on some texts is worth on the others, beside simpler rules.

Texts that teach are drawn again and again, and the others judged. The intervals come from drawing
the judged texts anew, the same in every draw and for every rule; so differences are paired.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from grading.pyramid.learning import ASSUMED_WEIGHT, Label, learn_curve
from grading.pyramid.learnt_curve import LearntCurve, log_odds
from grading.pyramid.pipeline import prepare_probabilities
from grading.pyramid.structures import Pyramid, Text
from tests.bench import essays, realsumm, wim
from tests.bench.engines import engine_of, read_once
from tests.bench.statistics import Mask, Measure, Numbers, Rows
from tests.bench.table import Reach, Row, Table

_DRAWS = 60
_RESAMPLES = 1_000
_CUTS = tuple(round(0.1 + 0.05 * number, 2) for number in range(17))
_CORRECTED = 0.6  # of what is wrong, by graders who do not read on

OWN, ONE, LEARNT = "the program's own", "one threshold", "learnt"
HALF, BETWEEN = "learnt, from one half", "learnt, half way to one half"
RULES = (OWN, ONE, LEARNT, HALF, BETWEEN)


@dataclass(frozen=True, eq=False, slots=True)
class Class:
    """Texts and ideas: how probable the program calls each, and what people say."""

    probabilities: Numbers
    truth: Mask

    @property
    def texts(self) -> int:
        return len(self.truth)

    def labels(self, texts: Sequence[int]) -> list[Label]:
        ideas = range(self.truth.shape[1])
        return [
            Label(idea, float(self.probabilities[text, idea]), bool(self.truth[text, idea]), text)
            for text, idea in product(texts, ideas)
        ]

    def found(self, curve: LearntCurve) -> Mask:
        """The matches by a curve, in all texts."""
        ideas = range(self.truth.shape[1])
        return np.array(
            [
                [curve.probability(idea, float(row[idea])) >= curve.cut for idea in ideas]
                for row in self.probabilities
            ]
        )


Finder = Callable[[Class, list[int], np.random.Generator], dict[str, Mask]]


def tables(name: str = "classroom") -> Iterator[Table]:
    if essays.FOLDER.exists():
        data = essays.load()
        essay = class_of(name, data.pyramid, data.texts, data.truth)
        yield _table("essays against a rubric", [essay], (5, 10, 20), {20: 0.48})
        yield _biased("essays against a rubric", essay, (5, 10, 20))
    if wim.FOLDER.exists():
        students = wim.load()
        truth = [students.truth(student) for student in range(len(students.summaries))]
        marked = class_of(name, students.pyramid, students.summaries, truth)
        yield _table("wim, manual pyramid", [marked], (5, 10), {})
        yield _biased("wim, manual pyramid", marked, (5, 10))
    if realsumm.FILE.exists():
        documents = realsumm.load()
        classes = [
            class_of(name, document.pyramid, document.summaries, document.truth)
            for document in documents
        ]
        yield _table("REALSumm, 25 systems a document", classes, (5, 10), {})


def class_of(name: str, pyramid: Pyramid, texts: Sequence[Text], truth: Sequence[Mask]) -> Class:
    engine = engine_of(name)
    probabilities = prepare_probabilities(pyramid, engine)
    known = [probabilities(text) for text in read_once(texts, engine)]
    rows = [[known_ideas[scu.uid] for scu in pyramid.scus] for known_ideas in known]
    return Class(np.array(rows), np.array(truth))


def _table(
    title: str, classes: Sequence[Class], sizes: Iterable[int], aims: dict[int, float]
) -> Table:
    rows = []
    for size in sizes:
        kappas = _kappas(classes, size, RULES, _by_rules)
        name = f"{size} texts teach"
        for rule in RULES:
            aim = Reach(aims[size]) if rule == LEARNT and size in aims else None
            rows.append(Row(name, f"κ, {rule}", _measure(kappas[rule]), aim, 3))
        for rule in (OWN, ONE, HALF, BETWEEN):
            gain = kappas[LEARNT] - kappas[rule]
            rows.append(Row(name, f"κ, learnt less {rule}", _measure(gain), None, 3))
    note = (
        f"Mean of {_draws(classes)} draws of the texts that teach; the others are judged, all "
        "pooled. The intervals come from drawing texts (of several documents, documents) anew."
    )
    return Table(f"Learning from marks: {title}", note, tuple(rows))


def _by_rules(data: Class, taught: list[int], _: np.random.Generator) -> dict[str, Mask]:
    curve = learn_curve(data.labels(taught))
    half = replace(curve, cut=LearntCurve().cut)
    between = replace(curve, cut=1 / (1 + np.exp(-log_odds(curve.cut) / 2)))
    return {
        OWN: data.found(LearntCurve()),
        ONE: data.found(LearntCurve(cut=_best_cut(data, taught))),
        LEARNT: data.found(curve),
        HALF: data.found(half),
        BETWEEN: data.found(between),
    }


def _best_cut(data: Class, taught: list[int]) -> float:
    """The threshold that agrees best with people on these texts: what was suggested before."""
    known, truth = data.probabilities[taught], data.truth[taught]
    kappas = {cut: _kappa(_counts(known >= cut, truth).sum(axis=0)) for cut in _CUTS}
    return min(_CUTS, key=lambda cut: (-np.nan_to_num(kappas[cut], nan=-1), abs(cut - 0.5)))


# --- corrections are a biased sample ---

_WEIGHTS = {
    "corrections alone": 0.0,
    "the rest counts half": ASSUMED_WEIGHT,
    "the rest counts as much": 1.0,
}


def _biased(title: str, data: Class, sizes: Iterable[int]) -> Table:
    rows = []
    rules = (OWN, *_WEIGHTS)
    for size in sizes:
        kappas = _kappas([data], size, rules, _by_weights)
        rows += [
            Row(f"{size} texts corrected", f"κ, {rule}", _measure(kappas[rule]), None, 3)
            for rule in rules
        ]
    note = (
        f"Graders correct {_CORRECTED:.0%} of what the program has wrong in a text and leave the "
        "rest of it as it is. The rest is left out, or counts as the program has it."
    )
    return Table(f"Learning from corrections: {title}", note, tuple(rows))


def _by_weights(data: Class, taught: list[int], random: np.random.Generator) -> dict[str, Mask]:
    own = data.found(LearntCurve())
    corrected = (own != data.truth) & (random.uniform(size=own.shape) < _CORRECTED)
    result = {OWN: own}
    for rule, weight in _WEIGHTS.items():
        labels = [
            Label(
                label.idea,
                label.probability,
                bool(
                    data.truth[label.text, label.idea]
                    if is_corrected
                    else own[label.text, label.idea]
                ),
                label.text,
                1.0 if is_corrected else weight,
            )
            for label in data.labels(taught)
            if (is_corrected := bool(corrected[label.text, label.idea])) or weight
        ]
        result[rule] = data.found(learn_curve(labels))
    return result


# --- kappa ---


def _kappas(
    classes: Sequence[Class], size: int, rules: Sequence[str], find: Finder
) -> dict[str, Numbers]:
    """Of each rule the mean of all draws: for all texts, and then for each resample of them."""
    draws = _draws(classes)
    rows = [(number, text) for number, first in enumerate(classes) for text in range(first.texts)]
    units = [number for number, _ in rows] if len(classes) > 1 else list(range(len(rows)))
    weights = _weights(np.array(units))
    random = np.random.default_rng(0)
    summed = {rule: np.zeros(len(weights)) for rule in rules}
    for _ in range(draws):
        counts: dict[str, list[Numbers]] = {rule: [] for rule in rules}
        for taught_class in classes:
            taught = sorted(random.choice(taught_class.texts, size, replace=False).tolist())
            for rule, matched in find(taught_class, taught, random).items():
                judged = _counts(matched, taught_class.truth)
                judged[taught] = 0
                counts[rule].append(judged)
        for rule in rules:
            summed[rule] += _kappa(weights @ np.concatenate(counts[rule]))
    return {rule: values / draws for rule, values in summed.items()}


def _draws(classes: Sequence[Class]) -> int:
    """Many documents need fewer draws each."""
    return _DRAWS if len(classes) == 1 else _DRAWS // 10


def _weights(units: Rows) -> Numbers:
    """How often each text is in each resample; the first is all of them once. Units stay whole."""
    random, count = np.random.default_rng(1), int(units.max()) + 1
    drawn = random.integers(0, count, (_RESAMPLES, count))
    times = np.array([np.ones(count), *(np.bincount(row, minlength=count) for row in drawn)])
    weights: Numbers = times[:, units]
    return weights


def _counts(matched: Mask, truth: Mask) -> Numbers:
    """For each text: both, found only, true only, neither."""
    pairs = ((matched & truth), (matched & ~truth), (~matched & truth), (~matched & ~truth))
    return np.stack([pair.sum(axis=1) for pair in pairs], axis=1).astype(np.float64)


def _kappa(counts: Numbers) -> Numbers:
    """Cohen's, of one row of counts or of several."""
    both, result, true, neither = np.moveaxis(counts, -1, 0)
    total = both + result + true + neither
    chance = ((both + result) * (both + true) + (true + neither) * (result + neither)) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa: Numbers = ((both + neither) / total - chance) / (1 - chance)
    return kappa


def _measure(values: Numbers) -> Measure:
    low, high = np.nanpercentile(values[1:], (2.5, 97.5))
    return Measure(float(values[0]), float(low), float(high))
