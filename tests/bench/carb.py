"""Open information extraction against CaRB (Bhardwaj, Aggarwal and Mausam 2019): F1 and AUC.

Evaluation only; the data stays beside the project (../shared/data/README.md). The scorer is written
from the paper's description, with the details of the published program where the paper is silent:

- An extraction is a predicate and arguments; the second and all later arguments count as one. Words
  are compared as they are written, as multisets, predicate with predicate, first argument with
  first argument, rest with rest. Without a common word in the predicates nothing matches. A
  predicted "be" matches any form of it. Where the gold predicate holds a verb of saying, the
  arguments may also be the other way round.
- Precision of a pair: matched words by predicted words; recall: by words of the gold extraction.
- Recall of a sentence: for each gold extraction the best recall of any prediction. Precision: pairs
  are chosen one to one, the highest precision first; predictions that are left over count as 0.
- Both are summed over all sentences for each confidence that occurs. F1 is the best on that curve;
  AUC is the area below it (trapezoids), closed by the point of recall 0 and precision 1.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text, Token
from grading.pyramid.triples.triple import Triple
from tests.bench.statistics import Numbers, Rows

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "carb_dev"

_BE = ("be", "is", "am", "are", "was", "were", "been", "being")
_SAYING = ("said", "told", "added", "adds", "says")


@dataclass(frozen=True, slots=True)
class Extraction:
    """A predicate, its first argument and the words of all others; gold has no confidence."""

    predicate: tuple[str, ...]
    first: tuple[str, ...]
    rest: tuple[str, ...]
    confidence: float = 1.0

    @property
    def reversed(self) -> "Extraction":
        return Extraction(self.predicate, self.rest, self.first, self.confidence)


@dataclass(frozen=True, slots=True)
class Curve:
    """Sums over sentences, by sentence and confidence, so that sentences can be drawn anew."""

    precise: Numbers
    predicted: Numbers
    recalled: Numbers
    gold: Numbers

    def at(self, rows: Rows | slice = slice(None)) -> tuple[Numbers, Numbers]:
        """Precision and recall for each confidence, over these sentences."""
        predicted, gold = self.predicted[rows].sum(axis=0), self.gold[rows].sum()
        precise = self.precise[rows].sum(axis=0)
        precision = np.divide(precise, predicted, out=np.ones_like(precise), where=predicted > 0)
        return precision, self.recalled[rows].sum(axis=0) / gold

    def f1(self, rows: Rows | slice = slice(None)) -> float:
        precision, recall = self.at(rows)
        both = precision + recall
        harmonic = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
        return float(harmonic.max(initial=0.0))

    def auc(self, rows: Rows | slice = slice(None)) -> float:
        precision, recall = self.at(rows)
        heights, places = np.append(precision, 1.0), np.append(recall, 0.0)
        return float(((heights[1:] + heights[:-1]) / 2 * (places[:-1] - places[1:])).sum())


def load() -> tuple[list[str], dict[str, list[Extraction]]]:
    """The sentences in their order, words separated by spaces, and the gold extractions of each."""
    sentences = (FOLDER / "dev.txt").read_text("utf-8").splitlines()
    gold = defaultdict(list)
    for line in (FOLDER / "gold_dev.tsv").read_text("utf-8").splitlines():
        sentence, predicate, *arguments = line.split("\t")
        gold[sentence].append(extraction(predicate, arguments))
    return sentences, dict(gold)


def parsed(sentences: Sequence[str]) -> Iterator[tuple[str, Sequence[Token]]]:
    """Each sentence with its parse; its words are kept as they are."""
    texts = [Text(str(number), sentence) for number, sentence in enumerate(sentences)]
    for text in SpacyParser().parse_tokenised(texts):
        yield text.text.content, text.sentences[0].tokens


def of_triple(triple: Triple) -> Extraction:
    """A triple of the project as the scorer sees it."""
    arguments = [triple.subject.words, *(element.words for element in triple.objects)]
    return extraction(triple.predicate.words, arguments, triple.confidence)


def extraction(predicate: str, arguments: Sequence[str], confidence: float = 1.0) -> Extraction:
    first, rest = (*arguments, "", "")[0], " ".join(arguments[1:])
    return Extraction(
        tuple(predicate.split()), tuple(first.split()), tuple(rest.split()), confidence
    )


def curve(
    sentences: Iterable[str],
    gold: Mapping[str, Sequence[Extraction]],
    predicted: Mapping[str, Sequence[Extraction]],
) -> Curve:
    """What the extractions of each sentence give at each confidence that occurs anywhere."""
    known = [sentence for sentence in sentences if sentence in gold]
    levels = sorted({each.confidence for name in known for each in predicted.get(name, ())})
    shape = len(known), len(levels)
    precise, count, recalled = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for row, name in enumerate(known):
        result = sorted(predicted.get(name, ()), key=lambda each: -each.confidence)
        pairs = [[match(wanted, each) for each in result] for wanted in gold[name]]
        precisions = np.array([[pair[0] for pair in line] for line in pairs])
        recalls = np.array([[pair[1] for pair in line] for line in pairs])
        confidences = np.array([each.confidence for each in result])
        for number in range(1, len(result) + 1):
            if number < len(result) and confidences[number] == confidences[number - 1]:
                continue
            following = confidences[number] if number < len(result) else -np.inf
            start = int(np.searchsorted(levels, following, side="right"))
            columns = slice(start, int(np.searchsorted(levels, confidences[number - 1])) + 1)
            precise[row, columns] = _one_to_one(precisions[:, :number])
            count[row, columns] = number
            recalled[row, columns] = recalls[:, :number].max(axis=1).sum()
    return Curve(precise, count, recalled, np.array([float(len(gold[name])) for name in known]))


def _one_to_one(precisions: Numbers) -> float:
    """The sum of the precisions that are chosen, the highest first, no row or column twice."""
    left = precisions.copy()
    total = 0.0
    for _ in range(min(left.shape)):
        row, column = divmod(int(left.argmax()), left.shape[1])
        if left[row, column] <= 0:
            break
        total += float(left[row, column])
        left[row, :] = left[:, column] = -1
    return total


def match(gold: Extraction, predicted: Extraction) -> tuple[float, float]:
    """Precision and recall of one extraction by another."""
    straight = _straight(gold, predicted)
    if any(word in " ".join(gold.predicate) for word in _SAYING):
        return max(straight, _straight(gold, predicted.reversed))
    return straight


def _straight(gold: Extraction, predicted: Extraction) -> tuple[float, float]:
    common = _common(gold.predicate, predicted.predicate)
    left = Counter(predicted.predicate) - Counter(gold.predicate)
    if "be" in left and any(form in gold.predicate for form in _BE):
        common += 1
    if not common or (gold.rest and not predicted.rest):
        return 0.0, 0.0
    common += _common(gold.first, predicted.first) + _common(gold.rest, predicted.rest)
    return common / _length(predicted), common / _length(gold)


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    return (Counter(first) & Counter(second)).total()


def _length(extracted: Extraction) -> int:
    return len(extracted.predicate) + len(extracted.first) + len(extracted.rest)
