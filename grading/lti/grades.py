"""Grades for the LMS: what it shall have of each student, and sending what it does not have yet.

Every five minutes a worker compares what each LMS was last sent with the current grades, wherever
something changed since, so whatever changes a grade (a release, a correction, another rule) is
sent without being told. Students without
a grade are sent without a number, never with a zero: by the standard that also takes a number back.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from operator import attrgetter
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from grading.grades.gradebook_files import comments_to_students
from grading.jobs.claims import Claim, job_start
from grading.lti.grade_changes import grade_stamps
from grading.lti.outgoing import PlatformError
from grading.lti.services import SCORES, access_token, line_item_find_or_make, score_send
from grading.models import (
    Assignment,
    Extension,
    Job,
    LtiEnrolment,
    LtiGrade,
    LtiLink,
    Role,
    StoredGradeRule,
    Submission,
    User,
)
from grading.models.grade_rules import rule_of
from grading.pyramid.errors import PyramidError
from grading.scoring.grades import (
    StudentGrade,
    class_grades,
    is_released,
    points_possible,
)

logger = logging.getLogger(__name__)

# Until a grade is tried again; after the last it has failed, and is in the list.
TRIED_AGAIN_AFTER: Final = [timedelta(minutes=minutes) for minutes in (5, 15, 60, 240, 720)]
REFUSED: Final = frozenset({400, 401, 403, 404, 422})  # trying again changes nothing soon
LOOKED_AT_LEAST_EVERY: Final = timedelta(days=1)
LONGEST_COMMENT: Final = 10_000  # characters
UNTOUCHED: Final = "Initialized"  # nothing is sent of whom there was never more to say
GONE: Final = 404
STATES = LtiGrade.State


def grading_links() -> Any:
    """Links of assignments whose grades go to an LMS."""
    return LtiLink.objects.filter(
        sends_grades=True,
        assignment__archived_at=None,
        assignment__leaves_at=None,
        assignment__course__archived_at=None,
        assignment__course__leaves_at=None,
        context__deployment__is_allowed=True,
        context__deployment__platform__is_active=True,
    ).exclude(assignment=None)


def grades_look() -> int:
    """Find what each LMS is to be sent, and start jobs that send; return how many.

    Grades are calculated only where something changed since the last look, and once a day.
    """
    links = list(grading_links())
    pks = {link.assignment_id for link in links}
    assignments = list(Assignment.objects.filter(pk__in=pks).select_related("course"))
    stamps, now = grade_stamps(assignments), timezone.now()
    for assignment in assignments:
        own = [link for link in links if link.assignment_id == assignment.pk]
        if any(
            link.grades_stamp != stamps[assignment.pk]
            or link.grades_looked_at is None
            or link.grades_looked_at < now - LOOKED_AT_LEAST_EVERY
            for link in own
        ):
            _look(assignment, own, stamps[assignment.pk])
    due = LtiGrade.objects.due().filter(link__in=links)
    pks_due = set(due.values_list("link__assignment", flat=True))
    waiting = [assignment for assignment in assignments if assignment.pk in pks_due]
    for assignment in waiting:
        grades_start(assignment=assignment, requested_by=None)
    return len(waiting)


def _look(assignment: Assignment, links: list[LtiLink], stamp: str) -> None:
    """The stamp was made before: what changes meanwhile is found by the next look."""
    try:
        grades_find(assignment=assignment)
    except Exception:  # of one assignment: the others go on
        logger.exception("No grades could be found for assignment %s.", assignment.pk)
        return
    rows = LtiLink.objects.filter(pk__in=[link.pk for link in links])
    rows.update(grades_stamp=stamp, grades_looked_at=timezone.now())


def grades_start(*, assignment: Assignment, requested_by: User | None) -> Job:
    return job_start(kind=Job.Kind.SEND_GRADES, assignment=assignment, requested_by=requested_by)


@transaction.atomic
def grades_find(*, assignment: Assignment) -> None:
    """Let wait what differs from what each LMS has."""
    scores = dict(_scores(assignment))
    links = list(grading_links().filter(assignment=assignment))
    enrolments = LtiEnrolment.objects.filter(
        context__in=[link.context_id for link in links], role=Role.STUDENT, left_at=None
    ).select_related("person")
    kept = {
        (row.link_id, row.enrolment_id): row
        for row in LtiGrade.objects.filter(link__in=links).select_for_update()
    }
    comments = comments_to_students(assignment) if any(row.sends_comments for row in links) else {}
    for link in links:
        for enrolment in enrolments:
            if enrolment.context_id == link.context_id:
                student = enrolment.person.user_id
                score = scores.get(student)
                if link.sends_comments and score is not None and "scoreGiven" in score:
                    # Released, and so is the attempt that counts, which comments are on. Empty
                    # where there is none any more: the LMS then shows none either.
                    comment = comments.get(student, "")[:LONGEST_COMMENT]
                    score = score | {"comment": comment}
                _note(link, enrolment, kept.get((link.pk, enrolment.pk)), score)


def _note(
    link: LtiLink, enrolment: LtiEnrolment, row: LtiGrade | None, score: dict[str, Any] | None
) -> None:
    if score is None:
        return
    if row is None:
        if score["activityProgress"] != UNTOUCHED:
            LtiGrade.objects.create(link=link, enrolment=enrolment, wanted=score)
        return
    if row.wanted == score:
        return
    row.wanted = score
    row.tries, row.problem, row.send_after = 0, "", timezone.now()
    row.state = STATES.SENT if row.sent == score else STATES.WAITING
    row.save()


def _scores(assignment: Assignment) -> Iterator[tuple[int, dict[str, Any]]]:
    """By student what an LMS shall have."""
    rule = rule_of(StoredGradeRule.objects.newest_of(assignment))
    Extension.objects.load([assignment])
    work: dict[int, list[Submission]] = {}
    for row in assignment.submissions.defer("text").order_by("-attempt"):
        row.assignment = assignment
        work.setdefault(row.student_id, []).append(row)
    for grade in class_grades(assignment):
        student = grade.result.membership.user_id
        attempts = work.get(student, [])
        released = is_released(rule, assignment, student, attempts, attrgetter("is_shown"))
        yield student, score_of(grade, attempts, released=released)


def score_of(
    grade: StudentGrade, attempts: Sequence[Submission], *, released: bool
) -> dict[str, Any]:
    """A score of the Assignment and Grade Services, without its time and person.

    The standard has no word for excused: the number is taken back, and the LMS's own is to be set.
    """
    if released and grade.grade is not None and not grade.excused:
        return {
            "scoreGiven": float(grade.grade),
            "scoreMaximum": float(grade.possible),
            "activityProgress": "Completed",
            "gradingProgress": "FullyGraded",
        }
    if any(row.is_final for row in attempts):
        return {"activityProgress": "Submitted", "gradingProgress": "Pending"}
    begun = "InProgress" if attempts else UNTOUCHED
    return {"activityProgress": begun, "gradingProgress": "NotReady"}


# --- send ---


def grades_send(job: Job, claim: Claim) -> None:
    """Send what waits of an assignment."""
    grades_find(assignment=job.assignment)
    for link in (
        grading_links()
        .filter(assignment=job.assignment)
        .select_related("context__deployment__platform", "assignment")
    ):
        due = list(LtiGrade.objects.due().filter(link=link).select_related("enrolment__person"))
        if due:
            _send_to(link, due, claim)
    claim.finish()


def _send_to(link: LtiLink, due: list[LtiGrade], claim: Claim) -> None:
    try:
        _ensure_line_item(link)
        token = access_token(link.context.deployment.platform, SCORES)
    except PyramidError as error:
        for grade in due:
            _try_later(grade, str(error), is_refused=False)
        return
    for done, grade in enumerate(due):
        claim.progress("Sending grades to the LMS", done, len(due))
        _send(link, grade, token)


def _ensure_line_item(link: LtiLink) -> None:
    if link.line_item_url or link.assignment is None:
        return
    link.line_item_url = line_item_find_or_make(
        link.context,
        label=link.assignment.title,
        maximum=float(points_possible(link.assignment)),
        resource_id=resource_id_of(link.assignment),
        link_id=link.resource_link_id,
    )
    link.save(update_fields=["line_item_url"])


def resource_id_of(assignment: Assignment) -> str:
    """What a column of an LMS is known by as this assignment's."""
    return f"pyreval-assignment-{assignment.pk}"


