"""The places of an assignment on a phone: one line, and little of the screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lessons import Lesson
from tests.browser.people import check_page, check_width

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]

MOST = 160  # px for title and navigation
PHONE = {"width": 390, "height": 844}
PAGES = (
    "", "references/", "edit/", "pyramid/", "queue/", "second-looks/", "import/", "class/",
    "class/ideas/", "calibration/", "gradebook/", "grade-rule/", "export/", "release/",
    "drafts/new/", "score-changes/", "annotations/",
)  # fmt: skip
# The lower edge of the title and of all navigation; buttons beside them are content.
HEAD = """() => Math.max(...[...document.querySelectorAll(
  ".topbar, .page-header h1, .places, .place-pages")].map(
  part => part.getBoundingClientRect().bottom + window.scrollY))"""
FULL_HEADER = """() => {
  const parts = document.querySelectorAll(".topbar, .page-header, .places, .place-pages");
  return Math.max(...[...parts].map(part => part.getBoundingClientRect().bottom + scrollY)); }"""
LINES = """() => [...document.querySelectorAll(".places, .place-pages")].map(nav =>
  new Set([...nav.querySelectorAll("a")].map(a => a.getBoundingClientRect().top)).size)"""


@pytest.mark.parametrize("is_touch", [False, True])
def test_title_and_navigation_leave_the_screen_to_the_content(
    lesson: Lesson, seat: Seat, *, is_touch: bool
) -> None:
    page = seat("instructor", **PHONE, has_touch=is_touch, is_mobile=is_touch)
    for name in PAGES:
        page.goto(lesson.address + name)
        assert page.evaluate(HEAD) <= MOST, name or "overview"
        assert page.evaluate(FULL_HEADER) <= MOST, name or "overview"
        assert set(page.evaluate(LINES)) == {1}, name or "overview"
        places = page.get_by_role("navigation", name="Assignment").get_by_role("link")
        expect(places).to_have_count(5)
        last = places.last.bounding_box()
        assert last
        assert last["x"] + last["width"] <= PHONE["width"]
        check_width(page)


def test_the_editor_the_desk_and_a_result_keep_to_it_too(lesson: Lesson, seat: Seat) -> None:
    page = seat("instructor", **PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{lesson.address}pyramid/")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.wait_for_url("**/drafts/*/")
    assert page.evaluate(HEAD) <= MOST
    page.goto(f"{lesson.handed_in['zoe']}marking/")
    assert page.evaluate(HEAD) <= MOST
    page.goto(lesson.handed_in["zoe"])
    assert page.evaluate(HEAD) <= MOST
    check_width(page)


def test_the_current_page_of_a_place_is_in_view(lesson: Lesson, seat: Seat) -> None:
    page = seat("instructor", **PHONE)
    page.goto(f"{lesson.address}calibration/")

    here = page.locator(".place-pages [aria-current]")

    expect(here).to_have_text("Calibration")
    expect(here).to_be_in_viewport(ratio=0.9)
    check_page(page)


def test_students_have_a_header_of_their_own(lesson: Lesson, seat: Seat) -> None:
    page = seat("zoe", **PHONE)
    page.goto(lesson.address)

    assert page.evaluate(HEAD) <= MOST
    expect(page.get_by_role("navigation", name="Assignment")).to_have_count(0)
    check_page(page)


def test_the_steps_and_the_settings_can_be_read_by_all(lesson: Lesson, seat: Seat) -> None:
    page = seat("instructor", **PHONE)
    page.goto(lesson.address)
    check_page(page)
    page.goto(f"{lesson.address}edit/")
    for section in ("Task", "Submissions", "Copying from the source", "Results"):
        page.get_by_role("heading", name=section, exact=True).click()
    check_page(page)
