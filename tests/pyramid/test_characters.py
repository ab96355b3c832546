"""What a reader sees."""

import pytest

from grading.pyramid.characters import is_seen, look_of


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Roof", "roof"),
        ("r\u00ado\u200bo\u200df\ufeff\u2060\ufe0f\u034f", "roof"),
        ("\uff32\U0001d428\u043ef", "roof"),
        ("Zoë Brânză", "zoe branza"),
        ("\ufb01re\u3164\u1160", "fire"),
        ("عمر 7\n", "عمر 7\n"),
    ],
)
def test_look(text: str, seen: str) -> None:
    assert "".join(map(look_of, text)) == seen


def test_seen() -> None:
    assert all(map(is_seen, "a 7.\u4e00é😀"))
    assert not any(map(is_seen, "\u200b\u3164\u202e\u0301"))
