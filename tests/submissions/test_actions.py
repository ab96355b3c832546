"""What is typed is kept, and what takes its place keeps it beside."""

import pytest

from grading.models import Assignment, Submission, User, Writing
from grading.scoring.allowances import REVISIONS_AN_ATTEMPT, Written, written_of
from grading.submissions.actions import (
    ConflictChoice,
    submission_submit,
    writing_bring_back,
    writing_replace,
    writing_save,
)
from tests.conftest import SUMMARY, Cast


def now(cast: Cast, assignment: Assignment) -> Written:
    return written_of(assignment, cast.student)


def save(
    cast: Cast,
    assignment: Assignment,
    text: str,
    revision: int | None = None,
    choice: ConflictChoice | None = None,
) -> bool:
    return writing_save(
        assignment=assignment,
        student=cast.student,
        text=text,
        revision=revision,
        choice=choice,
    )


def test_each_save_is_a_revision(cast: Cast, assignment: Assignment) -> None:
    assert now(cast, assignment) == Written("", 0)

    assert save(cast, assignment, "One", 0)
    assert save(cast, assignment, "One two", 1)

    written = now(cast, assignment)
    assert (written.text, written.revision, written.replaced) == ("One two", 2, "")


def test_the_same_text_again_is_no_revision(cast: Cast, assignment: Assignment) -> None:
    save(cast, assignment, "One", 0)

    assert save(cast, assignment, "One", 0)

    assert now(cast, assignment).revision == 1


def test_the_same_text_twice_at_the_same_moment_is_no_conflict(
    cast: Cast, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(cast, assignment, "One", 0)
    before = now(cast, assignment)
    save(cast, assignment, "One two", 1)
    reads = iter([before, now(cast, assignment)])
    monkeypatch.setattr("grading.submissions.actions.written_of", lambda *_: next(reads))

    assert save(cast, assignment, "One two", 1)

    assert now(cast, assignment).revision == 2


def test_another_window_is_not_overwritten(cast: Cast, assignment: Assignment) -> None:
    save(cast, assignment, "First window", 0)

    assert not save(cast, assignment, "Second window", 0)

    assert now(cast, assignment).text == "First window"


def test_of_two_texts_one_goes_on_and_the_other_is_kept(cast: Cast, assignment: Assignment) -> None:
    save(cast, assignment, "Theirs", 0)

    assert save(cast, assignment, "Mine", 1, ConflictChoice.KEEP)
    assert (now(cast, assignment).text, now(cast, assignment).replaced) == ("Mine", "Theirs")

    assert save(cast, assignment, "Late", 2, ConflictChoice.TAKE)
    assert (now(cast, assignment).text, now(cast, assignment).replaced) == ("Mine", "Late")


def test_a_choice_about_an_older_text_is_asked_again(cast: Cast, assignment: Assignment) -> None:
    save(cast, assignment, "Theirs", 0)
    save(cast, assignment, "Theirs, longer", 1)

    assert not save(cast, assignment, "Mine", 1, ConflictChoice.KEEP)


def test_a_window_from_before_handing_in_is_not_taken_for_one_of_after(
    cast: Cast, assignment: Assignment
) -> None:
    save(cast, assignment, SUMMARY, 0)
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    assert not Writing.objects.exists()
    assert now(cast, assignment) == Written(SUMMARY, REVISIONS_AN_ATTEMPT)

    assert not save(cast, assignment, "From the old window", 1)
    assert save(cast, assignment, "From the new one", REVISIONS_AN_ATTEMPT)


def test_the_text_of_a_file_takes_the_place_of_what_was_typed(
    cast: Cast, assignment: Assignment
) -> None:
    save(cast, assignment, "Typed")

    assert writing_replace(assignment=assignment, student=cast.student, text="File")
    assert (now(cast, assignment).text, now(cast, assignment).replaced) == ("File", "Typed")

    assert writing_bring_back(assignment=assignment, student=cast.student)
    assert (now(cast, assignment).text, now(cast, assignment).replaced) == ("Typed", "File")


def test_one_file_after_the_other_keeps_what_was_typed(cast: Cast, assignment: Assignment) -> None:
    save(cast, assignment, "Typed")

    for text in ("Wrong file", "Right file"):
        assert writing_replace(assignment=assignment, student=cast.student, text=text)
    assert now(cast, assignment).replaced == "Typed"

    save(cast, assignment, "Right file, changed")
    assert writing_replace(assignment=assignment, student=cast.student, text="Another")
    assert now(cast, assignment).replaced == "Right file, changed"


def test_without_another_text_nothing_is_brought_back(cast: Cast, assignment: Assignment) -> None:
    save(cast, assignment, "Typed")

    assert not writing_bring_back(assignment=assignment, student=cast.student)


def test_of_two_windows_that_begin_at_once_one_wins(cast: Cast, assignment: Assignment) -> None:
    Writing.objects.create(assignment=assignment, student=cast.student, text="", revision=1)

    assert not save(cast, assignment, "Mine", 0)


def test_students_write_each_for_themselves(cast: Cast, assignment: Assignment) -> None:
    save(cast, assignment, "Mine")

    assert written_of(assignment, cast.other_student) == Written("", 0)


@pytest.mark.django_db(transaction=True)
def test_what_was_on_its_way_does_not_come_back_after_handing_in(
    cast: Cast, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The student hands in between the moment a save has looked and the moment it writes."""
    looked = written_of

    def look_and_hand_in(assignment: Assignment, student: User) -> Written:
        seen = looked(assignment, student)
        if not Submission.objects.exists():
            submission_submit(assignment=assignment, student=student, text=SUMMARY)
        return seen

    monkeypatch.setattr("grading.submissions.actions.written_of", look_and_hand_in)

    assert not save(cast, assignment, "Half a text", 0)
    assert not Writing.objects.exists()
