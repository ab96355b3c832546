"""From uploaded references to a published pyramid without a mouse, told to screen readers."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import Classroom, torn_pyramid
from tests.browser.editor import Desk, check_focus, check_said, focus, wait_until_settled

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]

CITIES, ROOFS, TREES, OLD, LEAVES = 1, 2, 3, 4, 5


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, name: str, most: int = 60) -> None:
    """Tab until the focus is on what is called so, and seen there."""
    for _ in range(most):
        page.keyboard.press("Tab")
        here = focus(page)
        if here["name"].startswith(name):
            assert here["visible"], f"The focus on {name} is not to be seen."
            return
    raise AssertionError(f"Tab does not come to “{name}”.")


def choose_words(page: Page, text: int, first: int, last: int) -> None:
    """Words of a text by their numbers, from 0."""
    press(page, str(text))
    check_focus(page, f"text-{text - 1}")
    press(page, "Home", *["ArrowRight"] * first)
    press(page, *["Shift+ArrowRight"] * (last - first))


def test_words_are_chosen_and_edited_by_keys(desk: Desk) -> None:
    page = desk.page
    press(page, "t")
    check_focus(page, "text-0")
    press(page, "ArrowRight")
    check_said(page, "Cities, in idea 1")
    choose_words(page, 3, 10, 15)
    check_said(page, "“Air conditioning makes the streets hotter” selected, 6 words, in no idea.")

    press(page, "n")
    desk.wait_for_revision(1)
    new = max(desk.uids())
    assert desk.kept_words(new, "Chi") == ["Air conditioning makes the streets hotter"]
    check_said(page, "Made the idea “Air conditioning makes the streets hotter”.")
    check_focus(page, "text-2")
    press(page, "Enter")
    check_focus(page, f"open-{new}")

    press(page, "e")
    check_focus(page, f"label-{new}")
    page.keyboard.type("Coolers heat the street")
    press(page, "Enter")
    desk.wait_for_revision(2)
    check_said(page, "Changed the label")
    check_focus(page, f"open-{new}")
    assert desk.kept_idea(new)["label"] == "Coolers heat the street"

    press(page, "Control+z")
    desk.wait_for_revision(3)
    check_said(page, "Undid: changed the label")
    check_focus(page, f"open-{new}")
    press(page, "Control+Shift+z")
    desk.wait_for_revision(4)
    check_said(page, "Redid: changed the label")
    check_focus(page, f"open-{new}")
    desk.check_shown()


def test_words_are_added_to_the_current_idea_by_keys(desk: Desk) -> None:
    page = desk.page
    press(page, *"jjjjj")
    check_focus(page, f"open-{LEAVES}")
    choose_words(page, 3, 10, 11)
    press(page, "a")
    desk.wait_for_revision(1)
    check_said(page, "Added “Air conditioning” of Chi to “Leaves give off water”.")
    assert desk.kept_words(LEAVES, "Chi") == ["Air conditioning"]

    # Two ranges, kept one after the other, as a further part; the idea moved up meanwhile.
    choose_words(page, 3, 12, 12)
    press(page, "Control+Space")
    check_said(page, "Kept. Go on and select more.")
    press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "p")
    desk.wait_for_revision(2)
    words = desk.kept_words(LEAVES, "Chi")
    assert words == ["Air conditioning", "makes", "streets hotter"]
    check_focus(page, "text-2")

    # The same reference once more: it is offered to be joined, and Enter takes that.
    choose_words(page, 3, 13, 13)
    press(page, "Space", "a")
    check_focus(page, "join-part")
    expect(page.locator("#editor-refusal")).to_contain_text("counts once")
    press(page, "Enter")
    desk.wait_for_revision(3)
    words = desk.kept_words(LEAVES, "Chi")
    assert words == ["Air conditioning", "makes", "the", "streets hotter"]
    check_focus(page, f"open-{LEAVES}")
    desk.check_shown()


def test_ideas_are_merged_ordered_and_deleted_by_keys(desk: Desk) -> None:
    page = desk.page
    press(page, *"jjjj", "d")
    desk.wait_for_revision(1)
    check_said(page, "Put “Nights harm the old” to the end.")
    assert [uid for uid, _ in desk.shown()["bands"]["1"]] == [LEAVES, OLD]
    assert focus(page)["id"] in {f"open-{OLD}", f"up-{OLD}", f"down-{OLD}"}
    press(page, "u")
    desk.wait_for_revision(2)
    assert [uid for uid, _ in desk.shown()["bands"]["1"]] == [OLD, LEAVES]

    press(page, "j", "m")
    check_focus(page, f"other-{LEAVES}-field")
    page.keyboard.type(f"{TREES} · ")
    expect(page.get_by_role("option")).to_have_count(1)
    press(page, "Tab")
    check_focus(page, f"merge-{LEAVES}")
    press(page, "Enter")
    desk.wait_for_revision(3)
    check_said(page, "Merged “Leaves give off water” into “Trees cool streets”.")
    check_focus(page, f"open-{TREES}")
    assert LEAVES not in desk.uids()

    press(page, "Delete")
    desk.wait_for_revision(4)
    check_said(page, "Deleted the idea “Trees cool streets”.")
    assert re.fullmatch(r"open-\d+", focus(page)["id"])
    assert focus(page)["visible"]
    press(page, "Control+z")
    desk.wait_for_revision(5)
    check_focus(page, f"open-{TREES}")
    desk.check_shown()


def test_the_rest_of_a_card_by_keys(desk: Desk) -> None:
    """Split, ends by a word, standing, weight, comment: by Tab, Space and Enter."""
    page = desk.page
    press(page, "j", "Enter")
    expect(page.locator(f"#label-{CITIES}")).to_be_visible()
    tab_to(page, "End one word later")
    here = focus(page)["id"]
    press(page, "Enter")
    desk.wait_for_revision(1)
    assert desk.kept_words(CITIES, "Ada") == ["Cities are hotter than the country. Dark"]
    check_focus(page, here)
    press(page, "Shift+Tab", "Enter")
    desk.wait_for_revision(2)
    assert desk.kept_words(CITIES, "Ada") == ["Cities are hotter than the country"]

    tab_to(page, "Must count")
    press(page, "Space")
    desk.wait_for_revision(3)
    check_focus(page, f"must-{CITIES}")
    check_said(page, "Pinned “Cities are hotter” as must count.")
    tab_to(page, f"weight-{CITIES}")
    page.keyboard.type("9")
    press(page, "Enter")
    desk.wait_for_revision(4)
    check_focus(page, f"weight-{CITIES}")
    tab_to(page, f"comment-{CITIES}")
    page.keyboard.type("Sure?")
    press(page, "Control+Enter")
    desk.wait_for_revision(5)
    assert desk.kept_idea(CITIES)["comment"] == "Sure?"
    check_focus(page, f"comment-{CITIES}")

    press(page, "Escape")
    check_focus(page, f"open-{CITIES}")
    tab_to(page, "tick-", 5)
    press(page, "Space")
    tab_to(page, "Split off the ticked experts")
    press(page, "Enter")
    desk.wait_for_revision(6)
    assert [contributor["reference"] for contributor in desk.kept_idea(CITIES)["contributors"]] == [
        "Ben",
        "Chi",
    ]
    check_focus(page, f"split-{CITIES}")
    desk.check_shown()


def test_the_sheet_and_its_switch(desk: Desk) -> None:
    page = desk.page
    press(page, "?")
    sheet = page.get_by_role("dialog", name="Keys of the editor")
    expect(sheet).to_be_visible()
    press(page, "Shift+Tab", "Space", "Escape")
    expect(sheet).to_be_hidden()
    press(page, "j", "Delete", "?")
    expect(sheet).to_be_hidden()
    assert not focus(page)["id"].startswith("open-")
    desk.open()
    press(page, "j")
    assert not focus(page)["id"].startswith("open-")
    tab_to(page, "Keyboard shortcuts")
    press(page, "Enter", "Shift+Tab", "Space", "Escape")
    check_focus(page, "open-sheet")
    press(page, "j")
    check_focus(page, f"open-{CITIES}")
    assert desk.revision() == 0


def test_find_by_keys(desk: Desk) -> None:
    page = desk.page
    press(page, "/")
    check_focus(page, "find")
    page.keyboard.type("dark roofs")
    expect(page.locator("#found")).to_have_text("1 idea, 2 in the texts")
    expect(desk.card(CITIES)).to_be_hidden()
    press(page, "Enter", "Enter")
    expect(page.locator("#found")).to_have_text("2 of 2 in the texts")
    expect(page.locator('[data-reference="Ben"].text-words')).to_be_visible()
    press(page, "Escape")
    expect(desk.card(CITIES)).to_be_visible()


def build(page: Page) -> Desk:
    """From the references to the draft that is made of them, open in the editor."""
    tab_to(page, "Build the pyramid")
    press(page, "Enter")
    expect(page.get_by_text("Draft 1 is waiting to be published.")).to_be_visible(timeout=90_000)
    tab_to(page, "Open draft 1")
    press(page, "Enter")
    page.wait_for_url("**/drafts/*/")
    expect(page.get_by_role("heading", name="Ideas", exact=True)).to_be_visible()
    return Desk(page, page.url)


def make_an_idea(desk: Desk) -> int:
    """Of words of two texts, with a label."""
    page = desk.page
    choose_words(page, 1, 0, 3)
    press(page, "n")
    desk.wait_for_revision(1)
    new = max(desk.uids())
    check_said(page, "Made the idea “Cities are hotter than”.")
    choose_words(page, 2, 0, 3)
    press(page, "a")  # to the idea that was just made
    desk.wait_for_revision(2)
    assert desk.kept_words(new, "Ben") == ["Towns are warmer than"]
    press(page, "e")
    check_focus(page, f"label-{new}")
    page.keyboard.type("Towns are hot")
    press(page, "Enter")
    desk.wait_for_revision(3)
    check_focus(page, f"open-{new}")
    return new


def merge_and_go_back_and_forth(desk: Desk, new: int) -> None:
    page, others = desk.page, [uid for uid in desk.uids() if uid != new]
    press(page, "m")
    check_focus(page, f"other-{new}-field")
    expect(page.get_by_role("option").first).to_be_visible()
    press(page, "ArrowDown", "Tab", "Enter")
    desk.wait_for_revision(4)
    assert new not in desk.uids()
    check_said(page, "Merged “Towns are hot” into")
    assert focus(page)["id"] in {f"open-{uid}" for uid in others}
    assert focus(page)["visible"]
    press(page, "Control+z")
    desk.wait_for_revision(5)
    assert new in desk.uids()
    check_said(page, "Undid: merged “Towns are hot” into")
    press(page, "Control+Shift+z")
    desk.wait_for_revision(6)
    assert new not in desk.uids()
    desk.check_shown()


def answer_suggestions(desk: Desk) -> None:
    """Take the first, dismiss the next; the focus goes on to the one after it."""
    page = desk.page
    suggestions = page.locator("#suggestions [data-suggestion]")
    expect(suggestions.first).to_be_visible(timeout=30_000)
    wait_until_settled(page)
    press(page, "s")
    here = focus(page)["id"]
    assert here.startswith("suggestion-")
    assert focus(page)["visible"]
    press(page, "y")
    desk.wait_for_revision(1)
    expect(page.locator(f"#{here}")).to_have_count(0)
    page.wait_for_function("() => document.activeElement.closest('#suggestions, .idea')")
    assert focus(page)["visible"]
    press(page, "Control+z")
    desk.wait_for_revision(2)
    expect(page.locator(f"#{here}")).to_be_visible(timeout=30_000)
    wait_until_settled(page)
    press(page, "s")
    here = focus(page)["id"]
    assert here.startswith("suggestion-")
    press(page, "x")
    expect(page.locator(f"#suggestions [data-suggestion]#{here}")).to_have_count(0)
    expect(page.locator("#suggestions-dismissed")).to_contain_text("Dismissed (1)")


def publish(page: Page) -> None:
    tab_to(page, "Publish…", 150)
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Publish draft 1")).to_be_visible()
    tab_to(page, "id_note")
    page.keyboard.type("By keys alone.")
    tab_to(page, "Publish")
    press(page, "Enter")
    expect(page.get_by_text("Version 1 published.")).to_be_visible()


def test_from_references_to_published_by_keyboard_alone(classroom: Classroom, seat: Seat) -> None:
    page = seat()
    page.goto(f"{classroom.new_assignment(page)}references/")
    desk = build(page)
    desk.check_shown()
    new = make_an_idea(desk)
    merge_and_go_back_and_forth(desk, new)
    desk.check_shown()
    publish(page)


def test_suggestions_by_keyboard_alone(classroom: Classroom, seat: Seat) -> None:
    page = seat()
    answer_suggestions(Desk(page, classroom.new_draft(page, torn_pyramid())).open())
