"""Lines of a text that make no statement: titles, headings, names, word counts."""

from grading.pyramid.structures import SegmentedText, Sentence

_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_STOPS = (".", "!", "?", ";", "\u2026")
_CLOSING = "\"')]\u2019\u201d"
_LONGEST = 15  # words of a heading


def is_heading(text: SegmentedText, sentence: Sentence) -> bool:
    """Whether the sentence is a line of its own without a full stop that says nothing.

    It has no finite verb, or it is the first line and other sentences of the text end in a full
    stop. What was not parsed is no heading.
    """
    content = text.text.content
    words = content[sentence.span.start : sentence.span.end]
    if (
        not sentence.tokens
        or words.rstrip(_CLOSING).endswith(_STOPS)
        or len(words.split()) > _LONGEST
    ):
        return False
    if not _is_a_line(content, sentence):
        return False
    if not any(token.tag in _FINITE for token in sentence.tokens):
        return True
    others = [other for other in text.sentences if other is not sentence]
    return text.sentences[0] is sentence and any(
        content[other.span.start : other.span.end].rstrip(_CLOSING).endswith(_STOPS)
        for other in others
    )


def _is_a_line(content: str, sentence: Sentence) -> bool:
    before = content[: sentence.span.start].rsplit("\n", 1)[-1]
    after = content[sentence.span.end :].split("\n", 1)[0]
    return not any(character.isalnum() for character in before + after) and "\n" in content.strip()
