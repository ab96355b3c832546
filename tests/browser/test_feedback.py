"""A student reads the feedback: marks and cards by mouse, key, finger, and without script."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import check_page, log_in
from tests.sites import Site

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]

CHOSEN = "[data-chosen]"


def open_feedback(page: Page, site: Site) -> str:
    """The page of student1's summary, once it is scored; its address."""
    log_in(page, "student1", site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    page.locator('a[href^="/submissions/"]').first.click()
    expect(page.locator(".score-number").first).to_be_visible(timeout=120_000)
    return page.url


def title_of(page: Page) -> str:
    return page.locator(f"{CHOSEN} h3").first.inner_text()


def test_marked_words_lead_to_their_idea_and_back_by_keys(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)
    check_page(page)
    label = page.locator('mark a.match-label[href="#idea-3"]')
    label.focus()
    page.keyboard.press("Enter")

    expect(page.locator(CHOSEN)).to_be_focused()
    assert title_of(page).startswith("3")
    check_page(page)
    page.keyboard.press("n")
    page.keyboard.press("p")
    assert title_of(page).startswith("3")
    page.keyboard.press("Escape")
    expect(page.locator(CHOSEN)).to_be_hidden()
    expect(label).to_be_focused()
    listed = page.locator("[data-cards] > li").evaluate_all("cards => cards.map(card => card.id)")
    numbers = [int(one.removeprefix("idea-")) for one in listed if one[-1].isdigit()]
    assert numbers == sorted(numbers)  # every card is back in its place


def test_words_without_an_idea_are_explained(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)

    page.locator("[data-marked-text] .unmatched").first.click()

    expect(page.locator(CHOSEN)).to_contain_text("No idea of the experts was matched here")


def test_words_that_say_an_idea_again_lead_to_it(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)
    words = page.locator("[data-marked-text] .said-again").first
    number = (words.get_attribute("data-found") or "").removesuffix(" again")

    words.click()

    chosen = page.locator(CHOSEN)
    assert title_of(page).startswith(number)
    expect(chosen).to_contain_text("Repeated or elaborated")
    expect(chosen).to_contain_text("An idea counts once")
    selected = page.locator("[data-marked-text] .is-selected")
    founds = selected.evaluate_all("pieces => pieces.map(piece => piece.dataset.found)")
    assert set(founds) == {number, f"{number} again"}
    check_page(page)


def test_on_a_phone_the_card_does_not_cover_the_chosen_words(
    site: Site, new_page: OpenPage
) -> None:
    page = new_page(width=390, height=700)
    open_feedback(page, site)
    check_page(page)
    words = page.locator("mark.match").last

    words.locator("a").last.click()

    sheet = page.locator(CHOSEN)
    expect(sheet).to_be_visible()
    page.wait_for_function(
        "([words, sheet]) => words.getBoundingClientRect().bottom"
        " <= sheet.getBoundingClientRect().top",
        arg=[words.element_handle(), sheet.element_handle()],
    )
    check_page(page)
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()


def test_a_screen_reader_hears_of_each_match_once(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)

    heard = page.locator("[data-marked-text]").evaluate("text => text.textContent")

    ideas = page.locator("[data-cards] > li:not(#idea-none, #idea-again)").count()
    assert ideas
    for number in range(1, ideas + 1):
        assert heard.count(f"[idea {number}: in ") == 1


def test_without_script_the_numbers_lead_to_the_ideas(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    open_feedback(page, site)

    page.locator('mark a.match-label[href="#idea-2"]').click()

    expect(page.locator("#idea-2")).to_be_in_viewport()
    expect(page.locator("[data-print]")).to_be_hidden()
    context.close()


def test_it_prints_on_few_sheets_with_everything_on_them(
    site: Site, new_page: OpenPage, tmp_path: Path
) -> None:
    page = new_page()
    open_feedback(page, site)
    # A card that is open goes back first.
    page.locator('mark a.match-label[href="#idea-1"]').click()
    file = tmp_path / "feedback.pdf"
    page.pdf(path=file, format="A4")

    document = pypdfium2.PdfDocument(file)
    words = "\n".join(sheet.get_textpage().get_text_range() for sheet in document)
    sheets = len(document)
    document.close()

    assert sheets <= 6
    for told in ("Comprehensive", "Next steps", "Ideas in your text", "1\r\n", "Quality ="):
        assert told in words, words
    for button in ("Print or save", "Write another", "Previous", "Courses"):
        assert button not in words


def test_steps_that_are_ticked_stay_so_in_this_browser(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)
    sentence = page.locator(".step label").first.inner_text()
    box = page.get_by_role("checkbox", name=sentence, exact=True)
    page.locator(".step label").first.click()
    expect(box).to_be_checked()
    check_page(page)

    page.reload()
    expect(box).to_be_checked()
    assert sentence not in str(page.evaluate("Object.values(localStorage)"))
    box.uncheck()
    page.reload()

    expect(page.get_by_role("checkbox", checked=True)).to_have_count(0)
