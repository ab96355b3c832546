"""A student reads the feedback: marks and cards by mouse, key, finger, and without script."""

import re
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import check_page, log_in
from tests.browser.results import CHOSEN
from tests.sites import Site

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def open_feedback(page: Page, site: Site) -> str:
    """The page of student1's summary, once it is scored; its address."""
    log_in(page, "student1", site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    page.locator('a[href^="/submissions/"]').first.click()
    expect(page.locator(".score-number").first).to_be_visible(timeout=120_000)
    return page.url


def text_tops(page: Page) -> tuple[int, int]:
    """Where the student's text begins, and how high the page is."""
    top = page.locator("[data-marked-text]").bounding_box()
    assert top is not None
    return round(top["y"]), page.evaluate("document.documentElement.scrollHeight")


@pytest.mark.parametrize(("width", "height", "most"), [(1280, 800, 1_700), (390, 844, 2_500)])
def test_the_first_screen_has_the_score_the_steps_and_the_beginning_of_the_text(
    site: Site, new_page: OpenPage, width: int, height: int, most: int
) -> None:
    page = new_page(width=width, height=height)
    open_feedback(page, site)

    for shown in (".score-number", ".result-text", ".step"):
        expect(page.locator(shown).first).to_be_in_viewport()
    assert page.locator(".step").count() <= 3
    top, whole = text_tops(page)
    assert top < height - 30
    assert whole < most


def test_a_sentence_is_one_tab_stop_and_all_can_be_skipped(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)
    text = page.locator("[data-marked-text]")

    sentences = text.locator("[data-sentence]").count()
    assert text.locator("a, button, [tabindex]").count() == sentences > 5
    skip = page.get_by_role("link", name="Skip the text")
    skip.focus()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Request a second look", exact=True)).to_be_focused()


def test_a_sentence_leads_to_its_ideas_and_back_by_keys(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)
    check_page(page)
    signs = page.locator("#s3 a.match-label")
    signs.focus()
    page.keyboard.press("Enter")

    title = page.locator(f"{CHOSEN} h3")
    expect(title).to_have_text("Sentence 3")
    expect(page.locator(CHOSEN)).to_be_focused()
    check_page(page)
    page.keyboard.press("n")
    expect(title).to_have_text("Sentence 4")
    page.keyboard.press("p")
    expect(title).to_have_text("Sentence 3")
    expect(page.locator("#s3")).to_have_class("is-chosen")
    page.reload()
    expect(title).to_have_text("Sentence 3")
    page.keyboard.press("Escape")
    expect(page.locator(CHOSEN)).to_have_count(0)
    expect(signs).to_be_focused()


def test_words_without_an_idea_are_explained(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)

    page.locator("[data-sentence]", has_text="○").first.click()

    expect(page.locator(CHOSEN)).to_contain_text("No expert idea.")


def test_words_that_repeat_an_idea_name_it(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)

    page.locator("[data-marked-text] .said-again").first.click()

    chosen = page.locator(CHOSEN)
    expect(chosen).to_contain_text("Repeats or elaborates idea")
    expect(chosen).to_contain_text("An idea counts once")
    check_page(page)


def test_on_a_phone_the_card_does_not_cover_the_chosen_words(
    site: Site, new_page: OpenPage
) -> None:
    page = new_page(width=390, height=700)
    open_feedback(page, site)
    check_page(page)
    words = page.locator("[data-sentence]").last

    words.locator("a").click()

    sheet = page.locator(CHOSEN)
    expect(sheet).to_be_visible()
    page.wait_for_function(
        "([words, sheet]) => words.getBoundingClientRect().bottom"
        " <= sheet.getBoundingClientRect().top",
        arg=[words.element_handle(), sheet.element_handle()],
    )
    check_page(page)
    sheet.get_by_role("link", name="Close").click()
    expect(sheet).to_have_count(0)


def test_a_screen_reader_hears_of_each_match_once(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    open_feedback(page, site)

    heard = page.locator("[data-marked-text]").evaluate("text => text.textContent")

    numbers = re.findall(r"(?<!repeats )idea (\d+), ", heard)
    assert numbers
    assert len(numbers) == len(set(numbers))


def test_without_script_a_sentence_leads_to_its_ideas(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    open_feedback(page, site)

    page.locator("#s2 a.match-label").click()

    expect(page.locator(f"{CHOSEN} h3")).to_be_in_viewport()
    expect(page.locator(f"{CHOSEN} h3")).to_have_text("Sentence 2")
    expect(page.locator("#s2")).to_be_in_viewport()
    page.get_by_role("link", name="Close").click()
    expect(page.locator(CHOSEN)).to_have_count(0)
    page.get_by_role("link", name="Show all ideas for printing").click()
    expect(page.get_by_role("heading", name="Sentence by sentence")).to_be_visible()
    expect(page.locator("[data-print]")).to_be_hidden()
    context.close()


def test_it_prints_on_few_sheets_with_everything_on_them(
    site: Site, new_page: OpenPage, tmp_path: Path
) -> None:
    page = new_page()
    open_feedback(page, site)
    page.get_by_role("link", name="Show all ideas for printing").click()
    expect(page.get_by_role("button", name="Print or save as PDF")).to_be_visible()
    file = tmp_path / "feedback.pdf"
    page.pdf(path=file, format="A4")

    document = pypdfium2.PdfDocument(file)
    words = "\n".join(sheet.get_textpage().get_text_range() for sheet in document)
    sheets = len(document)
    document.close()

    assert sheets <= 6
    for text in ("Comprehensive", "Next steps", "Sentence by sentence", "Sentence 1", "Quality ="):
        assert text in words, words
    for button in ("Print or save", "Write another", "Courses"):
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
