"""What students are told of ideas that their text lacks, by the instructor's choice."""

from collections.abc import Callable
from io import BytesIO

import pypdfium2
import pytest
from playwright.sync_api import Page

from tests.browser.lessons import Lesson
from tests.browser.people import check_page
from tests.browser.results import in_one_line, open_result

pytestmark = pytest.mark.browser

COUNTS = ("3 ideas not found in your text", "2 of 5 ideas matched")
HINTS = ("Key word",)
LABELS = ("Trees cool streets", "Nights harm the old", "Leaves give off water")
SENTENCES = ("Trees cool the streets",)  # as Ada says it; the label has it otherwise
TOLD = {
    "0": (),
    "1": COUNTS,
    "2": COUNTS + HINTS,
    "3": COUNTS + LABELS,
    "4": COUNTS + LABELS + SENTENCES,
}
EVERYTHING = COUNTS + HINTS + LABELS + SENTENCES


@pytest.mark.parametrize("level", TOLD)
def test_as_much_is_told_as_was_chosen(
    lesson: Lesson, seat: Callable[..., Page], level: str
) -> None:
    lesson.rule(missed_before=level, due_at="2090-05-01T12:00")
    page = open_result(seat("zoe"), lesson.handed_in["zoe"])

    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    seen = in_one_line(page.locator("main").inner_text())
    source = page.content()
    printed = words_of_pdf(page.pdf(format="A4"))

    for words in TOLD[level]:
        assert words in seen
        assert words in printed
    hidden = [words for words in EVERYTHING if words not in TOLD[level]]
    for words in hidden:
        assert words not in source
        assert words not in printed
    check_page(page)


def words_of_pdf(data: bytes) -> str:
    document = pypdfium2.PdfDocument(BytesIO(data))
    words = " ".join(sheet.get_textpage().get_text_range() for sheet in document)
    document.close()
    return in_one_line(words)
