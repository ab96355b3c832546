"""Own data: everything about one's work to take away, with who has corrected what."""

import csv
import io
import json
import zipfile
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import ASSISTANT, OTHER_STUDENT, Classroom
from tests.browser.lessons import SECOND, open_lesson
from tests.browser.people import check_page
from tests.browser.results import ask, count, open_result
from tests.conftest import SUMMARY

pytestmark = pytest.mark.browser


def test_attempts_and_corrections_are_taken_away(
    classroom: Classroom, seat: Callable[..., Page]
) -> None:
    lesson = open_lesson(classroom, title="Mine to keep")
    lesson.hand_in("omar", "Only omar wrote this about the hot cities.")
    lesson.hand_in("zoe", f"{SECOND} A first attempt.")
    student, assistant = seat("zoe", width=390, height=844), seat("tomasz")
    open_result(student, lesson.hand_in("zoe"))
    ask(student, "My uncle has a green bicycle")
    assistant.goto(f"{lesson.address}second-looks/")
    assistant.get_by_role("link", name="Answer the request of").click()
    count(assistant, "Trees cool streets")

    student.goto("/accounts/")
    student.get_by_role("link", name="Your data").click()
    expect(student.get_by_role("heading", name="What is stored")).to_be_visible()
    check_page(student)
    with student.expect_download() as download:
        student.get_by_role("link", name="Download my-work.zip").click()
    assert download.value.suggested_filename == "my-work.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        files = {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}

    texts = [content for name, content in files.items() if "texts/" in name]
    assert SUMMARY in texts
    assert f"{SECOND} A first attempt." in texts
    everything = "".join(files.values())
    assert OTHER_STUDENT not in everything
    assert "Only omar" not in everything
    rows = list(csv.DictReader(io.StringIO(files["scores.csv"])))
    mine = [row for row in rows if row["assignment"] == "Mine to keep"]
    assert [row["corrected_by_hand"] for row in mine] == ["no", "yes"]
    [own_assignment] = [
        assignment
        for assignment in json.loads(files["my-work.json"])["assignments"]
        if assignment["title"] == "Mine to keep"
    ]
    assert ASSISTANT in json.dumps(own_assignment)
