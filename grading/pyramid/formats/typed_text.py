"""Text as programs and files give it, made such as people type it."""

import re
import unicodedata
from typing import Final

_LIGATURES: Final = {
    code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)
}
# Seen by nobody: soft hyphens, spaces without width, marks at the start of a file. Marks of the
# direction of writing stay: right-to-left names need them.
_UNSEEN: Final = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF), "")
_SPACES: Final = re.compile("[\t\x0b\x1f \xa0\u2000-\u200a\u202f\u205f\u3000]+")
_BREAKS: Final = re.compile("\r\n|[\r\x0c\x85\u2028\u2029]")
_CONTROLS: Final = re.compile("[\0-\x08\x0e-\x1e\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def as_typed(text: str) -> str:
    """Letters composed, no ligatures, one kind of space, at most one empty line in a row."""
    text = unicodedata.normalize("NFC", text.translate(_LIGATURES | _UNSEEN))
    lines = [_SPACES.sub(" ", line).strip() for line in _BREAKS.sub("\n", text).split("\n")]
    joined = _CONTROLS.sub("", "\n".join(lines))
    return re.sub("\n{3,}", "\n\n", joined).strip()
