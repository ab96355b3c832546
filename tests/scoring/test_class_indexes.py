"""A worker remembers a class from job to job, and what it saves is as if it had read all anew."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest
from django.db import connection, transaction

from grading.models import Assignment, Membership, Role, Submission, SubmissionFlags, User
from grading.pyramid.flags.text_flags import flags_from_json
from grading.pyramid.flags.text_index import TextIndex
from grading.scoring import class_indexes, flags
from grading.scoring.class_indexes import ClassIndex
from grading.scoring.flags import flags_refresh
from tests.conftest import Cast, make_assignment
from tests.scoring.test_flags import OWN

Near = dict[int, list[int]]


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    another_worker(monkeypatch)


def another_worker(monkeypatch: pytest.MonkeyPatch) -> dict[int, ClassIndex]:
    """From here on we are a process that has seen no class yet."""
    remembered: dict[int, ClassIndex] = {}
    monkeypatch.setattr(class_indexes, "_remembered", remembered)
    return remembered


def submit(assignment: Assignment, student: User, text: str = OWN) -> int:
    attempt = assignment.submissions.filter(student=student).count() + 1
    return Submission.objects.create(
        assignment=assignment, student=student, text=text, words=len(text.split()), attempt=attempt
    ).pk


def third(cast: Cast) -> User:
    student = User.objects.create_user("third", name="A third student")
    Membership.objects.create(course=cast.course, user=student, role=Role.STUDENT)
    return student


def saved() -> Near:
    """By submission the others that share its words."""
    return {
        row.submission_id: [near.text for near in flags_from_json(row.document).near]
        for row in SubmissionFlags.objects.all()
    }


def test_only_new_texts_are_read(
    cast: Cast, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    update = TextIndex.update

    def noting(index: TextIndex, added: list[object], removed: list[int]) -> set[int]:
        read.append(len(added))
        return update(index, added, removed)  # type: ignore[arg-type]

    monkeypatch.setattr(TextIndex, "update", noting)
    submit(assignment, cast.student)
    submit(assignment, cast.student)
    flags_refresh(assignment=assignment)
    last = submit(assignment, cast.other_student)
    flags_refresh(assignment=assignment, recheck=[last])

    assert read == [2, 0, 1, 0]  # once before each saves, and once while nobody else can


def test_two_workers_take_turns(
    cast: Cast, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = submit(assignment, cast.student)
    here = another_worker(monkeypatch)
    flags_refresh(assignment=assignment, recheck=[first])
    second = submit(assignment, cast.other_student)
    there = another_worker(monkeypatch)
    flags_refresh(assignment=assignment, recheck=[second])
    assert saved() == {first: [second], second: [first]}

    monkeypatch.setattr(class_indexes, "_remembered", here)
    last = submit(assignment, third(cast))
    flags_refresh(assignment=assignment, recheck=[last])
    assert saved() == {first: [second, last], second: [first, last], last: [first, second]}

    Submission.objects.filter(pk=second).delete()
    monkeypatch.setattr(class_indexes, "_remembered", there)
    flags_refresh(assignment=assignment)
    assert saved() == {first: [last], last: [first]}


def test_what_could_not_be_saved_is_found_again(
    cast: Cast, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = submit(assignment, cast.student)
    flags_refresh(assignment=assignment, recheck=[first])
    second = submit(assignment, cast.other_student)

    def breaking(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(flags, "_keep", breaking)
        with pytest.raises(MemoryError):
            flags_refresh(assignment=assignment, recheck=[second])
    assert saved() == {first: []}

    other = submit(assignment, cast.student, "Nobody has written this.")
    flags_refresh(assignment=assignment, recheck=[other])
    assert saved() == {first: [second], second: [first], other: []}


def test_a_number_that_comes_again_is_another_text(cast: Cast, assignment: Assignment) -> None:
    first = submit(assignment, cast.student)
    second = submit(assignment, cast.other_student)
    flags_refresh(assignment=assignment)
    Submission.objects.filter(pk=second).delete()
    Submission.objects.create(
        pk=second,
        assignment=assignment,
        student=cast.other_student,
        text="Something else.",
        words=2,
    )

    flags_refresh(assignment=assignment, recheck=[second])

    assert saved() == {first: [], second: []}


def test_a_text_that_becomes_the_same_students_is_no_copy(
    cast: Cast, assignment: Assignment
) -> None:
    first = submit(assignment, cast.student)
    second = submit(assignment, cast.other_student)
    flags_refresh(assignment=assignment)
    Submission.objects.filter(pk=second).update(student=cast.student, attempt=2)

    flags_refresh(assignment=assignment, recheck=[])

    assert saved() == {first: [], second: []}


def test_the_class_that_waited_longest_is_forgotten(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered = another_worker(monkeypatch)
    assignments = [make_assignment(cast) for _ in range(3)]
    for assignment in assignments:
        submit(assignment, cast.student)
        flags_refresh(assignment=assignment)
    first, second, last = (assignment.pk for assignment in assignments)
    assert [*remembered] == [first, second, last]
    monkeypatch.setattr(class_indexes, "MOST_RUNS", remembered[last].size * 2)

    flags_refresh(assignment=assignments[0])

    assert [*remembered] == [last, first]


@pytest.mark.django_db(transaction=True)
def test_what_another_worker_saves_at_the_same_moment_is_not_overwritten(
    cast: Cast, assignment: Assignment
) -> None:
    first = submit(assignment, cast.student)
    flags_refresh(assignment=assignment)
    second = submit(assignment, cast.other_student)

    def refresh() -> None:
        try:
            flags_refresh(assignment=assignment, recheck=[second])
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            flags._one_at_a_time(assignment)
            refreshed = pool.submit(refresh)
            sleep(1)  # it has looked by now, and waits
            last = submit(assignment, third(cast))
        refreshed.result()

    assert saved()[first] == [second, last]