def _send(link: LtiLink, grade: LtiGrade, token: str) -> None:
    """A worker that dies in between has perhaps sent it: it is sent again, and that is harmless."""
    wanted = grade.wanted
    now = timezone.now()
    score = wanted | {
        "userId": grade.enrolment.person.subject,
        "timestamp": now.isoformat(timespec="milliseconds"),
    }
    try:
        score_send(link.line_item_url, score, token)
    except PlatformError as error:
        if error.status == GONE and link.context.line_items_url:
            # Somebody deleted the column: the next try finds or makes one.
            LtiLink.objects.filter(pk=link.pk).update(line_item_url="")
        _try_later(grade, str(error), is_refused=error.status in REFUSED)
        return
    # What has changed meanwhile still waits.
    LtiGrade.objects.filter(pk=grade.pk).update(sent=wanted, sent_at=now)
    LtiGrade.objects.filter(pk=grade.pk, wanted=wanted).update(
        state=STATES.SENT, tries=0, problem=""
    )


def _try_later(grade: LtiGrade, problem: str, *, is_refused: bool) -> None:
    grade.tries += 1
    grade.problem = problem[:500]
    grade.state = STATES.FAILED
    if grade.tries <= len(TRIED_AGAIN_AFTER) and not (is_refused and grade.tries > 1):
        grade.state = STATES.WAITING
        grade.send_after = timezone.now() + TRIED_AGAIN_AFTER[grade.tries - 1]
    grade.save(update_fields=["tries", "problem", "state", "send_after"])


def grades_try_again(*, assignment: Assignment, requested_by: User) -> int:
    """Let what failed wait again, and send it now; return how many there are."""
    again = LtiGrade.objects.filter(link__assignment=assignment).exclude(state=STATES.SENT)
    count = again.update(state=STATES.WAITING, tries=0, send_after=timezone.now())
    grades_start(assignment=assignment, requested_by=requested_by)
    return count
