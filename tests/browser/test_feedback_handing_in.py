"""Handing in: from files, what is refused and why, drafts before the final, and late."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.classroom import Classroom
from tests.browser.lessons import Lesson, open_lesson
from tests.browser.people import check_page
from tests.browser.results import worker_asleep
from tests.conftest import SUMMARY
from tests.pyramid.formats.made_files import CITIES, paragraph, pdf_file, word_file
from tests.sites import Site

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
SOURCE = (
    "The reason why towns are warm is that their black roads take up the light of the sun by day "
    "and give it back to the air of the narrow streets by night."
)
SPANISH = (
    "Las ciudades son más calientes que el campo porque los techos oscuros guardan el calor del "
    "sol durante el día y lo devuelven por la noche."
)
FILES = {
    "mine.txt": CITIES.encode(),
    "mine.docx": word_file(paragraph(CITIES)),
    "mine.pdf": pdf_file([[CITIES]]),
}
REFUSED_FILES = {
    "scan.pdf": (pdf_file([[]], image=True), "has pictures of pages (a scan), not text"),
    "empty.txt": (b"", "empty"),
    "photo.png": (b"\x89PNG\r\n\x1a\n", "This is a picture. Words in it cannot be read"),
    "broken.docx": (b"no archive", "broken.docx"),
}
REFUSED_TEXTS = {
    "word " * 201: "at most 200 are allowed. Cut 1.",
    "": "There is no text yet.",
    SPANISH: "seems to be in Spanish",
    SOURCE: "mostly copied: 100 % of its words",
}


@pytest.fixture(scope="module")
def strict(classroom: Classroom) -> Lesson:
    """Copied texts are blocked; two drafts, two finals."""
    return open_lesson(
        classroom, source_text=SOURCE, copying="block", max_drafts="2", max_attempts="2"
    )


@pytest.fixture
def page(strict: Lesson, seat: Seat) -> Page:
    page = seat("zoe", width=390, height=844)
    page.goto(strict.address)
    return page


def text_of(page: Page) -> str:
    return page.get_by_label("Your summary", exact=True).input_value()


def write(page: Page, words: str) -> None:
    page.get_by_label("Your summary", exact=True).fill(words)


def take_file(page: Page, name: str, content: bytes) -> None:
    if not page.locator(".writing-file").evaluate("part => part.open"):
        page.get_by_text("Take the text from a file").click()
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Insert its text").click()


def test_words_are_counted_as_they_are_typed(page: Page) -> None:
    count = page.locator("#id_text_count")
    for words, expected in {
        "Cities are hot": "3 words: 2 more to reach 5",
        CITIES: "6 words of at most 200",
        "word " * 202: "202 words: 2 too many (at most 200)",
    }.items():
        write(page, words)
        expect(count).to_contain_text(expected)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_put_into_the_field(page: Page, name: str) -> None:
    write(page, f"Typed before {name}.")
    take_file(page, name, FILES[name])

    expect(page.get_by_text(f"The text of “{name}” is in the field: 6 words.")).to_be_visible()
    assert text_of(page) == CITIES
    check_page(page)


def test_a_file_that_cannot_be_read_is_refused_and_the_text_stays(page: Page) -> None:
    write(page, SUMMARY)
    for name, (content, reason) in REFUSED_FILES.items():
        take_file(page, name, content)
        expect(page.locator("#id_file_error")).to_contain_text(reason)
        assert text_of(page) == SUMMARY
    check_page(page)


def test_a_text_that_cannot_count_is_refused_and_stays(page: Page) -> None:
    for words, reason in REFUSED_TEXTS.items():
        write(page, words)
        page.get_by_role("button", name="Submit as final").click()
        expect(page.locator("#id_text_error")).to_contain_text(reason)
        assert text_of(page) == words
    expect(page.get_by_label("Submit it anyway")).to_be_hidden()
    check_page(page)


def test_drafts_come_before_the_final_and_attempts_are_used_up(strict: Lesson, seat: Seat) -> None:
    page = seat("omar")
    for number, (button, kind) in enumerate(
        [
            ("Submit as a draft (2 left)", "a draft"),
            ("Submit as a draft (1 left)", "a draft"),
            ("Submit as final", "a final submission"),
            ("Submit as final", "a final submission"),
        ],
        1,
    ):
        page.goto(strict.address)
        write(page, f"{SUMMARY} This is text number {number}.")
        page.get_by_role("button", name=button).click()
        expect(page.get_by_text(f"Submitted: attempt {number}, {kind}")).to_be_visible()

    page.goto(strict.address)
    expect(page.get_by_text("You have used your 2 final submissions.")).to_be_visible()
    expect(page.get_by_role("link", name="Attempt 4, final")).to_be_visible()
    expect(page.get_by_role("button", name="Submit")).to_have_count(0)
    check_page(page)


def test_late_work_is_marked_and_closed_is_closed(classroom: Classroom, seat: Seat) -> None:
    late = open_lesson(classroom, due_at="2020-05-01T12:00")
    page = seat("zoe")
    page.goto(late.address)
    expect(page.get_by_text("The due date has passed.")).to_be_visible()
    expect(page.get_by_text("1 May 2020, 12:00 (UTC)").first).to_be_visible()
    check_page(page)
    write(page, SUMMARY)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".badge-late").first).to_be_visible()

    late.rule(due_at="2020-05-01T12:00", accepts_late="")
    page.goto(late.address)
    expect(page.get_by_text("The due date has passed: you can")).to_be_visible()


def test_while_it_is_scored_the_page_says_so_and_ends_by_itself(
    site: Site, lesson: Lesson, seat: Seat
) -> None:
    page = seat("omar", width=390, height=844)
    with worker_asleep(site):
        page.goto(lesson.hand_in("omar", f"{SUMMARY} Nothing else."))
        expect(page.get_by_role("heading", name="It is being scored")).to_be_visible()
        expect(page.locator(".score-number")).to_have_count(0)
        check_page(page)

    expect(page.locator(".score-number")).to_have_count(3, timeout=30_000)
