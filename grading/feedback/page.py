"""The page of a submission: everything on it that its reader may see, whoever that is.

A grader who views the page as the student gets it from the same functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from grading import access
from grading.feedback.feedback_text import FeedbackText, MarkedPiece, MarkedSentence, text_html
from grading.feedback.ideas import (
    Contradiction,
    MatchedIdea,
    MissedIdeas,
    ReaderContext,
    WeightCount,
    contradictions_of,
    matched_ideas,
    missed_ideas_shown,
    places_for_script,
    weight_counts,
)
from grading.models import (
    Assignment,
    ExpertScores,
    Job,
    Membership,
    Missed,
    Role,
    Score,
    Sight,
    StoredGradeRule,
    Submission,
)
from grading.models.grade_rules import rule_of
from grading.models.summaries import counting_of
from grading.pyramid.corrections import corrections_in_force
from grading.pyramid.feedback.next_steps import StepKind, all_excluded, next_steps
from grading.pyramid.feedback.score_words import (
    comprehensive_in_words,
    coverage_in_words,
    quality_in_words,
    trace_without_totals,
)
from grading.pyramid.scores import ideas_of_a_reference
from grading.pyramid.structures import HeldFor
from grading.scoring.allowances import allowance_of
from grading.scoring.comments_shown import ShownComment, comments_shown
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.corrections import Carrier, corrections_of
from grading.scoring.grades import StudentGrade, grade_of_attempts, own_grade
from grading.scoring.results import scores_of
from grading.scoring.second_looks import second_looks_shown
from grading.web.charts import (
    REPEATED,
    UNMATCHED,
    IdeaCount,
    PointsBar,
    ShapeChart,
    idea_pyramid_chart,
    points_bar,
    statement_chart,
)
from grading.web.timeline import events_of, timeline_of

MOST_DIGITS = 6  # of the number of a sentence


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt in the list of all; with its score where that is shown and not held."""

    submission: Submission
    comprehensive: float | None
    is_held: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """A grader views the page as the student: as it is now, once released, or when overdue."""

    shown: bool = False
    past: bool = False

    @classmethod
    def from_query(cls, query: QueryDict) -> "Preview":
        return cls(shown=query.get("shown") == "1", past=query.get("past") == "1")

    def sight(self, submission: Submission) -> Sight:
        sight, assignment = submission.student_sight, submission.assignment
        if self.past:
            by_rule = submission.visibility == Submission.Visibility.RULE
            opens = by_rule and assignment.release == Assignment.Release.AFTER_DUE
            missed = submission.missed_when(past=True)
            sight = replace(sight, shown=sight.shown or opens, missed=missed)
        return replace(sight, shown=sight.shown or self.shown)


@dataclass(frozen=True, slots=True)
class SentenceChoice:
    """The sentence whose ideas are shown beside the text, or all of them below it."""

    number: int | None
    is_all: bool
    query: str  # the rest of the address, to go on with: “queue=…&”, or empty

    @classmethod
    def from_query(cls, query: QueryDict) -> "SentenceChoice":
        rest = query.copy()
        number = (rest.pop("sentence", None) or [""])[-1]
        is_all = (rest.pop("ideas", None) or [""])[-1] == "all"
        known = int(number) if number.isdecimal() and len(number) < MOST_DIGITS else None
        return cls(None if is_all else known, is_all, f"{rest.urlencode()}&" if rest else "")

    def context(self, feedback: "Feedback") -> dict[str, Any]:
        """The text with its links, and the ideas that are shown."""
        chosen = next((row for row in feedback.sentences if row.number == self.number), None)
        return {
            "choice": self,
            "chosen": chosen,
            "text": text_html(
                feedback.pieces,
                links="" if feedback.is_held else "#" if self.is_all else f"?{self.query}",
                chosen=chosen,
            ),
        }


