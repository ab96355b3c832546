"""Two pyramids, idea by idea: which are the same, which changed and how, which are new or gone.

Ideas are paired by the words that contribute to them, by their labels and by their numbers, the
most alike first; ties are decided by the order in the pyramids. A number alone pairs nothing: two
pyramids that were built apart have the same numbers for different ideas.
"""

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import accumulate, groupby

from grading.pyramid.characters import WORD
from grading.pyramid.structures import Contributor, Pyramid, Scu, Text

_MOST_CRUMBS = 3
_MOST_STEPS = 4_000_000  # of comparing words: half a second, and some times what prose takes
_LEAST_SHARED = 0.25  # of the words that contribute to either: then it is one idea
_LEAST_LABEL = 0.6  # of the words of either label: less would be “the” and “is”
_SAME_NUMBER = 0.1  # decides between ideas that are as alike otherwise

_Place = tuple[str, int | str]  # a reference, and where in it a word begins, or the word
_Words = frozenset[_Place]
_Run = tuple[int, int, int]  # where the same words begin in each text, and how many they are


class Change(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"


class WordChange(StrEnum):
    KEPT = "kept"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Some words in a row."""

    change: WordChange
    words: str


WordPieces = tuple[WordPiece, ...]


@dataclass(frozen=True, slots=True)
class ContributorChange:
    """What became of the words of one reference in an idea."""

    reference: str
    change: Change
    words: WordPieces


@dataclass(frozen=True, slots=True)
class ScuChange:
    """What became of an idea; ``before`` is None where it is new, ``after`` where it is gone.

    ``scu`` is the idea as it is now, or was last. ``merged_into`` is the idea that has most of the
    words of one that is gone; ``split_from`` the earlier idea that most words of a new one are of.
    """

    change: Change
    scu: Scu
    before: Scu | None
    after: Scu | None
    contributors: tuple[ContributorChange, ...] = ()
    merged_into: Scu | None = None
    split_from: Scu | None = None

    @property
    def contributors_changed(self) -> tuple[ContributorChange, ...]:
        return tuple(
            contributor
            for contributor in self.contributors
            if contributor.change is not Change.SAME
        )

    @property
    def label(self) -> WordPieces:
        return compare_words(_label(self.before), _label(self.after))

    @property
    def comment(self) -> WordPieces:
        before = self.before.comment if self.before else ""
        return compare_words(before, self.after.comment if self.after else "")


@dataclass(frozen=True, slots=True)
class Comparison:
    """``scus`` in the order of the later pyramid; what is gone comes last."""

    scus: tuple[ScuChange, ...]
    references_added: tuple[str, ...]
    references_removed: tuple[str, ...]
    references_changed: tuple[str, ...]

    @property
    def same(self) -> tuple[ScuChange, ...]:
        return self._of(Change.SAME)

    @property
    def changed(self) -> tuple[ScuChange, ...]:
        return self._of(Change.CHANGED)

    @property
    def new(self) -> tuple[ScuChange, ...]:
        return self._of(Change.NEW)

    @property
    def gone(self) -> tuple[ScuChange, ...]:
        return self._of(Change.GONE)

    def _of(self, change: Change) -> tuple[ScuChange, ...]:
        return tuple(scu for scu in self.scus if scu.change is change)


def compare_pyramids(before: Pyramid, after: Pyramid) -> Comparison:
    """What turned the one into the other."""
    old, new = _Side(before, after), _Side(after, before)
    pairs = _pairs(old, new)
    changes = [
        _of_pair(before.scus[pairs[index]], scu, old, new)
        if index in pairs
        else _new(scu, old, new)
        for index, scu in enumerate(after.scus)
    ]
    paired = set(pairs.values())
    gone = [_gone(scu, old, new) for i, scu in enumerate(before.scus) if i not in paired]
    names, earlier = set(new.texts), set(old.texts)
    return Comparison(
        scus=(*changes, *gone),
        references_added=tuple(sorted(names - earlier)),
        references_removed=tuple(sorted(earlier - names)),
        references_changed=tuple(
            sorted(name for name in names & earlier if name not in new.same_texts)
        ),
    )


def compare_words(before: str, after: str) -> WordPieces:
    """Both texts in one, word by word."""
    if before == after:  # as most are: quick
        return (WordPiece(WordChange.KEPT, " ".join(before.split())),) if before.strip() else ()
    ours, theirs = before.split(), after.split()
    changes = _changes(ours, theirs, _same_runs(ours, theirs))
    return tuple(WordPiece(change, " ".join(words)) for change, words in changes)


def compare_texts(before: str, after: str) -> tuple[WordPieces, ...]:
    """The same by the paragraphs of the later text."""
    paragraphs: list[list[WordPiece]] = [[]]
    ours, theirs = _with_breaks(before), _with_breaks(after)
    runs = _without_crumbs(_same_runs(ours, theirs), len(ours), len(theirs))
    for change, words in _changes(ours, theirs, runs):
        for is_break, run in groupby(words, key=str.isspace):
            if not is_break:
                paragraphs[-1].append(WordPiece(change, " ".join(run)))
            elif change is not WordChange.REMOVED:
                paragraphs.append([])
    return tuple(tuple(pieces) for pieces in paragraphs if pieces)


def _with_breaks(text: str) -> list[str]:
    """The words, with a line end for each end of a paragraph."""
    parts = re.findall(r"\S+|\s+", text.strip())
    return [
        part if part.strip() else "\n" for part in parts if part.strip() or part.count("\n") > 1
    ]


def _changes(
    ours: list[str], theirs: list[str], runs: list[_Run]
) -> Iterator[tuple[WordChange, list[str]]]:
    old = new = 0
    for start, new_start, size in [*runs, (len(ours), len(theirs), 0)]:
        if old < start:
            yield WordChange.REMOVED, ours[old:start]
        if new < new_start:
            yield WordChange.ADDED, theirs[new:new_start]
        if size:
            yield WordChange.KEPT, ours[start : start + size]
        old, new = start + size, new_start + size


def _same_runs(ours: list[str], theirs: list[str]) -> list[_Run]:
    """As difflib finds them, the longest first, but with an end: texts that say one word a thousand
    times would take it hours. What is then not yet compared counts as new.
    """
    head = _same_at_start(ours, theirs)
    tail = _same_at_start(ours[head:][::-1], theirs[head:][::-1])
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    places = Counter(theirs)
    steps = list(accumulate((1 + places[word] for word in ours), initial=0))
    left = _MOST_STEPS
    runs = [(0, 0, head), (len(ours) - tail, len(theirs) - tail, tail)]
    waiting = deque([(head, len(ours) - tail, head, len(theirs) - tail)])
    while waiting:
        start, end, new_start, new_end = waiting.popleft()
        left -= steps[end] - steps[start]
        if left < 0:
            continue
        run = matcher.find_longest_match(start, end, new_start, new_end)
        if run.size:
            runs.append((run.a, run.b, run.size))
            waiting.append((start, run.a, new_start, run.b))
            waiting.append((run.a + run.size, end, run.b + run.size, new_end))
    return _joined(sorted(run for run in runs if run[2]))


def _without_crumbs(runs: list[_Run], ours: int, theirs: int) -> list[_Run]:
    """Without an “and the” that stays by chance where all around it is new."""
    left: list[_Run] = []
    old = new = 0
    for run, following in zip(runs, [*runs, (ours, theirs, 0)][1:], strict=True):
        start, new_start, size = run
        before = max(start - old, new_start - new)
        after = max(following[0] - start, following[1] - new_start) - size
        if size > _MOST_CRUMBS or size >= min(before, after):
            left.append(run)
            old, new = start + size, new_start + size
    return left


def _same_at_start(ours: list[str], theirs: list[str]) -> int:
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(ours), len(theirs)))


def _joined(runs: list[_Run]) -> list[_Run]:
    """Runs that follow one upon the other in both are one."""
    joined: list[_Run] = []
    for run in runs:
        before = joined[-1] if joined else (0, 0, 0)
        if joined and run[:2] == (before[0] + before[2], before[1] + before[2]):
            joined[-1] = (*before[:2], before[2] + run[2])
        else:
            joined.append(run)
    return joined


# --- how alike two ideas are ---


class _Side:
    """One of the two pyramids, with what its ideas are compared by."""

    def __init__(self, pyramid: Pyramid, other: Pyramid) -> None:
        self.scus = pyramid.scus
        self.texts: Mapping[str, Text] = {text.name: text for text in pyramid.references}
        theirs = {text.name: text for text in other.references}
        self.same_texts = {name for name, text in self.texts.items() if theirs.get(name) == text}
        self.words = {scu.uid: frozenset(self._words(scu)) for scu in pyramid.scus}
        self.labels = {
            scu.uid: frozenset(WORD.findall(scu.label.casefold())) for scu in pyramid.scus
        }

    def _words(self, scu: Scu) -> Iterator[_Place]:
        """Where they stand; where the text itself is another, the words themselves."""
        for contributor in scu.contributors:
            text = self.texts[contributor.reference]
            for span in contributor.spans:
                for word in WORD.finditer(text.content, span.start, span.end):
                    same = contributor.reference in self.same_texts
                    yield contributor.reference, word.start() if same else word.group().casefold()

    def words_of(self, contributor: Contributor | None) -> str:
        if contributor is None:
            return ""
        return self.texts[contributor.reference].words_at(contributor.spans)


def _pairs(old: _Side, new: _Side) -> dict[int, int]:
    """The place of an idea in the later pyramid to that of its pair in the earlier one."""
    candidates = [
        (-alike, place, earlier)
        for place, scu in enumerate(new.scus)
        for earlier, other in enumerate(old.scus)
        if (alike := _alike(other, scu, old, new))
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, place, earlier in sorted(candidates):
        if place not in pairs and earlier not in taken:
            pairs[place] = earlier
            taken.add(earlier)
    return pairs


def _alike(before: Scu, after: Scu, old: _Side, new: _Side) -> float:
    """0 where they cannot be the same idea."""
    shared = _shared(old.words[before.uid], new.words[after.uid])
    labels = _shared(old.labels[before.uid], new.labels[after.uid])
    same_number = before.uid == after.uid
    enough = shared >= _LEAST_SHARED or labels >= _LEAST_LABEL
    if not enough and not (same_number and shared and labels):
        return 0.0
    return round(shared + labels + (_SAME_NUMBER if same_number else 0), 6)


def _shared(first: frozenset[object], second: frozenset[object]) -> float:
    """The part of the words of both that is in each."""
    both = len(first & second)
    return both / (len(first) + len(second) - both) if both else 0.0


def _label(scu: Scu | None) -> str:
    return scu.label if scu else ""


# --- what became of them ---


def _of_pair(before: Scu, after: Scu, old: _Side, new: _Side) -> ScuChange:
    contributors = tuple(_contributors(before, after, old, new))
    same = (
        all(contributor.change is Change.SAME for contributor in contributors)
        and (before.label, before.comment) == (after.label, after.comment)
        and (before.weight, before.standing) == (after.weight, after.standing)
    )
    return ScuChange(Change.SAME if same else Change.CHANGED, after, before, after, contributors)


def _contributors(
    before: Scu | None, after: Scu | None, old: _Side, new: _Side
) -> Iterator[ContributorChange]:
    ours = (
        {contributor.reference: contributor for contributor in before.contributors}
        if before
        else {}
    )
    theirs = (
        {contributor.reference: contributor for contributor in after.contributors} if after else {}
    )
    for name in sorted(ours.keys() | theirs.keys()):
        was, now = old.words_of(ours.get(name)), new.words_of(theirs.get(name))
        yield ContributorChange(name, _change(was, now), compare_words(was, now))


def _change(was: str, now: str) -> Change:
    if was == now:
        return Change.SAME
    if not was:
        return Change.NEW
    return Change.CHANGED if now else Change.GONE


def _new(scu: Scu, old: _Side, new: _Side) -> ScuChange:
    contributors = tuple(_contributors(None, scu, old, new))
    source = _idea_with_most(new.words[scu.uid], old)
    return ScuChange(Change.NEW, scu, None, scu, contributors, split_from=source)


def _gone(scu: Scu, old: _Side, new: _Side) -> ScuChange:
    contributors = tuple(_contributors(scu, None, old, new))
    target = _idea_with_most(old.words[scu.uid], new)
    return ScuChange(Change.GONE, scu, scu, None, contributors, merged_into=target)


def _idea_with_most(words: _Words, side: _Side) -> Scu | None:
    """The idea that has more than half of these words, the most of them."""
    best = max(side.scus, key=lambda scu: len(words & side.words[scu.uid]), default=None)
    shared = len(words & side.words[best.uid]) if best else 0
    return best if 2 * shared > len(words) else None
