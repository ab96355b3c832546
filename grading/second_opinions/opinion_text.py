"""A student's text with the words marked that a method matched: the more they weigh, the darker."""

from collections.abc import Sequence

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from grading.pyramid.marked_pieces import Piece, cut_at_marks
from grading.pyramid.structures import Spans
from grading.web.html_elements import element


def text_html(content: str, marks: Sequence[tuple[Spans, int]]) -> SafeString:
    """Marks are spans with their band; of several on the same words the heaviest is shown."""
    return format_html_join(
        "", "{}", ((_piece_html(piece),) for piece in cut_at_marks(content, marks))
    )


def _piece_html(piece: Piece[int]) -> str:
    if not piece.marks:
        return piece.words
    return element("mark", piece.words, class_=f"match match-band-{max(piece.marks)}")
