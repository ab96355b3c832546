"""One decision for many: the same wording in other submissions, applied and undone at once."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.access.hidden_names import pseudonym
from grading.marking import actions
from grading.marking.actions import copies_undo, step_copy
from grading.models import (
    Assignment,
    Job,
    MarkingStep,
    MatchCorrection,
    Membership,
    Review,
    Score,
    Submission,
    User,
)
from grading.queue.actions import reviews_claim, reviews_complete
from grading.scoring.conversion import report_from_row
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.marking.test_views import BICYCLE, do, matched, ta
from tests.scoring.test_corrections import missed, newest, scored, work

__all__ = ["scored", "ta"]


def hand_in(assignment: Assignment, *texts: str) -> list[Submission]:
    """By students of their own."""
    submissions = []
    for number, text in enumerate(texts):
        student = User.objects.create_user(f"student-{number}", name=f"Student {number}")
        Membership.objects.create(course=assignment.course, user=student, role="student")
        submissions.append(submission_submit(assignment=assignment, student=student, text=text))
    work()
    return submissions


@pytest.fixture
def others(assignment: Assignment, scored: Score) -> list[Submission]:
    return hand_in(assignment, SUMMARY, f"Well. {SUMMARY.upper()}", "Trees are green. Cats sleep.")


def step(score: Score) -> MarkingStep:
    return score.submission.marking_steps.earliest("pk")


def address(score: Score) -> str:
    return reverse("same_wording", args=[score.submission_id, step(score).pk])


def page(client: Client, score: Score) -> str:
    answer = client.get(address(score), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


def apply(client: Client, score: Score, *chosen: Submission, what: str = "copy") -> str:
    data = {"do": what, "submission": [str(submission.pk) for submission in chosen]}
    answer = client.post(address(score), data, headers={"HX-Request": "true"})
    return answer.content.decode()


def holds(submission: Submission, uid: int, *, by_hand: bool = True) -> bool:
    matches = report_from_row(newest(submission)).evidence.matches
    return any(match.scu_uid == uid and match.by_hand == by_hand for match in matches)


def test_a_confirmed_match_is_confirmed_where_it_is_word_for_word_the_same(
    ta: Client, scored: Score, others: list[Submission]
) -> None:
    uid = matched(scored)
    do(ta, scored.submission, f"confirm {uid}")

    html = page(ta, scored)
    assert "The same wording is in 2 other submissions." in html
    assert html.count("checked") == 2
    message = apply(ta, scored, *others[:2])

    assert "Applied in 2 submissions." in message
    assert all(holds(other, uid) for other in others[:2])
    copies = MarkingStep.objects.filter(copy_of=step(scored))
    assert {copy.submission_id for copy in copies} == {other.pk for other in others[:2]}
    assert {copy.did for copy in copies} == {"confirmed"}
    assert "This decision also applies in 2 other submissions." in page(ta, scored)


def test_all_copies_are_undone_at_once_and_can_be_made_again(
    ta: Client, scored: Score, others: list[Submission]
) -> None:
    uid = matched(scored)
    do(ta, scored.submission, f"remove {uid}")
    before = [newest(other).document for other in others[:2]]
    apply(ta, scored, *others[:2])
    assert not any(holds(other, uid, by_hand=False) for other in others[:2])

    assert "Undone in 2 submissions." in apply(ta, scored, what="undo")

    assert [newest(other).document for other in others[:2]] == before
    assert "in 2 other submissions" in page(ta, scored)
    assert "Applied in 2 submissions." in apply(ta, scored, *others[:2])


def test_added_words_are_added_where_they_stand(
    ta: Client, scored: Score, others: list[Submission]
) -> None:
    uid = missed(scored)
    do(ta, scored.submission, f"add {uid}", place=BICYCLE)

    apply(ta, scored, *others)

    assert [holds(other, uid) for other in others] == [True, True, False]
    words = MatchCorrection.objects.get(submission=others[1], verdict="told")
    start, end = words.spans[0]
    assert others[1].text[start:end].startswith("MY UNCLE")


def test_words_that_count_as_another_idea(
    ta: Client, scored: Score, others: list[Submission]
) -> None:
    first, second = matched(scored), missed(scored)
    do(ta, scored.submission, f"exchange {first} {second}")

    apply(ta, scored, others[0])

    assert holds(others[0], second)
    assert not holds(others[0], first, by_hand=False)


def test_nearly_the_same_is_listed_and_not_ticked(
    ta: Client, scored: Score, assignment: Assignment
) -> None:
    uid = matched(scored)
    first = report_from_row(scored).evidence.matches[0].spans[0]
    sentence = SUMMARY[first.start : first.end]
    changed = SUMMARY.replace(sentence, f"The {sentence[0].lower()}{sentence[1:]}", 1)
    hand_in(assignment, changed)
    do(ta, scored.submission, f"confirm {uid}")

    html = page(ta, scored)

    assert "Nearly the same" in html
    assert "checked" not in html


def test_what_people_judged_or_have_in_hand_is_left_alone(
    ta: Client, cast: Cast, assignment: Assignment, scored: Score
) -> None:
    uid = matched(scored)
    corrected, reviewed, claimed, free = hand_in(assignment, SUMMARY, SUMMARY, SUMMARY, SUMMARY)
    do(ta, corrected, f"confirm {uid}")
    reviews_complete(assignment=assignment, submissions=[reviewed.pk], user=cast.instructor)
    reviews_claim(assignment=assignment, students=[claimed.student_id], user=cast.instructor)
    do(ta, scored.submission, f"remove {uid}")

    assert "in 1 other submission." in page(ta, scored)
    message = apply(ta, scored, corrected, reviewed, claimed, free)

    assert "Applied in 1 submission. Not applied: 3" in message
    assert not holds(free, uid, by_hand=False)
    assert holds(corrected, uid)
    assert Review.objects.get(student=reviewed.student).reviewed_at


def test_what_was_corrected_after_the_copy_is_not_undone(
    ta: Client, scored: Score, others: list[Submission]
) -> None:
    uid = matched(scored)
    do(ta, scored.submission, f"confirm {uid}")
    apply(ta, scored, *others[:2])
    do(ta, others[0], f"add {missed(newest(others[0]))}", place="0-4")

    message = apply(ta, scored, what="undo")

    assert "Undone in 1 submission. Not undone: 1" in message
    assert holds(others[0], uid)
    assert not holds(others[1], uid)


def test_a_decision_that_was_undone_or_is_about_no_match_offers_nothing(
    ta: Client, scored: Score, others: list[Submission]
) -> None:
    do(ta, scored.submission, f"confirm {matched(scored)}")
    do(ta, scored.submission, "undo")
    assert "same wording" not in page(ta, scored)

    do(ta, scored.submission, "leave_out", place=BICYCLE)
    last = scored.submission.marking_steps.latest("pk")
    url = reverse("same_wording", args=[scored.submission_id, last.pk])
    assert b"Nothing found" in ta.get(url).content


def test_it_all_works_without_script(ta: Client, scored: Score, others: list[Submission]) -> None:
    do(ta, scored.submission, f"confirm {matched(scored)}")
    desk = ta.get(reverse("marking", args=[scored.submission_id])).content.decode()
    assert address(scored) in desk

    assert ta.post(address(scored), {"do": "copy"}).status_code == 422
    answer = ta.post(address(scored), {"do": "copy", "submission": str(others[0].pk)}, follow=True)

    assert b"Applied in 1 submission." in answer.content


def test_names_stay_hidden(
    ta: Client, assignment: Assignment, scored: Score, others: list[Submission]
) -> None:
    Assignment.objects.update(names_hidden=True)
    do(ta, scored.submission, f"confirm {matched(scored)}")

    html = page(ta, scored)

    assert pseudonym(assignment, others[0].student) in html
    assert others[0].student.name not in html


def test_many_are_done_by_a_worker_and_undone_by_one(
    cast: Cast,
    ta: Client,
    scored: Score,
    others: list[Submission],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(actions, "MOST_AT_ONCE", 1)
    uid = matched(scored)
    do(ta, scored.submission, f"confirm {uid}")

    assert "This takes a moment" in apply(ta, scored, *others[:2])
    assert "job-queued" in page(ta, scored)
    assert not holds(others[0], uid)
    work()
    assert all(holds(other, uid) for other in others[:2])

    submission, first = scored.submission, step(scored).pk
    undone = copies_undo(submission=submission, step_pk=first, author=cast.ta)
    assert undone[2] == Job.objects.latest("pk")
    work()
    assert not any(holds(other, uid) for other in others[:2])


def test_the_queries_for_a_list_do_not_grow(
    cast: Cast, ta: Client, scored: Score, assignment: Assignment
) -> None:
    do(ta, scored.submission, f"confirm {matched(scored)}")

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            page(ta, scored)
        return len(asked)

    hand_in(assignment, SUMMARY)
    few = queries()
    for number in range(4):
        student = User.objects.create_user(f"more-{number}", name="More")
        Membership.objects.create(course=cast.course, user=student, role="student")
        submission_submit(assignment=assignment, student=student, text=SUMMARY)
    work()
    assert queries() == few
    chosen = assignment.submissions.exclude(pk=scored.submission_id).values_list("pk", flat=True)
    with CaptureQueriesContext(connection) as asked:
        copied, _ = step_copy(
            submission=scored.submission,
            step_pk=step(scored).pk,
            chosen=list(chosen),
            author=cast.ta,
        )
    assert len(copied) == 5
    assert len(asked) <= 20 + 12 * len(copied)
