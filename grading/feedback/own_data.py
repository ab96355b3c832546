"""All that is stored about a person's work, with results as far as they are shown to them now.

Whatever role the reader has in a course by now, a result is shown as to its student. No result is
shown of courses that they have left, or of assignments that students cannot see.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from grading import access
from grading.feedback.ideas import contradictions_of, missed_ideas_shown
from grading.models import (
    Assignment,
    Comment,
    Extension,
    ManualGrade,
    Missed,
    Score,
    SecondLook,
    Sight,
    StoredGradeRule,
    StoredPyramid,
    Submission,
    SubmissionEvent,
    User,
    Writing,
)
from grading.pyramid.formats.my_work import MyWork, WrittenText
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from grading.scoring.comments_shown import shown_of
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.grades import grade_of_attempts, is_grade_shown
from grading.scoring.results import newest_scores
from grading.scoring.second_looks import second_looks_shown
from grading.web.timeline import TimelineEntry, events_of, timelines_of

FORMAT = 1  # of my-work.json
NOTHING_SHOWN = Sight(shown=False, missed=Missed.NOTHING)


def own_work_of(user: User) -> MyWork:
    """Everything for the archive, in the same number of queries for any number of attempts."""
    work = OwnWork(user)
    return MyWork(
        document={
            "format": FORMAT,
            "account": {
                "login": user.username,
                "name": user.name,
                "email": user.verified_email,
                "unconfirmed_email": user.pending_email,
                "time_zone": user.time_zone,
                "joined": work.format_time(user.date_joined),
            },
            "courses": work.courses(),
            "assignments": work.assignments(),
        },
        scores=list(work.score_rows()),
        texts=list(work.texts()),
    )


def own_data_summary(user: User) -> dict[str, Any]:
    """What the page says about the stored data."""
    memberships = access.get_memberships_of(user)
    submissions = user.submissions.staying()
    courses = {membership.course_id for membership in memberships}
    rows = submissions.select_related("assignment").defer("text").order_by("assignment", "attempt")
    attempts = list(rows)
    for attempt in attempts:
        attempt.student = user
    Extension.objects.load(attempt.assignment for attempt in attempts)
    timelines = timelines_of([(attempt, own_sight_of(attempt, courses)) for attempt in attempts])
    corrections: list[tuple[Submission, list[TimelineEntry]]] = [
        (attempt, [entry for entry in timelines[attempt.pk] if entry.is_correction])
        for attempt in attempts
    ]
    return {
        "memberships": memberships,
        "attempts": submissions.count(),
        "assignments": submissions.values("assignment").distinct().count(),
        "writings": writings_of(user).exclude(text="").count(),
        "second_looks": SecondLook.objects.filter(submission__in=submissions).count(),
        "pending_deletions": access.get_pending_deletions_of_student(user),
        "corrected": [(attempt, entries) for attempt, entries in corrections if entries],
    }


def writings_of(user: User) -> QuerySet[Writing]:
    """Unsubmitted texts, without those of courses and assignments that are being deleted."""
    return user.writings.filter(assignment__leaves_at=None, assignment__course__leaves_at=None)


def own_sight_of(submission: Submission, courses: Collection[int]) -> Sight:
    """What its student may see, who is in these courses."""
    assignment = submission.assignment
    if assignment.course_id not in courses or assignment.is_draft:
        return NOTHING_SHOWN
    return submission.student_sight


class OwnWork:
    """The rows of one person, read once. Nothing is read about results that are hidden."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.memberships = list(access.get_memberships_of(user))
        self._courses = {membership.course_id for membership in self.memberships}
        submissions = user.submissions.staying().select_related("assignment__course")
        self.submissions = list(submissions.order_by("assignment", "attempt"))
        for submission in self.submissions:
            submission.student = user
        writings = writings_of(user).select_related("assignment__course")
        self.writings = {writing.assignment_id: writing for writing in writings}
        rows: list[Submission | Writing] = [*self.submissions, *self.writings.values()]
        Extension.objects.load(row.assignment for row in rows)
        self._assignments = {row.assignment_id: row.assignment for row in rows}
        # By assignment, a file name made of its title; equal ones are numbered.
        names: dict[int, str] = {}
        for pk, assignment in self._assignments.items():
            stem = slugify(assignment.title, allow_unicode=True)[:60].strip("-_") or "assignment"
            name, number = stem, 1
            while name in names.values():
                number += 1
                name = f"{stem}-{number}"
            names[pk] = name
        self._names = names
        self._scores, self._pyramids = self._shown_scores()
        self._looks: defaultdict[int, list[SecondLook]] = defaultdict(list)
        for look in SecondLook.objects.filter(submission__in=self.submissions):
            self._looks[look.submission_id].append(look)
        self._comments = self._shown_comments()
        rules = StoredGradeRule.objects.filter(assignment__in=self._assignments).order_by("pk")
        self._rules = {stored.assignment_id: stored for stored in rules}
        manual_grades = ManualGrade.objects.filter(student=user).order_by("pk")
        self._manual_grades = {row.assignment_id: row for row in manual_grades}
        self._events: defaultdict[int, list[SubmissionEvent]] = defaultdict(list)
        for event in events_of(row for row in self.submissions if self._sight_of(row).shown):
            self._events[event.submission_id].append(event)
        self._timelines = timelines_of(
            [(row, self._sight_of(row)) for row in self.submissions],
            logged=chain.from_iterable(self._events.values()),
        )

    def format_time(self, moment: datetime) -> str:
        return moment.astimezone(self.user.zone).isoformat(timespec="seconds")

    def _sight_of(self, submission: Submission) -> Sight:
        return own_sight_of(submission, self._courses)

    def _shown_scores(self) -> tuple[dict[int, Score], dict[int, Pyramid]]:
        """Scores by submission, and their pyramids by version; each pyramid is parsed once."""
        shown = [row for row in self.submissions if self._sight_of(row).shown]
        if not shown:
            return {}, {}
        newest = newest_scores(shown).values()
        scores = list(Score.objects.filter(pk__in=[score.pk for score in newest]))
        versions = StoredPyramid.objects.in_bulk({score.pyramid_id for score in scores})
        for score in scores:
            score.pyramid = versions[score.pyramid_id]
        pyramids = {pk: pyramid_from_row(version) for pk, version in versions.items()}
        return {score.submission_id: score for score in scores}, pyramids

    def _shown_comments(self) -> defaultdict[int, list[Comment]]:
        comments: defaultdict[int, list[Comment]] = defaultdict(list)
        shown = [row.pk for row in self.submissions if self._sight_of(row).shown]
        if shown:
            rows = Comment.objects.to_the_student().filter(submission__in=shown)
            for row in rows.select_related("author", "pyramid"):
                comments[row.submission_id].append(row)
        return comments

    # --- my-work.json ---

    def courses(self) -> list[dict[str, Any]]:
        return [
            {
                "name": membership.course.name,
                "term": membership.course.term,
                "role": membership.get_role_display(),
                "joined": self.format_time(membership.joined_at),
                "roster_email": membership.roster_email,
            }
            for membership in self.memberships
        ]

    def assignments(self) -> list[dict[str, Any]]:
        attempts: defaultdict[int, list[Submission]] = defaultdict(list)
        for submission in self.submissions:
            attempts[submission.assignment_id].append(submission)
        return [
            {
                "course": assignment.course.name,
                "term": assignment.course.term,
                "title": assignment.title,
                "extension": self._extension(assignment),
                "grade": self._grade(assignment, attempts[pk]),
                "not_submitted": self._writing(self.writings.get(pk)),
                "attempts": [self._attempt(attempt) for attempt in attempts[pk]],
            }
            for pk, assignment in self._assignments.items()
        ]

    def _grade(
        self, assignment: Assignment, attempts: Sequence[Submission]
    ) -> dict[str, Any] | None:
        """The grade as far as the student sees it."""
        stored, latest_first = self._rules.get(assignment.pk), list(reversed(attempts))
        if stored is None or assignment.course_id not in self._courses or assignment.is_draft:
            return None
        if not is_grade_shown(
            stored,
            assignment,
            self.user.pk,
            latest_first,
            lambda row: self._sight_of(row).shown,
        ):
            return None
        membership = next(row for row in self.memberships if row.course_id == assignment.course_id)
        manual = self._manual_grades.get(assignment.pk)
        grade = grade_of_attempts(stored.rule, membership, latest_first, self._scores, manual)
        return {
            "points": None if grade.grade is None else str(grade.grade),
            "out_of": str(grade.possible),
            "band": grade.label,
            "state": grade.state,
            "set_by_hand": grade.by_hand,
            "reason": grade.reason,
            "calculated": [] if grade.by_rule is None else list(grade.by_rule.steps),
        }

    def _extension(self, assignment: Assignment) -> dict[str, Any] | None:
        """The student's own due date and number of finals, where they differ from the class's."""
        terms = assignment.terms_of(self.user.pk)
        if terms == assignment.terms:
            return None
        return {
            "due": self.format_time(terms.due_at) if terms.due_at else None,
            "finals": terms.max_attempts,
        }

    def _writing(self, writing: Writing | None) -> dict[str, Any] | None:
        if writing is None:
            return None
        return {
            "text": writing.text,
            "replaced_text": writing.replaced,
            "saved_at": self.format_time(writing.saved_at),
        }

    def _attempt(self, submission: Submission) -> dict[str, Any]:
        sight, score = self._sight_of(submission), self._scores.get(submission.pk)
        result, state = None, "not scored yet" if sight.shown else "not shown yet"
        if score:
            state = "shown"
            result = own_result_of(
                submission_to_text(submission),
                self._pyramids[score.pyramid_id],
                report_from_row(score),
                sight,
                corrected=score.is_corrected,
            )
        comments = shown_of(submission, score, sight, self._comments[submission.pk])
        return {
            "attempt": submission.attempt,
            "kind": _kind(submission),
            "submitted_at": self.format_time(submission.submitted_at),
            "late": submission.late,
            "words": submission.words,
            "copied_share": submission.copied,
            "text": submission.text,
            "file": self._file_name(submission),
            "results": state,
            "result": result,
            "second_looks": self._second_looks(submission, sight),
            "comments": [
                {
                    "written_at": self.format_time(row.comment.created_at),
                    "by": row.comment.author.name if row.comment.author else None,
                    "text": row.comment.text,
                    "words": row.words,
                    "spans": row.comment.spans,
                    "idea": row.label,
                }
                for row in comments
            ],
            "what_happened": [
                {
                    "when": self.format_time(entry.when),
                    "who": entry.who.name if entry.who else None,
                    "what": entry.what,
                    "idea": entry.detail,
                    "comprehensive_before": _rounded(entry.before),
                    "comprehensive_after": _rounded(entry.after),
                }
                for entry in self._timelines[submission.pk]
            ],
        }

    def _second_looks(self, submission: Submission, sight: Sight) -> list[dict[str, Any]]:
        """What the student wrote is theirs whatever is shown; the rest only with the result."""

        def request(look: SecondLook) -> dict[str, Any]:
            asked_at = self.format_time(look.created_at)
            return {"asked_at": asked_at, "reason": look.reason, "spans": look.spans}

        looks = self._looks[submission.pk]
        if not looks or not sight.shown:
            return [request(look) for look in looks]
        return [
            request(shown.look)
            | {
                "words": shown.words,
                "idea": shown.idea,
                "disputes_match": shown.look.disputes_match,
                "state": shown.look.outcome,
                "answer": shown.look.answer,
                "answered_by": shown.look.answered_by.name if shown.look.answered_by else None,
                "answered_at": self.format_time(shown.look.answered_at)
                if shown.look.answered_at
                else None,
                "found_now": shown.counted,
                "comprehensive_before": _rounded(shown.before),
                "comprehensive_after": _rounded(shown.after),
            }
            for shown in second_looks_shown(
                submission, sight, self._scores.get(submission.pk), self._events[submission.pk]
            )
        ]

    # --- the other files ---

    def score_rows(self) -> Iterator[Sequence[str | int | float | None]]:
        """One for each attempt with a score that is shown; a held text has no numbers."""
        for submission in self.submissions:
            if (score := self._scores.get(submission.pk)) is not None:
                numbers = (score.quality, score.coverage, score.comprehensive)
                yield (
                    submission.assignment.course.name,
                    submission.assignment.title,
                    submission.attempt,
                    _kind(submission),
                    self.format_time(submission.submitted_at),
                    "yes" if submission.late else "no",
                    submission.words,
                    *((None, None, None) if score.held else numbers),
                    "yes" if score.is_corrected else "no",
                )

    def texts(self) -> Iterator[WrittenText]:
        for submission in self.submissions:
            at = submission.submitted_at.astimezone(self.user.zone)
            yield WrittenText(self._file_name(submission), submission.text, at)

    def _file_name(self, submission: Submission) -> str:
        return f"texts/{self._names[submission.assignment_id]}-attempt-{submission.attempt}.txt"