def submission_page(submission: Submission, membership: Membership, sight: Sight) -> dict[str, Any]:
    """The context of the page. No score is read where the result is hidden."""
    assignment = submission.assignment
    score = access.get_score_for(submission, sight)
    work = _scoring_work(submission, score, sight) if sight.shown else {}
    if score is None and work:  # a worker may have finished between the two queries
        score = access.get_score_for(submission, sight)
    comments = comments_shown(submission, score, sight)
    all_attempts = Submission.objects.attempts_of(assignment, submission.student).defer("text")
    rows = list(all_attempts.select_related("found_flags") if sight.full else all_attempts)
    for row in rows:
        row.assignment = assignment

    def is_shown(row: Submission) -> bool:
        """A preview shows this attempt as it would be, the others as they are."""
        return sight.shown if row.pk == submission.pk else row.is_shown

    all_scores = list(scores_of(row for row in rows if sight.full or is_shown(row)))
    attempt_scores = {row.submission_id: row for row in all_scores}
    stored_rule = StoredGradeRule.objects.newest_of(assignment)
    if sight.full:
        students = assignment.course.memberships.filter(role=Role.STUDENT)
        student = students.filter(user=submission.student_id).first()
        grade = None
        if student is not None:
            student.user = submission.student
            manual_grade = assignment.manual_grades.filter(student=student.user_id).last()
            grade = grade_of_attempts(
                rule_of(stored_rule), student, rows, attempt_scores, manual_grade
            )
    else:
        grade = own_grade(stored_rule, assignment, membership, rows, is_shown)
    attempts = _attempts(rows, attempt_scores, grade)
    beside = ExpertScores.objects.beside(score) if score is not None else None
    asks = score is not None and not score.held and not sight.full and assignment.second_looks
    events = list(events_of([submission])) if sight.shown else []
    return {
        "assignment": assignment,
        "membership": membership,
        "submission": submission,
        "sight": sight,
        "attempts": attempts,
        "submitted_attempts": rows,  # for the bar of the queue
        "compares": sum(row.comprehensive is not None for row in attempts) > 1,
        "allowance": None if sight.full else allowance_of(assignment, submission.student, rows),
        "grade": grade,
        # Does the grade come of this attempt, or would it, as the newest?
        "rests_here": grade is not None
        and submission in {grade.submission, grade.result.submission},
        "asks": asks,
        "score": score,
        "experts": beside.scale if beside else None,
        "feedback": _feedback_of_score(submission, score, sight, comments) if score else None,
        "comments": comments,
        "second_looks": second_looks_shown(submission, sight, score, events),
        "events": timeline_of(submission, sight, all_scores, events),
        **work,
    }


def _attempts(
    rows: Sequence[Submission], scores: dict[int, Score], grade: StudentGrade | None
) -> tuple[Attempt, ...]:
    """All attempts, the latest first. The grade's attempt counts, else the one by the rules."""
    counting = grade.submission if grade and grade.submission else counting_of(rows)
    attempts = []
    for row in rows:
        score = scores.get(row.pk)
        is_held = score is not None and score.held
        comprehensive = score.comprehensive if score and not is_held else None
        attempts.append(Attempt(row, comprehensive, is_held, counts=row == counting))
    return tuple(attempts)


def _scoring_work(submission: Submission, score: Score | None, sight: Sight) -> dict[str, Any]:
    """The job about the submission; hidden from students who have a score."""
    if score is not None and not sight.full:
        return {}
    job = Job.objects.latest_scoring(submission, of_the_class=True)
    if score is not None:
        return {"updating": job if job and job.is_unfinished else None}
    if sight.full or job is None or job.submission_id is not None:
        return {"job": job}
    # The job of a class may name other students: a student sees only that it is running.
    if job.is_unfinished:
        return {"class_is_scored": True}
    own = Job.objects.latest_scoring(submission, of_the_class=False)
    return {"job": own, "class_failed": job.is_failed}


def _feedback_of_score(
    submission: Submission, score: Score, sight: Sight, comments: Sequence[ShownComment]
) -> "Feedback":
    assignment = submission.assignment
    report = report_from_row(score)
    is_manual = any(match.by_hand for match in report.evidence.matches)
    is_empty = not report.evidence.segments
    graders: dict[int, str] = {}
    has_exclusions = False
    if is_manual or is_empty:
        carrier = Carrier.to_version(score.pyramid)
        rows = corrections_of([submission]).get(submission.pk, [])
        if is_manual:
            graders = {
                correction.scu_uid: row.author.name if row.author else ""
                for row in rows
                for correction in carrier.carried([row])
                if correction.scu_uid is not None
            }
        has_exclusions = is_empty and bool(corrections_in_force(carrier.carried(rows)).excluded)
    return feedback_of(
        ReaderContext(
            submission_to_text(submission),
            pyramid_from_row(score.pyramid).counted(),
            report,
            sight,
            (assignment.min_words, assignment.max_words),
            graders,
            comments,
            has_exclusions,
        )
    )


