"""All that is held about somebody's work, with results as far as they are shown to them now.

Whatever role the reader has in a course by now, a result is told as to its student. Of courses that
they have left, and of assignments that students cannot see, no result is told.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from grading import access
from grading.feedback.events import timelines_of
from grading.feedback.page_own_results import own_result_of
from grading.models import (
    Assignment,
    Comment,
    HandGrade,
    Missed,
    Score,
    SecondLook,
    Sight,
    StoredGradeRule,
    StoredPyramid,
    Submission,
    User,
    Writing,
)
from grading.pyramid.formats.my_work import MyWork, WrittenText
from grading.pyramid.structures import Pyramid
from grading.scoring.comments_shown import shown_of
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.grades import grade_of_attempts, is_grade_shown
from grading.scoring.results import newest_scores
from grading.second_looks.views import second_looks_of

FORMAT = 1
NOTHING_SHOWN = Sight(shown=False, missed=Missed.NOTHING)


def own_work_of(user: User) -> MyWork:
    work = OwnWork(user)
    return MyWork(
        document={
            "format": FORMAT,
            "account": {
                "login": user.username,
                "name": user.name,
                "email": user.email,
                "time_zone": user.time_zone,
                "joined": work.told_time(user.date_joined),
            },
            "courses": work.courses(),
            "assignments": work.assignments(),
        },
        scores=list(work.score_rows()),
        texts=list(work.texts()),
    )


@dataclass(frozen=True, slots=True)
class Result:
    score: Score
    pyramid: Pyramid


class OwnWork:
    """Rows of one person, read once."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.memberships = list(access.get_memberships_of(user))
        submissions = user.submissions.staying().select_related("assignment__course")
        self.submissions = list(submissions.order_by("assignment", "attempt"))
        for submission in self.submissions:
            submission.student = user
        writings = writings_of(user).select_related("assignment__course")
        self.writings = {writing.assignment_id: writing for writing in writings}
        self._courses = {membership.course_id for membership in self.memberships}
        self._results = self._results_shown()
        self._looks = self._second_looks()
        self._comments = self._comments_shown()
        assignments = self._all_assignments()
        rules = StoredGradeRule.objects.filter(assignment__in=assignments).order_by("pk")
        self._rules = {stored.assignment_id: stored for stored in rules}
        said = HandGrade.objects.filter(student=user).order_by("pk")
        self._hand_grades = {row.assignment_id: row for row in said}
        self._timelines = timelines_of([(one, self.sight_of(one)) for one in self.submissions])
        self._names = _file_names(list(self._all_assignments().values()))

    def told_time(self, moment: datetime) -> str:
        return moment.astimezone(self.user.zone).isoformat(timespec="seconds")

    def sight_of(self, submission: Submission) -> Sight:
        return own_sight_of(submission, self._courses)

    def _all_assignments(self) -> dict[int, Assignment]:
        rows: list[Submission | Writing] = [*self.submissions, *self.writings.values()]
        return {row.assignment_id: row.assignment for row in rows}

    def _results_shown(self) -> dict[int, Result]:
        """By submission; what is withheld is not even asked for."""
        shown = [one for one in self.submissions if self.sight_of(one).shown]
        if not shown:
            return {}
        newest = newest_scores(shown).values()
        scores = list(Score.objects.filter(pk__in=[score.pk for score in newest]))
        versions = StoredPyramid.objects.in_bulk({score.pyramid_id for score in scores})
        for score in scores:
            score.pyramid = versions[score.pyramid_id]
        pyramids = {pk: pyramid_from_row(version) for pk, version in versions.items()}
        return {score.submission_id: Result(score, pyramids[score.pyramid_id]) for score in scores}

    def _second_looks(self) -> dict[int, list[SecondLook]]:
        found: dict[int, list[SecondLook]] = {}
        for look in SecondLook.objects.filter(submission__in=self.submissions):
            found.setdefault(look.submission_id, []).append(look)
        return found

    def _comments_shown(self) -> dict[int, list[Comment]]:
        """By submission; what is withheld is not even asked for."""
        shown = [one.pk for one in self.submissions if self.sight_of(one).shown]
        found: dict[int, list[Comment]] = {}
        rows = (
            Comment.objects.to_the_student()
            .filter(submission__in=shown)
            .select_related("author", "pyramid")
            if shown
            else []
        )
        for row in rows:
            found.setdefault(row.submission_id, []).append(row)
        return found

    # --- my-work.json ---

    def courses(self) -> list[dict[str, Any]]:
        return [
            {
                "name": membership.course.name,
                "term": membership.course.term,
                "role": membership.get_role_display(),
                "joined": self.told_time(membership.joined_at),
            }
            for membership in self.memberships
        ]

    def assignments(self) -> list[dict[str, Any]]:
        attempts: dict[int, list[Submission]] = {}
        for submission in self.submissions:
            attempts.setdefault(submission.assignment_id, []).append(submission)
        return [
            {
                "course": assignment.course.name,
                "term": assignment.course.term,
                "title": assignment.title,
                "grade": self._grade(assignment, attempts.get(pk, [])),
                "not_handed_in": self._writing(self.writings.get(pk)),
                "attempts": [self._attempt(attempt) for attempt in attempts.get(pk, ())],
            }
            for pk, assignment in self._all_assignments().items()
        ]

    def _grade(
        self, assignment: Assignment, attempts: Sequence[Submission]
    ) -> dict[str, Any] | None:
        """As far as the student sees it."""
        stored, latest = self._rules.get(assignment.pk), list(reversed(attempts))
        if stored is None or assignment.course_id not in self._courses or assignment.is_draft:
            return None
        if not is_grade_shown(stored, assignment, latest, lambda one: self.sight_of(one).shown):
            return None
        place = next(one for one in self.memberships if one.course_id == assignment.course_id)
        scores = {pk: result.score for pk, result in self._results.items()}
        said = self._hand_grades.get(assignment.pk)
        grade = grade_of_attempts(stored.rule, place, latest, scores, said)
        return {
            "points": None if grade.grade is None else str(grade.grade),
            "out_of": str(grade.possible),
            "band": grade.label,
            "state": grade.state,
            "set_by_hand": grade.by_hand,
            "reason": grade.reason,
            "reckoned": [] if grade.by_rule is None else list(grade.by_rule.steps),
        }

    def _writing(self, writing: Writing | None) -> dict[str, Any] | None:
        if writing is None:
            return None
        return {
            "text": writing.text,
            "replaced_text": writing.replaced,
            "saved_at": self.told_time(writing.saved_at),
        }

    def _attempt(self, submission: Submission) -> dict[str, Any]:
        sight = self.sight_of(submission)
        result = self._results.get(submission.pk)
        return {
            "attempt": submission.attempt,
            "kind": _kind(submission),
            "submitted_at": self.told_time(submission.submitted_at),
            "late": submission.late,
            "words": submission.words,
            "copied_share": submission.copied,
            "text": submission.text,
            "file": self.file_name(submission),
            "results": _state(sight, result),
            "result": own_result_of(
                submission_to_text(submission),
                result.pyramid,
                report_from_row(result.score),
                sight,
                corrected=result.score.is_corrected,
            )
            if result
            else None,
            "second_looks": self._told_looks(submission, sight),
            "comments": self._told_comments(submission, sight),
            "what_happened": self._timeline(submission),
        }

    def _told_looks(self, submission: Submission, sight: Sight) -> list[dict[str, Any]]:
        looks = self._looks.get(submission.pk, [])
        if not looks or not sight.shown:
            return [self._asked(look) for look in looks]
        return [
            self._asked(told.look)
            | {
                "words": told.words,
                "idea": told.idea,
                "state": told.look.get_state_display(),
                "answer": told.look.answer,
                "answered_by": told.look.answered_by.name if told.look.answered_by else None,
                "answered_at": self.told_time(told.look.answered_at)
                if told.look.answered_at
                else None,
                "found_now": told.found,
                "comprehensive_before": _rounded(told.before),
                "comprehensive_after": _rounded(told.after),
            }
            for told in second_looks_of(submission, sight)
        ]

    def _told_comments(self, submission: Submission, sight: Sight) -> list[dict[str, Any]]:
        rows, result = self._comments.get(submission.pk, []), self._results.get(submission.pk)
        return [
            {
                "written_at": self.told_time(one.comment.created_at),
                "by": one.comment.author.name if one.comment.author else None,
                "text": one.comment.text,
                "words": one.words,
                "spans": one.comment.spans,
                "idea": one.label,
            }
            for one in shown_of(submission, result.score if result else None, sight, rows)
        ]

    def _asked(self, look: SecondLook) -> dict[str, Any]:
        """What the student wrote, which is theirs whatever is shown."""
        return {
            "asked_at": self.told_time(look.created_at),
            "reason": look.reason,
            "spans": look.spans,
        }

    def _timeline(self, submission: Submission) -> list[dict[str, Any]]:
        return [
            {
                "when": self.told_time(entry.when),
                "who": entry.who.name if entry.who else None,
                "what": entry.what,
                "idea": entry.detail,
                "comprehensive_before": _rounded(entry.before),
                "comprehensive_after": _rounded(entry.after),
            }
            for entry in self._timelines[submission.pk]
        ]

    # --- the other files ---

    def score_rows(self) -> Iterator[Sequence[str | int | float | None]]:
        for submission in self.submissions:
            if (result := self._results.get(submission.pk)) is not None:
                yield (
                    submission.assignment.course.name,
                    submission.assignment.title,
                    submission.attempt,
                    _kind(submission),
                    self.told_time(submission.submitted_at),
                    "yes" if submission.late else "no",
                    submission.words,
                    *_numbers(result.score),
                    "yes" if result.score.is_corrected else "no",
                )

    def texts(self) -> Iterator[WrittenText]:
        for submission in self.submissions:
            at = submission.submitted_at.astimezone(self.user.zone)
            yield WrittenText(self.file_name(submission), submission.text, at)

    def file_name(self, submission: Submission) -> str:
        return f"texts/{self._names[submission.assignment_id]}-attempt-{submission.attempt}.txt"


