"""Comments as Moodle takes them: HTML that shows a person's words exactly as they were written."""

import html
import re
from typing import Final

from grading.pyramid.formats.gradebook import FORMULA_STARTS

_STARTS: Final = re.escape("".join(FORMULA_STARTS))
# An entity ends in a semicolon, at which a spreadsheet may cut the line: what comes after it, too,
# may only be another entity.
_AFTER_CUT: Final = re.compile(rf"(?<=;)[\s\"]*[{_STARTS}][{_STARTS}\s\"]*")
_START: Final = re.compile(rf"[{_STARTS}]")


def html_comment(text: str) -> str:
    """A paragraph; a letter that could begin a formula in a cut line is written as an entity."""
    escaped = html.escape(text.strip(), quote=True)
    lines = escaped.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "<br>")
    return f"<p>{_AFTER_CUT.sub(_as_entities, lines)}</p>"


def _as_entities(hit: re.Match[str]) -> str:
    return _START.sub(lambda letter: f"&#{ord(letter[0])};", hit[0])
