"""How good suggestions are, without anybody's judgement: a pyramid is damaged, and mended.

``python -m tests.bench.suggestions`` prints the table of docs/methods.md. Ideas are split, merged
or robbed of a contributor at random; a suggestion is right if it mends just that. All others count
as false, although some of them are sensible.
"""

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grading.pyramid.analysis.fitting import Fitting, fit_in_references
from grading.pyramid.analysis.quality import CoveredText
from grading.pyramid.analysis.regrouping import Likeness, merges, splits
from grading.pyramid.analysis.suggestions import Suggestion
from grading.pyramid.editing.commands import (
    AddContributor,
    MergeScus,
    RemoveContributor,
    Several,
    SplitScu,
)
from grading.pyramid.editing.reference_commands import AddReference, RemoveReference
from grading.pyramid.pipeline import Engine, build_pyramid
from grading.pyramid.structures import Contributor, Pyramid, Spans, Text
from tests.bench import wim
from tests.bench.engines import engine_of, read_once

ROUNDS = 20
DAMAGED = 6  # ideas in a round
_DEMONSTRATION = Path(__file__).resolve().parents[2] / "grading/management/demonstration"


@dataclass
class Count:
    damaged: int = 0
    found: int = 0
    suggested: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        precision = self.found / self.suggested if self.suggested else 0.0
        return (
            f"{self.found} of {self.damaged} ({self.found / self.damaged:.2f}) · "
            f"{self.found} of {self.suggested} suggested ({precision:.2f})"
        )


def looked_at(pyramid: Pyramid, engine: Engine) -> tuple[list[Suggestion], list[Suggestion]]:
    """Merges, splits and additions; and whole references that came later."""
    texts = read_once(pyramid.references, engine)
    read = [CoveredText(pyramid, text) for text in texts]
    clauses = [
        uncovered_clause
        for text in read
        for uncovered_clause in text.uncovered_clauses(engine.method.config)
    ]
    likeness = Likeness(pyramid, [clause.unit for clause in clauses], engine.similarity)
    fitting = Fitting(pyramid, clauses, likeness, likeness.yardstick.fitting)
    single = [*merges(pyramid, likeness), *splits(pyramid, likeness), *fitting.suggestions()]
    coverages = [text.coverage() for text in read]
    return single, list(fit_in_references(pyramid, coverages, clauses, likeness))


def merges_found(pyramid: Pyramid, engine: Engine, draw: random.Random) -> Count:
    """Ideas split at random, told as one again."""
    count = Count()
    for _ in range(ROUNDS):
        shared = [scu for scu in pyramid.scus if len(scu.contributors) > 1]
        damaged, expected = pyramid, set()
        for new, scu in enumerate(draw.sample(shared, DAMAGED), start=10_000):
            names = [contributor.reference for contributor in scu.contributors]
            parting = tuple(draw.sample(names, draw.randint(1, len(names) - 1)))
            damaged = SplitScu(scu.uid, new, parting).apply(damaged)
            expected.add(frozenset((scu.uid, new)))
        count.damaged += DAMAGED

        def is_right(suggestion: Suggestion, expected: object = expected) -> bool:
            assert isinstance(expected, set)
            return frozenset(suggestion.scus) in expected

        _judge(count, damaged, engine, MergeScus, is_right)
    return count


def splits_found(pyramid: Pyramid, engine: Engine, draw: random.Random) -> Count:
    """Two ideas made one, taken apart exactly where they were joined."""
    count = Count()
    for _ in range(ROUNDS):
        damaged = pyramid
        expected: dict[int, list[frozenset[str]]] = {}
        pool = draw.sample(pyramid.scus, len(pyramid.scus))
        while len(expected) < DAMAGED and len(pool) > 1:
            first, other = pool.pop(), pool.pop()
            groups = [
                frozenset(contributor.reference for contributor in scu.contributors)
                for scu in (first, other)
            ]
            if not groups[0] & groups[1]:
                damaged = MergeScus(other.uid, first.uid).apply(damaged)
                expected[first.uid] = groups
        count.damaged += len(expected)

        def is_right(suggestion: Suggestion, expected: object = expected) -> bool:
            command = suggestion.command
            assert isinstance(command, SplitScu)
            assert isinstance(expected, dict)
            return frozenset(command.references) in expected.get(command.uid, [])

        _judge(count, damaged, engine, SplitScu, is_right)
    return count


