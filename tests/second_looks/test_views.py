"""Second looks, the student's side: what can be asked, and what is seen of it and when."""

import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Assignment, Missed, Score, SecondLook, Sight, Submission
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.structures import Span
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.second_looks import second_looks_shown
from grading.second_looks.actions import second_look_answer, second_look_stamp
from grading.web.ideas import missed_ideas_of
from tests.conftest import SUMMARY, Cast
from tests.feedback.test_views import ClientOf
from tests.scoring.test_corrections import newest, scored

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

__all__ = ["scored"]

STATE = SecondLook.State
UNCLE = SUMMARY[SUMMARY.index("My uncle") :]


def tell(assignment: Assignment, level: Missed) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(missed_before=level, missed_after=level)


def address(score: Score) -> str:
    return reverse("second_look_new", args=[score.submission_id])


def ask(client: Client, score: Score, **data: object) -> "Answer":
    sent = {"seen": score.pk, "reason": "It says so."} | data
    return client.post(address(score), sent)


def numbers_of_missed(score: Score) -> list[int]:
    """Of the ideas that the text lacks, as all pages number them."""
    pyramid = pyramid_from_row(score.pyramid)
    numbers = pyramid.numbers()
    return [numbers[scu.uid] for scu in missed_ideas_of(pyramid, report_from_row(score))]


@pytest.fixture
def asker(cast: Cast, scored: Score, client_of: ClientOf) -> Client:
    tell(scored.pyramid.assignment, Missed.LABELS)
    return client_of(cast.student)


def test_the_form_has_the_text_with_the_chosen_words_marked(asker: Client, scored: Score) -> None:
    start = SUMMARY.index("Dark")
    page = asker.get(address(scored), {"spans": f"{start}-{start + 10}"}).text

    assert re.search(rf'<mark class="[^"]*is-chosen" data-start="{start}">Dark roofs</mark>', page)
    assert re.search(r'<textarea name="words"[^>]*>\s*Dark roofs</textarea>', page)


@pytest.mark.parametrize("spans", ["", "5", "9-2", "0-99999", "a-b", "0-3,2-9"])
def test_any_place_in_the_address_is_harmless(asker: Client, scored: Score, spans: str) -> None:
    assert asker.get(address(scored), {"spans": spans, "missed": spans}).status_code == 200


def test_words_can_be_asked_about(asker: Client, scored: Score) -> None:
    answer = ask(asker, scored, words=UNCLE)

    look = SecondLook.objects.get()
    assert answer.headers["Location"].endswith(f"/submissions/{scored.submission_id}/#second-looks")
    assert look.spans == [[SUMMARY.index(UNCLE), len(SUMMARY)]]
    assert (look.scu_uid, look.shown_as, look.reason) == (None, "", "It says so.")


def test_a_missed_idea_is_named_by_its_number(asker: Client, scored: Score) -> None:
    ideas = missed_ideas_of(pyramid_from_row(scored.pyramid), report_from_row(scored))

    assert ask(asker, scored, missed=numbers_of_missed(scored)[1]).status_code == 302

    look = SecondLook.objects.get()
    assert (look.scu_uid, look.spans) == (ideas[1].uid, [])
    assert look.shown_as == ideas[1].label


def test_at_hints_the_idea_is_kept_as_its_hint(asker: Client, scored: Score) -> None:
    tell(scored.pyramid.assignment, Missed.HINTS)
    ideas = missed_ideas_of(pyramid_from_row(scored.pyramid), report_from_row(scored))
    assert ideas[0].label not in asker.get(address(scored)).text

    ask(asker, scored, missed=numbers_of_missed(scored)[0])

    assert SecondLook.objects.get().shown_as != ideas[0].label


