"""Release by hand: unreleased everywhere until then, for all or for some, seen as the student."""

import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import OTHER_STUDENT, Classroom
from tests.browser.lessons import Lesson, open_lesson
from tests.browser.people import check_page
from tests.browser.results import open_result, worker_asleep
from tests.conftest import SUMMARY
from tests.sites import Site

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
NAME = "Zoë Brânză"


@pytest.fixture
def held(classroom: Classroom, seat: Seat) -> Lesson:
    """Scored, and not released."""
    lesson = open_lesson(classroom, release="by_hand")
    for login in ("zoe", "omar"):
        lesson.hand_in(login)
    grader = seat("tomasz")
    for address in lesson.handed_in.values():
        open_result(grader, address)
    return lesson


def own_data_of(page: Page, lesson: Lesson) -> dict[str, Any]:
    """What the student's own data say of the assignment."""
    page.goto("/accounts/data/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my-work.zip").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        document = json.loads(archive.read("my-work.json"))
        texts = [archive.read(name).decode() for name in archive.namelist() if "texts/" in name]
    assert SUMMARY in texts
    [own_assignment] = [
        assignment for assignment in document["assignments"] if assignment["title"] == lesson.title
    ]
    result: dict[str, Any] = own_assignment
    return result


def expect_unreleased(page: Page, lesson: Lesson, address: str) -> None:
    page.goto(address)
    expect(page.get_by_text("Your instructor will release the results later.")).to_be_visible()
    for hidden in (".score-number", "mark.match", ".pyramid-part", ".step"):
        expect(page.locator(hidden)).to_have_count(0)
    page.goto(lesson.address)
    expect(page.get_by_role("listitem").filter(has_text="Attempt 1")).not_to_contain_text("Scored")
    page.goto(lesson.classroom.course)
    line = page.locator(".item", has=page.get_by_role("link", name=lesson.title, exact=True))
    expect(line.get_by_role("link", name="Read the feedback")).to_have_count(0)
    assert '"found"' not in json.dumps(own_data_of(page, lesson))


def test_unreleased_until_it_is_released_to_one_then_to_all(held: Lesson, seat: Seat) -> None:
    zoe, omar = seat("zoe"), seat("omar", width=390, height=844)
    for page, login in ((zoe, "zoe"), (omar, "omar")):
        expect_unreleased(page, held, held.handed_in[login])
        check_page(page)  # of one's own data
        page.goto(held.handed_in[login])
        check_page(page)
    grader = seat("tomasz")
    grader.goto(f"{held.address}gradebook/")
    grader.get_by_role("link", name="Release", exact=True).click()
    check_page(grader)
    grader.get_by_label(f"Choose {NAME}").check()
    grader.get_by_role("button", name="Release", exact=True).click()
    expect(grader.get_by_text("Released to 1 student (1 attempt).")).to_be_visible()
    open_result(zoe, held.handed_in["zoe"])
    expect_unreleased(omar, held, held.handed_in["omar"])
    assert '"found"' in json.dumps(own_data_of(zoe, held))

    grader.get_by_role("button", name="Release all waiting (1)").click()
    expect(grader.get_by_text("Released to 1 student (1 attempt).")).to_be_visible()
    open_result(omar, held.handed_in["omar"])

    grader.get_by_label("all 2 students with a submission").check()
    grader.get_by_role("button", name="Hold back").click()
    expect(grader.get_by_text("Held back", exact=True)).to_have_count(2)
    grader.set_viewport_size({"width": 390, "height": 844})
    check_page(grader)
    expect_unreleased(zoe, held, held.handed_in["zoe"])


def test_the_preview_is_the_page_of_the_student(held: Lesson, seat: Seat) -> None:
    grader = seat("tomasz")
    grader.goto(f"{held.address}release/")
    row = grader.get_by_role("row", name=OTHER_STUDENT)
    row.get_by_role("link", name="As the student").click()
    expect(grader.get_by_text("Your instructor will release the results later.")).to_be_visible()
    check_page(grader)
    grader.get_by_role("link", name="Once released", exact=True).click()
    expect(grader.locator(".score-number")).to_have_count(3)
    check_page(grader)
    seen = grader.locator(".student-text").inner_text()
    grader.goto(f"{held.address}release/")
    grader.get_by_role("button", name="Release all waiting (2)").click()

    student = open_result(seat("omar"), held.handed_in["omar"])
    assert student.locator(".student-text").inner_text() == seen


def test_a_page_that_waits_tells_when_the_result_is_held_back(
    site: Site, classroom: Classroom, seat: Seat
) -> None:
    lesson = open_lesson(classroom)
    page, grader = seat("zoe", forgives=["Error Code 404"]), seat("tomasz")  # as htmx says it
    with worker_asleep(site):
        page.goto(lesson.hand_in("zoe"))
        expect(page.get_by_role("heading", name="It is being scored")).to_be_visible()
        grader.goto(f"{lesson.address}release/")
        grader.get_by_label(f"Choose {NAME}").check()
        grader.get_by_role("button", name="Hold back").click()

        expect(page.get_by_text("Your instructor will release the results later.")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