def writings_of(user: User) -> QuerySet[Writing]:
    """Without those of courses and assignments that are about to be deleted."""
    return user.writings.filter(assignment__leaves_at=None, assignment__course__leaves_at=None)


def own_sight_of(submission: Submission, courses: Collection[int]) -> Sight:
    """What its student sees, who is in these courses."""
    assignment = submission.assignment
    if assignment.course_id not in courses or assignment.is_draft:
        return NOTHING_SHOWN
    return submission.student_sight


def _kind(submission: Submission) -> str:
    return "final" if submission.is_final else "draft"


def _state(sight: Sight, result: Result | None) -> str:
    if not sight.shown:
        return "not shown yet"
    return "shown" if result else "not scored yet"


def _numbers(score: Score) -> tuple[float | None, float | None, float | None]:
    """Quality, coverage, comprehensive; a held text has none."""
    if score.held:
        return None, None, None
    return score.quality, score.coverage, score.comprehensive


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def _file_names(assignments: Sequence[Assignment]) -> Mapping[int, str]:
    """By assignment, of its title; titles that come again are numbered."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for assignment in assignments:
        stem = slugify(assignment.title, allow_unicode=True)[:60].strip("-_") or "assignment"
        name, number = stem, 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        names[assignment.pk] = name
    return names
