"""What is deleted for good: hidden at once, brought back as it was, or gone without a trace."""

import json
import zlib
from datetime import timedelta

import pytest
from django.utils import timezone

from grading.courses.actions import course_join
from grading.housekeeping.deletions import (
    assignment_delete,
    clear_away,
    course_delete,
    deletion_restore,
    student_delete,
    student_deletion_preview,
)
from grading.models import (
    Assignment,
    Course,
    CourseFile,
    Deletion,
    GradebookExport,
    GradebookUpload,
    Job,
    Membership,
    Score,
    Submission,
    SubmissionEvent,
    User,
    WorkImport,
    Writing,
)
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.feedback_scene import keep, made
from tests.housekeeping.course_scene import exported, fill
from tests.rows import all_rows
from tests.scenes import make_scene

# What is worked out again, is about the deletion itself, or holds copies that go at once.
PASSING = {"CourseFile", "CourseFilePart", "Deletion", "Finding", "Job", "StoredReading"}
PASSING |= {"GradebookExport", "GradebookUpload", "ImportUpload", "SubmissionFlags", "WorkImport"}
PASSING |= {"AuditRecord"}
PASSING |= {"PyramidReading", "SecondOpinion", "StoredFacts"}


@pytest.fixture
def course(cast: Cast, assignment: Assignment, engine: Engine) -> Course:
    """Two students with work; one of them with all that can hang on it."""
    del engine
    course = fill(make_scene(cast, assignment))
    keep(made(2), assignment, cast.other_student)
    User.objects.filter(pk=cast.student.pk).update(last_login=timezone.now())
    return course


def let_go(deletion: Deletion) -> None:
    Deletion.objects.filter(pk=deletion.pk).update(leaves_at=timezone.now() - timedelta(seconds=1))
    clear_away()
    deletion.refresh_from_db()


def _job_waits(kind: Job.Kind) -> bool:
    return Job.objects.filter(kind=kind, state=Job.State.QUEUED).exists()


def dumped() -> str:
    return repr(all_rows())


def test_copies_of_what_students_wrote_go_at_once_and_the_notes_of_them_stay(
    course: Course, cast: Cast
) -> None:
    export, taken_in = GradebookExport.objects.get(), WorkImport.objects.get()
    assert export.data
    assert taken_in.document["files"]

    student_delete(course=course, student=cast.student, asked_by=cast.instructor)

    export.refresh_from_db()
    taken_in.refresh_from_db()
    assert (bytes(export.data), export.is_there) == (b"", False)
    assert taken_in.state == WorkImport.State.DISCARDED
    assert "files" not in taken_in.document
    assert not GradebookUpload.objects.exists()
    assert _job_waits(Job.Kind.FIND_FLAGS)


def test_a_student_leaves_no_row_and_comes_back_to_the_letter(course: Course, cast: Cast) -> None:
    before = all_rows(but=PASSING)
    scores = Score.objects.filter(submission__student=cast.student).count()
    counts = student_deletion_preview(course=course, student=cast.student).counts

    deletion = student_delete(course=course, student=cast.student, asked_by=cast.instructor)

    assert counts == deletion.counts
    assert (counts["submissions"], counts["corrections"], counts["second looks"]) == (1, 2, 1)
    assert counts["scores"] == scores == 4
    assert SUMMARY not in dumped()
    assert not Membership.objects.filter(course=course, user=cast.student).exists()
    assert not Submission.objects.filter(student=cast.student).exists()
    assert Score.objects.filter(submission__student=cast.other_student).count() == 1
    assert Writing.objects.get().student == cast.other_student
    assert not SubmissionEvent.objects.exists()

    assert deletion_restore(deletion=deletion, author=cast.instructor)
    assert all_rows(but=PASSING) == before
    assert _job_waits(Job.Kind.SECOND_OPINIONS)
    assert not deletion_restore(deletion=deletion, author=cast.instructor)


def test_rows_that_were_kept_before_a_field_was_renamed_are_restored(
    course: Course, cast: Cast
) -> None:
    before = all_rows(but=PASSING)
    deletion = student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    deletion.refresh_from_db()
    kept = json.loads(zlib.decompress(bytes(deletion.kept)))
    for row in kept["rows"]:
        for name, first in (("statements", "scus"), ("scu_uid", "scu")):
            if name in row["fields"]:
                row["fields"][first] = row["fields"].pop(name)
    assert any("scus" in row["fields"] for row in kept["rows"])
    assert any("scu" in row["fields"] for row in kept["rows"])
    deletion.kept = zlib.compress(json.dumps(kept).encode())
    deletion.save()

    assert deletion_restore(deletion=deletion, author=cast.instructor)
    assert all_rows(but=PASSING) == before


def test_a_student_is_deleted_once_however_often_it_is_asked(course: Course, cast: Cast) -> None:
    first = student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    second = student_delete(course=course, student=cast.student, asked_by=cast.ta)

    assert second == first
    assert Deletion.objects.filter(student=cast.student).count() == 1
    assert deletion_restore(deletion=second, author=cast.instructor)
    assert Membership.objects.filter(course=course, user=cast.student).exists()


