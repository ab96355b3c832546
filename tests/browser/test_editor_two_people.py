"""Two instructors in one draft, each with a browser of their own; and an assistant who looks on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import COLLEAGUE
from tests.browser.editor import Desk, check_at, check_said
from tests.browser.people import check_page

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]

CITIES, ROOFS, TREES, OLD, LEAVES = 1, 2, 3, 4, 5
AT_ONCE = 10_000  # ms until others' edits are there; 5,000 are meant, on a machine at rest


def beside(desk: Desk, seat: Seat, login: str = "kofi") -> Desk:
    """The same draft in somebody else's browser."""
    return Desk(seat(login), desk.url).open()


def deaf(desk: Desk) -> None:
    """The window learns nothing of others any more, until it sends something itself."""
    desk.page.route("**/changes/**", lambda route: route.fulfill(status=204))


def relabel(desk: Desk, uid: int, label: str) -> None:
    card = desk.open_card(uid)
    card.get_by_label("Label", exact=True).fill(label)
    card.get_by_role("button", name="Save label").click()


def test_both_see_what_the_other_does(desk: Desk, seat: Seat) -> None:
    other = beside(desk, seat)
    relabel(desk, TREES, "Trees give shade")
    expect(other.page.locator(f"#open-{TREES}")).to_have_text("Trees give shade", timeout=AT_ONCE)
    check_said(other.page, "Prof. Ines Duarte changed the label “Trees cool streets”")
    other.check_shown()

    other.open_card(LEAVES).get_by_role("button", name="Delete the idea").click()
    expect(desk.card(LEAVES)).to_have_count(0, timeout=AT_ONCE)
    check_said(desk.page, f"{COLLEAGUE} deleted the idea “Leaves give off water”")
    desk.check_shown()

    # Undo is shared, and says whose edit it takes back.
    undo = desk.page.get_by_role("button", name=re.compile(f"Undo ?, {COLLEAGUE} deleted"))
    expect(undo).to_be_visible()
    desk.undo()
    expect(other.card(LEAVES)).to_be_visible(timeout=AT_ONCE)
    other.check_shown()


def test_what_one_types_stays_while_the_other_edits(desk: Desk, seat: Seat) -> None:
    other = beside(desk, seat)
    field = other.open_card(TREES).get_by_label("Label", exact=True)
    field.press_sequentially("When it is hot: ")
    relabel(desk, TREES, "Trees give shade")
    notice = other.card(TREES).get_by_text("Somebody else changed this idea")
    expect(notice).to_be_visible(timeout=AT_ONCE)
    expect(field).to_be_focused()
    typed = field.input_value()
    assert typed.startswith("When it is hot: Trees")

    other.card(TREES).get_by_role("button", name="Save label").click()
    conflict = other.page.get_by_role("dialog", name="Somebody else has changed the draft")
    expect(conflict).to_contain_text("Prof. Ines Duarte changed the label")
    assert desk.kept_idea(TREES)["label"] == "Trees give shade"
    conflict.get_by_role("button", name="Save my edit anyway").click()
    other.wait_for_revision(2)
    assert desk.kept_idea(TREES)["label"] == typed


def stale(desk: Desk, seat: Seat) -> Desk:
    """A colleague's window with an edit that was made on a state that is gone."""
    other = beside(desk, seat)
    deaf(other)
    relabel(desk, TREES, "Trees give shade")
    desk.wait_for_revision(1)
    desk.open_card(OLD).get_by_role("button", name="Must count").click()
    desk.wait_for_revision(2)
    relabel(other, TREES, "Green streets")
    conflict = other.page.get_by_role("dialog", name="Somebody else has changed the draft")
    expect(conflict).to_contain_text("changed the label “Trees cool streets” to “Trees give shade”")
    expect(conflict).to_contain_text("pinned “Nights harm the old” as must count")
    check_said(other.page, "Not saved yet: somebody else has changed the draft.")
    assert desk.kept_idea(TREES)["label"] == "Trees give shade"
    other.check_shown()
    return other


