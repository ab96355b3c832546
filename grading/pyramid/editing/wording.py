"""Words that people write about ideas: labels, comments, names; and how the history quotes them."""

import re
from typing import Final

from grading.pyramid.errors import EditError

LONGEST_LABEL: Final = 500
LONGEST_COMMENT: Final = 5_000
LONGEST_NAME: Final = 100
_LONGEST_QUOTE: Final = 60

# Control characters other than white space, and halves of characters: nobody sees them, and
# neither PostgreSQL nor XML takes them all.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_NOT_STORED = re.compile(r"[\x00\ud800-\udfff]")


def folded(words: str) -> str:
    """On one line, without what nobody sees."""
    return " ".join(_UNSEEN.sub("", words).split())


def shortened(words: str, longest: int) -> str:
    """At most that many characters, with an ellipsis where words are left out.

    No word is cut in two, unless there is only one.
    """
    if len(words) <= longest:
        return words
    kept = words[: longest - 1]
    if not words[longest - 1].isspace() and " " in kept.strip():
        kept = kept.rpartition(" ")[0]
    return f"{kept.rstrip()}…"


def quoted(words: str) -> str:
    """In quotation marks, without a full stop, and short enough for a line of the history."""
    return f"“{shortened(without_full_stop(folded(words)), _LONGEST_QUOTE) or '…'}”"


def without_full_stop(words: str) -> str:
    """For a quote within a sentence that has its own."""
    return words if words.endswith("..") else words.removesuffix(".")


def checked_label(label: str) -> str:
    """On one line; an EditError where there is nothing to read, or too much."""
    label = folded(label)
    if not any(character.isprintable() and character != " " for character in label):
        raise EditError("An idea needs a label: a sentence that says it.")
    if len(label) > LONGEST_LABEL:
        raise EditError(
            f"A label has at most {LONGEST_LABEL} characters; this one has {len(label):,}."
        )
    return label


def checked_comment(comment: str) -> str:
    """With line ends of one kind; an EditError where it is too long."""
    comment = _UNSEEN.sub("", "\n".join(comment.splitlines())).strip()
    if len(comment) > LONGEST_COMMENT:
        raise EditError(
            f"A comment has at most {LONGEST_COMMENT:,} characters; this one has {len(comment):,}."
        )
    return comment


def both_comments(first: str, second: str) -> str:
    return "\n".join(dict.fromkeys(filter(None, (first, second))))


def checked_name(name: str) -> str:
    """Of a reference, exactly as it is: it may be that of a row in the database."""
    if not folded(name):
        raise EditError("A reference needs a name.")
    if len(name) > LONGEST_NAME:
        raise EditError(f"A name has at most {LONGEST_NAME} characters; this one has {len(name)}.")
    if not is_storable(name):
        raise EditError("There are characters in the name that cannot be stored.")
    return name


def storable(text: str) -> str:
    """Without what some database refuses; all words of edits are read without it as well."""
    return _NOT_STORED.sub("", text)


def is_storable(text: str) -> bool:
    """Can every database keep the text exactly as it is?"""
    return _NOT_STORED.search(text) is None