@pytest.mark.parametrize("level", [Missed.NOTHING, Missed.COUNTS])
def test_where_single_ideas_are_not_told_none_can_be_named(
    asker: Client, scored: Score, level: Missed
) -> None:
    tell(scored.pyramid.assignment, level)
    pyramid, report = pyramid_from_row(scored.pyramid), report_from_row(scored)
    page = asker.get(address(scored), {"missed": "1"}).text
    assert 'name="missed"' not in page
    assert not [scu for scu in missed_ideas_of(pyramid, report) if scu.label in page]

    answers = {
        re.sub(r'(?<="csrfmiddlewaretoken" value=")\w+|(?<=X-CSRFToken": ")\w+', "", answer.text)
        for answer in (ask(asker, scored, missed=number) for number in (1, 2))
    }
    unknown = ask(asker, scored, missed=999)

    assert len(answers) == 1
    assert unknown.status_code == 422
    assert "choose missing ideas here" in unknown.text
    assert not SecondLook.objects.exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "Mark the words of your text that should count, or choose an idea."),
        ({"words": "Snow falls"}, "These words are not in the text"),
        ({"words": UNCLE, "reason": ""}, "Give the reason in a sentence or two."),
        ({"words": UNCLE, "reason": "x" * 1001}, "at most 1000 characters"),
        ({"missed": 99}, "Select a valid choice"),
        ({"sentence": 99}, "Select a valid choice"),
    ],
)
def test_a_refusal_says_why_and_keeps_everything(
    asker: Client, scored: Score, data: dict[str, object], said: str
) -> None:
    answer = ask(asker, scored, **({"reason": "My <b>reason</b>."} | data))

    assert answer.status_code == 422
    assert said in answer.text
    kept = str(data.get("words", "")) or str(data.get("reason", "My &lt;b&gt;reason&lt;/b&gt;."))
    assert kept in answer.text
    assert not SecondLook.objects.exists()


def test_after_another_score_the_idea_is_chosen_again(asker: Client, scored: Score) -> None:
    answer = ask(asker, scored, missed=numbers_of_missed(scored)[0], seen=0)

    assert answer.status_code == 422
    assert "Your result has changed" in answer.text


def test_five_wait_at_most_and_the_same_twice_is_one(asker: Client, scored: Score) -> None:
    for number in range(5):
        assert ask(asker, scored, words=UNCLE, reason=f"Reason {number}").status_code == 302
    assert ask(asker, scored, words=UNCLE, reason="Reason 4").status_code == 302

    refused = ask(asker, scored, words=UNCLE, reason="Reason 5")

    assert (refused.status_code, SecondLook.objects.count()) == (422, 5)
    assert "which is the limit. Withdraw a request, or wait for the answers." in refused.text
    assert "Reason 5" in refused.text


def test_it_can_be_asked_after_closing(asker: Client, scored: Score) -> None:
    Assignment.objects.update(state=Assignment.State.CLOSED)

    assert ask(asker, scored, words=UNCLE).status_code == 302


def test_who_can_ask_and_when(
    cast: Cast, asker: Client, scored: Score, client_of: ClientOf
) -> None:
    for user, status in ((cast.ta, 403), (cast.other_student, 403), (cast.outsider, 404)):
        assert client_of(user).get(address(scored)).status_code == status
        assert ask(client_of(user), scored, words=UNCLE).status_code == status
    Assignment.objects.update(second_looks=False)
    assert ask(asker, scored, words=UNCLE).status_code == 403
    Assignment.objects.update(second_looks=True, release=Assignment.Release.BY_HAND)
    unreleased = ask(asker, scored, words=UNCLE)
    Score.objects.all().delete()
    assert unreleased.status_code == asker.get(address(scored)).status_code == 404


def withdraw(client: Client, look: SecondLook) -> int:
    return client.post(reverse("second_look_withdraw", args=[look.pk])).status_code


