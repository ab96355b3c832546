"""Labels that cannot be read on their own, and wordings of the idea that can.

Only labels that were taken from a reference's words are looked at: what a person wrote stays. A
label is clear if it is a sentence, not too long, that begins neither in the middle of one nor with
a word that points back ("it", "this").
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from grading.pyramid.analysis.regrouping import Likeness
from grading.pyramid.analysis.suggestions import Kind, Quote, Suggestion, key_of
from grading.pyramid.editing.commands import SetLabel, Several
from grading.pyramid.editing.wording import LONGEST_LABEL, quoted
from grading.pyramid.idea_labels import tidied_label
from grading.pyramid.parsing import ParsedText, Parser
from grading.pyramid.structures import Pyramid, Scu, Text, Token

_FEWEST_WORDS = 3
_MOST_WORDS = 30
_NEARLY = 0.9  # wordings of an idea may say very different things
_POINTS_BACK = re.compile(
    r"(?:it|its|they|them|their|this|these|those|that|such|he|she|his|her|which|who|whose|what|one"
    r"|others?|both|neither|another|the (?:latter|former|author|article|text|passage)"
    r"|(?:all|some|none|most) of (?:these|them))\b",
    re.IGNORECASE,
)
_HALF = re.compile(r"(?:once|when|where|if|unless|until|before|after|with)\b[^,]*$", re.IGNORECASE)
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_NOUNS = frozenset(("NOUN", "PROPN", "PRON", "NUM"))
_RELATIVE = frozenset(("WDT", "WP"))


def clearer_labels(pyramid: Pyramid, likeness: Likeness, parser: Parser) -> Iterator[Suggestion]:
    """One suggestion for all that only need tidying, and one for each that needs other words."""
    wordings = {
        place: [wording.unit.words for wording in likeness.wordings_of(place)]
        for place, scu in enumerate(pyramid.scus)
        if scu.contributors
    }
    borrowed = {
        place: words for place, words in wordings.items() if pyramid.scus[place].label in words
    }
    clear = clear_sentences((word for words in borrowed.values() for word in words), parser)
    tidied: list[SetLabel] = []
    for place, words in borrowed.items():
        scu = pyramid.scus[place]
        tidy = tidied_label(scu.label)
        if tidy not in clear:
            yield from _other_words(scu, place, words, likeness, clear)
        elif scu.label.rstrip(" .") != tidy.rstrip(" ."):
            tidied.append(SetLabel(scu.uid, tidy))
    if tidied:
        yield _tidy(tidied)


def clear_sentences(wordings: Iterable[str], parser: Parser) -> frozenset[str]:
    """The wordings, tidied, that can be read on their own; others are left out."""
    tidied = dict.fromkeys(map(tidied_label, wordings))
    texts = [Text("", words) for words in tidied if words and len(words) <= LONGEST_LABEL]
    return frozenset(parsed.text.content for parsed in parser.parse(texts) if _is_clear(parsed))


def _is_clear(parsed: ParsedText) -> bool:
    words = parsed.text.content
    if len(parsed.sentences) != 1 or words.endswith("?."):
        return False
    if _POINTS_BACK.match(words) or _HALF.match(words):
        return False
    if not _FEWEST_WORDS <= len(words.split()) <= _MOST_WORDS:
        return False
    tokens = parsed.sentences[0].tokens
    # The parser is often wrong about which verb is the main one, hardly ever about what a verb is.
    verbs = [
        token for token in tokens[1:] if token.tag in _FINITE and not _is_relative(token, tokens)
    ]
    return any(token.pos in _NOUNS for verb in verbs[:1] for token in tokens[: verb.index])


def _is_relative(verb: Token, tokens: Sequence[Token]) -> bool:
    return verb.dep == "relcl" or tokens[verb.index - 1].tag in _RELATIVE


def _other_words(
    scu: Scu, place: int, words: Sequence[str], likeness: Likeness, clear: frozenset[str]
) -> Iterator[Suggestion]:
    """The words of the most central wording that is clear, if it says the same as the old label."""
    inside, yardstick = likeness.inside(place), likeness.yardstick
    least = max(yardstick.fitting, _NEARLY * yardstick.elsewhere)
    central = inside.sum(axis=1).round(6).tolist()
    similar = inside[words.index(scu.label)].tolist()
    others = [
        (-closeness, len(wording), tidied_label(wording))
        for closeness, similarity, wording in zip(central, similar, words, strict=True)
        if tidied_label(wording) in clear and similarity >= least
    ]
    if others:
        label = min(others)[2]
        yield Suggestion(
            key=key_of(Kind.LABEL, scu.uid, label),
            kind=Kind.LABEL,
            reason=f"{quoted(scu.label)} is hard to understand on its own.",
            command=SetLabel(scu.uid, label),
            strength=round(len(scu.contributors) / (len(scu.contributors) + 10), 4),
            scus=(scu.uid,),
            quotes=(Quote("New label", label),),
        )


def _tidy(labels: Sequence[SetLabel]) -> Suggestion:
    uids = tuple(sorted(label.uid for label in labels))
    count = "One label" if len(labels) == 1 else f"{len(labels)} labels"
    return Suggestion(
        key=key_of(Kind.LABEL, *uids),
        kind=Kind.LABEL,
        reason=f"{count} can be written as whole sentences, in the same words.",
        command=Several(f"wrote {count.lower()} as whole sentences", tuple(labels)),
        strength=0.5,
        scus=uids,
        quotes=tuple(Quote("New label", label.label) for label in labels),
    )
