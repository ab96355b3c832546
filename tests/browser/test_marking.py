"""The marking desk: three matches corrected by mouse, and the same three by keyboard alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.classroom import Classroom
from tests.browser.lessons import open_lesson
from tests.browser.people import check_page, check_width
from tests.browser.results import select_words

pytestmark = pytest.mark.browser

TITLE = "A summary about heat."
TEXT = (
    f"{TITLE} Cities are hotter than the country. Dark roofs store the heat. "
    "Old people are ill when nights are hot."
)
HARM, HEAT = "4", "1"  # numbers of the ideas in the classroom's pyramid


def open_desk(page: Page, result: str) -> None:
    """Once the text is scored."""
    page.goto(result)
    expect(page.locator(".score-number").first).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Correct", exact=True).click()
    expect(text_of(page)).to_be_visible()


def text_of(page: Page) -> Locator:
    return page.locator("#words-of-text")


def said(page: Page, words: str) -> None:
    expect(page.locator("#desk-said")).to_contain_text(words)


def labels_of(page: Page) -> list[str]:
    """The ideas that are marked in the text, with how."""
    labels = text_of(page).locator("[data-label]")
    return sorted(
        str(label.get_attribute("data-label"))
        for label in labels.all()
        if re.match(r"\d", str(label.get_attribute("data-label")))
    )


def by_mouse(page: Page) -> None:
    """Leave the title out, count words as an idea, take another away."""
    select_words(page, TITLE)
    page.get_by_role("button", name="Exclude from scoring").first.click()
    said(page, "You excluded words from scoring")
    expect(text_of(page)).to_be_focused()  # the step is over
    select_words(page, "Old people")
    page.keyboard.down("Control")
    select_words(page, "nights are hot")
    page.keyboard.up("Control")
    expect(page.locator(".desk-words")).to_contain_text("“Old people … nights are hot”")
    page.get_by_role("button", name=f"Count as this idea {HARM}").click()
    said(page, "Nights harm the old")
    expect(text_of(page)).to_be_focused()
    text_of(page).locator(f'[data-scu="{HEAT}"]').first.click()
    page.locator(".desk-focus").get_by_role("button", name=re.compile("^Remove")).click()
    said(page, "You removed an idea that had counted")


def by_keyboard(page: Page) -> None:
    """The same, from the text on."""
    press = page.keyboard.press
    text_of(page).focus()
    press("Home")
    choose(page, 3)
    press("Enter")
    out = page.get_by_role("button", name="Exclude from scoring").first
    expect(out).to_be_visible()
    expect(page.locator("#desk-ideas")).to_contain_text("Which idea do the selected words express?")
    tab_back_to(page, out)
    press("Enter")
    said(page, "You excluded words from scoring")
    expect(text_of(page)).to_be_focused()
    walk(page, 12)
    choose(page, 1)
    press("Control+Space")
    walk(page, 4)
    choose(page, 2)
    press("Enter")
    expect(page.locator(".desk-words")).to_contain_text("“Old people … nights are hot”")
    expect(page.get_by_role("button", name="Count as this").first).to_be_focused()
    press("Enter")
    said(page, "Nights harm the old")
    expect(text_of(page)).to_be_focused()
    press("Home")
    walk(page, 5)
    press("Enter")
    expect(page.locator("#focus-title")).to_be_focused()
    press("x")
    said(page, "You removed an idea that had counted")


def walk(page: Page, words: int) -> None:
    for _ in range(words):
        page.keyboard.press("ArrowRight")


def choose(page: Page, words: int) -> None:
    """Together with the word at which one is."""
    for _ in range(words):
        page.keyboard.press("Shift+ArrowRight")


def tab_back_to(page: Page, wanted: Locator) -> None:
    for _ in range(12):
        if wanted.evaluate("it => it === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab")
    raise AssertionError(f"The keyboard does not come to {wanted}.")


def test_three_corrections_by_mouse_and_by_keyboard(
    classroom: Classroom, seat: Callable[..., Page]
) -> None:
    lesson = open_lesson(classroom)
    first, second = lesson.hand_in("zoe", TEXT), lesson.hand_in("omar", TEXT)
    page = seat("tomasz")
    open_desk(page, first)
    by_mouse(page)
    corrected = labels_of(page)
    scores = page.locator(".desk-scores dd strong").all_inner_texts()
    check_page(page)

    open_desk(page, second)
    by_keyboard(page)

    assert labels_of(page) == corrected == ["2", f"{HARM}✎"]
    assert page.locator(".desk-scores dd strong").all_inner_texts() == scores
    for _ in range(3):
        page.keyboard.press("Control+z")
        said(page, "You undid a step")
        page.locator("#desk-said").evaluate("it => it.replaceChildren()")
    expect(page.get_by_text("No corrections yet.")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    check_width(page)
    page.get_by_role("button", name="Ideas", exact=True).click()
    expect(text_of(page)).to_be_hidden()
    check_width(page)


def test_one_decision_for_two_texts_and_a_saved_comment_all_by_keys(
    classroom: Classroom, seat: Callable[..., Page]
) -> None:
    lesson = open_lesson(classroom)
    first, second = lesson.hand_in("zoe", TEXT), lesson.hand_in("omar", TEXT)
    page = seat("tomasz", 1280, 800)
    press = page.keyboard.press
    open_desk(page, first)
    page.get_by_role("link", name="Save comments to use again").click()
    page.get_by_label("Key").fill("own")
    page.get_by_role("textbox", name="Comment").fill("Say it in your own words.")
    page.get_by_role("button", name="Save comment").click()
    check_page(page)

    open_desk(page, first)
    for part in (".desk-scores", "#words-of-text", "[data-comment]", "[data-send-comment]"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    text_of(page).locator(f'[data-scu="{HEAT}"]').first.click()
    expect(page.locator(".desk-focus")).to_be_visible()
    press("x")
    said(page, "You removed an idea that had counted")
    same = page.locator("#desk-same")
    expect(same).to_contain_text("The same wording is in 1 other submission.")
    check_page(page)
    press("a")
    expect(same).to_contain_text("Applied in 1 submission.")
    press("m")
    page.keyboard.type("/own")
    press("Tab")
    expect(page.locator("[data-comment]")).to_have_value("Say it in your own words.")
    press("Control+Enter")
    said(page, "Comment saved.")
    expect(page.locator("[data-comment]")).to_have_value("")
    expect(text_of(page)).to_be_focused()
    corrected = labels_of(page)

    open_desk(page, second)
    assert labels_of(page) == corrected
    open_desk(page, first)
    page.get_by_role("link", name="Same wording elsewhere").click()
    page.get_by_role("button", name="Undo in the other submission").click()
    expect(same).to_contain_text("Undone in 1 submission.")


def test_on_a_phone_the_desk_speaks_of_touch(
    classroom: Classroom, seat: Callable[..., Page]
) -> None:
    lesson = open_lesson(classroom)
    result = lesson.hand_in("zoe", TEXT)
    page = seat("tomasz", 390, 844, has_touch=True, is_mobile=True)
    open_desk(page, result)
    expect(page.get_by_text("Press and hold a word")).to_be_visible()
    expect(page.get_by_text("Select words with the mouse")).to_be_hidden()
    for kbd in page.locator("kbd").all():
        expect(kbd).to_be_hidden()
    check_width(page)


@pytest.mark.parametrize("width", [390, 700, 1280])
def test_in_a_narrow_window_with_a_mouse_the_desk_speaks_of_mouse_and_keys(
    classroom: Classroom, seat: Callable[..., Page], width: int
) -> None:
    lesson = open_lesson(classroom)
    page = seat("tomasz", width, 844)
    open_desk(page, lesson.hand_in("zoe", TEXT))
    expect(page.get_by_text("Select words with the mouse")).to_be_visible()
    expect(page.get_by_text("Press and hold a word")).to_be_hidden()
    expect(page.locator("#choose-words-help kbd").first).to_be_visible()
    check_width(page)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 720), (1024, 768)])
def test_the_comment_ends_where_the_window_ends(
    classroom: Classroom, seat: Callable[..., Page], width: int, height: int
) -> None:
    lesson = open_lesson(classroom)
    page = seat("tomasz", width, height)
    open_desk(page, lesson.hand_in("zoe", TEXT))
    for part in (".desk-scores", "#words-of-text", "[data-comment]", "[data-send-comment]"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.evaluate("document.querySelector('.queue-bar').style.paddingBottom = '40px'")
    expect(page.locator("[data-comment]")).to_be_in_viewport(ratio=1)
