"""The week at the desk by keyboard alone: Tab, Enter, Space, arrows and the keys of the desk.

Only files are put into their fields for the browser, whose own window for them is not the page's.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.classroom import Classroom
from tests.browser.desk_week import (
    HARM,
    THURSDAY,
    Week,
    as_file,
    bring_class_in,
    found_week,
    grades_in,
    ideas_told,
)
from tests.browser.editor import focus

pytestmark = pytest.mark.browser

MOST_STEPS = 150
MOST = 90_000  # ms until sixty texts are scored, on a busy machine
HAS_FOCUS = "it => it === document.activeElement"


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """On and on, until this has the focus; and one sees where it is."""
    wanted.wait_for()
    for _ in range(MOST_STEPS):
        if wanted.evaluate(HAS_FOCUS):
            assert focus(page)["visible"], f"The focus on {wanted} is not to be seen."
            return
        page.keyboard.press(key)
    raise AssertionError(f"The keyboard does not come to {wanted}.")


def press(page: Page, wanted: Locator, key: str = "Tab") -> None:
    tab_to(page, wanted, key)
    page.keyboard.press("Enter")


def scripts_run(page: Page) -> None:
    """Keys are heard only then; what is looked for on a page may stand there before."""
    page.wait_for_load_state("domcontentloaded")


def link(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name, exact=True)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def test_a_week_at_the_desk_by_keyboard(classroom: Classroom, seat: Callable[..., Page]) -> None:
    week = found_week(classroom, "keys")
    bring_the_class_in(seat(), week)
    page = seat("tomasz")
    page.goto(week.assignment)
    bring_work_in(page, week)
    correct_three(page, week)
    annotate_ten(page)
    export(page, week)


def bring_the_class_in(page: Page, week: Week) -> None:
    bring_class_in(page, week)
    press(page, button(page, "Apply changes"), "Shift+Tab")
    expect(page.get_by_role("row", name=week.pupils[1].name)).to_contain_text(THURSDAY)


def bring_work_in(page: Page, week: Week) -> None:
    press(page, link(page, "Import submissions"))
    files = page.get_by_label("Files", exact=True)
    tab_to(page, files)
    files.set_input_files(as_file("submissions.zip", week.canvas_zip()))
    press(page, button(page, "Upload and preview"))
    expect(page.get_by_text("from Canvas")).to_be_visible(timeout=MOST)
    tab_to(page, page.get_by_label("Student for prudhommelizzy"))
    page.keyboard.type(week.stranger.name)
    press(page, button(page, "Update the preview"), "Shift+Tab")
    expect(page.get_by_text("Ready to import: 60")).to_be_visible()
    press(page, button(page, "Import ticked files"), "Shift+Tab")
    expect(page.get_by_text("60 attempts were imported by")).to_be_visible()
    expect(page.get_by_text("All are scored.")).to_be_visible(timeout=MOST)


def correct_three(page: Page, week: Week) -> None:
    """Chosen by the search; from one to the next by the keys of the queue."""
    press(page, link(page, "Review the submissions"))
    tab_to(page, page.get_by_text("Filters", exact=True))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Section", exact=True))
    page.keyboard.type(THURSDAY)
    press(page, button(page, "Show these"))
    press(page, button(page, "Start with the first (3 to do)"))
    bar = page.get_by_role("navigation", name="Queue")
    expect(bar).to_contain_text("1 of 3")
    scripts_run(page)
    page.keyboard.press("j")
    expect(bar).to_contain_text("2 of 3")
    scripts_run(page)
    page.keyboard.press("k")
    expect(bar).to_contain_text("1 of 3")
    ways = dict(zip(week.of_thursday, (remove, confirm, add), strict=True))
    title = page.get_by_role("heading", level=1)
    while ways:
        expect(bar).to_contain_text("Claimed by you since")
        scripts_run(page)
        pupil = next(pupil for pupil in ways if pupil.name in title.inner_text())
        ways.pop(pupil)(page)
        page.keyboard.press("l")
        expect(page.get_by_text(f"{pupil.name} is marked as reviewed.")).to_be_visible()
    expect(page.get_by_text("3 reviewed")).to_be_visible()


def remove(page: Page) -> None:
    """The idea of the first word."""
    page.keyboard.press("t")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator("#focus-title")).to_be_focused()
    page.keyboard.press("x")
    said(page, "You removed an idea that had counted")


def confirm(page: Page) -> None:
    """In the list of ideas, found by words of it."""
    page.keyboard.press("/")
    page.keyboard.type("dark roofs")
    idea = page.get_by_role("link", name="Dark roofs store heat")
    expect(page.get_by_role("link", name="Trees cool streets")).to_be_hidden()
    press(page, idea)
    expect(page.locator("#focus-title")).to_be_focused()
    page.keyboard.press("c")
    said(page, "You confirmed")


def add(page: Page) -> None:
    """For the last words of the text, with what they are asked to tell offered."""
    page.keyboard.press("t")
    page.keyboard.press("End")
    for _ in HARM.split():
        page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Enter")
    wanted = button(page, "Count as this idea 4")
    expect(button(page, "Count as this").first).to_be_focused()
    press(page, wanted)
    said(page, "Nights harm the old")


def said(page: Page, words: str) -> None:
    expect(page.locator("#desk-said")).to_contain_text(words)


def annotate_ten(page: Page) -> None:
    press(page, link(page, "Insights"))
    press(page, link(page, "Calibration"))
    tab_to(page, page.get_by_label("How many texts?"))
    page.keyboard.press("Control+a")
    page.keyboard.type("10")
    press(page, button(page, "Draw texts at random"))
    press(page, page.get_by_role("link", name="Annotate"))
    for place in range(1, 11):
        title = page.get_by_role("heading", name=f"Which ideas does text {place} express?")
        expect(title).to_be_visible()
        scripts_run(page)
        ideas = ideas_told(page.locator("#words-of-text").inner_text())
        tick(page, ideas)
        page.keyboard.press("Control+Enter")
        if not ideas:
            expect(page.get_by_text("You ticked no idea in this text.")).to_be_visible()
            scripts_run(page)
            page.keyboard.press("Control+Enter")
    expect(page.get_by_text("10 of 10 texts of sample 1")).to_be_visible(timeout=MOST)


def tick(page: Page, ideas: list[int]) -> None:
    """From the field that finds ideas down to each of them."""
    page.keyboard.press("/")
    expect(page.get_by_placeholder("Find an idea")).to_be_focused()
    page.keyboard.press("ArrowDown")
    for idea in range(1, 6):
        expect(page.locator(f"#idea-{idea}")).to_be_focused()
        if idea in ideas:
            page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")


def export(page: Page, week: Week) -> None:
    press(page, link(page, "Grades"))
    press(page, link(page, "Export"))
    file = page.get_by_label("The file that your LMS exported")
    tab_to(page, file)
    file.set_input_files(as_file("Grades-Geography.csv", week.gradebook(points="100.00")))
    press(page, button(page, "Preview changes"))
    with page.expect_download() as download:
        press(page, button(page, "Download the filled file"))
    filled = download.value.path().read_bytes()
    grades = grades_in(filled)
    assert len(grades) == 60
    assert filled == week.gradebook(grades=grades, points="100.00")
