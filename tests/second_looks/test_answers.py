"""Second looks, the graders' side: what waits, and answering one after the other."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import (
    Assignment,
    Membership,
    Missed,
    Role,
    Score,
    SecondLook,
    StoredPyramid,
    Submission,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.formats.pyramid_json import (
    pyramid_from_json,
    pyramid_to_json,
    report_to_json,
)
from grading.pyramid.structures import Pyramid, Repeat, Segment, Span, Text
from grading.pyramids.actions import draft_from_version
from grading.scoring.conversion import report_from_row
from grading.second_looks.actions import (
    Subject,
    second_look_answer,
    second_look_ask,
    second_look_stamp,
)
from tests.conftest import SUMMARY, Cast
from tests.feedback.test_views import ClientOf
from tests.feedback_scene import in_one_line
from tests.pages import flat
from tests.scoring.test_corrections import missed, newest, publish, scored, work

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

__all__ = ["scored"]

UNCLE = SUMMARY[SUMMARY.index("My uncle") :]
STATE = SecondLook.State


def asked(score: Score, reason: str = "It says so.", *, words: bool = True) -> SecondLook:
    spans = (Span(SUMMARY.index(UNCLE), len(SUMMARY)),) if words else ()
    scu = None if words else missed(score)
    subject = Subject(spans, scu, "" if words else "trees", Missed.HINTS)
    return second_look_ask(score=score, subject=subject, reason=reason)


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def page_of(client: Client, look: SecondLook) -> str:
    return client.get(reverse("second_look", args=[look.pk])).text


def answer(client: Client, look: SecondLook, **data: object) -> "Answer":
    stamp = second_look_stamp(look, newest(look.submission))
    sent = {"stamp": stamp, "words": UNCLE} | data
    return client.post(reverse("second_look_answer", args=[look.pk]), sent)


def count(client: Client, look: SecondLook, **data: object) -> "Answer":
    return answer(
        client, look, **({"verdict": "count", "scu": missed(newest(look.submission))} | data)
    )


def listed(client: Client, score: Score, query: str = "") -> str:
    return client.get(reverse("second_looks", args=[score.pyramid.assignment_id]) + query).text


def test_the_list_says_that_nobody_has_asked(ta: Client, scored: Score) -> None:
    assert "No requests yet" in listed(ta, scored)


def test_the_list_has_what_waits_the_oldest_first_and_what_is_answered(
    cast: Cast, ta: Client, scored: Score
) -> None:
    first, second, third = (asked(scored, f"Reason {number}") for number in range(3))
    answer(ta, second, verdict="decline", answer="No.")

    waiting, answered = listed(ta, scored), listed(ta, scored, "?state=answered")

    assert re.findall(r"Reason \d", waiting) == ["Reason 0", "Reason 2"]
    assert re.findall(r"Reason \d", answered) == ["Reason 1"]
    assert f"<bdi>{cast.student.name}</bdi>" in waiting
    assert re.findall(r"<dt>([\w ]+)</dt><dd>(\d)</dd>", flat(waiting)) == [
        ("Requested", "3"),
        ("Waiting", "2"),
        ("Counted", "0"),
        ("Not counted", "1"),
    ]
    assert first.pk < third.pk


def test_a_long_list_has_pages_and_takes_no_more_queries(ta: Client, scored: Score) -> None:
    look = asked(scored)

    def queries() -> int:
        with CaptureQueriesContext(connection) as result:
            assert "Answer" in listed(ta, scored)
        return len(result)

    few = queries()
    SecondLook.objects.bulk_create(
        SecondLook(
            submission=look.submission, pyramid=look.pyramid, spans=look.spans, reason=f"R{number}"
        )
        for number in range(30)
    )

    assert queries() == few
    assert "Page 1 of 2" in listed(ta, scored)


def test_the_overview_says_how_many_wait(ta: Client, scored: Score) -> None:
    asked(scored)
    page = ta.get(reverse("assignment", args=[scored.pyramid.assignment_id])).text

    assert "1 second look to answer." in in_one_line(page)


def test_the_page_has_the_words_marked_and_what_would_follow(ta: Client, scored: Score) -> None:
    page = page_of(ta, asked(scored))

    assert re.search(r'is-chosen" data-start="\d+">My uncle has', page)
    assert 'class="match ' in page
    assert f"{scored.comprehensive:.2f}<span" in page
    assert "checked" not in page  # which idea words tell is for the grader to say


def test_an_idea_that_was_named_is_chosen_with_its_likely_sentence(
    ta: Client, scored: Score
) -> None:
    page = page_of(ta, asked(scored, words=False))

    assert re.search(rf'value="{missed(scored)}" checked', page)
    assert "Asked about" in page


def test_words_that_say_again_what_counts_already_are_said_to(ta: Client, scored: Score) -> None:
    report = report_from_row(scored)
    match = report.evidence.matches[0]
    (bicycle,) = (
        segment for segment in report.evidence.segments if scored_words(scored, segment) == UNCLE
    )
    evidence = replace(report.evidence, repeats=(Repeat(bicycle, match.scu_uid),))
    plain = page_of(ta, asked(scored))
    Score.objects.update(document=report_to_json(replace(report, evidence=evidence)))

    page = page_of(ta, asked(scored))

    label = pyramid_from_json(scored.pyramid.document).scu(match.scu_uid).label
    assert "which already counts" not in plain
    assert re.search(
        rf'These words also express <a href="#match-(\d+)">idea \1</a>\s+\({re.escape(label)}\), '
        "which already counts",
        page,
    )


def scored_words(score: Score, segment: Segment) -> str:
    return Text("", score.submission.text).words_at(segment.spans)


def test_counting_changes_the_score_and_goes_to_the_next(ta: Client, scored: Score) -> None:
    first, second = asked(scored), asked(scored, "Another")

    done = count(ta, first)

    assert done.headers["Location"] == reverse("second_look", args=[second.pk])
    assert newest(scored.submission).revision == 1
    last = answer(ta, second, verdict="decline", answer="No.")
    assert last.headers["Location"] == reverse("second_looks", args=[scored.pyramid.assignment_id])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"verdict": "decline"}, "Tell the student why it does not count."),
        ({"verdict": "count"}, "Choose the idea that the words express."),
        ({"verdict": "count", "scu": 1, "words": "Snow falls"}, "not in the text"),
        ({"verdict": "count", "scu": 1, "words": ""}, "Mark the words that express the idea"),
        ({"verdict": "count", "scu": 4711}, "Select a valid choice"),
        ({}, "Choose “Count it” or “Do not count it”."),
    ],
)
def test_a_refusal_says_why_and_changes_nothing(
    ta: Client, scored: Score, data: dict[str, object], said: str
) -> None:
    refused = answer(ta, asked(scored), **data)

    assert refused.status_code == 422
    assert said in refused.text
    assert SecondLook.objects.get().is_open


def test_the_second_grader_is_told_what_the_first_said(
    cast: Cast, ta: Client, scored: Score, client_of: ClientOf
) -> None:
    look = asked(scored)
    stamp = second_look_stamp(look, scored)
    answer(client_of(cast.instructor), look, verdict="decline", answer="A bicycle is no tree.")

    late = count(ta, look, stamp=stamp, answer="My own words.")

    assert late.status_code == 409
    for words in ("Ines Duarte", "A bicycle is no tree.", "My own words.", "Nothing was changed"):
        assert words in late.text
    assert newest(scored.submission).revision == 0
    again = count(ta, look, stamp=re.findall(r'name="stamp" value="([^"]+)"', late.text)[0])
    assert again.status_code == 302
    assert newest(scored.submission).revision == 1


def test_a_match_is_the_word_of_whom_it_rests_on(
    cast: Cast, ta: Client, scored: Score, client_of: ClientOf
) -> None:
    """Two graders count one idea for two requests; the second takes the answer back."""
    first, two = asked(scored, "One"), asked(scored, "Two")
    scu = missed(scored)
    count(ta, first, scu=scu)
    instructor = client_of(cast.instructor)
    correction = Correction(scu, Verdict.MATCHED, (Span(SUMMARY.index(UNCLE), len(SUMMARY)),))
    for given in (correction, None):
        two.refresh_from_db()
        stamp = second_look_stamp(two, newest(two.submission))
        assert second_look_answer(
            second_look=two, correction=given, text="", author=cast.instructor, stamp=stamp
        )

    page = instructor.get(reverse("submission", args=[scored.submission_id]))

    result = page.context["feedback"].matched
    assert [match.marked_by for match in result if match.marked_by] == [cast.ta.name]


def test_an_answer_can_be_changed(ta: Client, scored: Score) -> None:
    look = asked(scored)
    count(ta, look)
    look.refresh_from_db()
    page = page_of(ta, look)
    assert "Change the answer" in page
    assert re.search(rf'value="{missed(scored)}" checked', page)

    answer(ta, look, verdict="decline", answer="After all, no.")

    assert newest(scored.submission).comprehensive == scored.comprehensive


def test_a_withdrawn_request_is_not_answered(cast: Cast, ta: Client, scored: Score) -> None:
    look = asked(scored)
    SecondLook.objects.update(state=STATE.WITHDRAWN)

    assert "nothing to answer" in page_of(ta, look)
    assert count(ta, look).status_code == 409


def test_an_idea_of_an_earlier_version_is_found_in_the_newest(
    cast: Cast, ta: Client, scored: Score
) -> None:
    look = asked(scored, words=False)
    publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()

    page = page_of(ta, look)

    assert "Asked about" in page
    assert count(ta, look).status_code == 302
    assert newest(scored.submission).pyramid.number == 2


def test_an_idea_that_is_gone_is_said_to_be_gone(ta: Client, scored: Score) -> None:
    look = asked(scored, words=False)
    version = scored.pyramid
    pyramid = pyramid_from_json(version.document)
    without = Pyramid(pyramid.references, tuple(s for s in pyramid.scus if s.uid != look.scu_uid))
    newer = StoredPyramid.objects.create(
        assignment=version.assignment,
        number=2,
        document=pyramid_to_json(without),
        content_hash="0" * 64,
        signature=version.signature,
    )
    scored.pk, scored.pyramid = None, newer
    scored.save()

    assert "in the current version" in page_of(ta, look)


def test_an_idea_that_counts_already_is_said_to_count(ta: Client, scored: Score) -> None:
    first, second = asked(scored), asked(scored, words=False)
    count(ta, first)

    assert "already counts" in page_of(ta, second)


def test_the_text_is_data(ta: Client, scored: Score) -> None:
    look = asked(scored, "<script>1</script>")
    SecondLook.objects.update(shown_as="<b>idea</b>")

    for page in (page_of(ta, look), listed(ta, scored)):
        assert "<script>1" not in page
        assert "<b>idea" not in page


def test_nobody_answers_their_own_request(
    cast: Cast, ta: Client, scored: Score, client_of: ClientOf
) -> None:
    """A student who has become a TA of the same course."""
    look = asked(scored)
    Membership.objects.filter(user=cast.student).update(role=Role.TA)
    own = client_of(cast.student)

    assert count(own, look).status_code == 403
    assert answer(own, look, verdict="decline", answer="No.").status_code == 403
    assert SecondLook.objects.get().is_open
    assert own.get(reverse("second_look", args=[look.pk])).status_code == 200
    assert count(ta, look).status_code == 302


def test_the_course_tells_graders_how_many_wait_in_as_many_queries(
    cast: Cast, ta: Client, scored: Score, client_of: ClientOf
) -> None:
    address = reverse("course", args=[cast.course.pk])

    def page() -> tuple[str, int]:
        with CaptureQueriesContext(connection) as result:
            text = ta.get(address).text
        return in_one_line(text), len(result)

    before, few = page()
    asked(scored, "One")
    first, _ = page()
    answer(ta, asked(scored, "Two"), verdict="decline", answer="No.")
    asked(scored, "Three")
    Assignment.objects.create(course=cast.course, title="Another")
    two, many = page()

    assert "second look" not in before
    assert "1 second look waits for an answer" in first
    assert two.count("2 second looks wait for an answer") == 1
    assert many == few
    assert "second look" not in client_of(cast.student).get(address).text


def test_a_student_sees_at_an_attempt_that_there_is_an_answer_where_results_are_shown(
    cast: Cast, ta: Client, scored: Score, client_of: ClientOf
) -> None:
    submission = scored.submission
    client = client_of(cast.student)
    address = reverse("assignment", args=[submission.assignment_id])
    look = asked(scored)
    assert "your second look was" not in client.get(address).text

    answer(ta, look, verdict="decline", answer="No.")
    assert f"{reverse('submission', args=[submission.pk])}#second-looks" in client.get(address).text
    assert "your second look was answered" in client.get(address).text

    Submission.objects.update(visibility=Submission.Visibility.HELD_BACK)
    with CaptureQueriesContext(connection) as captured:
        assert "your second look was" not in client.get(address).text
    assert not [query for query in captured.captured_queries if "secondlook" in query["sql"]]
