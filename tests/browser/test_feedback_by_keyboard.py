"""The whole road by keyboard alone: hand in, read, choose words, ask for a second look."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.classroom import Classroom
from tests.browser.editor import focus
from tests.browser.lessons import open_lesson
from tests.browser.results import CHOSEN
from tests.conftest import SUMMARY

pytestmark = pytest.mark.browser

MOST_STEPS = 60


def tab_to(page: Page, wanted: Locator) -> None:
    """On and on, until this has the focus; and one sees where it is."""
    wanted.wait_for()
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("it => it === document.activeElement"):
            assert focus(page)["visible"], f"The focus on {wanted} is not to be seen."
            return
    raise AssertionError(f"The keyboard does not come to {wanted}.")


def test_from_handing_in_to_a_second_look(classroom: Classroom, seat: Callable[..., Page]) -> None:
    lesson = open_lesson(classroom)
    page = seat("zoe")
    page.goto(classroom.course)
    tab_to(page, page.get_by_role("link", name=lesson.title, exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Write and submit")).to_be_visible()
    tab_to(page, page.get_by_label("Your summary", exact=True))
    page.keyboard.type(SUMMARY)
    tab_to(page, page.get_by_role("button", name="Submit"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Submitted: attempt 1,")).to_be_visible()
    expect(page.locator(".score-number")).to_have_count(3, timeout=60_000)

    tab_to(page, page.locator("a.match-label").first)
    page.keyboard.press("Enter")
    expect(page.locator(CHOSEN)).to_contain_text("Cities are hotter")
    tab_to(page, page.get_by_role("link", name="Next"))
    page.keyboard.press("Enter")
    expect(page.locator(CHOSEN)).to_contain_text("Dark roofs store heat")
    page.keyboard.press("Escape")
    assert focus(page)["visible"]

    tab_to(page, page.get_by_role("link", name="Request a second look", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Request a second look")).to_be_visible()
    tab_to(page, page.get_by_label("Or a whole sentence"))
    page.keyboard.press("ArrowDown")
    tab_to(page, page.get_by_label("Why it should count"))
    page.keyboard.type("It is what the source says.")
    tab_to(page, page.get_by_role("button", name="Send the request"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting for an answer")).to_be_visible()
