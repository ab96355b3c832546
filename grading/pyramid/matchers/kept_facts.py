"""Facts about a text as bytes, so that another process need not find them again.

Kept is what takes long to find: which words are held, and how sentences were judged beside ideas.
An idea is named by what its parts say (``ScuParts.keys``), so that a judgement holds in any pyramid
that has the idea. Facts are kept for readers of one name, which names the parser and the core, and
for one similarity. A sum proves them to be of their text.
"""

import json
import zlib
from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from grading.pyramid.contradictions.judgement import NOTHING, Judgement
from grading.pyramid.errors import InputError
from grading.pyramid.matchers.text_facts import TextFacts
from grading.pyramid.order.held_words import HeldWords
from grading.pyramid.structures import Span

WORTH_KEEPING: Final = 4  # new facts about ideas; fewer are found again in no time
MOST_KEPT: Final = 1_024  # facts of a text, the latest: some 40 kB; a text of 150 words has 60
_PROOF: Final = 4  # bytes

# The first of a key, for all that is kept besides judgements. These are by sentence and idea.
_HELD: Final = "held"
_BY_IDEA: Final = ("said", "denies alone", "doubtful")


def has_news(facts: TextFacts) -> bool:
    """Are there enough new facts, since the last were kept or given back, to keep them?"""
    return _HELD in facts.news or sum(map(_is_kept, facts.news)) >= WORTH_KEEPING


def keep_facts(facts: TextFacts, content: str) -> bytes:
    """The facts about a text as bytes. From then on none of them is new."""
    facts.news.clear()
    latest = islice(filter(_is_kept, reversed(facts.known())), MOST_KEPT)
    kept = {key: facts.known()[key] for key in reversed([*latest])}
    document = json.dumps(_to_json(kept), separators=(",", ":")).encode()
    return _proof(content, document) + document


def give_back_facts(facts: TextFacts, content: str, kept: bytes) -> None:
    """Add facts that were kept. InputError where they were not kept of this text."""
    proof, document = kept[:_PROOF], kept[_PROOF:]
    if proof != _proof(content, document):
        raise InputError("These are not the facts about this text.")
    try:
        facts.add(dict(_from_json(json.loads(document))))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"These are no facts about a text: {error}") from error


def _is_kept(key: Hashable) -> bool:
    if not isinstance(key, tuple):
        return key == _HELD
    return type(key[0]) is int or key[0] in _BY_IDEA


def _proof(content: str, document: bytes) -> bytes:
    proof = zlib.crc32(document, zlib.crc32(content.encode(errors="surrogatepass")))
    return proof.to_bytes(_PROOF, "little")


def _to_json(facts: Mapping[Hashable, object]) -> dict[str, Any]:
    """By the key of the idea: the sentences without a judgement, and those with one."""
    agreeing: dict[str, list[int]] = {}
    differing: dict[str, list[Any]] = {}
    by_idea: dict[str, dict[str, list[Any]]] = {kind: {} for kind in _BY_IDEA}
    held: list[Any] = []
    for key, fact in facts.items():
        match key, fact:
            case _, HeldWords(spans, whole_text, reason):
                held = [[[span.start, span.end] for span in spans], whole_text, reason]
            case (int(sentence), str(idea)), Judgement(kind, holds, remark, expert):
                if fact == NOTHING:
                    agreeing.setdefault(idea, []).append(sentence)
                else:
                    judgement = [sentence, kind, holds, remark, expert]
                    differing.setdefault(idea, []).append(judgement)
            case (str(kind), sentence, str(idea)), value:
                by_idea[kind].setdefault(idea, []).append([sentence, value])
    return {_HELD: held, "agreeing": agreeing, "differing": differing, **by_idea}


def _from_json(document: Mapping[str, Any]) -> Iterator[tuple[Hashable, object]]:
    if document[_HELD]:
        spans, whole_text, reason = document[_HELD]
        yield _HELD, HeldWords(tuple(Span(*span) for span in spans), whole_text, reason)
    for idea, sentences in document["agreeing"].items():
        for sentence in sentences:
            yield (sentence, idea), NOTHING
    for idea, judgements in document["differing"].items():
        for sentence, *fields in judgements:
            yield (sentence, idea), Judgement(*fields)
    for kind in _BY_IDEA:
        for idea, answers in document[kind].items():
            for sentence, answer in answers:
                yield (kind, sentence, idea), answer