def own_result_of(
    text: Text, pyramid: Pyramid, report: ScoreReport, sight: Sight, *, corrected: bool
) -> dict[str, Any]:
    """The result of an attempt: the matches, and as much of the rest as the student may see.

    A held text has no numbers yet, which is not a zero.
    """
    pyramid, evidence = pyramid.counted(), report.evidence
    scus = {scu.uid: scu for scu in pyramid.scus}
    matches = sorted(evidence.credited, key=lambda match: match.spans)
    matches = [match for match in matches if match.scu_uid in scus]
    # A number would tell how many ideas there are at least.
    numbers = {} if sight.missed == Missed.NOTHING else pyramid.numbers()
    matched = {match.scu_uid for match in matches}
    scores = {
        "quality": report.quality,
        "coverage": report.coverage,
        "comprehensive": report.comprehensive,
        "points": report.raw,
    }
    contradictions = []
    for row in contradictions_of(text, pyramid, report, sight):
        experts = {"idea": row.label, "experts_words": row.experts, "remark": row.remark}
        shown = {name: words for name, words in experts.items() if words}
        contradictions.append({"words": row.words, "spans": spans_to_json(row.spans)} | shown)
    result = {
        **{name: None if evidence.is_held else _rounded(value) for name, value in scores.items()},
        "parts_counted": report.statements,
        "corrected_by_hand": corrected,
        "remarks": list(report.remarks),
        "found": [
            {
                "number": numbers.get(match.scu_uid),
                "idea": scus[match.scu_uid].label,
                "weight": scus[match.scu_uid].weight,
                "words": text.words_at(match.spans),
                "spans": spans_to_json(match.spans),
                "sureness": None if match.probability is None else round(match.probability, 2),
                "by_hand": match.by_hand,
                "to_check": list(match.remarks),
            }
            for match in matches
        ],
        "may_contradict_the_experts": contradictions,
        "held": [
            {"words": text.words_at((span,)), "spans": spans_to_json((span,))}
            for span in evidence.held
        ],
        "said_again": [
            {
                "number": numbers.get(repeat.scu_uid),  # of the idea above that it repeats
                "idea": scus[repeat.scu_uid].label,
                "words": text.words_at(repeat.segment.spans),
                "spans": spans_to_json(repeat.segment.spans),
            }
            for repeat in evidence.repeats
            if repeat.scu_uid in matched
        ],
    }
    return result | ({} if evidence.is_held else _missed(pyramid, report, sight))


def _missed(pyramid: Pyramid, report: ScoreReport, sight: Sight) -> dict[str, Any]:
    """The missed ideas as data; empty where the student may not know whether there are any."""
    missed = missed_ideas_shown(pyramid, report, sight)
    if missed is None:
        return {}
    uids = {match.scu_uid for match in report.evidence.credited}
    matched = Counter(scu.weight for scu in pyramid.scus if scu.uid in uids)
    totals = Counter(scu.weight for scu in pyramid.scus)
    result: dict[str, Any] = {
        "by_weight": [
            {"weight": weight, "found": matched[weight], "of": totals[weight]}
            for weight in sorted(totals, reverse=True)
        ]
    }
    ideas: list[dict[str, Any]] = []
    for idea in (*missed.first, *missed.more):
        if sight.missed == Missed.HINTS:
            about = list(idea.topics)
            ideas.append({"number": idea.number, "weight": idea.weight, "about": about})
        else:
            quote = {"experts_words": idea.quote.words} if idea.quote else {}
            label = {"number": idea.number, "weight": idea.weight, "idea": idea.label}
            ideas.append(label | quote)
    return result | ({"not_found": ideas} if ideas else {})


def _kind(submission: Submission) -> str:
    return "final" if submission.is_final else "draft"


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