# --- what a report says ---


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A next step; ``anchor`` is the start of the piece of text that it is about."""

    sentence: str
    is_praise: bool  # nothing is to be done
    anchor: int | None
    lit: str


@dataclass(frozen=True, slots=True)
class Totals:
    """How many ideas there are: for readers who may know what is missing."""

    ideas: int
    of_an_expert: float  # on average
    points: PointsBar


@dataclass(frozen=True, slots=True)
class Feedback:
    """A score report in the words and charts of the page, as far as its reader may see it."""

    pieces: tuple[MarkedPiece, ...]
    sentences: tuple[MarkedSentence, ...]  # with marks; none where the whole text is held
    matched: tuple[MatchedIdea, ...]
    contradictions: tuple[Contradiction, ...]
    missed: MissedIdeas | None
    weights: tuple[WeightCount, ...]
    steps: tuple[ShownStep, ...]
    quality: str
    coverage: str
    comprehensive: str
    totals: Totals | None
    statements: ShapeChart
    pyramid: ShapeChart
    trace: tuple[str, ...]
    remarks: tuple[str, ...]
    references: int
    counted: int
    is_held: bool  # the whole text
    is_partly_held: bool
    held_reason: str
    held_for: HeldFor | None

    @property
    def has_doubtful(self) -> bool:
        return any(row.doubtful for row in self.matched)

    @property
    def has_remarks(self) -> bool:
        return any(row.remarks for row in self.matched)

    @property
    def has_manual(self) -> bool:
        return any(row.marked_by for row in self.matched)

    @property
    def has_unmatched(self) -> bool:
        return any(piece.is_unmatched for piece in self.pieces)

    @property
    def has_repeated(self) -> bool:
        return any(piece.repeated for piece in self.pieces)

    @property
    def has_uncounted(self) -> bool:
        return any(piece.is_uncounted for piece in self.pieces)


def feedback_of(context: ReaderContext) -> Feedback:
    """Put a score report into the words and charts of the page, for this reader."""
    pyramid, report, sight = context.pyramid, context.report, context.sight
    evidence = report.evidence
    matched = matched_ideas(context)
    contradictions = contradictions_of(context.text, pyramid, report, sight)
    text = FeedbackText(context, matched, contradictions)
    is_all_excluded = context.has_exclusions and not evidence.segments
    steps = () if evidence.is_held else _steps(context, text, is_all_excluded=is_all_excluded)
    anchors = {step.anchor for step in steps if step.anchor is not None}
    anchors |= {comment.start for comment in context.comments if comment.spans}
    pieces = text.pieces(anchors)
    weights = weight_counts(context, matched)
    shows_totals = sight.missed != Missed.NOTHING
    if is_all_excluded:
        trace: tuple[str, ...] = (
            "A grader excluded the whole text from scoring: all scores are 0.",
        )
    else:
        trace = report.trace if shows_totals else trace_without_totals(pyramid, report)
    is_beyond = shows_totals and report.statements > len(pyramid.scus)
    return Feedback(
        pieces=pieces,
        sentences=() if evidence.is_held else text.sentences,
        matched=matched,
        contradictions=contradictions,
        missed=missed_ideas_shown(pyramid, report, sight),
        weights=weights,
        steps=steps,
        quality=quality_in_words(
            report.quality, matched_share=evidence.matched_share, beyond=is_beyond
        ),
        coverage=coverage_in_words(report.coverage),
        comprehensive=comprehensive_in_words(report.quality, report.coverage),
        totals=Totals(
            ideas=len(pyramid.scus),
            of_an_expert=ideas_of_a_reference(pyramid),
            points=points_bar(pyramid, report),
        )
        if shows_totals
        else None,
        statements=statement_chart(_bands_in_order(pieces)),
        pyramid=idea_pyramid_chart(
            [IdeaCount(row.weight, row.band, row.matched, row.total) for row in weights]
        ),
        trace=trace,
        remarks=report.remarks,
        references=len(pyramid.references),
        counted=evidence.counted,
        is_held=evidence.is_held,
        is_partly_held=bool(evidence.held) and not evidence.is_held,
        held_reason=evidence.held_reason,
        held_for=evidence.held_for,
    )


def _bands_in_order(pieces: Sequence[MarkedPiece]) -> list[int]:
    """The band of each statement; an idea counts where its words end."""
    bands: list[int] = []
    for piece in pieces:
        bands += [row.idea.band for row in piece.ending_matched]
        bands += [UNMATCHED for _ in piece.ending_contradictions]
        if piece.ends_unmatched:
            bands.append(UNMATCHED)
        bands += [REPEATED for _ in piece.ending_repeated]
    return bands


def _steps(
    context: ReaderContext, text: FeedbackText, *, is_all_excluded: bool
) -> tuple[ShownStep, ...]:
    if is_all_excluded:
        steps = [all_excluded()]
    else:
        steps = [
            *next_steps(
                context.text,
                context.pyramid,
                context.report,
                shows_missed=context.sight.missed != Missed.NOTHING,
                shows_experts=context.sight.missed >= Missed.SENTENCES,
                word_limits=context.word_limits,
            )
        ]
    return tuple(
        ShownStep(
            sentence=step.sentence,
            is_praise=step.kind is StepKind.FINE,
            anchor=text.anchor(step.spans) if step.spans else None,
            lit=places_for_script(step.spans),
        )
        for step in steps
    )
