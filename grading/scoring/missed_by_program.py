"""Ideas that people found where the program did not: by second looks, corrections and samples.

Read-only. Ideas are those of one version; whatever is about another is found again in it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from grading.models import (
    Assignment,
    MatchCorrection,
    Score,
    SecondLook,
    StoredPyramid,
    SubmissionEvent,
)
from grading.pyramid.corrections import Verdict
from grading.scoring.corrections import Carrier, corrections_of
from grading.scoring.marks import samples_of


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A second look with the idea that it was about (None: words of no idea) and what it moved."""

    look: SecondLook
    uid: int | None
    effect: float  # on the comprehensive score


@dataclass(frozen=True, slots=True)
class MissedByProgram:
    """How often people found each idea, by its number, where the program did not."""

    by_second_looks: Counter[int] = field(default_factory=Counter)
    by_hand: Counter[int] = field(default_factory=Counter)
    in_samples: Counter[int] = field(default_factory=Counter)

    def total(self, uid: int) -> int:
        return self.by_second_looks[uid] + self.by_hand[uid] + self.in_samples[uid]


def looks_at(assignment: Assignment, carrier: Carrier) -> list[LookedAt]:
    """What was answered, in the order in which it was asked."""
    answered = [SecondLook.State.ACCEPTED, SecondLook.State.DECLINED]
    rows = SecondLook.objects.filter(submission__assignment=assignment, state__in=answered)
    counted = _counted(assignment, carrier)
    # By the second look what all answers to it have moved the comprehensive score.
    events = SubmissionEvent.objects.filter(
        submission__assignment=assignment, kind=SubmissionEvent.Kind.ANSWERED
    )
    effects: dict[int, float] = defaultdict(float)
    for event in events:
        before, after = event.comprehensive("before"), event.comprehensive("after")
        if before is not None and after is not None:
            effects[event.document["second_look"]] += after - before
    return [
        LookedAt(
            look,
            counted.get(look.pk)
            if look.is_accepted and not look.disputes_match
            else carrier.uid_of(look),
            effects[look.pk],
        )
        for look in rows.order_by("pk")
    ]


def missed_by_program(
    assignment: Assignment, version: StoredPyramid, looks: Iterable[LookedAt], carrier: Carrier
) -> MissedByProgram:
    """What graders matched counts where the program has not found it by this version."""
    accepted = (
        look.uid for look in looks if look.look.is_accepted and not look.look.disputes_match
    )
    return MissedByProgram(
        by_second_looks=Counter(uid for uid in accepted if uid is not None),
        by_hand=Counter(_added_by_graders(assignment, version, carrier)),
        in_samples=Counter(_marked_in_samples(assignment, version)),
    )


def _added_by_graders(
    assignment: Assignment, version: StoredPyramid, carrier: Carrier
) -> Iterator[int]:
    """Of each text once; what was counted for a second look is counted there."""
    # The program's own matches in texts that people corrected, by submission.
    scores = Score.objects.filter(
        submission__assignment=assignment,
        submission__corrections__isnull=False,
        pyramid=version,
        revision=0,
    ).order_by("pk")
    by_program = {
        submission: {match["scu"] for match in matches}
        for submission, matches in scores.values_list("submission", "document__matches").distinct()
    }
    for submission_pk, rows in corrections_of(assignment.submissions.only("assignment")).items():
        last = {carrier.uid_of(row): row for row in rows}
        for uid, row in last.items():
            is_added = row.verdict == Verdict.MATCHED and row.second_look_id is None
            if uid is not None and is_added and uid not in by_program.get(submission_pk, {uid}):
                yield uid


def _marked_in_samples(assignment: Assignment, version: StoredPyramid) -> Iterator[int]:
    """Where one of those who annotated the text found it at least."""
    for sample in samples_of(assignment):
        if sample.round.pyramid_id != version.pk:
            continue
        for sheet, (place, uid) in product(sample.sheets(), enumerate(sample.uids)):
            if not sheet.program[place] and any(marks[place] for marks in sheet.people.values()):
                yield uid


def _counted(assignment: Assignment, carrier: Carrier) -> dict[int, int | None]:
    """By the second look the idea that was counted for it, last."""
    rows = MatchCorrection.objects.filter(
        submission__assignment=assignment, second_look__isnull=False, verdict=Verdict.MATCHED
    )
    return {row.second_look_id: carrier.uid_of(row) for row in rows if row.second_look_id}
