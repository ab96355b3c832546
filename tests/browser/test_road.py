"""The thin road, from upload to gradebook, as an instructor, a student and a TA walk it."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import check_page, join, log_in, numbers_in, sign_up
from tests.conftest import REFERENCES, SUMMARY
from tests.sites import Site

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def make_course(page: Page) -> str:
    """A new course; returns its code."""
    page.get_by_role("link", name="New course").click()
    check_page(page)
    page.get_by_label("Name").fill("Geography 101")
    page.get_by_label("Term").fill("Spring")
    page.get_by_role("button", name="Create course").click()
    expect(page.get_by_role("heading", name="Geography 101")).to_be_visible()
    check_page(page)
    return page.locator("#course-code").inner_text()


def make_assignment(page: Page) -> None:
    page.get_by_role("link", name="New assignment").first.click()
    check_page(page)
    page.get_by_label("Title", exact=True).fill("Hot cities")
    page.get_by_role("button", name="Create assignment").click()
    expect(page.get_by_text("Assignment created.")).to_be_visible()
    check_page(page)


def change_settings(page: Page) -> None:
    """Two sections, each saved by itself; then back to the references."""
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("heading", name="Submissions").click()
    page.get_by_label("Minimum words").fill("10")
    page.get_by_label("Maximum words").fill("80")
    check_page(page)
    page.get_by_role("button", name="Save Submissions").click()
    expect(page.get_by_text("Submissions: saved.")).to_be_visible()
    expect(page.get_by_text("10 to 80 words")).to_be_visible()
    page.get_by_role("heading", name="Results").click()
    page.get_by_label("Students see results").select_option("at_once")
    page.get_by_role("button", name="Save Results").click()
    expect(page.get_by_text("Results: saved.")).to_be_visible()
    page.get_by_role("link", name="References", exact=True).click()


def add_references(page: Page, folder: Path) -> None:
    """One by paste, the others as files."""
    files = []
    for text in REFERENCES[1:]:
        file = folder / f"{text.name}.txt"
        file.write_text(text.content, encoding="utf-8")
        files.append(file)
    page.get_by_label("Name").fill(REFERENCES[0].name)
    page.get_by_label("Or paste a summary").fill(REFERENCES[0].content)
    page.get_by_label("Choose files").set_input_files(files)
    page.get_by_role("button", name="Add references").click()
    expect(page.get_by_text("3 references added.")).to_be_visible()
    for text in REFERENCES:
        expect(page.locator("bdi", has_text=text.name)).to_be_visible()
    check_page(page)


def build_publish_and_open(page: Page) -> None:
    page.get_by_role("button", name="Build the pyramid").click()
    # No check of the page here: it loads itself again when the worker is done.
    expect(page.get_by_text("Draft 1 is waiting to be published.")).to_be_visible(timeout=60_000)
    check_page(page)
    page.get_by_role("link", name="Open draft 1").click()
    page.get_by_role("link", name="Publish…").click()
    check_page(page)
    page.get_by_label("Note").fill("As it was built.")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Version 1 published.")).to_be_visible()
    expect(page.locator(".pyramid-weight").first).to_contain_text("references")
    expect(page.locator("[hx-trigger='every 1s']")).to_have_count(0)  # it loads itself again, too
    check_page(page)
    page.get_by_role("link", name="Set-up").click()
    check_page(page)
    page.get_by_role("button", name="Open to students").click()
    expect(page.get_by_text("The assignment is open: students can submit.")).to_be_visible()


def hand_in(page: Page) -> None:
    page.get_by_role("link", name="Hot cities").click()
    check_page(page)
    page.get_by_label("Your summary", exact=True).fill(SUMMARY)
    expect(page.locator("#id_text_count")).to_contain_text("22 words")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Submitted: attempt 1,")).to_be_visible()
    expect(page.locator(".score-number").first).to_be_visible(timeout=60_000)


def exported(page: Page) -> list[dict[str, str]]:
    """The file with everything, from the page of the gradebook."""
    page.get_by_role("link", name="Export", exact=True).click()
    check_page(page)
    page.get_by_role("button", name="Preview the file").click()
    check_page(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    return list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))


def test_from_upload_to_gradebook(site: Site, new_page: OpenPage, tmp_path: Path) -> None:
    instructor = new_page()
    instructor.goto("/")
    check_page(instructor)
    log_in(instructor, "instructor", site.password)
    check_page(instructor)
    code = make_course(instructor)
    make_assignment(instructor)
    change_settings(instructor)
    add_references(instructor, tmp_path)
    build_publish_and_open(instructor)

    student = new_page(width=390, height=844)
    sign_up(student, "zoe.new", "Zoë Brânză")
    check_page(student)
    join(student, code.lower())
    check_page(student)
    hand_in(student)
    check_page(student)
    assert len(numbers_in(student, ".score-number")) == 1
    student.get_by_text("How this was calculated").click()
    assert len(numbers_in(student, ".score-number")) == 3
    expect(student.locator("mark.match").first).to_be_visible()
    assert student.locator(".student-text").inner_text().startswith("Cities are hotter")

    ta = new_page()
    sign_up(ta, "tomasz.new", "Tomasz Okoye")
    join(ta, code)
    instructor.goto("/")
    instructor.get_by_role("link", name="Geography 101").click()
    instructor.get_by_role("link", name="People").click()
    check_page(instructor)
    row = instructor.get_by_role("row", name="Tomasz Okoye")
    row.get_by_label("Role of").select_option("ta")
    row.get_by_role("button", name="Save role").click()
    expect(instructor.get_by_text("is now a teaching assistant")).to_be_visible()

    ta.reload()
    ta.get_by_role("link", name="Hot cities").click()
    ta.get_by_role("link", name="Grades", exact=True).click()
    check_page(ta)
    rows = exported(ta)
    assert [row["name"] for row in rows] == ["Zoë Brânză"]
    assert rows[0]["state"] == "scored"
    assert 0 < float(rows[0]["comprehensive"]) <= 1


def test_a_build_that_fails_says_why_and_can_be_tried_again(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    log_in(page, "instructor", site.password)
    make_course(page)
    make_assignment(page)
    page.get_by_label("Or paste a summary").fill("Too short.")
    page.get_by_role("button", name="Add references").click()
    page.get_by_role("button", name="Build the pyramid").click()

    expect(page.get_by_role("alert")).to_contain_text("no sentence", timeout=60_000)
    check_page(page)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_contain_text("no sentence", timeout=60_000)


def test_building_again_is_a_draft_beside_the_others(site: Site, new_page: OpenPage) -> None:
    page = new_page(width=390, height=844)
    log_in(page, "instructor", site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    page.get_by_role("link", name="Pyramid", exact=True).click()
    page.get_by_role("link", name="New draft").click()
    check_page(page)
    page.get_by_text("Settings", exact=True).last.click()
    page.get_by_label("By a percentile").check()
    page.get_by_label("Percentile", exact=False).last.fill("")
    check_page(page)
    page.get_by_role("button", name="Build a draft").click()
    expect(page.get_by_role("alert")).to_contain_text("Type a percentile from 0 to 100")
    check_page(page)
    page.get_by_label("Percentile", exact=False).last.fill("90")
    page.get_by_role("button", name="Build a draft").click()
    draft = page.locator(".item", has_text="percentile 90")
    expect(draft).to_be_visible(timeout=120_000)
    check_page(page)

    draft.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("the same.")).to_be_visible()
    check_page(page)
    page.go_back()
    draft.get_by_role("link", name="History").click()
    expect(page.get_by_text("created the draft")).to_be_visible()
    check_page(page)
    page.get_by_role("link", name="View this state").click()
    expect(page.get_by_text("This is the current state of the draft.")).to_be_visible()
    check_page(page)
    page.go_back()
    page.get_by_role("link", name="Pyramid", exact=True).last.click()
    draft.get_by_role("link", name="Discard").click()
    check_page(page)
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("discarded. You can restore it.")).to_be_visible()
    page.get_by_text("Discarded drafts").click()
    check_page(page)
    page.get_by_role("link", name="Version 1").click()
    expect(page.get_by_text("The class is scored with this version.")).to_be_visible()
    check_page(page)


def test_the_demonstration_course_is_scored_by_the_worker(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    log_in(page, "ta", site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    page.get_by_role("link", name="Grades", exact=True).click()
    expect(page.get_by_text("Scored", exact=True)).to_have_count(15, timeout=90_000)
    check_page(page)
    page.get_by_role("link", name="Amara Okafor").click()
    check_page(page)
    page.get_by_text("How this was calculated").click()
    check_page(page)


@pytest.mark.parametrize("login", ["student1", "student2"])
def test_a_printed_student_sees_the_result_on_a_phone(
    site: Site, new_page: OpenPage, login: str
) -> None:
    page = new_page(width=390, height=844)
    log_in(page, login, site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    check_page(page)
    page.get_by_role("link", name="Attempt 1").click()
    expect(page.locator(".score-number").first).to_be_visible(timeout=60_000)
    check_page(page)


def test_accounts_and_error_pages(site: Site, new_page: OpenPage) -> None:
    page = new_page()
    for path in (
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
    ):
        page.goto(path)
        check_page(page)
    log_in(page, "student1", site.password)
    for path in (
        "/accounts/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/sessions/",
        "/accounts/2fa/",
        "/courses/join/",
        "/courses/new/",
        "/nope/",
    ):
        page.goto(path)
        check_page(page)


def test_a_refused_form_keeps_what_was_typed(site: Site, new_page: OpenPage) -> None:
    page = new_page(width=390, height=844)
    log_in(page, "student2", site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    page.get_by_label("Your summary", exact=True).fill("word " * 300)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("at most 250")
    assert page.get_by_label("Your summary", exact=True).input_value().count("word") == 300
    check_page(page)
