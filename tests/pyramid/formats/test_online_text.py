"""Pages with texts become plain text, without what no reader sees."""

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.formats.online_text import read_online_text, read_receipt, text_of_html
from tests.pyramid.formats.made_zips import canvas_text, page, receipt


def test_paragraphs_lists_and_entities() -> None:
    html = page(
        "<p>Heat &amp; <b>roofs</b>.</p>\n<p>Trees\n  cool<br>streets.</p><ul><li>One</li>"
        "<li>Two</li></ul><script>alert(1)</script><style>p {}</style>"
    )

    assert text_of_html(html) == "Heat & roofs.\n\nTrees cool\nstreets.\n\nOne\n\nTwo"


def test_canvass_heading_with_the_name_is_no_part_of_the_text() -> None:
    html = canvas_text("Essay 1: Ben van Dyk", "Trees cool.")

    assert read_online_text(html.encode()) == "Trees cool."
    assert text_of_html(page("<h1>My heading</h1><p>Text.</p>", "Other")) == "My heading\n\nText."


def test_broken_pages_are_read_as_far_as_they_go() -> None:
    assert text_of_html("<p>Heat <b>roofs <p>Trees <unknown>x</p> < 5 &notanentity;") != ""
    with pytest.raises(InputError, match="no text"):
        read_online_text(b"<html><head><title>x</title></head><body></body></html>")


def test_a_receipt_says_who_and_what() -> None:
    result = read_receipt(receipt("Okoro, Ada", "aokoro", "I typed <b>this</b>.<br>And that."))

    assert result is not None
    assert (result.name, result.login, result.text) == (
        "Okoro, Ada",
        "aokoro",
        "I typed this.\nAnd that.",
    )
    assert read_receipt("Name: my cat\n\nA story.") is None
