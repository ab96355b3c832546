"""Sentences with tags written down, such as ``Trees/NNS cool/VBP the/DT streets/NNS ./.``."""

from grading.pyramid.structures import (
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Text,
    Token,
)

_MARKS = frozenset((".", ",", ":", "-LRB-", "-RRB-", "HYPH"))


def tagged_text(*sentences: str, between: str = " ") -> SegmentedText:
    """A text of the sentences; a word without tag has the tag NN."""
    content, read = "", []
    for sentence in sentences:
        tokens: list[Token] = []
        for index, pair in enumerate(sentence.split()):
            word, _, tag = pair.rpartition("/") if "/" in pair else (pair, "", "NN")
            start = len(content)
            content += word + " "
            tokens.append(_token(index, start, word, tag))
        span = Span(tokens[0].start, tokens[-1].end)
        whole = Segmentation((Segment((span,)),))
        read.append(Sentence(span, (whole,), tuple(tokens)))
        content = content.rstrip() + between
    return SegmentedText(Text("made", content), tuple(read))


def tokens_of(sentence: str) -> tuple[Token, ...]:
    return tagged_text(sentence).sentences[0].tokens


def _token(index: int, start: int, word: str, tag: str) -> Token:
    end = start + len(word)
    return Token(index, start, end, word, word.lower(), "X", tag, "dep", 0, tag in _MARKS)
