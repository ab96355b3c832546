"""The difference of two pyramids: what takes one into the other, whatever the edit was.

The inverse of every command is the patch from its result to what was there before; undoing by it is
exact to the byte of the pyramid's JSON.
"""

from dataclasses import dataclass, replace

from grading.pyramid.editing.errors import EditError
from grading.pyramid.structures import Pyramid, Scu, Text


@dataclass(frozen=True, slots=True)
class Patch:
    """The units that differ, the order of all, and the references where they differ."""

    summary: str
    order: tuple[int, ...]
    scus: tuple[Scu, ...]
    references: tuple[Text, ...] | None = None

    def apply(self, pyramid: Pyramid) -> Pyramid:
        known = {scu.uid: scu for scu in (*pyramid.scus, *self.scus)}
        if not known.keys() >= set(self.order):
            raise EditError("This cannot be done any more: an idea that it needs is gone.")
        references = pyramid.references if self.references is None else self.references
        return replace(pyramid, references=references, scus=tuple(known[uid] for uid in self.order))

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return self.summary


def patch_between(before: Pyramid, after: Pyramid, summary: str) -> Patch:
    """What turns ``before`` into ``after``."""
    known = {scu.uid: scu for scu in before.scus}
    return Patch(
        summary=summary,
        order=tuple(scu.uid for scu in after.scus),
        scus=tuple(scu for scu in after.scus if known.get(scu.uid) != scu),
        references=None if before.references == after.references else after.references,
    )
