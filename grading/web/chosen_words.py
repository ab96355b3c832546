"""A text in which words can be chosen (``templates/grading/words``), in pieces to loop over."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from grading.web.html_elements import element


@dataclass(frozen=True, slots=True)
class WordsPiece:
    """A stretch of the text; ``look`` is its class, ``label`` a number to be shown behind it."""

    start: int
    words: str
    look: str = ""
    uids: tuple[int, ...] = ()
    label: str = ""

    @property
    def html(self) -> SafeString:
        return element(
            "span",
            self.words,
            data_start=self.start,
            class_=self.look,
            data_scu=" ".join(map(str, self.uids)),
            data_label=self.label,
        )


def plain_pieces(content: str) -> tuple[WordsPiece, ...]:
    """A text without marks."""
    return (WordsPiece(0, content),) if content else ()
