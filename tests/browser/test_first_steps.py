"""What first-time users stumbled over, where only a browser shows it (docs/usability.md)."""

import csv
import io
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.classroom import Classroom
from tests.browser.lessons import open_lesson
from tests.browser.people import check_page
from tests.browser.results import open_result
from tests.conftest import SUMMARY
from tests.pyramid.formats.made_files import paragraph, word_file

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
AROUND = ("Zoe Branza", "Why Cities Are Hotter", SUMMARY, "Word count: 219")


def test_title_name_and_word_count_of_a_file_are_no_statements(
    classroom: Classroom, seat: Seat
) -> None:
    lesson = open_lesson(classroom)
    plain = lesson.hand_in("omar")
    page = seat("zoe", width=390, height=844)
    page.goto(lesson.address)
    content = word_file("".join(map(paragraph, AROUND)))
    page.get_by_text("Take the text from a file").click()
    file = FilePayload(name="mine.docx", mimeType=WORD, buffer=content)
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Insert its text").click()
    field = page.get_by_label("Your summary")
    expect(field).to_have_value(re.compile(r"Word count: 219\s*$"))
    page.get_by_role("button", name=re.compile("^Submit")).last.click()
    page.wait_for_url(re.compile(r"/submissions/\d+/"))
    result = page.url.partition("#")[0]

    open_result(page, result)
    check_page(page)
    for words in ("Zoe Branza", "Word count: 219"):
        expect(page.locator("[data-marked-text]")).to_contain_text(words)
        expect(page.locator("mark, .bare", has_text=words)).to_have_count(0)
    teacher = open_result(seat("instructor", width=1280, height=800), plain)
    teacher.goto(f"{lesson.address}gradebook/")
    expect(teacher.get_by_role("row", name="Zoë Brânză")).to_contain_text("Scored")
    check_page(teacher)
    by_login = {row["login"]: row for row in _gradebook(teacher)}
    theirs, others = by_login["zoe.edits"], by_login["omar.edits"]
    assert theirs["statements"] == others["statements"] != "0"
    assert theirs["ideas_matched"] == others["ideas_matched"] != "0"
    # The program compares all sentences of a text at once: the fourth decimal may differ.
    assert abs(float(theirs["comprehensive"]) - float(others["comprehensive"])) < 0.0005


def _gradebook(page: Page) -> list[dict[str, str]]:
    """The rows of the spreadsheet with everything."""
    page.get_by_role("link", name="Export", exact=True).click()
    page.get_by_role("button", name="Preview the file").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    return list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))


def test_a_join_link_leads_a_new_student_through_sign_up_into_the_course(
    classroom: Classroom, seat: Seat, new_page: Seat
) -> None:
    teacher = seat("instructor")
    teacher.goto(f"{classroom.course}members/")
    code = teacher.locator(".lead strong").inner_text()
    page = new_page(390, 844, has_touch=True, is_mobile=True)
    page.goto(f"/courses/join/?code={code}")
    page.get_by_role("link", name="Create one").click()
    page.get_by_label("Full name").fill("Sefa Addo")
    page.get_by_label("Login", exact=True).fill("sefa.addo")
    page.get_by_label("E-mail address").fill("sefa.addo@example.org")
    page.get_by_label("Password", exact=True).fill("123456789012")
    page.get_by_label("Password again").fill("123456789012")
    page.get_by_role("button", name="Create account").click()

    refused = page.locator(".field", has=page.get_by_label("Password", exact=True))
    expect(refused.locator(".field-error")).to_contain_text("entirely numeric")
    again = page.locator(".field", has=page.get_by_label("Password again"))
    expect(again.locator(".field-error")).to_have_count(0)
    check_page(page)

    page.get_by_label("Password", exact=True).fill("a-long-passphrase-7")
    page.get_by_label("Password again").fill("a-long-passphrase-7")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_label("Course code")).to_have_value(code)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("viewing this course as a student")).to_be_visible()


def test_links_for_a_whole_roster_are_copied_or_saved(classroom: Classroom, seat: Seat) -> None:
    page = seat("instructor")
    page.goto(f"{classroom.course}roster/")
    roster = b"Name,E-mail,Section\nIb Holm,ib@example.org,A\nUna Vik,una@example.org,B\n"
    file = FilePayload(name="class.csv", mimeType="text/csv", buffer=roster)
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Preview changes").click()
    page.get_by_role("button", name="Apply changes").click()
    page.get_by_role("button", name="Create password links").click()

    lines = page.locator("#all-links").inner_text().strip().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["Ib Holm", "Una Vik"]
    check_page(page)
    page.set_viewport_size({"width": 390, "height": 844})
    check_page(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    saved = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert saved[0] == "name,login,e-mail,link"
    assert len(saved) == 3
    page.goto(lines[0].split("\t")[-1])
    expect(page.get_by_label("Password", exact=True)).to_be_visible()


def test_on_a_phone_the_field_comes_before_the_rules(classroom: Classroom, seat: Seat) -> None:
    lesson = open_lesson(classroom)
    for width, height in ((390, 844), (1280, 800)):
        page = seat("zoe", width, height, has_touch=width == 390, is_mobile=width == 390)
        page.goto(lesson.address)
        field = page.get_by_label("Your summary").bounding_box()
        rules = page.get_by_role("heading", name="The rules").bounding_box()
        assert field
        assert rules
        assert field["y"] < height * 2 / 3
        assert (rules["y"] > field["y"]) == (width == 390)
        check_page(page)
