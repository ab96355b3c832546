"""Samples: who is drawn, what a worker finds out about them, and what people's ticks score."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from grading.calibration.actions import annotation_save, round_draw, rule_set, rule_try, rule_undo
from grading.calibration.queries import MatchRule, drawable_scores, trial_result
from grading.drafts.log import draft_create
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    CalibrationText,
    Draft,
    Job,
    MatchCorrection,
    Membership,
    Role,
    Score,
    StoredPyramid,
    StoredReading,
    Submission,
    ThresholdChange,
    ThresholdTrial,
    User,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.editing.commands import DeleteScu
from grading.pyramid.errors import InputError
from grading.pyramid.formats.learnt_curve_json import curve_from_json, curve_to_json
from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import DEFAULT_METHOD
from grading.pyramid.structures import Pyramid, ScoreReport, Scu, Span
from grading.pyramids.actions import draft_from_version, pyramid_start_build
from grading.queue.actions import reviews_complete
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.effects import effect_start, latest_effect
from grading.scoring.marks import annotated_ideas, sample_of
from grading.scoring.readings import submissions_report
from grading.scoring.results import newest_scores
from grading.scoring.scores import submissions_start_scoring
from grading.submissions.actions import submission_submit
from grading.web.blind import blind_text_of
from tests.conftest import SUMMARY, Cast
from tests.drafts.drafting import Editor
from tests.marking.test_actions import left_out, take
from tests.scoring.test_corrections import count, missed, newest, publish, scored, work

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
    sample = round_draw(assignment=handed_in, texts=STUDENTS, author=cast.ta)
    work()

    pyramid = pyramid_from_row(StoredPyramid.objects.get()).counted()
    for text in sample_of(sample).texts:
        known = text.row.probabilities or {}
        assert set(known) == {str(scu.uid) for scu in pyramid.scus}
        result = {match.scu_uid: match.probability for match in text.by_program.evidence.matches}
        assert {int(uid) for uid in known if known[uid] >= 0.5} == result.keys()
        for uid, probability in result.items():
            assert known[str(uid)] == pytest.approx(probability, abs=0.001)
    assert not Job.objects.exclude(state=Job.State.DONE).exists()


def test_an_annotation_is_kept_with_its_words_and_takes_the_place_of_the_last(
    cast: Cast, handed_in: Assignment
) -> None:
    text = round_draw(assignment=handed_in, texts=1, author=cast.ta).texts.get()

    annotation_save(text=text, annotator=cast.ta, ideas={1: (), 2: ()}, is_done=False)
    kept = annotation_save(
        text=text, annotator=cast.ta, ideas={1: (Span(0, 6),), 3: ()}, is_done=True
    )

    assert annotated_ideas(kept) == {1: (Span(0, 6),), 3: ()}
    assert text.annotations.get() == kept


def test_what_people_tick_is_scored_by_the_same_rules_from_the_programs_own_parts(
    cast: Cast, handed_in: Assignment
) -> None:
    drawn = round_draw(assignment=handed_in, texts=2, author=cast.ta)
    first, second = drawn.texts.all()
    score = Score.objects.get(submission=first.submission)
    machine = {match["scu"] for match in score.document["matches"]}
    count(cast, score)  # what somebody corrects is not the program's
    annotation_save(text=first, annotator=cast.ta, ideas=dict.fromkeys(machine, ()), is_done=True)
    annotation_save(text=second, annotator=cast.ta, ideas={}, is_done=False)

    sample = sample_of(drawn)

    assert list(sample.people) == [cast.ta.pk]
    (text,) = sample.annotated
    by_hand = text.by_person[cast.ta.pk]
    assert by_hand.statements == score.statements
    assert by_hand.comprehensive > score.comprehensive  # what a person finds earns all its weight
    assert text.by_program.raw == score.raw


def test_a_sample_is_read_in_as_many_queries_however_many_annotate(
    cast: Cast, handed_in: Assignment
) -> None:
    sample = round_draw(assignment=handed_in, texts=STUDENTS, author=cast.ta)

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            sample_of(sample)
        return len(asked)

    queries()  # the pyramid stays with the row
    few = queries()
    for text in sample.texts.all():
        for person in (cast.ta, cast.instructor):
            annotation_save(text=text, annotator=person, ideas={}, is_done=True)
    assert queries() == few


def test_a_text_is_blind_for_who_is_in_the_middle_of_its_sample(
    cast: Cast, handed_in: Assignment
) -> None:
    sample = round_draw(assignment=handed_in, texts=2, author=cast.ta)
    first, second = sample.texts.all()
    assert blind_text_of(second.submission, cast.ta) is None

    annotation_save(text=first, annotator=cast.ta, ideas={}, is_done=True)

    assert blind_text_of(second.submission, cast.ta) == second
    assert blind_text_of(first.submission, cast.ta) is None
    assert blind_text_of(second.submission, cast.instructor) is None
    annotation_save(text=second, annotator=cast.ta, ideas={}, is_done=True)
    assert blind_text_of(second.submission, cast.ta) is None


# --- rules ---


__all__ = ["scored"]

LOW = 0.1


@pytest.fixture
def other(cast: Cast, assignment: Assignment, scored: Score) -> Submission:
    """A text that tells ideas badly: a low threshold finds more in it."""
    text = "Cities store heat in their walls and old trees. Nights are hot for people in towns."
    other = submission_submit(assignment=assignment, student=cast.other_student, text=text)
    work()
    return other


def set_to(
    cast: Cast, assignment: Assignment, match_probability: float | None
) -> ThresholdChange | None:
    rule = MatchRule(match_probability)
    return rule_set(assignment=assignment, rule=rule, author=cast.instructor)


def all_newest(assignment: Assignment) -> dict[int, Score]:
    return newest_scores(assignment.submissions.all())


def test_trying_changes_nothing_and_tells_who_moves(
    cast: Cast, assignment: Assignment, other: Submission
) -> None:
    before = list(Score.objects.values_list("pk", flat=True))

    rule_try(assignment=assignment, match_probability=LOW, requested_by=cast.instructor)
    trial = ThresholdTrial.objects.get()
    assert trial_result(trial) is None
    work()

    trial.refresh_from_db()
    result = trial_result(trial)
    assert result is not None
    assert result.before == MatchRule()
    assert result.advice is None
    effect = next(text for text in result.effect.effect.texts if text.text == other.pk)
    assert effect.gained
    assert not effect.lost
    assert list(Score.objects.values_list("pk", flat=True)) == before
    assignment.refresh_from_db()
    assert assignment.match_probability is None


def test_setting_it_scores_the_class_with_another_signature_and_reads_nobody_again(
    cast: Cast, assignment: Assignment, other: Submission
) -> None:
    before = all_newest(assignment)
    readings = set(StoredReading.objects.values_list("pk", "created_at"))
    rule_try(assignment=assignment, match_probability=LOW, requested_by=cast.instructor)
    work()
    result = trial_result(ThresholdTrial.objects.get())

    change = set_to(cast, assignment, LOW)
    work()

    assert change is not None
    assert (change.before, change.after) == (None, LOW)
    after = all_newest(assignment)
    assert {score.signature for score in after.values()}.isdisjoint(
        score.signature for score in before.values()
    )
    assert after[other.pk].raw > before[other.pk].raw
    assert result is not None
    predicted = {text.text: text.after.comprehensive for text in result.effect.effect.texts}
    assert predicted[other.pk] == pytest.approx(after[other.pk].comprehensive, abs=0.005)
    assert set(StoredReading.objects.values_list("pk", "created_at")) == readings
    assert not ThresholdTrial.objects.exists()


def test_taking_it_back_makes_the_earlier_scores_hold_again(
    cast: Cast, assignment: Assignment, other: Submission
) -> None:
    before = {pk: score.comprehensive for pk, score in all_newest(assignment).items()}
    set_to(cast, assignment, LOW)
    work()
    assert all_newest(assignment)[other.pk].comprehensive != before[other.pk]

    set_to(cast, assignment, None)
    work()

    after = all_newest(assignment)
    assert {pk: score.comprehensive for pk, score in after.items()} == before
    assert not any(score.is_corrected for score in after.values())
    kept = Score.objects.count()
    set_to(cast, assignment, None)
    work()
    assert Score.objects.count() == kept
    assert [
        (threshold_change.before, threshold_change.after)
        for threshold_change in ThresholdChange.objects.all()
    ] == [
        (LOW, None),
        (None, LOW),
    ]


def test_corrections_by_hand_outlast_it_both_ways(
    cast: Cast, assignment: Assignment, scored: Score
) -> None:
    set_to(cast, assignment, LOW)
    work()
    low = newest(scored.submission)
    set_to(cast, assignment, 0.6)
    work()
    corrected = count(cast, newest(scored.submission))
    assert corrected.is_corrected
    assert corrected.signature != low.signature

    for match_probability in (LOW, None):
        set_to(cast, assignment, match_probability)
        work()
        assert newest(scored.submission).corrections == 1


def test_what_is_handed_in_later_is_scored_by_it(
    cast: Cast, assignment: Assignment, scored: Score
) -> None:
    set_to(cast, assignment, LOW)
    work()

    submission_submit(assignment=assignment, student=cast.student, text=f"{SUMMARY} Indeed so.")
    work()

    assert len({score.signature for score in all_newest(assignment).values()}) == 1


def test_a_job_that_began_before_scores_nobody_by_the_earlier_threshold_again(
    cast: Cast, assignment: Assignment, other: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {score.signature for score in all_newest(assignment).values()}
    Score.objects.all().delete()
    started = submissions_start_scoring(assignment=assignment, requested_by=None)
    assert started is not None
    scoring = "grading.scoring.scores.submissions_report"

    def meanwhile(**what: Any) -> list[ScoreReport | None]:
        """The threshold is set, and another worker scores the class by it."""
        monkeypatch.setattr(scoring, submissions_report)
        set_to(cast, assignment, LOW)
        work()
        return submissions_report(**what)

    monkeypatch.setattr(scoring, meanwhile)
    assert job_run(job_pk=started.pk)

    started.refresh_from_db()
    assert started.is_done, started.error
    assert before.isdisjoint(score.signature for score in all_newest(assignment).values())


# --- learning ---


@pytest.fixture
def marked(cast: Cast, handed_in: Assignment) -> Assignment:
    """A TA counts, in each of six texts, an idea that the program missed, and reviews them."""
    for submission in handed_in.submissions.all():
        score = newest(submission)
        take(cast, score, Correction(missed(score), Verdict.MATCHED, left_out().spans))
    pks = handed_in.submissions.values_list("pk", flat=True)
    reviews_complete(assignment=handed_in, submissions=list(pks), user=cast.ta)
    return handed_in


def learnt(cast: Cast, assignment: Assignment, source: str = "marks") -> ThresholdTrial:
    rule_try(assignment=assignment, source=source, requested_by=cast.instructor)
    work()
    return ThresholdTrial.objects.get()


def test_a_curve_is_learnt_and_changes_nothing(cast: Cast, marked: Assignment) -> None:
    before = {pk: score.pk for pk, score in all_newest(marked).items()}

    trial = learnt(cast, marked)

    result = trial_result(trial)
    assert result is not None
    assert result.advice is not None
    assert result.advice.texts == STUDENTS
    assert trial.learnt_curve == {
        "version": 1,
        "texts": STUDENTS,
        "labels": result.advice.labels,
        **curve_to_json(result.advice.curve),
    }
    added = {row.scu_uid for row in MatchCorrection.objects.all()}
    assert all(result.advice.curve.idea_shift(uid) > 0 for uid in added if uid is not None)
    marked.refresh_from_db()
    assert marked.learnt_curve is None
    assert {pk: score.pk for pk, score in all_newest(marked).items()} == before


def test_it_is_set_scores_the_class_and_is_undone(cast: Cast, marked: Assignment) -> None:
    before = {pk: score.comprehensive for pk, score in all_newest(marked).items()}
    signatures = {score.signature for score in all_newest(marked).values()}
    rule = MatchRule.of(learnt(cast, marked))

    change = rule_set(assignment=marked, rule=rule, author=cast.instructor)
    work()

    assert change is not None
    assert MatchRule.after(change) == rule
    marked.refresh_from_db()
    assert MatchRule.of(marked) == rule
    assert signatures.isdisjoint(score.signature for score in all_newest(marked).values())
    assert all(score.is_corrected for score in all_newest(marked).values())

    undone = rule_undo(change=change, author=cast.instructor)
    work()

    assert undone is not None
    marked.refresh_from_db()
    assert MatchRule.of(marked) == MatchRule()
    assert {pk: score.comprehensive for pk, score in all_newest(marked).items()} == before
    assert rule_undo(change=change, author=cast.instructor) is None  # not the newest any more


def test_the_same_marks_give_the_same_signature(cast: Cast, marked: Assignment) -> None:
    first = learnt(cast, marked).learnt_curve
    rule_set(assignment=marked, rule=MatchRule(None, first), author=cast.instructor)
    work()

    assert learnt(cast, marked).learnt_curve == first
    rule = MatchRule.of(ThresholdTrial.objects.get())
    assert rule_set(assignment=marked, rule=rule, author=cast.instructor) is None


def test_a_curve_and_a_threshold_take_each_others_place(cast: Cast, marked: Assignment) -> None:
    set_to(cast, marked, LOW)
    work()
    rule = MatchRule.of(learnt(cast, marked))
    change = rule_set(assignment=marked, rule=rule, author=cast.instructor)
    assert MatchRule.of(Assignment.objects.get()) == rule
    assert rule.match_probability is None

    assert change is not None
    rule_undo(change=change, author=cast.instructor)
    assert MatchRule.of(Assignment.objects.get()) == MatchRule(LOW)


def test_with_nothing_to_learn_from_the_job_fails_in_words(
    cast: Cast, handed_in: Assignment
) -> None:
    job = rule_try(assignment=handed_in, source="marks", requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.is_failed
    assert "nothing to learn from yet" in job.error


def test_a_new_version_takes_the_shifts_of_its_ideas_along(cast: Cast, marked: Assignment) -> None:
    rule = MatchRule.of(learnt(cast, marked))
    rule_set(assignment=marked, rule=rule, author=cast.instructor)
    work()
    before = curve_from_json(rule.learnt_curve)
    gone = before.idea_shifts[0][0]
    version = StoredPyramid.objects.get()
    draft = draft_from_version(version=version, author=cast.instructor)
    Editor(draft, cast.instructor).edit(DeleteScu(gone))
    draft.refresh_from_db()

    effect_start(draft=draft, requested_by=cast.instructor)
    work()
    published = publish(draft, cast)
    marked.refresh_from_db()

    assert marked.learnt_curve is not None
    assert marked.learnt_curve["version"] == published.number
    after = curve_from_json(marked.learnt_curve)
    assert dict(after.idea_shifts) == dict(before.idea_shifts[1:])
    assert (after.slope, after.shift, after.cut) == (before.slope, before.shift, before.cut)
    work()
    result = latest_effect(draft=draft)
    assert result is not None
    foretold = {text.text: text.after.comprehensive for text in result[1].effect.texts}
    now = {pk: score.comprehensive for pk, score in all_newest(marked).items()}
    assert foretold == {pk: pytest.approx(value, abs=0.005) for pk, value in now.items()}


def test_an_unrelated_version_drops_the_shifts_of_ideas_that_are_gone(
    cast: Cast, marked: Assignment
) -> None:
    """The numbers are the same, the ideas are others: a shift must not land on another idea."""
    rule = MatchRule.of(learnt(cast, marked))
    rule_set(assignment=marked, rule=rule, author=cast.instructor)
    before = curve_from_json(rule.learnt_curve)
    uids = [uid for uid, _ in before.idea_shifts]
    scus = tuple(Scu(uid, f"Nothing of the sort {uid}", (), given_weight=1) for uid in uids)
    draft = draft_create(
        assignment=marked,
        pyramid=Pyramid((), scus),
        origin=Draft.Origin.BUILT,
        author=cast.instructor,
    )

    publish(draft, cast)

    marked.refresh_from_db()
    assert marked.learnt_curve is not None
    assert curve_from_json(marked.learnt_curve).idea_shifts == ()
