"""What people decided in a draft: words that they set apart, and words that they took out.

A suggestion that undoes such a decision is not shown. What is compared are words, not the numbers
of ideas, because an idea that was split may have been merged with others since.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grading.pyramid.editing import Command
from grading.pyramid.structures import Contributor, Pyramid, Scu, is_mostly_in


@dataclass(frozen=True, slots=True)
class Decisions:
    """``apart`` are words that one idea held and that are in two; ``removed`` are words, the number
    of the idea that they were taken out of, and what else was in it.
    """

    apart: tuple[tuple[Contributor, Contributor], ...] = ()
    removed: tuple[tuple[Contributor, int, tuple[Contributor, ...]], ...] = ()

    def forbid(self, before: Pyramid, after: Pyramid) -> bool:
        """Does the step from one pyramid to the other restore what people decided against?"""
        known = {scu.uid: scu for scu in before.scus}
        return any(
            self._forbid(scu, known.get(scu.uid), before.scus)
            for scu in after.scus
            if known.get(scu.uid) != scu
        )

    def _forbid(self, scu: Scu, earlier: Scu | None, ideas: tuple[Scu, ...]) -> bool:
        for first, other in self.apart:
            together = any(_contains(idea, first) and _contains(idea, other) for idea in ideas)
            if not together and _contains(scu, first) and _contains(scu, other):
                return True
        for words, uid, company in self.removed:
            is_new = _contains(scu, words) and not any(_contains(idea, words) for idea in ideas)
            is_home = scu.uid == uid or any(_contains(scu, other) for other in company)
            if is_new and (earlier is None or is_home):
                return True
        return False


def decisions_of(pyramid: Pyramid, undoing: Iterable[tuple[Command, bool]]) -> Decisions:
    """Read a log backwards: for each edit, the latest first, its inverse and “is it in force?”."""
    apart: list[tuple[Contributor, Contributor]] = []
    removed: list[tuple[Contributor, int, tuple[Contributor, ...]]] = []
    after = pyramid
    for inverse, is_in_force in undoing:
        before = inverse.apply(after)
        if is_in_force and before.references == after.references:
            for scu in _changed(before, after):
                apart += _set_apart(scu, after)
                removed += _taken_out(scu, after)
        after = before
    return Decisions(tuple(apart), tuple(removed))


def _changed(before: Pyramid, after: Pyramid) -> Iterator[Scu]:
    """Ideas as they were, where other words are in them now."""
    now = {scu.uid: scu.contributors for scu in after.scus}
    yield from (scu for scu in before.scus if now.get(scu.uid) != scu.contributors)


def _set_apart(scu: Scu, after: Pyramid) -> Iterator[tuple[Contributor, Contributor]]:
    homes = [
        {idea.uid for idea in after.scus if _contains(idea, contributor)}
        for contributor in scu.contributors
    ]
    for place, member in enumerate(scu.contributors):
        for later, other in enumerate(scu.contributors[:place]):
            if homes[place] and homes[later] and not homes[place] & homes[later]:
                yield member, other


def _taken_out(
    scu: Scu, after: Pyramid
) -> Iterator[tuple[Contributor, int, tuple[Contributor, ...]]]:
    for contributor in scu.contributors:
        if not any(_contains(idea, contributor) for idea in after.scus):
            yield (
                contributor,
                scu.uid,
                tuple(other for other in scu.contributors if other is not contributor),
            )


def _contains(scu: Scu, words: Contributor) -> bool:
    """Are these words of a reference in the idea, give or take a word at an end?"""
    there = scu.contributor(words.reference)
    if there is None:
        return False
    return is_mostly_in(words.spans, there.spans) or is_mostly_in(there.spans, words.spans)
