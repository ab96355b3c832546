"""Samples: who is drawn, what a worker finds out about them, and what people's ticks score."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from grading.calibration.actions import (
    annotation_save,
    blind_text_of,
    drawable_scores,
    round_draw,
)
from grading.models import (
    Assignment,
    CalibrationText,
    Job,
    Membership,
    Role,
    Score,
    StoredPyramid,
    User,
)
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import DEFAULT_METHOD
from grading.pyramid.structures import Span
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.agreement import sample_of, told_in
from grading.scoring.conversion import pyramid_from_row
from grading.submissions.actions_summaries import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.scoring.test_corrections import count, work

STUDENTS = 6


@pytest.fixture
def handed_in(cast: Cast, assignment: Assignment, engine: Engine) -> Iterator[Assignment]:
    """Six students with a final each; nobody else has one. The method is the tiny engine's."""
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    work()
    for number in range(STUDENTS):
        student = User.objects.create_user(f"s{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role=Role.STUDENT)
        text = f"{SUMMARY} Trees cool street number {number}." if number % 2 else SUMMARY
        submission_submit(assignment=assignment, student=student, text=text)
    work()
    with override_settings(PYREVAL_METHOD=DEFAULT_METHOD):
        yield assignment


def test_who_has_left_or_grades_by_now_is_not_drawn(cast: Cast, handed_in: Assignment) -> None:
    places = cast.course.memberships.filter(user__username__startswith="s")
    places.filter(user__username="s1").delete()
    places.filter(user__username="s2").update(role=Role.TA)

    drawn = {score.submission.student.username for score in drawable_scores(handed_in)}

    assert drawn == {"s0", "s3", "s4", "s5"}


def test_a_sample_is_of_finals_that_are_scored_and_never_drawn_twice(
    cast: Cast, handed_in: Assignment
) -> None:
    student = User.objects.get(username="s0")
    submission_submit(assignment=handed_in, student=student, text=f"{SUMMARY} Newer.")  # unscored
    first = round_draw(assignment=handed_in, texts=3, author=cast.ta)
    second = round_draw(assignment=handed_in, texts=2, author=cast.ta)

    drawn = set(CalibrationText.objects.values_list("submission", flat=True))
    assert len(drawn) == 5
    assert not CalibrationText.objects.filter(submission__student=student).exists()
    assert [text.place for text in first.texts.all()] == [1, 2, 3]
    assert (first.number, second.number, second.drawn_from) == (1, 2, 2)
    assert drawable_scores(handed_in) == []
    with pytest.raises(InputError, match="Only 0 texts are left"):
        round_draw(assignment=handed_in, texts=1, author=cast.ta)


def test_a_worker_finds_out_how_probable_each_idea_is_whatever_the_threshold(
    cast: Cast, handed_in: Assignment
) -> None:
    one = round_draw(assignment=handed_in, texts=STUDENTS, author=cast.ta)
    work()

    pyramid = pyramid_from_row(StoredPyramid.objects.get()).counted()
    for text in sample_of(one).texts:
        known = text.row.probabilities or {}
        assert set(known) == {str(scu.uid) for scu in pyramid.scus}
        found = {match.scu: match.probability for match in text.by_program.evidence.matches}
        assert {int(uid) for uid in known if known[uid] >= 0.5} == found.keys()
        for uid, probability in found.items():
            assert known[str(uid)] == pytest.approx(probability, abs=0.001)
    assert not Job.objects.exclude(state=Job.State.DONE).exists()


def test_an_annotation_is_kept_with_its_words_and_takes_the_place_of_the_last(
    cast: Cast, handed_in: Assignment
) -> None:
    text = round_draw(assignment=handed_in, texts=1, author=cast.ta).texts.get()

    annotation_save(text=text, annotator=cast.ta, told={1: (), 2: ()}, is_done=False)
    kept = annotation_save(
        text=text, annotator=cast.ta, told={1: (Span(0, 6),), 3: ()}, is_done=True
    )

    assert told_in(kept) == {1: (Span(0, 6),), 3: ()}
    assert text.annotations.get() == kept


def test_what_people_tick_is_scored_by_the_same_rules_from_the_programs_own_parts(
    cast: Cast, handed_in: Assignment
) -> None:
    one = round_draw(assignment=handed_in, texts=2, author=cast.ta)
    first, second = one.texts.all()
    score = Score.objects.get(submission=first.submission)
    machine = {match["scu"] for match in score.document["matches"]}
    count(cast, score)  # what somebody corrects is not the program's
    annotation_save(text=first, annotator=cast.ta, told=dict.fromkeys(machine, ()), is_done=True)
    annotation_save(text=second, annotator=cast.ta, told={}, is_done=False)

    sample = sample_of(one)

    assert list(sample.people) == [cast.ta.pk]
    (text,) = sample.annotated
    by_hand = text.by_person[cast.ta.pk]
    assert by_hand.scus == score.scus
    assert by_hand.comprehensive > score.comprehensive  # what a person finds earns all its weight
    assert text.by_program.raw == score.raw


def test_a_sample_is_read_in_as_many_queries_however_many_annotate(
    cast: Cast, handed_in: Assignment
) -> None:
    one = round_draw(assignment=handed_in, texts=STUDENTS, author=cast.ta)

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            sample_of(one)
        return len(asked)

    queries()  # the pyramid stays with the row
    few = queries()
    for text in one.texts.all():
        for person in (cast.ta, cast.instructor):
            annotation_save(text=text, annotator=person, told={}, is_done=True)
    assert queries() == few


def test_a_text_is_blind_for_who_is_in_the_middle_of_its_sample(
    cast: Cast, handed_in: Assignment
) -> None:
    one = round_draw(assignment=handed_in, texts=2, author=cast.ta)
    first, second = one.texts.all()
    assert blind_text_of(second.submission, cast.ta) is None

    annotation_save(text=first, annotator=cast.ta, told={}, is_done=True)

    assert blind_text_of(second.submission, cast.ta) == second
    assert blind_text_of(first.submission, cast.ta) is None
    assert blind_text_of(second.submission, cast.instructor) is None
    annotation_save(text=second, annotator=cast.ta, told={}, is_done=True)
    assert blind_text_of(second.submission, cast.ta) is None
