"""The marking desk's data: a submission's score, the corrections in it, and the steps behind them.

Read-only. A desk is read once a request; an action that adds a step returns the desk after it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from grading.access import get_score_for
from grading.models import MarkingStep, MatchCorrection, Score, Submission
from grading.models.sight import FULL_SIGHT
from grading.pyramid.corrections import (
    Correction,
    Step,
    StepHistory,
    Verdict,
    in_force,
    left_out_in_vain,
    step_history,
)
from grading.pyramid.structures import Pyramid, ScoreReport, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import (
    Carrier,
    correction_rows,
    corrections_that_hold,
    score_by_program,
)


@dataclass(frozen=True, slots=True)
class MarkingSteps:
    """All steps of one submission by their number, and which of them hold."""

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
        return None if self.history.undo is None else self.root(self.history.undo)

    @property
    def redo(self) -> MarkingStep | None:
        return None if self.history.redo is None else self.root(self.history.redo)

    @property
    def last(self) -> int:
        return max(self.steps, default=0)


def marking_stamp(score: Score, last_step: int) -> str:
    """What a page was made of. It differs as soon as there is another score or another step."""
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
        """``rows`` are all corrections ever made; ``earlier_score`` is what held before, if known.

        ``machine_score`` is the program's own score by the same version and configuration.
        """
        self.score = score
        self.machine_score = machine_score
        self.rows = rows
        self.steps = steps
        self.earlier_score = earlier_score
        self.carrier = Carrier.to_version(score.pyramid)
        self.holding_rows = corrections_that_hold(rows, steps.history.holding)
        self.corrections: tuple[Correction, ...] = tuple(self.carrier.carried(self.holding_rows))

    @property
    def stamp(self) -> str:
        return marking_stamp(self.score, self.steps.last)

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
            uid: row for row in self.holding_rows if (uid := self.carrier.uid_of(row)) is not None
        }
        return {uid: row for uid, row in last.items() if row.verdict != Verdict.AS_FOUND}

    @property
    def left_out(self) -> Spans:
        """The words that graders excluded from scoring."""
        return in_force(self.corrections).left_out

    @property
    def in_vain(self) -> Spans:
        """Excluded words that count all the same, since a longer statement holds them."""
        return left_out_in_vain(self.machine.evidence, self.corrections)

    @property
    def lost(self) -> list[MatchCorrection]:
        """Corrections of ideas that this version does not have."""
        return self.carrier.lost(self.holding_rows)

    def with_step(self, step: MarkingStep, rows: Sequence[MatchCorrection]) -> "Desk":
        """The desk with one more step and its corrections, by the same score: read from memory."""
        steps = MarkingSteps.of([*self.steps.steps.values(), step])
        return Desk(self.score, self.machine_score, [*self.rows, *rows], steps)

    def scored_by(self, score: Score) -> "Desk":
        """The same desk once its corrections have made another score."""
        score.submission = self.score.submission
        earlier = self.score if score.revision else None
        return Desk(score, self.machine_score, self.rows, self.steps, earlier_score=earlier)


def desk_of(submission: Submission, score: Score) -> Desk:
    """Two queries, and one more where the score takes in corrections."""
    steps = submission.marking_steps.select_related("author").order_by("pk")
    return Desk(
        score,
        score_by_program(score),
        correction_rows([submission.pk]),
        MarkingSteps.of(steps),
    )


def find_desk(submission: Submission) -> Desk | None:
    """The desk by the score that holds; None as long as there is no score."""
    score = get_score_for(submission, FULL_SIGHT)
    return None if score is None else desk_of(submission, score)