def additions_found(pyramid: Pyramid, engine: Engine, draw: random.Random) -> Count:
    """Contributors taken away (their words belong to no idea then), given back."""
    count = Count()
    for _ in range(ROUNDS):
        shared = [scu for scu in pyramid.scus if len(scu.contributors) > 1]
        damaged = pyramid
        gone: list[tuple[int, Contributor]] = []
        for scu in draw.sample(shared, DAMAGED):
            damaged_part = draw.choice(scu.contributors)
            damaged = RemoveContributor(scu.uid, damaged_part.reference).apply(damaged)
            gone.append((scu.uid, damaged_part))
        count.damaged += sum(1 for _, contributor in gone if _is_uncovered(damaged, contributor))

        def is_right(suggestion: Suggestion, gone: object = tuple(gone)) -> bool:
            assert isinstance(gone, tuple)
            return any(
                _gives_back(suggestion.command, uid, contributor) for uid, contributor in gone
            )

        _judge(count, damaged, engine, AddContributor, is_right)
    return count


def references_fitted(pyramid: Pyramid, engine: Engine) -> Count:
    """A reference taken out and added again: its words, given to the ideas that they came from."""
    count = Count()
    for text in pyramid.references:
        rest = RemoveReference(text.name).apply(pyramid)
        left = {scu.uid for scu in rest.scus}
        later = AddReference(text.name, text.content).apply(rest)
        count.damaged += sum(
            1 for scu in pyramid.scus if scu.uid in left and scu.contributor(text.name)
        )
        for suggestion in looked_at(later, engine)[1]:
            assert isinstance(suggestion.command, Several)
            for command in suggestion.command.commands:
                if isinstance(command, AddContributor):
                    member = pyramid.scu(command.uid).contributor(text.name)
                    count.suggested += 1
                    count.found += member is not None and _gives_back(command, command.uid, member)
    return count


def _judge(
    count: Count,
    damaged: Pyramid,
    engine: Engine,
    kind: type[object],
    is_right: Callable[[Suggestion], bool],
) -> None:
    for suggestion in looked_at(damaged, engine)[0]:
        if isinstance(suggestion.command, kind):
            count.suggested += 1
            if is_right(suggestion):
                count.found += 1
            else:
                count.wrong.append(suggestion.reason)


def _characters(spans: Spans) -> set[int]:
    return {place for span in spans for place in range(span.start, span.end)}


def _is_uncovered(pyramid: Pyramid, damaged_part: Contributor) -> bool:
    others = (scu.contributor(damaged_part.reference) for scu in pyramid.scus)
    covered = _characters(tuple(span for other in others if other for span in other.spans))
    own = _characters(damaged_part.spans)
    return 2 * len(own - covered) >= len(own)


def _gives_back(command: object, uid: int, damaged_part: Contributor) -> bool:
    if not isinstance(command, AddContributor):
        return False
    same = (command.uid, command.reference) == (uid, damaged_part.reference)
    own, given = _characters(damaged_part.spans), _characters(command.spans)
    return same and 2 * len(own & given) >= min(len(own), len(given))


def _pyramids(engine: Engine) -> Iterator[tuple[str, Pyramid]]:
    data = wim.load()
    files = sorted((_DEMONSTRATION / "references").glob("*.txt"))
    texts = [Text(file.stem, file.read_text("utf-8").strip()) for file in files]
    yield "wim, by hand", data.pyramid
    yield "wim, built", build_pyramid(data.references, engine)
    yield "demonstration, built", build_pyramid(texts, engine)


def main() -> None:
    engine = engine_of("classroom")
    for name, pyramid in _pyramids(engine):
        tables = {
            "merge": merges_found(pyramid, engine, random.Random(1)),  # noqa: S311
            "split": splits_found(pyramid, engine, random.Random(2)),  # noqa: S311
            "add": additions_found(pyramid, engine, random.Random(3)),  # noqa: S311
            "fit in": references_fitted(pyramid, engine),
        }
        for kind, count in tables.items():
            sys.stdout.write(f"{name} | {kind} | {count}\n")
            for reason in sorted(set(count.wrong))[:8]:
                sys.stdout.write(f"    {reason}\n")


if __name__ == "__main__":
    main()
