"""Suggestions beside the draft, and the effect of publishing on a class."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.classroom import TOWNS, Classroom, post, torn_pyramid
from tests.browser.editor import Desk, check_focus, wait_until_settled
from tests.browser.people import check_page
from tests.conftest import SUMMARY

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
SLOW = 60_000  # ms: the worker may be at something else

CITIES, ROOFS, TREES = 1, 2, 3


@pytest.fixture
def torn(classroom: Classroom, seat: Seat) -> Desk:
    page = seat()
    return Desk(page, classroom.new_draft(page, torn_pyramid())).open()


def merging(desk: Desk) -> Locator:
    """The suggestion to merge what was torn."""
    result = desk.page.locator(
        f'#suggestions [data-suggestion][data-scu~="{CITIES}"][data-scu~="{TOWNS}"]'
    )
    expect(result).to_be_visible(timeout=SLOW)
    wait_until_settled(desk.page)
    return result


def test_a_suggestion_is_taken_and_undone(torn: Desk) -> None:
    suggestion = merging(torn)
    expect(suggestion.locator(".suggestion-reason")).not_to_be_empty()
    check_page(torn.page)
    suggestion.get_by_role("button", name="Accept").click()
    torn.wait_for_revision(1)
    assert not {CITIES, TOWNS} <= set(torn.uids())
    torn.check_shown()
    expect(suggestion).to_have_count(0)
    torn.undo()
    assert {CITIES, TOWNS} <= set(torn.uids())
    merging(torn)
    torn.check_shown()


def test_a_suggestion_is_dismissed_and_brought_back(torn: Desk) -> None:
    suggestion = merging(torn)
    suggestion.get_by_role("button", name="Dismiss").click()
    dismissed = torn.page.locator("#suggestions-dismissed")
    expect(dismissed).to_contain_text("Dismissed (1)")
    expect(suggestion).to_have_count(0)

    # It stays so, for everybody and after other edits.
    torn.open_card(TREES).get_by_role("button", name="Must count").click()
    torn.wait_for_revision(1)
    torn.open()
    expect(dismissed).to_contain_text("Dismissed (1)", timeout=SLOW)
    expect(suggestion).to_have_count(0)
    dismissed.get_by_text("Dismissed (1)").click()
    check_page(torn.page)
    # The analysis of the edit arrives meanwhile, and closes nothing.
    expect(torn.page.locator("#analysis-progress")).to_have_text("", timeout=SLOW)
    dismissed.get_by_role("button", name="Restore").click()
    merging(torn)
    expect(dismissed).to_have_count(0)


def test_a_suggestion_that_is_stale_asks(torn: Desk, seat: Seat) -> None:
    torn.page.route("**/changes/**", lambda route: route.fulfill(status=204))
    suggestion = merging(torn)
    other = Desk(seat("kofi"), torn.url).open()
    other.open_card(TREES).get_by_role("button", name="Must count").click()
    other.wait_for_revision(1)
    suggestion.get_by_role("button", name="Accept").click()
    conflict = torn.page.get_by_role("dialog", name="Somebody else has changed the draft")
    expect(conflict).to_contain_text("pinned “Trees cool streets” as must count")
    conflict.get_by_role("button", name="Save my edit anyway").click()
    torn.wait_for_revision(2)
    assert torn.kept_idea(TREES)["standing"] == "must"
    assert not {CITIES, TOWNS} <= set(torn.uids())
    torn.check_shown()


def test_the_keys_go_through_the_suggestions(torn: Desk) -> None:
    merging(torn)
    page = torn.page
    first, *rest = [
        suggestion.get_attribute("id") or ""
        for suggestion in page.locator("#suggestions .suggestion").all()
    ]
    page.keyboard.press("s")
    check_focus(page, first)
    if rest:
        page.keyboard.press("s")
        check_focus(page, rest[0])


def hand_in(page: Page, address: str, text: str) -> None:
    page.goto(address)
    page.get_by_label("Your summary", exact=True).fill(text)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".score-number").first).to_be_visible(timeout=SLOW)


def test_the_effect_on_the_class_before_publishing(classroom: Classroom, seat: Seat) -> None:
    page = seat()
    address = classroom.new_assignment(page)
    desk = Desk(page, classroom.new_draft(page, assignment=address)).open()
    publish(page, desk.url, "The first.")
    post(page, f"{address}state/", {"state": "open"})
    hand_in(seat("zoe", 390, 844), address, SUMMARY)

    page.goto(f"{address}pyramid/")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.wait_for_url("**/drafts/*/")
    draft = Desk(page, page.url).open()
    draft.open_card(ROOFS).get_by_role("button", name="Delete the idea").click()
    draft.wait_for_revision(1)
    page.get_by_role("link", name="Publish…").click()
    effect = page.locator("#effect")  # worked out without being asked
    expect(effect.get_by_role("row", name="Zoë Brânză")).to_be_visible(timeout=SLOW)
    expect(effect.locator(".delta")).to_have_count(1)
    check_page(page)
    page.get_by_label("Note").fill("Roofs are out.")
    page.get_by_role("button", name="Publish and score the class").click()
    expect(page.get_by_text("Version 2 published.")).to_be_visible()


def publish(page: Page, draft: str, note: str) -> None:
    page.goto(f"{draft}publish/")
    page.get_by_label("Note").fill(note)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("published.").first).to_be_visible()
