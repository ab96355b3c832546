"""PDF files: their text by PDFium, and lines that become paragraphs."""

import pytest

from grading.pyramid.formats.pdf_file import MAX_PAGES, Line, paragraphs_of, pdf_text
from tests.pyramid.formats.made_files import CITIES, LOCKED, pdf_file, refused


def lines_of(*words: str, left: float = 40, step: float = 14) -> list[Line]:
    return [
        Line(each, left, left + 6 * len(each), 500 - step * number, 10)
        for number, each in enumerate(words)
    ]


def test_lines_are_joined_and_pages_go_on() -> None:
    text, remark = pdf_text(
        pdf_file([["Cities are hotter than", "the coun-", "try. Roofs store"], ["heat.", "2"]])
    )

    assert text == "Cities are hotter than the country. Roofs store heat."
    assert remark == ""


def test_a_greater_distance_begins_a_paragraph() -> None:
    text, _ = pdf_text(pdf_file([["One line of words,", "and two.", "", "Three, and a", "four."]]))

    assert text == "One line of words, and two.\n\nThree, and a four."


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            ("a well-known thing", "is a well-", "known thing"),
            "a well-known thing is a well-known thing",
        ),
        (("the North-", "South line"), "the North- South line"),
        (("soft\xad", "ware is"), "software is"),
        (("It was 1990-", "and so on"), "It was 1990- and so on"),
    ],
)
def test_words_that_were_parted_are_mended(lines: tuple[str, ...], text: str) -> None:
    assert paragraphs_of([lines_of(*lines)]) == text


def test_a_short_line_that_ends_a_sentence_ends_a_paragraph() -> None:
    lines = lines_of(
        "This is a long line of a text that goes on", "and ends.", "Another begins here"
    )

    assert paragraphs_of([lines]) == (
        "This is a long line of a text that goes on and ends.\n\nAnother begins here"
    )


def test_an_indented_line_begins_a_paragraph() -> None:
    first, *rest = lines_of("A whole line of the width ends.", "New begins now, and so does", "it.")
    indented = Line(rest[0].words, 60, 240, rest[0].base, 10)

    assert paragraphs_of([[first, indented, rest[1]]]).count("\n\n") == 1


@pytest.mark.parametrize("number", ["3", "Page 3", "- 3 -", "3 / 12", "Page 3 of 12"])
def test_numbers_of_pages_are_no_text(number: str) -> None:
    assert paragraphs_of([lines_of(CITIES, number)]) == CITIES


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (pdf_file([[], []], image=True), "This PDF has pictures of pages"),
        (pdf_file([[]]), "There is no text in this PDF"),
        (pdf_file([[CITIES]], trailer=LOCKED), "protected by a password"),
        (b"%PDF-1.4\nnothing", "damaged"),
        (pdf_file([[CITIES]])[:300], "damaged"),
        (pdf_file([["word " * 600] * 5] * 10), "far more text than a summary"),
        (pdf_file([[CITIES]] * (MAX_PAGES + 1)), f"has {MAX_PAGES + 1} pages"),
    ],
    ids=["scan", "empty", "locked", "nothing", "half", "wordy", "long"],
)
def test_what_cannot_be_read_says_why(data: bytes, said: str) -> None:
    assert said in refused(pdf_text, data)


def test_a_page_that_is_a_picture_is_told() -> None:
    text, remark = pdf_text(pdf_file([[CITIES], []], image=True))

    assert text == CITIES
    assert remark == "Page 2 holds a picture and no text; its text was not read."