def test_what_a_student_began_anew_is_another_deletion(course: Course, cast: Cast) -> None:
    first = student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    course_join(course=course, user=cast.student)

    second = student_delete(course=course, student=cast.student, asked_by=cast.instructor)

    assert second != first
    assert not Membership.objects.filter(course=course, user=cast.student).exists()


def test_after_the_grace_period_a_note_is_left_without_a_word(course: Course, cast: Cast) -> None:
    deletion = student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    clear_away()
    deletion.refresh_from_db()
    assert deletion.is_waiting

    let_go(deletion)

    assert deletion.state == Deletion.State.DONE
    assert (deletion.student, bytes(deletion.kept)) == (None, b"")
    assert (deletion.number, deletion.asked_by) == (cast.student.pk, cast.instructor)
    assert deletion.counts["submissions"] == 1
    row = repr(Deletion.objects.filter(pk=deletion.pk).values())
    assert "Zoë" not in row
    assert "zoe" not in row
    # Zoë has logged in: the account is hers.
    assert User.objects.filter(pk=cast.student.pk).exists()
    assert not deletion_restore(deletion=deletion, author=cast.instructor)


def test_an_account_that_nobody_ever_used_goes_as_well(course: Course, cast: Cast) -> None:
    let_go(student_delete(course=course, student=cast.other_student, asked_by=cast.instructor))

    assert not User.objects.filter(pk=cast.other_student.pk).exists()


def test_an_account_that_is_elsewhere_stays(course: Course, cast: Cast) -> None:
    course_join(course=cast.other_course, user=cast.other_student)

    let_go(student_delete(course=course, student=cast.other_student, asked_by=cast.instructor))

    assert cast.other_course.memberships.filter(user=cast.other_student).exists()


def test_who_began_anew_is_not_mixed_with_what_was(course: Course, cast: Cast) -> None:
    deletion = student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    course_join(course=course, user=cast.student)
    about = course.assignments.get()
    submission_submit(assignment=about, student=cast.student, text="Roofs store the heat.")

    with pytest.raises(InputError, match="joined the course again"):
        deletion_restore(deletion=deletion, author=cast.instructor)

    let_go(deletion)
    assert Submission.objects.get(student=cast.student).text == "Roofs store the heat."


def test_what_hung_on_a_deleted_assignment_stays_away(course: Course, cast: Cast) -> None:
    another = Assignment.objects.create(course=course, title="Another", state="open")
    keep(made(2), another, cast.student)
    deletion = student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    about = Assignment.objects.exclude(pk=another.pk).get()
    let_go(assignment_delete(assignment=about, asked_by=cast.instructor))

    deletion_restore(deletion=deletion, author=cast.instructor)

    assert Submission.objects.get(student=cast.student).assignment == another
    assert Membership.objects.filter(course=course, user=cast.student).exists()


def test_a_course_goes_with_all_that_is_in_it(course: Course, cast: Cast) -> None:
    exported(course, cast.instructor)
    student_delete(course=course, student=cast.student, asked_by=cast.instructor)

    deletion = course_delete(course=course, asked_by=cast.instructor)
    assert course_delete(course=course, asked_by=cast.ta) == deletion
    assert not CourseFile.objects.filter(course=course).exists()
    let_go(deletion)

    left = {name: len(rows) for name, rows in all_rows(but={"User"}).items() if rows}
    # The outsider's course, a file that waits to be imported, the notes, and the LMS with a course
    # that nobody has linked.
    assert set(left) <= {
        "LtiContext",
        "LtiDeployment",
        "LtiEnrolment",
        "LtiPerson",
        "LtiPlatform",
        "Course",
        "Membership",
        "CourseFile",
        "CourseFilePart",
        "Deletion",
        "AuditRecord",
    }
    assert Course.objects.get() == cast.other_course
    assert {row.course_number for row in Deletion.objects.all()} == {course.pk}
    assert not any(bytes(row.kept) for row in Deletion.objects.all())
    logins = set(User.objects.values_list("username", flat=True))
    # Who may make courses, who has logged in, who is elsewhere.
    assert logins == {"ines", "zoe", "olga"}


def test_a_course_that_is_brought_back_is_as_it_was(course: Course, cast: Cast) -> None:
    before = all_rows(but=PASSING)

    deletion = course_delete(course=course, asked_by=cast.instructor)
    deletion_restore(deletion=deletion, author=cast.instructor)

    assert all_rows(but=PASSING) == before


def test_files_go_after_a_week(course: Course, cast: Cast) -> None:
    file = exported(course, cast.instructor)
    CourseFile.objects.filter(pk=file.pk).update(expires_at=timezone.now())

    clear_away()

    assert not CourseFile.objects.filter(pk=file.pk).exists()
