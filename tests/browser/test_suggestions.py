"""Suggestions in the editor: found by a worker, gone through by keyboard, taken and dismissed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import Classroom, post
from tests.browser.editor import Desk
from tests.browser.people import check_page

pytestmark = pytest.mark.browser

LATER = (
    "Cities are hotter than the country around them. Dark roofs store the heat. "
    "The mayor of the city pays for white paint."
)


@pytest.fixture
def desk(classroom: Classroom, seat: Callable[..., Page]) -> Desk:
    """A draft whose assignment has got another reference since."""
    page = seat()
    assignment = classroom.new_assignment(page)
    draft = classroom.new_draft(page, assignment=assignment)
    post(page, f"{assignment}references/", {"name": "Dee", "text": LATER})
    return Desk(page, draft).open()


def test_a_later_reference_is_taken_in_and_fitted_by_keyboard(desk: Desk) -> None:
    page, all_of_them = desk.page, desk.page.locator("#suggestions [data-suggestion]")
    taking_in = all_of_them.filter(has_text="The reference “Dee” is not in this draft yet")
    expect(taking_in).to_be_visible()
    expect(page.locator("#analysis-progress .job")).to_have_count(0, timeout=60_000)
    check_page(page)

    page.locator("#pane-ideas-name").focus()
    page.keyboard.press("s")
    expect(taking_in).to_be_focused()
    page.keyboard.press("x")
    expect(taking_in).to_have_count(0)
    page.get_by_text("Dismissed (1)").click()
    page.get_by_role("button", name="Restore").click()
    expect(taking_in).to_be_visible()

    taking_in.focus()
    page.keyboard.press("y")
    desk.wait_for_revision(1)
    assert [text["name"] for text in desk.kept()["references"]] == ["Ada", "Ben", "Chi", "Dee"]

    fitting_in = all_of_them.filter(has_text="Fit in everything of “Dee”")
    expect(fitting_in).to_be_visible(timeout=60_000)
    check_page(page)
    before = desk.kept()
    fitting_in.focus()
    page.keyboard.press("y")
    desk.wait_for_revision(2)
    assert any(
        contributor["reference"] == "Dee"
        for scu in desk.kept()["scus"]
        for contributor in scu["contributors"]
    )
    expect(fitting_in).to_have_count(0)

    page.keyboard.press("Control+z")
    desk.wait_for_revision(3)
    assert desk.kept() == before


def test_the_quality_page_waits_for_its_figures(desk: Desk) -> None:
    desk.page.get_by_role("link", name="Quality").click()

    expect(desk.page.get_by_role("heading", name="Ideas by weight")).to_be_visible(timeout=60_000)
    expect(desk.page.get_by_text("Three references")).to_be_visible()
    check_page(desk.page)
