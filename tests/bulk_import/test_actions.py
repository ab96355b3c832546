"""Work in bulk behind the pages: read by a worker, taken in once, forgotten in time."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from grading.assignments.actions import submissions_release
from grading.bulk_import import actions as imports
from grading.bulk_import.actions import (
    import_apply,
    import_choose,
    import_discard,
    import_start,
    imports_forget,
)
from grading.bulk_import.queries import ImportChoices, import_plan
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    ImportUpload,
    Job,
    Submission,
    SubmissionEvent,
    WorkImport,
    Writing,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.bulk_files import ReadUploads, Upload, read_uploads
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.pyramid.formats.made_files import paragraph, word_file
from tests.pyramid.formats.made_zips import ADA, BEN

STATES = WorkImport.State


def sent(cast: Cast, assignment: Assignment, **files: str) -> WorkImport:
    uploads = [Upload(f"{name}.txt", text.encode()) for name, text in files.items()]
    return import_start(assignment=assignment, uploads=uploads, name="files", author=cast.ta)


def read(started: WorkImport) -> WorkImport:
    assert started.reading is not None
    job_run(job_pk=started.reading.pk)
    started.refresh_from_db()
    return started


def take_in(started: WorkImport, cast: Cast) -> WorkImport | None:
    plan = import_plan(work_import=started)
    taken = {row.file.number for row in plan.rows if row.ticked}
    return import_apply(work_import=started, stamp=plan.stamp, ticked=taken, author=cast.ta)


def test_files_are_read_apart_by_a_worker_and_then_deleted(
    cast: Cast, assignment: Assignment
) -> None:
    uploads = [
        Upload("zoe.docx", word_file(paragraph(ADA))),
        Upload("omar.html", f"<p>{BEN}</p>".encode()),
        Upload("broken.pdf", b"%PDF-1.4 nothing"),
    ]
    started = import_start(assignment=assignment, uploads=uploads, name="3 files", author=cast.ta)
    assert ImportUpload.objects.count() == 3

    read(started)

    assert started.state == STATES.READY
    assert not ImportUpload.objects.exists()
    plan = import_plan(work_import=started)
    assert {row.person: row.file.text for row in plan.rows if row.person} == {
        cast.student.pk: ADA,
        cast.other_student.pk: BEN,
    }
    assert [row.file.named.path for row in plan.rows if row.file.error] == ["broken.pdf"]
    assert started.reading is not None
    started.reading.refresh_from_db()
    assert started.reading.state == Job.State.DONE


def test_taking_in_makes_finals_with_an_event_and_leaves_writings(
    cast: Cast, assignment: Assignment
) -> None:
    Writing.objects.create(assignment=assignment, student=cast.student, text="Half a sentence")
    Assignment.objects.update(max_attempts=1, due_at=timezone.now() - timedelta(days=1))
    submission_submit_before = Submission.objects.create(
        assignment=assignment, student=cast.student, text="Before.", words=1
    )

    done = take_in(read(sent(cast, assignment, zoe=ADA, omar=BEN)), cast)

    assert done is not None
    assert done.attempts == 2
    made = Submission.objects.exclude(pk=submission_submit_before.pk)
    assert {
        (
            submission.student,
            submission.attempt,
            submission.text,
            submission.is_final,
            submission.late,
        )
        for submission in made
    } == {
        (cast.student, 2, ADA, True, False),
        (cast.other_student, 1, BEN, True, False),
    }
    events = SubmissionEvent.objects.filter(kind=SubmissionEvent.Kind.IMPORTED)
    assert {(event.submission.student, event.author) for event in events} == {
        (cast.student, cast.ta),
        (cast.other_student, cast.ta),
    }
    assert Writing.objects.get().text == "Half a sentence"
    imported = WorkImport.objects.get()
    assert (imported.state, imported.attempts, imported.ended_by) == (STATES.APPLIED, 2, cast.ta)
    assert "files" not in imported.document


def test_an_import_for_a_student_whose_results_are_held_back_is_held_back(
    cast: Cast, assignment: Assignment
) -> None:
    submission_submit(assignment=assignment, student=cast.student, text="Before.")
    submissions_release(
        assignment=assignment,
        students=[cast.student.pk],
        visibility=Submission.Visibility.HELD_BACK,
        author=cast.ta,
    )

    assert take_in(read(sent(cast, assignment, zoe=ADA, omar=BEN)), cast)

    newest = {row.student: row.visibility for row in assignment.submissions.order_by("attempt")}
    assert newest == {
        cast.student: Submission.Visibility.HELD_BACK,
        cast.other_student: Submission.Visibility.RULE,
    }


def test_two_graders_at_once_do_not_collide(cast: Cast, assignment: Assignment) -> None:
    first, second = sent(cast, assignment, zoe=ADA), sent(cast, assignment, zoe=BEN)
    assert first.reading_id == second.reading_id  # one job reads both
    read(first)
    second.refresh_from_db()
    stamp = import_plan(work_import=second).stamp

    assert take_in(first, cast)
    assert import_apply(work_import=second, stamp=stamp, ticked={1}, author=cast.ta) is None

    assert take_in(second, cast)
    assert list(Submission.objects.order_by("attempt").values_list("attempt", "text")) == [
        (1, ADA),
        (2, BEN),
    ]
    assert take_in_again(first, cast) is None


def take_in_again(started: WorkImport, cast: Cast) -> WorkImport | None:
    return import_apply(work_import=started, stamp="", ticked={1}, author=cast.ta)


def test_a_student_who_hands_in_meanwhile_changes_the_plan(
    cast: Cast, assignment: Assignment
) -> None:
    started = read(sent(cast, assignment, zoe=ADA))
    stamp = import_plan(work_import=started).stamp
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)

    done = import_apply(work_import=started, stamp=stamp, ticked={1}, author=cast.ta)

    assert done is None
    assert Submission.objects.count() == 1


def test_the_same_text_again_makes_no_new_attempt(cast: Cast, assignment: Assignment) -> None:
    take_in(read(sent(cast, assignment, zoe=ADA)), cast)

    done = take_in(read(sent(cast, assignment, zoe=ADA)), cast)

    assert done is not None
    assert done.attempts == 0
    assert Submission.objects.count() == 1


def test_two_files_of_one_student_are_never_both_taken(cast: Cast, assignment: Assignment) -> None:
    started = read(sent(cast, assignment, zoe=ADA, zoe_essay=BEN))
    plan = import_plan(work_import=started)

    with pytest.raises(InputError, match="Two files of the same student"):
        import_apply(work_import=started, stamp=plan.stamp, ticked={1, 2}, author=cast.ta)


def test_a_grader_gives_a_file_to_somebody(cast: Cast, assignment: Assignment) -> None:
    started = read(sent(cast, assignment, unknown=ADA))
    assert import_plan(work_import=started).without == (cast.student.pk, cast.other_student.pk)

    import_choose(work_import=started, choices=ImportChoices({1: cast.student.pk}))
    started.refresh_from_db()

    assert take_in(started, cast)
    assert Submission.objects.get().student == cast.student


def test_an_upload_without_work_fails_in_words_and_the_others_are_read(
    cast: Cast, assignment: Assignment
) -> None:
    empty = import_start(
        assignment=assignment, uploads=[Upload(".DS_Store", b"x")], name="x", author=cast.ta
    )
    good = sent(cast, assignment, zoe=ADA)
    read(empty)
    good.refresh_from_db()

    assert empty.state == STATES.FAILED
    assert "student's file in your upload" in empty.error
    assert good.state == STATES.READY


def test_what_is_discarded_while_it_is_read_stays_so(
    cast: Cast, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = import_start(
        assignment=assignment, uploads=[Upload("zoe.html", b"<p>x</p>")], name="x", author=cast.ta
    )

    def discarding(*args: Any, **kwargs: Any) -> ReadUploads:
        import_discard(work_import=started, author=cast.instructor)
        return read_uploads(*args, **kwargs)

    monkeypatch.setattr(imports, "read_uploads", discarding)
    read(started)

    assert started.state == STATES.DISCARDED
    assert "files" not in started.document
    assert not import_discard(work_import=started, author=cast.ta)


def test_what_nobody_takes_in_is_forgotten_after_two_weeks(
    cast: Cast, assignment: Assignment
) -> None:
    old, new = read(sent(cast, assignment, zoe=ADA)), read(sent(cast, assignment, zoe=BEN))
    WorkImport.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=15))

    assert imports_forget() == 1

    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.state, new.state) == (STATES.DISCARDED, STATES.READY)
    assert "files" not in old.document
