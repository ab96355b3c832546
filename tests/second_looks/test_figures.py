"""Second looks in figures: how often students were right, and which ideas the program misses."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Assignment, Score, SecondLook
from grading.pyramid.corrections import Correction, Verdict
from grading.scoring.conversion import report_from_row
from grading.scoring.corrections import match_correct
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.feedback.test_views import ClientOf
from tests.feedback_scene import in_one_line
from tests.scoring.test_corrections import count, missed, newest, scored, work
from tests.second_looks.test_answers import STATE, answer, asked, ta
from tests.second_looks.test_answers import count as count_look

__all__ = ["scored", "ta"]


def figures(cast: Cast, client_of: ClientOf, score: Score) -> str:
    address = reverse("second_look_figures", args=[score.pyramid.assignment_id])
    return in_one_line(client_of(cast.ta).get(address).text)


def test_nothing_is_said_of_no_answers(cast: Cast, client_of: ClientOf, scored: Score) -> None:
    asked(scored)

    assert "No answers yet" in figures(cast, client_of, scored)


def test_without_a_pyramid_the_page_says_so(
    cast: Cast, client_of: ClientOf, assignment: Assignment
) -> None:
    address = reverse("second_look_figures", args=[assignment.pk])

    assert "No answers yet" in client_of(cast.ta).get(address).text


def test_few_answers_are_said_to_be_few_and_effects_are_told_by_idea(
    cast: Cast, client_of: ClientOf, scored: Score
) -> None:
    client = client_of(cast.ta)
    first, second = asked(scored, "First."), asked(scored, "Second.", words=False)
    count_look(client, first)
    answer(client, second, verdict="decline", answer="No.")

    page = figures(cast, client_of, scored)

    assert "<strong>1 of 2</strong> answered second looks were granted. These are few" in page
    assert re.search(r"changed the comprehensive score by 0\.\d\d on average\.", page)
    assert page.count('<span class="muted">few</span>') == len(
        {missed(scored), SecondLook.objects.get(pk=second.pk).scu_uid}
    )
    link = reverse("second_look_figures", args=[scored.pyramid.assignment_id])
    listed = client.get(reverse("second_looks", args=[scored.pyramid.assignment_id])).text
    assert link in listed


def test_many_have_a_share_with_its_interval_and_take_no_more_queries(
    cast: Cast, client_of: ClientOf, scored: Score
) -> None:
    count_look(client_of(cast.ta), asked(scored))

    def queries() -> int:
        with CaptureQueriesContext(connection) as result:
            figures(cast, client_of, scored)
        return len(result)

    few = queries()
    SecondLook.objects.bulk_create(
        SecondLook(
            submission=scored.submission,
            pyramid=scored.pyramid,
            scu_uid=missed(scored),
            reason=f"R{number}",
            state=STATE.DECLINED if number % 2 else STATE.ACCEPTED,
        )
        for number in range(30)
    )

    assert queries() == few
    assert "52&#8239;%" in figures(cast, client_of, scored)
    assert "expected range" in figures(cast, client_of, scored)


def test_ideas_that_people_found_again_and_again_are_named(
    cast: Cast, client_of: ClientOf, assignment: Assignment, scored: Score
) -> None:
    count(cast, scored)
    assert "often misses" not in figures(cast, client_of, scored)
    other = submission_submit(assignment=assignment, student=cast.other_student, text=SUMMARY)
    work()
    count(cast, newest(other))
    # What the program has found, and somebody confirms, is not missed.
    result = report_from_row(scored).evidence.matches[0]
    confirmed = Correction(result.scu_uid, Verdict.MATCHED, result.spans)
    for submission in (scored.submission, other):
        match_correct(score=newest(submission), correction=confirmed, author=cast.ta)

    page = figures(cast, client_of, scored)

    section = page[page.index("Ideas that the program often misses") :]
    assert section.count('<th scope="row"') == 1
    assert f"#scu-{missed(scored)}" in section
    assert re.findall(r'data-label="([\w ]+)">(\d+)<', section) == [
        ("In all", "2"),
        ("Second looks", "0"),
        ("Manual corrections", "2"),
        ("Blind samples", "0"),
    ]


def test_a_single_second_look_is_in_its_place(
    cast: Cast, client_of: ClientOf, scored: Score
) -> None:
    page = client_of(cast.ta).get(reverse("second_look", args=[asked(scored).pk])).text

    pages = page[page.index('<nav class="place-pages"') :]
    assert re.search(r'aria-current="true">\s+Second looks\s+</a>', pages)
