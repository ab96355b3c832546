"""What a recall remembers of a text: how close its closest words are to those of other texts.

By the rows that the text was compared in, and by the other texts. It can be kept with the vectors
of the text, so that another process need not multiply them again. Kept is what was found out about
long texts, which are the references; labels of ideas are done again in no time.
"""

import json
import zlib
from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders import VectorMemory
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Span, Spans

Rows = tuple[Spans, ...]
Closest = NDArray[np.float16]  # a row for each word of the other text, a column for each row
OfOthers = dict[str, Closest]  # by the digest of the other text

MOST_OTHERS: Final = 512  # pyramids of an assignment, with labels by hand
MOST_WAYS: Final = 2  # sets of rows that a text is compared in
_LONG: Final = 40  # words
_MOST_KEPT: Final = 16  # others, for each set of rows
_HALF: Final = np.dtype("<f2")
_NUMBER: Final = 4  # bytes


def digest_of(content: str) -> str:
    return blake2b(content.encode(errors="surrogatepass"), digest_size=12).hexdigest()


class ClosestWords:
    """Of the texts that were compared last; ``room`` is how many."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._known: OrderedDict[str, dict[Rows, OfOthers]] = OrderedDict()
        self._news: set[str] = set()

    def of(self, content: str, rows: Rows) -> OfOthers:
        """What is known of a text in these rows."""
        ways = self._known.setdefault(content, {}) if self._room else {}
        if rows not in ways:
            for old in list(ways)[: max(0, len(ways) - MOST_WAYS + 1)]:
                del ways[old]
            ways[rows] = {}
        if self._room:
            self._known.move_to_end(content)
        while len(self._known) > self._room:
            self._news.discard(self._known.popitem(last=False)[0])
        return ways[rows]

    def add(self, content: str, known: OfOthers, new: OfOthers, in_use: Iterable[str]) -> None:
        """Remember more of a text; what is not in use goes where there is too much of it."""
        used = set(in_use)
        unused = [one for one in known if one not in used]
        for old in unused[: max(0, len(known) + len(new) - MOST_OTHERS)]:
            del known[old]
        known |= new
        if content in self._known and any(len(one) >= _LONG for one in new.values()):
            self._news.add(content)

    def has_news_of(self, content: str) -> bool:
        """Was something found out that is worth keeping, since it was kept or given back?"""
        return content in self._news

    def keep(self, content: str) -> bytes:
        header: list[Any] = []
        tables: list[bytes] = []
        for rows, others in self._known.get(content, {}).items():
            long = [(one, table) for one, table in others.items() if len(table) >= _LONG]
            if long:
                kept = sorted(long[-_MOST_KEPT:], key=lambda pair: pair[0])
                ends = [[end for span in row for end in (span.start, span.end)] for row in rows]
                header.append([ends, [[one, len(table)] for one, table in kept]])
                tables += (np.ascontiguousarray(table, dtype=_HALF).tobytes() for _, table in kept)
        self._news.discard(content)
        document = json.dumps(header).encode()
        return len(document).to_bytes(_NUMBER, "little") + document + b"".join(tables)

    def give_back(self, content: str, kept: bytes) -> None:
        """Of bytes that were kept of this text."""
        size = int.from_bytes(kept[:_NUMBER], "little")
        at = _NUMBER + size
        for ends, others in json.loads(kept[_NUMBER:at]):
            rows = tuple(
                tuple(Span(*pair) for pair in zip(end[::2], end[1::2], strict=True)) for end in ends
            )
            known = self.of(content, rows)
            for digest, words in others:
                count = words * len(rows)
                table = np.frombuffer(kept, dtype=_HALF, count=count, offset=at)
                known.setdefault(digest, table.reshape(words, len(rows)))
                at += count * _HALF.itemsize
        self._news.discard(content)


class RecallMemory:
    """The vectors of a text, as their reader keeps them, and its closest words."""

    def __init__(self, vectors: VectorMemory, closest: ClosestWords) -> None:
        self.name = f"{vectors.name}-closest-1"
        self._vectors = vectors
        self._closest = closest

    def has_news_of(self, content: str) -> bool:
        return self._closest.has_news_of(content)

    def keep(self, content: str) -> bytes:
        vectors = self._vectors.keep(content)
        kept = len(vectors).to_bytes(_NUMBER, "little") + vectors + self._closest.keep(content)
        return _proof(content, kept) + kept

    def give_back(self, content: str, kept: bytes) -> None:
        proof, document = kept[:_NUMBER], kept[_NUMBER:]
        if proof != _proof(content, document):
            raise InputError("This was not kept of this text.")
        end = _NUMBER + int.from_bytes(document[:_NUMBER], "little")
        self._vectors.give_back(content, document[_NUMBER:end])
        self._closest.give_back(content, document[end:])


def _proof(content: str, document: bytes) -> bytes:
    proof = zlib.crc32(document, zlib.crc32(content.encode(errors="surrogatepass")))
    return proof.to_bytes(_NUMBER, "little")
