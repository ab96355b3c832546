"""Which due date and how many finals apply to a student, and everything that follows from it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.assignments.actions import assignment_change
from grading.bulk_import.actions import import_start
from grading.bulk_import.queries import import_plan
from grading.extensions.actions import extension_remove, extension_save
from grading.jobs.runner import job_run
from grading.models import Assignment, Extension, Membership, Missed, User
from grading.models.terms import Terms
from grading.pyramid.errors import InputError
from grading.pyramid.formats.bulk_files import Upload
from grading.pyramid.grade_rules import GradeRule, LatePenalty, Unit
from grading.scoring.allowances import allowance_of
from grading.scoring.grades import class_grades
from grading.scoring.lateness import sections_mark_late
from grading.submissions.actions import submission_submit
from grading.web.assignment_rules import rules_of
from tests.conftest import SUMMARY, Cast
from tests.grade_scene import hand_in, keep_rule
from tests.pages import flat

ClientOf = Callable[[User | None], Client]
DAY = timedelta(days=1)
NOON = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


def fresh(assignment: Assignment) -> Assignment:
    return Assignment.objects.select_related("course").get(pk=assignment.pk)


def set_terms(assignment: Assignment, **fields: object) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(**fields)
    assignment.refresh_from_db()


def extend(
    assignment: Assignment,
    to: User | str,
    due_at: datetime | None = None,
    finals: int | None = None,
) -> Extension:
    extension = Extension(
        assignment=assignment,
        student=to if isinstance(to, User) else None,
        section=to if isinstance(to, str) else "",
        due_at=due_at,
        max_attempts=finals,
        reason="Was ill.",
    )
    extension_save(extension=extension, author=User.objects.get(username="ines"))
    return extension


@pytest.fixture
def overdue(cast: Cast, assignment: Assignment) -> Assignment:
    """Due yesterday, nothing accepted late; Zoë is in section A, Omar in B."""
    set_terms(assignment, due_at=timezone.now() - DAY, accepts_late=False, max_attempts=2)
    for student, section in ((cast.student, "A"), (cast.other_student, "B")):
        Membership.objects.filter(user=student).update(section=section)
    return assignment


# The class has until noon and 2 finals; what its section and the student are granted; what applies.
PRECEDENCE = [
    ((0, 2), None, None, (0, 2)),
    ((0, 2), (1, None), None, (1, 2)),
    ((0, 2), None, (2, None), (2, 2)),
    ((0, 2), (1, None), (2, None), (2, 2)),
    ((0, 2), (2, None), (1, None), (2, 2)),
    ((0, 2), (None, 3), (1, None), (1, 3)),
    ((0, 2), (None, 5), (None, 3), (0, 5)),
    ((0, 2), (-1, 1), (-2, 1), (0, 2)),
    ((None, 2), (1, None), (2, 4), (None, 4)),
    ((0, None), (1, 3), (2, 4), (2, None)),
    ((None, None), (1, 3), (2, 4), (None, None)),
]


@pytest.mark.parametrize(("of_class", "section", "student", "applies"), PRECEDENCE)
def test_the_most_generous_of_each_applies(
    cast: Cast,
    assignment: Assignment,
    of_class: tuple[int | None, int | None],
    section: tuple[int | None, int | None] | None,
    student: tuple[int | None, int | None] | None,
    applies: tuple[int | None, int | None],
) -> None:
    def moment(days: int | None) -> datetime | None:
        return None if days is None else NOON + days * DAY

    Membership.objects.filter(user=cast.student).update(section="A")
    set_terms(assignment, due_at=moment(of_class[0]), max_attempts=of_class[1])
    if section:
        extend(assignment, "A", moment(section[0]), section[1])
    if student:
        extend(assignment, cast.student, moment(student[0]), student[1])

    expected = Terms(moment(applies[0]), applies[1])
    assert fresh(assignment).terms_of(cast.student.pk) == expected
    assert fresh(assignment).terms_of(cast.other_student.pk) == fresh(assignment).terms


def test_a_student_with_an_extension_submits_in_time_after_the_due_date(
    cast: Cast, overdue: Assignment
) -> None:
    extend(overdue, cast.student, timezone.now() + DAY)

    submission = submission_submit(assignment=overdue, student=cast.student, text=SUMMARY)

    assert not submission.late
    with pytest.raises(InputError, match="due date has passed"):
        submission_submit(assignment=overdue, student=cast.other_student, text=SUMMARY)


def test_a_section_gets_more_finals(cast: Cast, overdue: Assignment) -> None:
    set_terms(overdue, due_at=None, max_attempts=1)
    extend(overdue, "A", finals=2)
    for student in (cast.student, cast.other_student):
        submission_submit(assignment=overdue, student=student, text=SUMMARY)

    assert allowance_of(fresh(overdue), cast.student).finals == 1
    assert allowance_of(fresh(overdue), cast.other_student).is_none


def test_late_marks_follow_the_extension_and_its_end(cast: Cast, overdue: Assignment) -> None:
    late = hand_in(overdue, cast.student, 0.5, late_by=timedelta(hours=2))
    other = hand_in(overdue, cast.other_student, 0.5, late_by=timedelta(hours=2))
    assert overdue.due_at is not None

    extension = extend(overdue, "A", overdue.due_at + timedelta(hours=3))

    late.refresh_from_db()
    other.refresh_from_db()
    assert (late.late, other.late) == (False, True)
    # Saving the settings keeps it so.
    assignment_change(assignment=fresh(overdue), fields=[])
    late.refresh_from_db()
    assert not late.late

    assert extension_remove(extension=extension).now == 1

    late.refresh_from_db()
    assert late.late


def test_late_marks_follow_a_student_into_another_section(cast: Cast, overdue: Assignment) -> None:
    assert overdue.due_at is not None
    late = hand_in(overdue, cast.student, 0.5, late_by=timedelta(hours=2))
    extend(overdue, "B", overdue.due_at + timedelta(hours=3))
    Membership.objects.filter(user=cast.student).update(section="B")

    sections_mark_late(course=cast.course, students=[cast.student.pk])

    late.refresh_from_db()
    assert not late.late


def test_the_penalty_counts_days_from_the_own_due_date(cast: Cast, overdue: Assignment) -> None:
    rule = GradeRule(points=Decimal(10), late=LatePenalty(Decimal(1), Unit.POINTS))
    keep_rule(overdue, rule)
    assert overdue.due_at is not None
    extend(overdue, cast.student, overdue.due_at + 2 * DAY)
    for student in (cast.student, cast.other_student):
        hand_in(overdue, student, 1.0, late_by=timedelta(days=2, hours=12))

    days = {grade.result.student.pk: grade.days_late for grade in class_grades(fresh(overdue))}

    assert days[cast.student.pk] == 1
    assert days[cast.other_student.pk] == 3


def test_results_after_the_due_date_are_shown_after_the_own_one(
    cast: Cast, overdue: Assignment
) -> None:
    set_terms(
        overdue,
        release=Assignment.Release.AFTER_DUE,
        missed_before=Missed.COUNTS,
        missed_after=Missed.LABELS,
    )
    extend(overdue, cast.student, timezone.now() + DAY)
    mine = hand_in(fresh(overdue), cast.student, 0.5)
    theirs = hand_in(fresh(overdue), cast.other_student, 0.5)

    assert not mine.is_shown
    assert theirs.is_shown
    assert mine.student_sight.missed == Missed.COUNTS
    assert theirs.student_sight.missed == Missed.LABELS


def test_students_read_their_own_due_date_everywhere(
    cast: Cast, overdue: Assignment, client_of: ClientOf
) -> None:
    set_terms(overdue, due_at=datetime(2030, 5, 1, 12, tzinfo=UTC))
    extend(overdue, cast.student, datetime(2030, 5, 4, 18, 30, tzinfo=UTC), 4)
    pages = [reverse("assignment", args=[overdue.pk]), reverse("course", args=[cast.course.pk])]

    for page in pages:
        mine = flat(client_of(cast.student).get(page).text)
        theirs = flat(client_of(cast.other_student).get(page).text)
        assert "4 May 2030, 18:30" in mine
        assert "1 May 2030" not in mine
        assert "1 May 2030, 12:00" in theirs
    membership = Membership.objects.get(user=cast.student)
    rules = rules_of(fresh(overdue), allowance_of(overdue, cast.student), membership)
    assert rules.attempts == "You can submit 4 times."
    assert "extension" in rules.extended


def test_imported_work_is_late_by_the_own_due_date(cast: Cast, overdue: Assignment) -> None:
    Extension.objects.all().delete()
    extend(overdue, cast.student, timezone.now() + DAY)
    started = import_start(
        assignment=overdue,
        uploads=[Upload("zoe.txt", SUMMARY.encode()), Upload("omar.txt", SUMMARY.encode())],
        name="2 files",
        author=cast.ta,
    )
    assert started.reading is not None
    assert job_run(job_pk=started.reading.pk)
    started.refresh_from_db()
    started.choices = {"handed_in_at": timezone.now().isoformat()}

    plan = import_plan(work_import=started)

    assert {row.person: row.late for row in plan.rows} == {
        cast.student.pk: False,
        cast.other_student.pk: True,
    }


def test_a_list_of_assignments_reads_extensions_at_once(cast: Cast, overdue: Assignment) -> None:
    extend(overdue, "A", timezone.now() + DAY)
    others = [
        Assignment.objects.create(course=cast.course, title=f"Essay {n}", due_at=timezone.now())
        for n in range(5)
    ]
    rows = [fresh(other) for other in [overdue, *others]]

    with CaptureQueriesContext(connection) as captured:
        Extension.objects.load(rows)
        extended = [row.terms_of(cast.student.pk) != row.terms for row in rows]

    assert extended == [True, False, False, False, False, False]
    assert len(captured) == 2
