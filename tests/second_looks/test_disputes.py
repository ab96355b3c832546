"""Second looks at a match that is wrong: what students say, graders see, and answers change."""

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Missed, Score, SecondLook, SubmissionEvent
from grading.pyramid.corrections import Verdict
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import Carrier
from grading.scoring.missed_by_program import looks_at, missed_by_program
from grading.web.timeline import timeline_of
from tests.conftest import Cast
from tests.feedback.test_views import ClientOf
from tests.feedback_scene import in_one_line
from tests.scoring.test_corrections import newest, scored
from tests.second_looks.test_views import address, tell

__all__ = ["scored"]

SAID = "The student says that this match is wrong."


@pytest.fixture
def student(cast: Cast, scored: Score, client_of: ClientOf) -> Client:
    tell(scored.pyramid.assignment, Missed.LABELS)
    return client_of(cast.student)


def dispute(client: Client, score: Score, **data: object) -> int:
    """Call the first match of the text wrong."""
    sent = {"match": 1, "seen": score.pk, "reason": "I meant something else."} | data
    return client.post(address(score), sent).status_code


def answer(client: Client, verdict: str, text: str = "") -> int:
    look = SecondLook.objects.get()
    page = client.get(reverse("second_look", args=[look.pk]))
    sent = {"verdict": verdict, "answer": text, "stamp": page.context["stamp"]}
    return client.post(reverse("second_look_answer", args=[look.pk]), sent).status_code


def test_every_match_on_the_feedback_page_leads_to_its_request(
    student: Client, scored: Score
) -> None:
    page = student.get(reverse("submission", args=[scored.submission_id]), {"ideas": "all"}).text
    matches = report_from_row(scored).evidence.credited

    assert page.count("This is") == len(matches) > 1
    for order in range(1, len(matches) + 1):
        assert f"{address(scored)}?match={order}" in page


def test_the_form_names_the_match_and_marks_its_words(student: Client, scored: Score) -> None:
    first = min(report_from_row(scored).evidence.credited, key=lambda match: match.spans)
    page = student.get(address(scored), {"match": "1"}).text

    assert 'value="1" selected' in page
    assert f'is-chosen" data-start="{first.spans[0].start}"' in page
    assert 'name="words"' not in page


@pytest.mark.parametrize("match", ["", "0", "99", "x", "9" * 20])
def test_any_match_in_the_address_is_harmless(student: Client, scored: Score, match: str) -> None:
    assert student.get(address(scored), {"match": match}).status_code == 200
    assert dispute(student, scored, match=match) == 422
    assert not SecondLook.objects.exists()


def test_a_request_keeps_which_match_it_is_about(student: Client, scored: Score) -> None:
    first = min(report_from_row(scored).evidence.credited, key=lambda match: match.spans)

    assert dispute(student, scored) == 302
    assert dispute(student, scored) == 302  # sent twice

    look = SecondLook.objects.get()
    assert look.disputes_match
    assert look.scu_uid == first.scu_uid
    assert look.spans == [[span.start, span.end] for span in first.spans]
    assert look.shown_as == pyramid_from_row(scored.pyramid).scu(first.scu_uid).label


def test_after_another_score_the_match_is_chosen_again(student: Client, scored: Score) -> None:
    assert dispute(student, scored, seen=scored.pk - 1) == 422
    assert dispute(student, scored, reason="") == 422


def test_a_grader_sees_the_match_and_removes_it(
    cast: Cast, student: Client, scored: Score, client_of: ClientOf
) -> None:
    dispute(student, scored)
    look, ta = SecondLook.objects.get(), client_of(cast.ta)
    seen = ta.get(reverse("second_look", args=[look.pk]))
    assert seen.context["disputed"].uid == look.scu_uid
    assert seen.context["is_matched"]
    assert SAID in in_one_line(seen.text)
    waiting = ta.get(reverse("second_looks", args=[scored.submission.assignment_id])).text
    assert SAID in in_one_line(waiting)

    assert answer(ta, "remove") == 302

    look.refresh_from_db()
    after = newest(scored.submission)
    assert look.outcome == "Match removed"
    assert look.corrections.get().verdict == Verdict.REMOVED
    assert look.scu_uid not in {match.scu_uid for match in report_from_row(after).evidence.credited}
    assert after.raw < scored.raw
    result = student.get(reverse("submission", args=[scored.submission_id])).text
    assert "Match removed" in result
    document = SubmissionEvent.objects.get(kind=SubmissionEvent.Kind.ANSWERED).document
    assert document["disputes_match"]


def test_keeping_a_match_needs_a_reason_and_changes_nothing(
    cast: Cast, student: Client, scored: Score, client_of: ClientOf
) -> None:
    dispute(student, scored)
    ta = client_of(cast.ta)

    assert answer(ta, "keep") == 422
    assert answer(ta, "keep", "These words say it.") == 302

    assert SecondLook.objects.get().outcome == "Match kept"
    assert newest(scored.submission) == scored


def test_another_answer_brings_the_match_back(
    cast: Cast, student: Client, scored: Score, client_of: ClientOf
) -> None:
    dispute(student, scored)
    ta = client_of(cast.ta)
    answer(ta, "remove")

    assert answer(ta, "keep", "After all, it says so.") == 302

    assert newest(scored.submission).raw == scored.raw


def test_a_removed_match_is_no_idea_that_the_program_missed(
    cast: Cast, student: Client, scored: Score, client_of: ClientOf
) -> None:
    dispute(student, scored)
    answer(client_of(cast.ta), "remove")
    assignment, carrier = scored.submission.assignment, Carrier.to_version(scored.pyramid)

    looks = looks_at(assignment, carrier)

    assert [look.uid for look in looks] == [SecondLook.objects.get().scu_uid]
    assert not missed_by_program(assignment, scored.pyramid, looks, carrier).by_second_looks
    figures = reverse("second_look_figures", args=[assignment.pk])
    assert client_of(cast.ta).get(figures).status_code == 200


def test_the_history_says_what_became_of_the_match(
    cast: Cast, student: Client, scored: Score, client_of: ClientOf
) -> None:
    dispute(student, scored)
    answer(client_of(cast.ta), "remove")

    sight = scored.submission.student_sight
    entries = [entry.what for entry in timeline_of(scored.submission, sight)]
    assert any(words.endswith("the match was removed") for words in entries)
