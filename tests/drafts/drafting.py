"""Somebody at work on a draft."""

import uuid
from dataclasses import dataclass, field

from grading.drafts.log import (
    Outcome,
    Sender,
    draft_create,
    draft_edit,
    draft_redo,
    draft_restore,
    draft_undo,
)
from grading.models import Assignment, Draft, User
from grading.pyramid.editing import Command
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span
from tests.conftest import REFERENCES

PYRAMID = Pyramid(
    REFERENCES,
    (
        Scu(1, "Cities are hotter", (Contributor("Ada", (Span(0, 17),)),)),
        Scu(2, "Towns are warmer", (Contributor("Ben", (Span(0, 16),)),)),
        Scu(3, "Trees cool", (Contributor("Chi", (Span(40, 50),)),)),
    ),
    "signed",
    ("noted",),
)


def begun(assignment: Assignment, pyramid: Pyramid = PYRAMID) -> Draft:
    return draft_create(
        assignment=assignment, pyramid=pyramid, origin=Draft.Origin.BUILT, author=None
    )


@dataclass
class Editor:
    """Somebody at work on a draft, who has seen all that was done so far."""

    draft: Draft
    author: User
    revision: int = 0
    outcomes: list[Outcome] = field(default_factory=list)

    def edit(self, command: Command) -> Outcome:
        return self._seen(draft_edit(draft=self.draft, command=command, sender=self.sender()))

    def undo(self) -> Outcome:
        return self._seen(draft_undo(draft=self.draft, sender=self.sender()))

    def redo(self) -> Outcome:
        return self._seen(draft_redo(draft=self.draft, sender=self.sender()))

    def restore(self, revision: int) -> Outcome:
        return self._seen(draft_restore(draft=self.draft, revision=revision, sender=self.sender()))

    def sender(self) -> Sender:
        return Sender(self.author, self.revision, uuid.uuid4())

    def _seen(self, outcome: Outcome) -> Outcome:
        self.revision = outcome.draft.revision
        self.outcomes.append(outcome)
        return outcome