def test_only_the_student_withdraws_and_only_what_is_seen(
    cast: Cast, asker: Client, scored: Score, client_of: ClientOf
) -> None:
    ask(asker, scored, words=UNCLE)
    look = SecondLook.objects.get()
    assert withdraw(client_of(cast.ta), look) == 403
    assert withdraw(client_of(cast.other_student), look) == 403
    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    assert withdraw(asker, look) == 404
    Assignment.objects.update(release=Assignment.Release.AT_ONCE)

    assert withdraw(asker, look) == 302

    look.refresh_from_db()
    assert look.is_withdrawn
    assert withdraw(asker, look) == 302


def sight(level: Missed, *, shown: bool = True) -> Sight:
    return Sight(shown=shown, missed=level)


def count(cast: Cast, look: SecondLook, text: str = "") -> Score:
    """The TA counts the idea that the request is about, or the first that was not found."""
    score = newest(look.submission)
    ideas = missed_ideas_of(pyramid_from_row(score.pyramid), report_from_row(score))
    spans = (Span(SUMMARY.index(UNCLE), len(SUMMARY)),)
    assert second_look_answer(
        second_look=look,
        correction=Correction(look.scu_uid or ideas[0].uid, Verdict.MATCHED, spans),
        text=text,
        author=cast.ta,
        stamp=second_look_stamp(look, score),
    )
    return newest(look.submission)


def test_what_came_of_it_is_told(cast: Cast, asker: Client, scored: Score) -> None:
    ask(asker, scored, words=UNCLE)
    ask(asker, scored, missed=2)
    first, second = SecondLook.objects.all()
    after = count(cast, first, "Well seen.")

    shown = {row.look: row for row in second_looks_shown(scored.submission, sight(Missed.LABELS))}

    assert list(shown) == [second, first]
    assert (shown[first].before, shown[first].after) == (scored.comprehensive, after.comprehensive)
    assert shown[first].counted
    assert shown[first].words == UNCLE
    assert shown[second].idea == second.shown_as
    assert (shown[second].counted, shown[second].before) == ("", None)


@pytest.mark.parametrize(
    ("now", "is_named"),
    [(Missed.NOTHING, False), (Missed.HINTS, False), (Missed.LABELS, True)],
)
def test_what_is_no_longer_told_of_missed_ideas_is_not_told_here(
    asker: Client, scored: Score, now: Missed, *, is_named: bool
) -> None:
    ask(asker, scored, missed=numbers_of_missed(scored)[0])

    shown = second_looks_shown(scored.submission, sight(now))

    assert bool(shown[0].idea) is is_named


def test_an_idea_that_no_longer_counts_is_not_named(
    cast: Cast, asker: Client, scored: Score
) -> None:
    ask(asker, scored, words=UNCLE)
    look = SecondLook.objects.get()
    after = count(cast, look)
    look.refresh_from_db()
    assert second_looks_shown(scored.submission, sight(Missed.NOTHING))[0].counted

    second_look_answer(
        second_look=look,
        correction=None,
        text="After all, no.",
        author=cast.instructor,
        stamp=second_look_stamp(look, after),
    )

    assert not second_looks_shown(scored.submission, sight(Missed.NOTHING))[0].counted


def test_while_the_result_is_unreleased_nothing_is_told_or_even_asked_for(
    asker: Client, scored: Score
) -> None:
    ask(asker, scored, words=UNCLE)

    with CaptureQueriesContext(connection) as queries:
        assert second_looks_shown(scored.submission, sight(Missed.LABELS, shown=False)) == ()
    assert not queries.captured_queries


def test_many_requests_take_no_more_queries(cast: Cast, asker: Client, scored: Score) -> None:
    def queries() -> int:
        submission = Submission.objects.select_related("assignment", "student").get()
        with CaptureQueriesContext(connection) as result:
            second_looks_shown(submission, sight(Missed.LABELS))
        return len(result)

    ask(asker, scored, words=UNCLE)
    count(cast, SecondLook.objects.get())
    few = queries()
    for number in range(4):
        ask(asker, newest(scored.submission), words=UNCLE, reason=f"Reason {number}")
    count(cast, SecondLook.objects.filter(state=STATE.OPEN)[0])

    assert queries() == few
