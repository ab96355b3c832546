"""The review desk's data: a submission's score, the corrections in it, and the steps behind them.

Read-only. A desk is read once a request; an action that adds a step returns the desk after it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from grading.models import MarkingStep, MatchCorrection, Score, StoredPyramid, Submission
from grading.pyramid.corrections import (
    Correction,
    Step,
    StepHistory,
    Verdict,
    corrections_in_force,
    excluded_but_counted,
    step_history,
)
from grading.pyramid.structures import Pyramid, ScoreReport, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import (
    Carrier,
    correction_rows,
    rows_in_force,
    score_by_program,
)


@dataclass(frozen=True, slots=True)
class MarkingSteps:
    """All steps of one submission by their number, and which of them are in force."""

    steps: dict[int, MarkingStep]
    history: StepHistory

    @classmethod
    def of(cls, rows: Iterable[MarkingStep]) -> "MarkingSteps":
        steps = {row.pk: row for row in rows}
        return cls(steps, step_history(Step(row.pk, row.undoes_id) for row in steps.values()))

    def root(self, pk: int) -> MarkingStep:
        """What a grader did first, which later steps undid and redid."""
        step = self.steps[pk]
        return step if step.undoes_id is None else self.root(step.undoes_id)

    @property
    def undo(self) -> MarkingStep | None:
        """What an undo would cancel, as it was first done; None where there is nothing."""
        return None if self.history.undo is None else self.root(self.history.undo)

    @property
    def redo(self) -> MarkingStep | None:
        """What was undone last and can be done again."""
        return None if self.history.redo is None else self.root(self.history.redo)

    @property
    def last(self) -> int:
        return max(self.steps, default=0)


def marking_stamp(score: Score, last_step: int) -> str:
    """Differs as soon as there is another score or step; the number of the last step is in it."""
    return f"{score.pk}-{last_step}"


class Desk:
    """A text as it is marked now. Its pyramid is parsed once, in ``score.pyramid``."""

    def __init__(
        self,
        score: Score,
        machine_score: Score,
        rows: Sequence[MatchCorrection],
        steps: MarkingSteps,
        *,
        earlier_score: Score | None = None,
    ) -> None:
        """``rows`` are all corrections ever made; ``earlier_score`` is the one before, if known.

        ``machine_score`` is the program's own score by the same version and configuration.
        """
        self.score = score
        self.machine_score = machine_score
        self.rows = rows
        self.steps = steps
        self.earlier_score = earlier_score
        self.carrier = Carrier.to_version(score.pyramid)
        self.rows_in_force = rows_in_force(rows, steps.history.in_force)
        self.corrections: tuple[Correction, ...] = tuple(self.carrier.carried(self.rows_in_force))

    @property
    def stamp(self) -> str:
        return marking_stamp(self.score, self.steps.last)

    def commented(self, uid: int | None) -> tuple[StoredPyramid, int] | None:
        """The idea that a comment is about; only one of the version that scores."""
        return (self.score.pyramid, uid) if uid is not None and self.carrier.has(uid) else None

    @cached_property
    def pyramid(self) -> Pyramid:
        """The ideas that count in the version that scores."""
        return pyramid_from_row(self.score.pyramid).counted()

    @cached_property
    def report(self) -> ScoreReport:
        return report_from_row(self.score)

    @cached_property
    def machine(self) -> ScoreReport:
        """The program's report, without corrections."""
        return report_from_row(self.machine_score)

    @cached_property
    def decisions(self) -> dict[int, MatchCorrection]:
        """The last correction of each idea, by the idea's number in this version."""
        last = {
            uid: row for row in self.rows_in_force if (uid := self.carrier.uid_of(row)) is not None
        }
        return {uid: row for uid, row in last.items() if row.verdict != Verdict.AS_FOUND}

    @property
    def excluded(self) -> Spans:
        """The words that graders excluded from scoring."""
        return corrections_in_force(self.corrections).excluded

    @property
    def excluded_but_counted(self) -> Spans:
        """Excluded words that count all the same, since a longer statement has them."""
        return excluded_but_counted(self.machine.evidence, self.corrections)

    @property
    def lost(self) -> list[MatchCorrection]:
        """Corrections of ideas that this version does not have."""
        return self.carrier.lost(self.rows_in_force)

    def with_step(self, step: MarkingStep, rows: Sequence[MatchCorrection]) -> "Desk":
        """The desk after one more step, before it is scored again. Makes no query."""
        steps = MarkingSteps.of([*self.steps.steps.values(), step])
        return Desk(self.score, self.machine_score, [*self.rows, *rows], steps)

    def scored_by(self, score: Score) -> "Desk":
        """The same desk once its corrections have made another score."""
        score.submission = self.score.submission
        earlier = self.score if score.revision else None
        return Desk(score, self.machine_score, self.rows, self.steps, earlier_score=earlier)


def desk_of(submission: Submission, score: Score) -> Desk:
    """Two queries, and one more where the score takes in corrections."""
    return _desk(submission, score, score_by_program(score))


def find_desk(submission: Submission) -> Desk | None:
    """The desk by the newest score, in three queries; None while there is no score."""
    # Of many revisions three are read: the newest two, and the program's own.
    newest = submission.scores.order_by("-pyramid__number", "-pk").values("pk")[:2]
    rows = submission.scores.filter(Q(pk__in=newest) | Q(revision=0))
    scores = list(rows.select_related("pyramid").oldest_first())
    if not scores:
        return None
    score = scores[-1]
    same = {
        row.revision: row
        for row in scores
        if (row.pyramid_id, row.signature) == (score.pyramid_id, score.signature)
    }
    for row in same.values():
        row.pyramid = score.pyramid  # this object is parsed once
    earlier = same.get(score.revision - 1)
    return _desk(submission, score, same.get(0) or score_by_program(score), earlier)


def _desk(
    submission: Submission, score: Score, machine_score: Score, earlier: Score | None = None
) -> Desk:
    steps = submission.marking_steps.select_related("author").order_by("pk")
    rows = correction_rows([submission.pk])
    return Desk(score, machine_score, rows, MarkingSteps.of(steps), earlier_score=earlier)
