"""A text in which words can be chosen (``templates/grading/words``), in pieces to loop over."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordsPiece:
    """A stretch of the text; ``look`` is its class, ``label`` a number to be shown behind it."""

    start: int
    words: str
    look: str = ""
    uids: tuple[int, ...] = ()
    label: str = ""


def plain_pieces(content: str) -> tuple[WordsPiece, ...]:
    """A text without marks."""
    return (WordsPiece(0, content),) if content else ()
