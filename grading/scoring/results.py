"""Results of a class: who submitted what, and what it scored. Read-only, no table of its own."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

from grading.access.hidden_names import displayed_members
from grading.models.assignments import Assignment
from grading.models.courses import Membership, Role
from grading.models.pyramids import StoredPyramid
from grading.models.scores import Score, ScoreQuerySet
from grading.models.summaries import Submission
from grading.models.users import User

# Results of a class: what each student submitted, and its scores. Read-only, no table of its own.


@dataclass(frozen=True, slots=True)
class StudentResult:
    """A student with the attempt that counts (if any) and its newest score (if any)."""

    membership: Membership
    submission: Submission | None
    score: Score | None

    @property
    def student(self) -> User:
        return self.membership.user

    @property
    def state(self) -> str:
        if self.submission is None:
            return "not submitted"
        if self.is_held:
            return f"held: {self.score.held_for}" if self.score else "held"
        return "waiting" if self.score is None else "scored"

    @property
    def badge(self) -> str:
        """The CSS class of the state, after “badge-”."""
        if self.submission is None:
            return "draft"
        if self.is_held:
            return "doubtful"
        return "waiting" if self.score is None else "scored"

    @property
    def is_held(self) -> bool:
        """Is the text held, and no grader has decided on it yet?"""
        return self.score is not None and self.score.held

    @property
    def numbers(self) -> Score | None:
        """The score, where it says something: that of a held text is neither a zero nor a grade."""
        return None if self.is_held else self.score

    @property
    def is_corrected(self) -> bool:
        return self.score is not None and self.score.is_corrected


def class_results(assignment: Assignment) -> list[StudentResult]:
    """All students of the course by name (or pseudonym), in three queries however many."""
    latest = {
        submission.student_id: submission
        for submission in assignment.submissions.latest_attempts().defer("text")
    }
    scores = newest_scores(latest.values())
    students = Membership.objects.filter(course=assignment.course_id, role=Role.STUDENT)
    memberships = displayed_members(assignment, students.select_related("user"))
    results = []
    for membership in memberships:
        submission = latest.get(membership.user_id)
        score = scores.get(submission.pk) if submission else None
        results.append(StudentResult(membership, submission, score))
    return sorted(results, key=lambda result: result.student.sort_key)


def scores_of(submissions: Iterable[Submission]) -> ScoreQuerySet:
    """All scores of submissions, without their evidence; of each the newest comes last."""
    rows = Score.objects.filter(submission__in=[submission.pk for submission in submissions])
    return rows.select_related("pyramid").defer("document", "pyramid__document").oldest_first()


def newest_scores(submissions: Iterable[Submission]) -> dict[int, Score]:
    """By submission the newest score, without its evidence, in one query."""
    return {score.submission_id: score for score in scores_of(submissions)}


def newest_scores_in(assignment: Assignment) -> dict[int, Score]:
    """The same of all that was submitted, drafts and earlier attempts among it."""
    rows = Score.objects.filter(submission__assignment=assignment).select_related("pyramid")
    light = rows.defer("document", "pyramid__document").oldest_first()
    return {score.submission_id: score for score in light}


# The work of a class that can be compared: scored by one pyramid in one way. Read-only.

Sql = tuple[str, tuple[str | int, ...]]


@dataclass(frozen=True, slots=True)
class ClassWork:
    """Results of a class, or of a section of it, by what can be done with them.

    A score counts if it is by the newest version and, where a version was scored in several ways,
    by the one that most were scored by.
    """

    version: StoredPyramid | None
    signature: str
    results: tuple[StudentResult, ...]

    @property
    def counted(self) -> list[StudentResult]:
        return [result for result in self.results if self._counts(result)]

    @property
    def outdated(self) -> list[StudentResult]:
        """Scored, but not by the newest version in the way of most."""
        scored = (result for result in self.results if result.numbers is not None)
        return [result for result in scored if not self._counts(result)]

    @property
    def held(self) -> list[StudentResult]:
        return [result for result in self.results if result.is_held]

    @property
    def waiting(self) -> list[StudentResult]:
        return [
            result
            for result in self.results
            if result.submission is not None and result.score is None
        ]

    @property
    def absent(self) -> list[StudentResult]:
        return [result for result in self.results if result.submission is None]

    @property
    def sections(self) -> list[str]:
        """Names in order; those who are in none have the empty one, which comes last."""
        names = {result.membership.section for result in self.results}
        return sorted(names, key=lambda name: (not name, name.casefold(), name))

    def of_section(self, section: str) -> "ClassWork":
        members = (result for result in self.results if result.membership.section == section)
        return replace(self, results=tuple(members))

    def _counts(self, result: StudentResult) -> bool:
        score, version = result.numbers, self.version
        is_newest = score is not None and version is not None and score.pyramid_id == version.pk
        return is_newest and score is not None and score.signature == self.signature


def class_work(assignment: Assignment) -> ClassWork:
    """In four queries, however many students."""
    version = StoredPyramid.objects.newest_of(assignment)
    results = tuple(class_results(assignment))
    scores = [result.score for result in results if result.score]
    signature = _usual_signature(
        (score.signature, score.pk)
        for score in scores
        if version is not None and score.pyramid_id == version.pk
    )
    return ClassWork(version, signature, results)


def counted_scores(assignment: Assignment) -> dict[int, float]:
    """By submission the comprehensive scores that count in ``class_work``, in one query.

    For pages that show one submission and need the class only to compare it with.
    """
    newest = StoredPyramid.objects.filter(assignment=assignment).order_by("-number")
    counting = assignment.submissions.latest_attempts().of_the_class()
    scores = Score.objects.filter(submission__in=counting).oldest_first()
    rows = scores.annotate(newest=models.Subquery(newest.values("pk")[:1])).values_list(
        "submission", "pk", "pyramid", "newest", "signature", "held", "comprehensive", named=True
    )
    last = {row.submission: row for row in rows}.values()
    scored = [row for row in last if row.pyramid == row.newest]
    signature = _usual_signature((row.signature, row.pk) for row in scored)
    return {
        row.submission: row.comprehensive
        for row in scored
        if row.signature == signature and not row.held
    }


class CreditedUids(models.Func):
    """The uids of a score's matches, as in “3,17”; not of those that wait for a person.

    The database reads them out of the document: what else is there would be most of what comes.
    """

    output_field = models.CharField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Sql:
        template = (
            "(SELECT group_concat(json_extract(value, '$.scu')) "
            "FROM json_each(%(expressions)s, '$.matches') "
            "WHERE json_extract(value, '$.by_hand') OR (json_extract(value, '$.contradicts') "
            "IS NULL AND json_extract(value, '$.held') IS NULL))"
        )
        return self.as_sql(compiler, connection, template=template, **context)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Sql:
        template = (
            "(SELECT string_agg(one ->> 'scu', ',') "
            "FROM jsonb_array_elements(%(expressions)s -> 'matches') AS one "
            "WHERE jsonb_exists(one, 'by_hand') OR NOT (jsonb_exists(one, 'contradicts') "
            "OR jsonb_exists(one, 'held')))"
        )
        return self.as_sql(compiler, connection, template=template, **context)


def credited_ideas(results: Sequence[StudentResult]) -> dict[int, frozenset[int]]:
    """By submission the uids of the ideas that its score found, in one query."""
    scores = Score.objects.filter(pk__in=[result.score.pk for result in results if result.score])
    rows = scores.values_list("submission", CreditedUids("document"))
    return {pk: credited_uids(listed) for pk, listed in rows}


def credited_uids(listed: str | None) -> frozenset[int]:
    """What ``CreditedUids`` lists."""
    return frozenset(map(int, listed.split(","))) if listed else frozenset()


def scores_before(work: ClassWork) -> dict[int, float]:
    """By submission that counts the comprehensive score of the attempt before, where it has one.

    Attempts are compared by one measure only, so the version and the signature are the same.
    """
    rows = Score.objects.filter(pyramid=work.version, signature=work.signature)
    attempts: dict[int, dict[int, float]] = {}
    for student, attempt, score in rows.order_by("submission__attempt", "revision").values_list(
        "submission__student", "submission__attempt", "comprehensive"
    ):
        attempts.setdefault(student, {})[attempt] = score
    pairs = (
        (submission, attempts.get(submission.student_id, {}))
        for submission in [
            result.submission for result in work.counted if result.submission is not None
        ]
    )
    return {
        submission.pk: before[-1]
        for submission, scores in pairs
        if (before := [score for attempt, score in scores.items() if attempt < submission.attempt])
    }


def _usual_signature(scores: Iterable[tuple[str, int]]) -> str:
    """The signature that most of these scores have; of two as usual the one of the later score.

    ``scores`` are signatures with the number of the score's row.
    """
    newest: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for signature, number in scores:
        counts[signature] += 1
        newest[signature] = max(number, newest.get(signature, 0))
    return max(counts, key=lambda signature: (counts[signature], newest[signature]), default="")