def test_a_stale_edit_is_done_anyway(desk: Desk, seat: Seat) -> None:
    other = stale(desk, seat)
    for width in (390, 1280):
        check_at(other.page, width)
    other.page.get_by_role("button", name="Save my edit anyway").click()
    other.wait_for_revision(3)
    assert other.kept_idea(TREES)["label"] == "Green streets"
    assert other.kept_idea(OLD)["standing"] == "must"
    other.check_shown()
    expect(desk.page.locator(f"#open-{TREES}")).to_have_text("Green streets", timeout=AT_ONCE)
    other.undo()
    assert other.kept_idea(TREES)["label"] == "Trees give shade"


@pytest.mark.parametrize("how", ["button", "Escape"])
def test_a_stale_edit_is_left(desk: Desk, seat: Seat, how: str) -> None:
    other = stale(desk, seat)
    if how == "button":
        other.page.get_by_role("dialog").get_by_text("Cancel").click()
    else:
        other.page.keyboard.press("Escape")
    expect(other.page.get_by_role("dialog")).to_be_hidden()
    assert other.revision() == 2
    assert other.kept_idea(TREES)["label"] == "Trees give shade"
    other.check_shown()

    # It is not in the way of the next edit.
    other.open_card(LEAVES).get_by_role("button", name="Set aside").click()
    other.wait_for_revision(3)
    assert other.kept_idea(LEAVES)["standing"] == "aside"
    assert other.kept_idea(TREES)["label"] == "Trees give shade"


def test_a_stale_edit_of_an_idea_that_is_gone(desk: Desk, seat: Seat) -> None:
    other = beside(desk, seat)
    deaf(other)
    other.open_card(TREES)
    desk.open_card(TREES).get_by_role("button", name="Delete the idea").click()
    desk.wait_for_revision(1)
    relabel(other, TREES, "Green streets")
    conflict = other.page.get_by_role("dialog", name="Somebody else has changed the draft")
    expect(conflict).to_contain_text("deleted the idea “Trees cool streets”")
    conflict.get_by_role("button", name="Save my edit anyway").click()
    expect(other.page.get_by_role("alert").filter(has_text="idea")).to_be_visible()
    assert TREES not in desk.uids()
    assert desk.revision() == 1
    other.check_shown()


def test_an_edit_of_something_else_needs_no_question_after_a_look(desk: Desk, seat: Seat) -> None:
    """What the page has shown is no conflict any more."""
    other = beside(desk, seat)
    relabel(desk, TREES, "Trees give shade")
    expect(other.page.locator(f"#open-{TREES}")).to_have_text("Trees give shade", timeout=AT_ONCE)
    relabel(other, TREES, "Green streets")
    other.wait_for_revision(2)
    assert desk.kept_idea(TREES)["label"] == "Green streets"


def test_an_assistant_looks_on(desk: Desk, seat: Seat) -> None:
    assistant = beside(desk, seat, "tomasz")
    page = assistant.page
    expect(page.get_by_text("Only instructors can edit this draft.")).to_be_visible()
    for name in ("Undo", "Redo"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_role("link", name="Publish")).to_have_count(0)
    page.locator(f"#open-{TREES}").click()
    expect(assistant.card(TREES).get_by_role("listitem").first).to_contain_text("Trees cool")
    assert page.locator("#bands form, #bands button, #bands textarea, #bands select").count() == 0
    assert page.locator("[draggable=true]").count() == 0
    check_page(page)

    # Keys do nothing, and words can be read, not taken.
    first, last = assistant.boxes("Chi", "Air conditioning")
    page.mouse.move(first["x"] + 1, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"], last["y"] + 5, steps=4)
    page.mouse.up()
    page.keyboard.press("n")
    page.locator(f"#open-{TREES}").focus()
    for key in ("Delete", "e", "m", "Control+z"):
        page.keyboard.press(key)
    expect(page.locator(".selection-bar")).to_have_count(0)
    relabel(desk, ROOFS, "Roofs store heat")
    expect(page.locator(f"#open-{ROOFS}")).to_have_text("Roofs store heat", timeout=AT_ONCE)
    assert desk.revision() == 1
    assistant.check_shown()
    for address in ("publish/", "discard/"):
        answer = page.goto(f"{desk.url}{address}")
        assert answer
        assert answer.status in {403, 404}
