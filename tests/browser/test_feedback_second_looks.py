"""A second look: asked for with the mouse, counted, declined, and withdrawn."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import ASSISTANT, Classroom
from tests.browser.lessons import Lesson, open_lesson
from tests.browser.people import check_page, numbers_in
from tests.browser.results import CHOSEN, ask, count, open_result

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
ASKED = "My uncle has a green bicycle"


@pytest.fixture(scope="module")
def looks(classroom: Classroom) -> Lesson:
    lesson = open_lesson(classroom)
    lesson.hand_in("zoe")
    lesson.hand_in("omar")
    return lesson


def open_request(page: Page, lesson: Lesson, name: str) -> None:
    page.goto(f"{lesson.address}second-looks/")
    check_page(page)
    page.get_by_role("link", name=f"Answer the request of {name}").click()
    expect(page.locator(".is-chosen").first).to_contain_text(ASKED)
    check_page(page)


def test_the_assistant_counts_what_the_student_selected(looks: Lesson, seat: Seat) -> None:
    student, assistant = seat("zoe"), seat("tomasz", width=390, height=844)
    open_result(student, looks.handed_in["zoe"])
    before = numbers_in(student, ".score-number")
    ask(student, ASKED)

    open_request(assistant, looks, "Zoë Brânză")
    count(assistant, "Trees cool streets")

    student.reload()
    answer = student.locator(".second-look-answer")
    expect(answer).to_contain_text(ASSISTANT)
    expect(answer).to_contain_text("Now matched: “Trees cool streets”, weight 2.")
    expect(answer).to_contain_text(re.compile(r"Comprehensive score: 0\.\d\d.*\d\.\d\d", re.DOTALL))
    after = numbers_in(student, ".score-number")
    assert after[0] > before[0]
    assert f"{after[0]:.2f}" in answer.inner_text()
    student.get_by_text("History", exact=True).click()
    happened = student.locator(".timeline")
    expect(happened).to_contain_text(f"{ASSISTANT} answered a request for a second look")
    student.locator("mark.match", has_text=ASKED).click()
    expect(student.locator(CHOSEN)).to_contain_text(f"Marked by {ASSISTANT}")
    check_page(student)


def test_one_is_declined_and_one_withdrawn(looks: Lesson, seat: Seat) -> None:
    student, assistant = seat("omar", width=390, height=844), seat("tomasz")
    open_result(student, looks.handed_in["omar"])
    before = numbers_in(student, ".score-number")
    ask(student, ASKED)
    ask(student, "rides it every day.")
    student.locator(".second-look", has_text="rides it").get_by_role("button").click()
    expect(student.get_by_text("Withdrawn", exact=True)).to_be_visible()

    assistant.goto(f"{looks.address}second-looks/")
    expect(assistant.get_by_role("link", name="Answer the request of")).to_have_count(1)
    assistant.get_by_role("link", name="Answer the request of").click()
    assistant.get_by_label("Your answer to the student").fill("No expert mentions your uncle.")
    assistant.get_by_role("button", name="Do not count it").click()
    expect(assistant.get_by_text("No open requests")).to_be_visible()

    student.reload()
    expect(student.locator(".second-look-answer")).to_contain_text("No expert mentions your uncle.")
    assert numbers_in(student, ".score-number") == before
    check_page(student)
