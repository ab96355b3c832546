"""Reading the feedback: choosing words, what is told of them, and texts that are hard to show."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import Classroom
from tests.browser.lessons import Lesson, open_lesson
from tests.browser.people import check_page, check_width
from tests.browser.results import CHOSEN, open_result
from tests.conftest import SUMMARY

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
LONG_WORD = "Hitzeinselwirkung" * 30
SENTENCE = "The {} people of the town number {} have {} roofs that store the heat of day {}. "


def check_card(page: Page) -> None:
    """Idea, importance, how sure, what in the text made it, and what experts wrote."""
    card = page.locator(CHOSEN)
    expect(card).to_be_focused()
    expect(card).to_contain_text("Cities are hotter")
    expect(card).to_contain_text("In 3 of 3 expert summaries")
    expect(card).to_contain_text(re.compile(r"(Certain|Likely|Unsure), \d+\s%"))
    card.get_by_text("Why it matched").first.click()
    expect(card).to_contain_text("Words that experts use too: cities, hotter, country")
    expect(card.get_by_text("Towns are warmer than the country")).to_be_visible()


@pytest.mark.parametrize("way", ["mouse", "key", "finger"])
def test_chosen_words_tell_their_idea(lesson: Lesson, seat: Seat, way: str) -> None:
    on_phone = way == "finger"
    width, height = (390, 844) if on_phone else (1280, 900)
    page = seat("zoe", width=width, height=height, has_touch=on_phone)
    open_result(page, lesson.handed_in["zoe"])
    words, number = page.locator("mark.match").first, page.locator("a.match-label").first
    {
        "mouse": lambda: words.click(position={"x": 30, "y": 8}),
        "key": lambda: number.press("Enter"),
        "finger": lambda: words.tap(position={"x": 30, "y": 8}),
    }[way]()

    check_card(page)
    if way != "key":
        check_page(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(CHOSEN)).to_contain_text("Dark roofs store heat")
    page.keyboard.press("ArrowLeft")
    check_card(page)
    page.keyboard.press("Escape")
    expect(page.locator(CHOSEN)).to_have_count(0)


def test_scores_are_sentences_and_show_how_they_came_about(lesson: Lesson, seat: Seat) -> None:
    lesson.rule()
    page = open_result(seat("zoe"), lesson.handed_in["zoe"])

    expect(page.locator(".result-text")).to_contain_text(re.compile("[Cc]overage|[Qq]uality"))
    page.get_by_text("How this was calculated").click()
    for score, expected in {
        "Quality": "of this text",
        "Coverage": "of what matters to the experts",
    }.items():
        shown = page.locator(".score", has=page.get_by_role("heading", name=score))
        expect(shown.locator(".score-number")).to_have_text(re.compile(r"^[01]\.\d\d$"))
        expect(shown.locator(".score-text")).to_contain_text(expected)
        expect(shown.locator("svg").first).to_be_visible()
    expect(page.get_by_text("Quality =")).to_be_visible()
    page.get_by_text("ideas matched").click()
    expect(page.get_by_role("img", name="The pyramid of ideas")).to_be_visible()
    table = page.get_by_role("table", name="Matched by importance")
    rows = ["Weight Matched", "3 1 of 1", "2 1 of 2", "1 0 of 2"]
    expect(table.get_by_role("row")).to_have_text(rows, use_inner_text=True)
    check_page(page)


@pytest.mark.parametrize("login", ["zoe", "omar", "tomasz"])
def test_enlarged_nothing_runs_out_of_the_window(lesson: Lesson, seat: Seat, login: str) -> None:
    page = seat(login, width=640, height=450, device_scale_factor=2)
    open_result(page, lesson.handed_in["zoe" if login == "zoe" else "omar"])
    check_width(page)
    page.locator("mark.match").first.click()
    page.set_viewport_size({"width": 320, "height": 568})
    check_page(page)


def test_a_text_of_5000_words_is_read_and_chosen_from(classroom: Classroom, seat: Seat) -> None:
    lesson = open_lesson(classroom, max_words="5000")
    many = "".join(SENTENCE.format(i % 7, i, i % 11, i % 13) for i in range(300))
    words = [*f"{SUMMARY} {many}".split()[:4999], LONG_WORD]
    page = seat("omar", width=390, height=844)
    open_result(page, lesson.hand_in("omar", " ".join(words)))

    expect(page.locator(".lead")).to_contain_text("5000 words")
    check_width(page)
    page.locator("mark.match").last.click()
    expect(page.locator(CHOSEN)).to_be_focused()
    check_width(page)
