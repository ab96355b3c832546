"""Errors in the console fail a test; what once caused dozens of them causes none."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import Classroom
from tests.browser.console import Console
from tests.browser.lessons import open_lesson
from tests.browser.results import open_result

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]


@pytest.mark.parametrize(
    "script",
    [
        "console.error('Broken.')",
        "setTimeout(() => { throw new Error('Broken.') })",
        "document.body.setAttribute('style', 'color: red')",
    ],
)
def test_errors_on_a_page_are_heard(seat: Seat, console: Console, script: str) -> None:
    page = seat()
    page.goto("/")
    assert not console.complaints

    page.evaluate(script)
    page.wait_for_timeout(200)

    assert len(console.end_test()) == 1


def test_a_resized_field_breaks_no_rule_when_the_desk_is_corrected(
    classroom: Classroom, seat: Seat
) -> None:
    """The browser keeps the size as a style, which must not be copied to what is swapped in."""
    result = open_lesson(classroom).hand_in("zoe")
    page = open_result(seat("tomasz"), result)
    page.goto(f"{result}marking/")
    fields = "[...document.querySelectorAll('textarea[id], [data-selection-bar]')]"
    page.evaluate(f"{fields}.forEach(field => {{ field.style.height = '9rem' }})")

    page.locator("button[data-step=remove]:visible").first.click()

    expect(page.locator("#desk-said")).to_contain_text("You removed")
