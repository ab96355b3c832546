"""Online texts: the HTML in which platforms keep what students typed, made plain text.

Also Blackboard's receipt of an attempt, a text file that may hold such a text.
"""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import as_typed, decode

LARGEST: Final = 2_000_000  # bytes
_BREAKING: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "figure",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "td",
        "th",
        "tr",
        "ul",
    ]
)
_APART: Final = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"])
_UNSEEN: Final = frozenset(["script", "style", "head", "template", "noscript"])
_NO_TEXT: Final = re.compile(r"There is no student submission text data", re.IGNORECASE)
_RECEIPT: Final = re.compile(
    r"\AName: (?P<who>[^\n]*)\n.*?^Submission Field:[ \t]*\n(?P<text>.*?)^Comments:",
    re.DOTALL | re.MULTILINE,
)
_WHO: Final = re.compile(r"(?P<name>.*)\((?P<login>[^()]+)\)\s*")
_LOOKS_LIKE_HTML: Final = re.compile(
    r"</?(?:p|br|div|span|strong|em|ul|ol|li|a|b|i)\b[^>]*>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Who submitted, and what was typed into Blackboard's own field, if anything."""

    name: str
    login: str
    text: str


def read_online_text(data: bytes) -> str:
    """The text of a web page; InputError where there is none."""
    if len(data) > LARGEST:
        raise InputError(f"The page has {len(data) / 1e6:.1f} MB; no summary is that long.")
    text = text_of_html(decode(data).text)
    if not text:
        raise InputError("There is no text on this page.")
    return text


def text_of_html(html: str) -> str:
    """What a reader sees of it, a line for each paragraph."""
    try:
        return _text_read(html)
    except AssertionError:  # html.parser's, over a section such as “<![<p>” that no page has
        return _text_read(html.replace("<![", "&lt;!["))


def _text_read(html: str) -> str:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return as_typed(reader.text())


def read_receipt(text: str) -> Receipt | None:
    """What Blackboard wrote about an attempt; None where it is some other text."""
    receipt = _RECEIPT.match(text.lstrip())
    who = _WHO.fullmatch(receipt["who"]) if receipt else None
    if receipt is None or who is None:
        return None
    typed = receipt["text"].strip()
    if _NO_TEXT.match(typed):
        typed = ""
    plain = text_of_html(typed) if _LOOKS_LIKE_HTML.search(typed) else as_typed(typed)
    return Receipt(who["name"].strip(), who["login"].strip(), plain)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._unseen: list[str] = []
        self._title: list[str] = []
        self._heading: int | None = None  # where the first one begins
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag == "title":
            self._in_title = True
        elif tag == "body":
            self._unseen.clear()  # a head that nobody closed
        elif tag in _BREAKING:
            self._break(tag)
            if tag == "h1" and self._heading is None:
                self._heading = len(self._pieces)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif self._unseen and tag == self._unseen[-1]:
            self._unseen.pop()
        elif tag in _BREAKING:
            if tag == "h1":
                self._drop_title()
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self._title.append(data)
        elif not self._unseen:
            self._pieces.append(re.sub(r"\s+", " ", data))

    def text(self) -> str:
        return "".join(self._pieces)

    def _break(self, tag: str) -> None:
        self._pieces.append("\n\n" if tag in _APART else "\n")

    def _drop_title(self) -> None:
        """Canvas writes the page's title, with the student's name, above the text once more."""
        if self._heading is None:
            return
        heading = "".join(self._pieces[self._heading :]).strip()
        if heading and heading == " ".join("".join(self._title).split()):
            del self._pieces[self._heading :]
        self._heading = len(self._pieces) + 1_000_000_000
