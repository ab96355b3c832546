"""Comments as Moodle takes them: HTML that shows a person's words exactly as they were written."""

import html
import re
from typing import Final

from grading.pyramid.formats.gradebook import FORMULA_STARTS

# The entity of the letter before ends in a semicolon, at which a spreadsheet may cut the line.
_AFTER_CUT: Final = re.compile(rf"(;[\s\"]*)([{re.escape(''.join(FORMULA_STARTS))}])")


def html_comment(text: str) -> str:
    """A paragraph; a letter that could begin a formula in a cut line is written as an entity."""
    escaped = html.escape(" ".join(text.split(" ")).strip(), quote=True)
    lines = escaped.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "<br>")
    while _AFTER_CUT.search(lines):
        lines = _AFTER_CUT.sub(lambda found: f"{found[1]}&#{ord(found[2])};", lines)
    return f"<p>{lines}</p>"
