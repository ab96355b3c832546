"""What scoring costs beside the parse, which is the yardstick, as machines differ.

Each round times parse and rest of a class that nobody has seen before, one after the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grading.pyramid.pipeline import (
    Engine,
    build_pyramid,
    prepare_matcher,
    score_summaries,
)
from grading.pyramid.registry import Matcher
from grading.pyramid.scores import score
from grading.pyramid.structures import Pyramid, Scu, SegmentedText, Text
from tests.bench.engines import engine_of, read_once, remembering
from tests.bench.made_texts import corpus, made_class
from tests.bench.statistics import over_rounds
from tests.bench.table import Reach, Row, Table
from tests.bench.timing import Remembered, Seconds, seconds

ROUNDS = 3
CLASS = 200
WORDS = 150
RESCORED = 1_000
SPREAD = ("", "rounds")
_WARM_UP = 10  # summaries, before anything is timed
_WITH_MINILM = 1.5
_WITHOUT = 0.25
_ONE = "one text from its vectors, ms CPU"
_ONE_MS = 10
_MANY = f"{RESCORED:,} texts again"
_MANY_S = 1


@dataclass(frozen=True, slots=True)
class Round:
    """What one class of a method took."""

    parsing: Seconds
    rest: Seconds


def table(names: Sequence[str]) -> Table:
    pyramids = {name: build_pyramid(corpus().references, engine_of(name)) for name in names}
    rounds = _rounds(pyramids)
    parses = [each.parsing.cpu for each in rounds[names[0]]]
    rows = [_row("parser", "parse of one summary, ms CPU", [1000 * p / CLASS for p in parses], 1)]
    for name, pyramid in pyramids.items():
        rows += [*_ratios(name, rounds[name]), *_from_memory(name, pyramid)]
    return Table(
        f"Speed: a class of {CLASS} summaries of {WORDS} words ({corpus().name}), "
        f"{ROUNDS} rounds with new texts",
        "Rest: everything but the parse; the pyramid is built before.",
        tuple(rows),
        SPREAD,
    )


def _rounds(pyramids: dict[str, Pyramid]) -> dict[str, list[Round]]:
    rounds: dict[str, list[Round]] = {name: [] for name in pyramids}
    for name, pyramid in pyramids.items():
        _score_all(pyramid, made_class(_WARM_UP, WORDS, seed=ROUNDS), engine_of(name))
    for number in range(ROUNDS):
        texts = made_class(CLASS, WORDS, seed=number)
        parser = Remembered(engine_of(next(iter(pyramids))).parser, texts)
        for name, pyramid in pyramids.items():
            engine = replace(engine_of(name), parser=parser)
            rest = seconds(partial(_score_all, pyramid, texts, engine))
            rounds[name].append(Round(parser.parsing, rest))
    return rounds


def _score_all(pyramid: Pyramid, texts: Sequence[Text], engine: Engine) -> None:
    for _ in score_summaries(pyramid, texts, engine):
        pass


def _ratios(name: str, rounds: Sequence[Round]) -> Iterator[Row]:
    bound = _WITH_MINILM if name in {"classroom", "classroom-blend"} else _WITHOUT
    cpu = [each.rest.cpu / each.parsing.cpu for each in rounds]
    wall = [each.rest.wall / each.parsing.wall for each in rounds]
    yield _row(name, "rest / parse, CPU", cpu, 3, bound)
    yield _row(name, "rest / parse, wall", wall, 3, bound)
    yield _row(name, "rest of one summary, ms CPU", [1000 * r.rest.cpu / CLASS for r in rounds], 1)


def _from_memory(name: str, pyramid: Pyramid) -> Iterator[Row]:
    """Where texts are cut and their vectors known, because they were scored before."""
    known = remembering(name, 2 * CLASS)  # the references want room too
    texts = read_once(made_class(CLASS, WORDS, seed=0), known)
    matcher = prepare_matcher(pyramid, known)
    _rescore(pyramid, matcher, texts)
    took = [seconds(partial(_rescore, pyramid, matcher, texts)).cpu for _ in range(ROUNDS)]
    yield _row(name, _ONE, [1000 * cpu / CLASS for cpu in took], 2, _ONE_MS)
    for what, edit in (("a contributor less", _lessened), ("a new label", _renamed)):
        edits = [edit(pyramid, number) for number in range(ROUNDS)]
        took = [_after_edit(edited, texts, known) for edited in edits]
        yield _row(name, f"{_MANY}, {what}, s wall", took, 2, _MANY_S)


def _after_edit(edited: Pyramid, texts: Sequence[SegmentedText], engine: Engine) -> float:
    """Seconds for RESCORED different texts, from those for a class: they take as long each."""
    ready: list[Matcher] = []
    once = seconds(lambda: ready.append(prepare_matcher(edited, engine))).wall
    each = seconds(partial(_rescore, edited, ready[0], texts)).wall / len(texts)
    return once + RESCORED * each


def _rescore(pyramid: Pyramid, matcher: Matcher, texts: Sequence[SegmentedText]) -> None:
    for text in texts:
        score(pyramid, matcher.match(text), "")


def _lessened(pyramid: Pyramid, place: int) -> Pyramid:
    """One unit loses a contributor."""
    old = _shared(pyramid, place)
    return _with(pyramid, old, replace(old, contributors=old.contributors[1:]))


def _renamed(pyramid: Pyramid, place: int) -> Pyramid:
    """One unit gets a label that nobody has seen before."""
    old = _shared(pyramid, place)
    return _with(pyramid, old, replace(old, label=f"As number {place} says, {old.label}"))


def _shared(pyramid: Pyramid, place: int) -> Scu:
    shared = [scu for scu in pyramid.scus if scu.weight > 1]
    return shared[place % len(shared)]


def _with(pyramid: Pyramid, old: Scu, new: Scu) -> Pyramid:
    return replace(pyramid, scus=tuple(new if scu is old else scu for scu in pyramid.scus))


def _row(
    name: str, what: str, values: list[float], decimals: int, at_most: float | None = None
) -> Row:
    reach = None if at_most is None else Reach(at_most, most=True)
    return Row(name, what, over_rounds(values), reach, decimals)
