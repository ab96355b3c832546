"""Two panes that talk: what lights up, what is counted, what is remembered; and odd texts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from grading.pyramid.structures import Pyramid, Text
from tests.browser.classroom import Classroom
from tests.browser.editor import Desk, check_at

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]

CITIES, ROOFS, TREES, OLD, LEAVES = 1, 2, 3, 4, 5
ODD = Text(
    "Zoë <b>\u202ex",
    "🌍🌍 Cities & <i>towns</i> are hot 🔥.\r\n\r\nCafé nights — naïve “warm” air's the cause.\n"
    "  المدن أكثر حرارة من الريف.  Trees\u00a0cool 👩‍🌾 streets.",
)


def test_pointing_at_an_idea_lights_up_its_words(desk: Desk) -> None:
    text = desk.show_text("Ada")
    desk.card(ROOFS).hover()
    lit = text.locator(".is-active")
    expect(lit).to_have_text("Dark roofs store the heat of the sun")
    # An idea that is in another text only brings that one to the front.
    desk.card(OLD).hover()
    other = desk.page.locator('[data-reference="Ben"].text-words')
    expect(other.locator(".is-active")).to_be_visible()
    expect(other.locator(".is-active")).to_have_text("Old people suffer most in hot nights")


def test_a_click_on_words_shows_their_idea(desk: Desk) -> None:
    desk.show_text("Ben").locator(f'[data-scu="{ROOFS}"]').click()
    expect(desk.page.locator(f"#open-{ROOFS}")).to_be_focused()
    expect(desk.card(ROOFS)).to_be_in_viewport()


def test_a_link_to_an_idea_opens_it(desk: Desk) -> None:
    desk.page.goto("about:blank")
    desk.page.goto(f"{desk.url}#scu-{OLD}")
    expect(desk.page.locator(f"#label-{OLD}")).to_be_visible()
    expect(desk.card(OLD)).to_be_in_viewport()
    expect(desk.page.locator(".idea.is-open")).to_have_count(1)


def test_what_is_in_no_idea_is_told_and_counted(desk: Desk) -> None:
    total = desk.page.locator("#uncovered-total")
    expect(total).to_have_text("10 of 59 words are in no idea")
    bare = desk.show_text("Chi").locator(".bare")
    expect(bare.last).to_have_text("Air conditioning makes the streets hotter")
    desk.select("Chi", "Air conditioning makes the streets hotter")
    desk.press_bar("New idea")
    desk.wait_for_revision(1)
    expect(total).to_have_text("4 of 59 words are in no idea")
    tabs = desk.page.get_by_role("group", name="Which text")
    expect(tabs.get_by_role("button", name="Chi")).to_contain_text("1")


def test_the_pyramid_at_a_glance_leads_to_its_bands(desk: Desk) -> None:
    glance = desk.page.get_by_role("group", name="The pyramid: ideas by weight")
    expect(glance.get_by_role("link")).to_have_count(3)
    glance.get_by_role("link", name="Weight 1: 2 ideas").click()
    expect(desk.page.locator("#band-1")).to_be_in_viewport()


def test_how_one_looks_at_it_is_remembered(desk: Desk) -> None:
    for name in ("Texts as columns", "Quotes"):
        button = desk.page.get_by_role("button", name=name)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    desk.open()
    for name in ("Ada", "Ben", "Chi"):
        expect(desk.page.locator(f'[data-reference="{name}"].text-words')).to_be_visible()
    expect(desk.card(ROOFS).get_by_text("Dark roofs store heat").last).to_be_visible()


def test_edits_in_quick_succession_are_all_made(desk: Desk) -> None:
    """Nobody waits for the server; each edit is sent on the state that the one before has left."""
    desk.open_card(CITIES)
    later = desk.contributor_row(CITIES, "Ada").get_by_role("button", name="End one word later")
    for _ in range(5):
        later.click(no_wait_after=True)
    desk.wait_for_revision(5)
    assert desk.kept_words(CITIES, "Ada") == [
        "Cities are hotter than the country. Dark roofs store the heat"
    ]
    for _ in range(5):
        desk.page.keyboard.press("Control+z")
    desk.wait_for_revision(10)
    assert desk.kept_words(CITIES, "Ada") == ["Cities are hotter than the country"]
    expect(desk.page.locator("#editor-conflict")).to_be_hidden()
    desk.check_shown()


def test_odd_texts_are_shown_and_cut_as_they_are(classroom: Classroom, seat: Seat) -> None:
    """Characters of two units, lines, right-to-left words, what looks like HTML."""
    page = seat()
    pyramid = Pyramid((ODD, Text("Ben", "Cities are hot.")), ())
    desk = Desk(page, classroom.new_draft(page, pyramid)).open()
    kept = {text["name"]: text["content"] for text in desk.kept()["references"]}
    name = next(name for name in kept if name.startswith("Zoë"))
    chosen = ["towns", "naïve “warm” air's", "المدن أكثر حرارة", "cool 👩‍🌾 streets"]
    text = page.locator(".text-words").first
    for number, words in enumerate(chosen, 1):
        first, last = text.evaluate(BOXES_OF, words)
        page.mouse.move(first[0], first[1])
        page.mouse.down()
        page.mouse.move(last[0], last[1], steps=5)
        page.mouse.up()
        desk.press_bar("New idea")
        desk.wait_for_revision(number)
        assert desk.kept_words(max(desk.uids()), name) == [words]
        desk.check_shown()
    check_at(page, 390)


# Points inside of the first and of the last word of some words.
BOXES_OF = """(text, words) => {
  const content = text.textContent;
  const at = content.indexOf(words);
  const box = (offset) => {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    let left = offset;
    while (walker.nextNode() && left >= walker.currentNode.length) {
      left -= walker.currentNode.length;
    }
    const range = document.createRange();
    range.setStart(walker.currentNode, left);
    range.setEnd(walker.currentNode, left + 1);
    const { x, y, width, height } = range.getBoundingClientRect();
    return [x + 0.3 * width, y + height / 2];
  };
  return [box(at + 1), box(at + words.length - 2)];
}"""
