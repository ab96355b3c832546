"""A student's text with the words marked that a method matched: the more they weigh, the darker."""

from collections.abc import Sequence

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from grading.pyramid.formats.highlighted_text import cut_at_marks
from grading.pyramid.structures import Spans
from grading.web.marked_text import element


def text_html(content: str, marks: Sequence[tuple[Spans, int]]) -> SafeString:
    """Marks are spans with their band; of several on the same words the heaviest is shown."""
    pieces = cut_at_marks(content, [spans for spans, _ in marks])
    bands = [max((marks[mark][1] for mark in piece.marks), default=0) for piece in pieces]
    return format_html_join(
        "",
        "{}",
        (
            (
                element("mark", piece.words, class_=f"match match-band-{band}")
                if band
                else piece.words,
            )
            for piece, band in zip(pieces, bands, strict=True)
        ),
    )
