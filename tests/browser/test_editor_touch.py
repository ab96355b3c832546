"""The editor on a phone and on a tablet, by touch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import Classroom
from tests.browser.editor import Desk

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
PHONE = {"has_touch": True, "is_mobile": True}


@pytest.fixture
def phone(classroom: Classroom, seat: Seat) -> Desk:
    page = seat("instructor", 390, 844, **PHONE)
    assignment = classroom.new_assignment(page)
    return Desk(page, classroom.new_draft(page, assignment=assignment)).open()


def show(desk: Desk, pane: str) -> None:
    parts = desk.page.get_by_role("navigation", name="Parts of the editor")
    parts.get_by_role("button", name=pane).tap()


def select_by_touch(desk: Desk, reference: str, words: str) -> None:
    """A finger that rests on a word and is drawn on: the browser's own selection grows by it."""
    desk.boxes(reference, words)  # brings them into view
    desk.page.locator(f'[data-reference="{reference}"].text-words').evaluate(
        """(text, words) => {
          const piece = [...text.childNodes].find((one) => one.textContent.includes(words));
          const at = piece.textContent.indexOf(words);
          const native = getSelection();
          native.setBaseAndExtent(piece.firstChild, at, piece.firstChild, at + words.length);
        }""",
        words,
    )
    expect(desk.bar()).to_be_visible()


def test_an_idea_of_selected_words_and_publish(phone: Desk) -> None:
    page = phone.page
    expect(page.locator("#band-3")).to_be_visible()
    show(phone, "Texts")
    expect(page.locator("#pane-ideas")).to_be_hidden()
    page.get_by_role("group", name="Which text").get_by_role("button", name="Chi").tap()
    select_by_touch(phone, "Chi", "Air conditioning makes")
    box, bar = phone.boxes("Chi", "Air")[0], phone.bar().bounding_box()
    assert bar
    assert box["y"] + box["height"] <= bar["y"], "The bar covers the words that are chosen."
    phone.bar().get_by_role("button", name="New idea").tap()
    phone.wait_for_revision(1)
    new = max(phone.uids())
    assert phone.kept_words(new, "Chi") == ["Air conditioning makes"]

    select_by_touch(phone, "Chi", "streets hotter")
    phone.bar().get_by_role("button", name="As a further part").tap()
    phone.wait_for_revision(2)
    assert phone.kept_words(new, "Chi") == ["Air conditioning makes", "streets hotter"]

    show(phone, "Ideas")
    page.locator(f"#open-{new}").tap()
    page.locator(f"#label-{new}").fill("Coolers heat the streets")
    page.locator(f"#save-label-{new}").tap()
    phone.wait_for_revision(3)
    page.locator("#undo").tap()
    phone.wait_for_revision(4)
    page.locator("#redo").tap()
    phone.wait_for_revision(5)
    assert phone.kept_idea(new)["label"] == "Coolers heat the streets"
    phone.check_shown()

    page.get_by_role("link", name="Publish…").tap()
    page.get_by_label("Note").fill("From a phone.")
    page.get_by_role("button", name="Publish", exact=True).tap()
    expect(page.get_by_text("Version 1 published.")).to_be_visible()


def test_a_tap_on_words_goes_to_their_idea(phone: Desk) -> None:
    show(phone, "Texts")
    words = phone.show_text("Ada").locator('[data-scu="3"]')
    words.tap()
    expect(phone.page.locator("#open-3")).to_be_focused()
    expect(phone.page.locator("#pane-ideas")).to_be_visible()


def test_all_that_is_tapped_is_large_enough(phone: Desk) -> None:
    """24 px at least, as WCAG 2.2 asks (2.5.8), in an open card as well."""
    phone.open_card(1)
    small = phone.page.evaluate(
        """() => [...document.querySelectorAll("#editor :is(button, input, select, summary)")]
          .map((one) => [one, (one.closest("label") || one).getBoundingClientRect()])
          .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
          .map(([one]) => one.outerHTML.slice(0, 120))"""
    )
    assert not small


def test_undo_and_what_changed_are_in_sight(phone: Desk) -> None:
    """However far down the page one is; and a pane opens at its beginning."""
    page = phone.page
    uid = phone.uids()[0]
    page.locator(f"#open-{uid}").tap()
    page.locator(f"#aside-{uid}").tap()
    phone.wait_for_revision(1)
    expect(page.locator(f"#open-{uid}")).to_be_in_viewport()
    expect(page.locator("#undo")).to_be_in_viewport()
    page.locator("#undo").tap()
    phone.wait_for_revision(2)
    expect(page.locator(f"#scu-{uid}")).to_be_in_viewport()
    show(phone, "Texts")
    expect(page.get_by_role("heading", name="Texts")).to_be_in_viewport()


def test_the_tools_stay_on_one_line_beside_the_panes(classroom: Classroom, seat: Seat) -> None:
    page = seat("instructor", 768, 900)
    Desk(page, classroom.new_draft(page)).open()
    page.get_by_label("Find in ideas and texts").fill("heat")
    expect(page.locator("#found")).to_contain_text("in the texts")
    box = page.get_by_role("group", name="Tools of the editor").bounding_box()
    assert box
    assert box["height"] <= 56
