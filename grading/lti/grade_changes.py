"""Whether anything that grades follow from has changed, without calculating a grade.

A stamp for each assignment, in a number of queries that does not grow with them. Rows that are only
added to (scores, manual grades, rules, events) count by their number and the newest; what is set in
place (late, visibility) by how many rows have it, and each release is an event besides.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from grading.models import (
    Assignment,
    Extension,
    LtiEnrolment,
    LtiLink,
    ManualGrade,
    Membership,
    Role,
    Score,
    StoredGradeRule,
    Submission,
    SubmissionEvent,
)
from grading.pyramid.stamps import stamp_of

_SHOWN, _HELD_BACK = Submission.Visibility.SHOWN, Submission.Visibility.HELD_BACK


def grade_stamps(assignments: Sequence[Assignment]) -> dict[int, str]:
    """By assignment: it differs from an earlier one once a grade may have."""
    pks = [assignment.pk for assignment in assignments]
    courses = {assignment.course_id for assignment in assignments}
    now = timezone.now()
    newest = {"count": Count("pk"), "newest": Max("pk")}
    of_assignments = [
        _by(StoredGradeRule.objects.filter(assignment__in=pks), "assignment", **newest),
        _by(ManualGrade.objects.filter(assignment__in=pks), "assignment", **newest),
        _by(
            Extension.objects.filter(assignment__in=pks),
            "assignment",
            **newest,
            changed=Max("changed_at"),
            over=Count("pk", filter=Q(due_at__lte=now)),
        ),
        _by(
            Submission.objects.filter(assignment__in=pks),
            "assignment",
            **newest,
            late=Count("pk", filter=Q(late=True)),
            final=Count("pk", filter=Q(is_final=True)),
            shown=Count("pk", filter=Q(visibility=_SHOWN)),
            held=Count("pk", filter=Q(visibility=_HELD_BACK)),
        ),
        _by(
            SubmissionEvent.objects.filter(submission__assignment__in=pks),
            "submission__assignment",
            **newest,
        ),
        _by(
            Score.objects.filter(submission__assignment__in=pks), "submission__assignment", **newest
        ),
        _enrolled(pks),
    ]
    students = Membership.objects.filter(course__in=courses, role=Role.STUDENT)
    of_courses = [_by(students, "course", **newest), _sections(pks)]
    return {
        assignment.pk: stamp_of(
            assignment.release,
            assignment.due_at,
            assignment.due_at is not None and assignment.due_at <= now,
            assignment.max_attempts,
            assignment.course.time_zone,
            [rows.get(assignment.pk) for rows in of_assignments],
            [rows.get(assignment.course_id) for rows in of_courses],
        )
        for assignment in assignments
    }


def _by(rows: "QuerySet[Any]", key: str, **figures: Any) -> Mapping[int, object]:
    counted = rows.order_by().values(key).annotate(**figures)
    return {row.pop(key): sorted(row.items()) for row in counted}


def _enrolled(pks: Sequence[int]) -> Mapping[int, object]:
    """Who is in the LMS's courses that link to an assignment."""
    links = LtiLink.objects.filter(assignment__in=pks, sends_grades=True)
    contexts = list(links.order_by("pk").values_list("assignment_id", "context_id"))
    present = LtiEnrolment.objects.filter(
        context__in={context for _, context in contexts}, role=Role.STUDENT, left_at=None
    )
    people = _by(present, "context", count=Count("pk"), newest=Max("pk"))
    by_assignment: defaultdict[int, list[object]] = defaultdict(list)
    for assignment, context in contexts:
        by_assignment[assignment].append([context, people.get(context)])
    return by_assignment


def _sections(pks: Sequence[int]) -> Mapping[int, object]:
    """By course who is in which section, where a section has an extension."""
    extended = Extension.objects.filter(assignment__in=pks, student=None)
    students = Membership.objects.filter(
        role=Role.STUDENT, course__in=extended.values("assignment__course")
    )
    places: defaultdict[int, list[object]] = defaultdict(list)
    for course, *place in students.order_by("pk").values_list("course", "user", "section"):
        places[course].append(place)
    return places
