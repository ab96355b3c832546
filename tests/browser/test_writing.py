"""Two students write and hand in: nothing is lost, whatever happens to the window or the line."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.console import Console
from tests.browser.people import Site, check_page, join, log_in, sign_up
from tests.pyramid.formats.made_files import CITIES, pdf_file

pytestmark = pytest.mark.browser

NewPage = Callable[..., Page]
WORDS = "Cities are hotter than the country, because dark roofs store the heat of the sun."
SOURCE = (
    "The reason why towns are warm is that their black roads take up the light of the sun by day "
    "and give it back to the air of the narrow streets by night."
)


@pytest.fixture(scope="module")
def made(site: Site) -> dict[str, str]:
    """The code of a course with an assignment; filled by the first who asks."""
    return {}


@pytest.fixture
def student(made: dict[str, str], site: Site, new_page: NewPage) -> Page:
    """A window in which a new student of the course is logged in, at the assignment."""
    if not made:
        made |= _made_by_teacher(new_page(), site)
    login = f"writer{len(made)}"
    made[login] = login
    page = new_page(forgives=["ERR_INTERNET_DISCONNECTED", "ERR_ABORTED"])
    sign_up(page, login, f"Writer {len(made)}")
    join(page, made["code"])
    page.goto(made["path"])
    return page


def _made_by_teacher(page: Page, site: Site) -> dict[str, str]:
    log_in(page, "instructor", site.password)
    page.goto("/courses/new/")
    page.get_by_label("Name").fill("Writing by hand")
    page.get_by_role("button", name="Create").click()
    code = page.locator("#course-code").inner_text()
    page.get_by_role("link", name="New assignment").first.click()
    page.get_by_label("Title", exact=True).fill("A short summary")
    page.get_by_label("Source text").fill(SOURCE)
    check_page(page)
    page.get_by_role("button", name="Create assignment").click()
    expect(page.get_by_text("Assignment created.")).to_be_visible()
    match = re.search(r"/assignments/\d+/", page.url)
    assert match, page.url
    page.goto(f"{match[0]}edit/")
    page.get_by_role("heading", name="Submissions").click()
    page.get_by_label("Minimum words").fill("5")
    page.get_by_label("Draft submissions before the final one").fill("2")
    page.get_by_label("Final submissions").fill("1")
    page.get_by_role("button", name="Save Submissions").click()
    expect(page.get_by_text("Submissions: saved.")).to_be_visible()
    page.goto(match[0])
    page.get_by_role("button", name="Open").click()
    return {"code": code, "path": match[0]}


def field(page: Page) -> str:
    return page.get_by_label("Your summary", exact=True).input_value()


def write(page: Page, words: str) -> None:
    page.get_by_label("Your summary", exact=True).fill(words)


def expect_saved(page: Page) -> None:
    expect(page.locator("#writing-status")).to_contain_text(re.compile(r"^Saved \d\d:\d\d\."))


def test_what_is_typed_survives_a_closed_tab(student: Page) -> None:
    write(student, WORDS)
    expect_saved(student)
    write(student, f"{WORDS} At the last moment.")
    address, context = student.url, student.context
    student.close()

    again = context.new_page()
    again.goto(address)

    assert field(again) == f"{WORDS} At the last moment."
    check_page(again)


def test_two_windows_and_the_choice_between_them(student: Page) -> None:
    other = student.context.new_page()
    other.goto(student.url)
    write(other, "Written in the other window.")
    expect_saved(other)

    write(student, WORDS)

    expect(student.locator("[data-writing-conflict]")).to_be_visible()
    student.get_by_role("button", name="Submit as a draft").click()
    check_page(student)
    student.get_by_role("button", name="Keep this text").click()
    assert field(student) == WORDS
    student.get_by_role("button", name="Restore my earlier text").click()
    assert field(student) == "Written in the other window."


def test_a_lost_line_is_said_and_the_text_saved_later(student: Page) -> None:
    student.context.set_offline(True)
    write(student, WORDS)
    status = student.locator("#writing-status")
    expect(status).to_contain_text("no connection. Your text is in this window")
    student.get_by_role("button", name="Submit as a draft").click()
    expect(status).to_contain_text("no connection. Your text is in this window")
    assert field(student) == WORDS

    student.context.set_offline(False)

    expect_saved(student)


def test_who_is_logged_out_keeps_the_text(
    student: Page, made: dict[str, str], console: Console
) -> None:
    console.allow(["status of 401"])
    other = student.context.new_page()
    other.goto("/")
    other.locator(".user-menu summary").click()
    other.get_by_role("button", name="Log out").click()
    write(student, WORDS)
    expect(student.locator("#writing-status")).to_contain_text("you have been logged out")

    log_in(other, list(made)[-1], "a-long-passphrase-7")

    expect_saved(student)
    student.get_by_role("button", name="Submit as a draft").click()
    expect(student.get_by_text("Submitted: attempt 1, a draft")).to_be_visible()


def test_a_file_is_looked_through_before_it_is_handed_in(student: Page) -> None:
    write(student, WORDS)
    student.get_by_text("Take the text from a file").click()
    student.get_by_label("File").set_input_files(
        {"name": "mine.pdf", "mimeType": "application/pdf", "buffer": pdf_file([[CITIES]])}
    )
    student.get_by_role("button", name="Submit as final").click()

    notice = student.get_by_text("The text of “mine.pdf” is in the field: 6 words.")
    expect(notice).to_be_in_viewport()
    assert field(student) == CITIES
    student.get_by_role("button", name="Restore my earlier text").click()
    assert field(student) == WORDS


def test_a_copied_text_is_warned_of_then_taken(student: Page) -> None:
    write(student, SOURCE)
    student.get_by_role("button", name="Submit as final").click()
    expect(student.locator("#id_text_error")).to_contain_text("mostly copied: 100 %")
    check_page(student)

    student.get_by_label("Submit it anyway").check()
    student.get_by_label("Yes, this is my final submission").check()
    student.get_by_role("button", name="Submit as final").click()

    expect(student.get_by_text("Submitted: attempt 1, a final submission")).to_be_visible()


def test_without_script_it_is_saved_by_a_button(student: Page, new_page: NewPage) -> None:
    plain = new_page(java_script_enabled=False, storage_state=student.context.storage_state())
    plain.goto(student.url)
    write(plain, WORDS)
    plain.get_by_role("button", name="Save for later").click()
    expect(plain.get_by_text("Saved. Nothing is submitted yet.")).to_be_visible()

    plain.goto(student.url)

    assert field(plain) == WORDS


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_nothing_runs_out_of_the_window(student: Page, width: int) -> None:
    student.set_viewport_size({"width": width, "height": 800})
    write(student, "W" * 400)
    expect_saved(student)

    check_page(student)
