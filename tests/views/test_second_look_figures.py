"""Second looks in figures: how often students were right, and which ideas the program misses."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Assignment, Score, SecondLook
from tests.actions.test_corrections import count, missed, scored
from tests.conftest import Cast
from tests.views.test_second_look_answers import STATE, answer, asked, ta
from tests.views.test_second_look_answers import count as count_look
from tests.views.test_submissions import ClientOf

__all__ = ["scored", "ta"]


def figures(cast: Cast, client_of: ClientOf, score: Score) -> str:
    address = reverse("second_look_figures", args=[score.pyramid.assignment_id])
    return client_of(cast.ta).get(address).text


def test_nothing_is_said_of_no_answers(cast: Cast, client_of: ClientOf, scored: Score) -> None:
    asked(scored)

    assert "None is answered yet" in figures(cast, client_of, scored)


def test_without_a_pyramid_the_page_says_so(
    cast: Cast, client_of: ClientOf, assignment: Assignment
) -> None:
    address = reverse("second_look_figures", args=[assignment.pk])

    assert "None is answered yet" in client_of(cast.ta).get(address).text


def test_few_answers_are_said_to_be_few_and_effects_are_told_by_idea(
    cast: Cast, client_of: ClientOf, scored: Score
) -> None:
    client = client_of(cast.ta)
    first, second = asked(scored, "First."), asked(scored, "Second.", words=False)
    count_look(client, first)
    answer(client, second, verdict="decline", answer="No.")

    page = figures(cast, client_of, scored)

    assert "<strong>1 of 2</strong> second looks that were answered counted. These are few" in page
    assert re.search(r"moved the comprehensive score by 0\.\d\d on average\.", page)
    assert page.count('<span class="muted">few</span>') == len(
        {missed(scored), SecondLook.objects.get(pk=second.pk).scu}
    )
    link = reverse("second_look_figures", args=[scored.pyramid.assignment_id])
    listed = client.get(reverse("second_looks", args=[scored.pyramid.assignment_id])).text
    assert link in listed


def test_many_have_a_share_with_its_interval_and_take_no_more_queries(
    cast: Cast, client_of: ClientOf, scored: Score
) -> None:
    count_look(client_of(cast.ta), asked(scored))

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            figures(cast, client_of, scored)
        return len(found)

    few = queries()
    SecondLook.objects.bulk_create(
        SecondLook(
            submission=scored.submission,
            pyramid=scored.pyramid,
            scu=missed(scored),
            reason=f"R{number}",
            state=STATE.DECLINED if number % 2 else STATE.ACCEPTED,
        )
        for number in range(30)
    )

    assert queries() == few
    assert "52&#8239;%" in figures(cast, client_of, scored)
    assert "with more of them, between" in figures(cast, client_of, scored)


def test_ideas_that_people_found_again_and_again_are_named(
    cast: Cast, client_of: ClientOf, scored: Score
) -> None:
    count(cast, scored)
    assert "often misses" not in figures(cast, client_of, scored)
    # A second look about the same idea of the same text would count on top of it.
    look = asked(scored)
    SecondLook.objects.filter(pk=look.pk).update(state=STATE.ACCEPTED)
    correction = scored.submission.corrections.get()
    correction.pk, correction.second_look = None, SecondLook.objects.get(pk=look.pk)
    scored.submission.corrections.bulk_create([correction])

    page = figures(cast, client_of, scored)

    assert "Ideas that the program often misses" not in page


def test_a_single_second_look_is_in_the_tab(cast: Cast, client_of: ClientOf, scored: Score) -> None:
    page = client_of(cast.ta).get(reverse("second_look", args=[asked(scored).pk])).text

    tabs = page[page.index('<nav class="tabs"') :]
    assert re.search(r'aria-current="true">Second looks</a>', tabs)
