"""The sister systems in plain words: what a page calls each, what it looks at, where it fails."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from grading.pyramid.figures import hundredths, points_as_shown


@dataclass(frozen=True, slots=True)
class MethodWords:
    """``number`` says what its score is; ``is_share`` that it goes from 0 to 1."""

    title: str
    looks_at: str
    fails: str
    number: str
    is_share: bool = True


_ROUGE_FAILS: Final = (
    "It knows no synonyms, so a good paraphrase scores low. Copied phrases score high, whatever "
    "they say together."
)
_SOURCE_FAILS: Final = (
    "It rewards sentences that stay close to the source. A thought in the student's own words is "
    "often missed."
)
_GRAPH_FAILS: Final = (
    "It is strict: most of an idea must be in one sentence, in nearly the same words. Many texts "
    "get 0, and errors in reading a sentence cost matches."
)
_POINTS: Final = "points, one for each expert summary that has the pair"
_SHARE_OF_BEST: Final = "the share of the best possible sum"

METHOD_WORDS: Mapping[str, MethodWords] = MappingProxyType(
    {
        "rouge-1": MethodWords(
            "ROUGE-1",
            "Single words: how many of the references' words does the student use?",
            "It ignores order and synonyms. The right words in any order score high.",
            "the share of the references' words",
        ),
        "rouge-2": MethodWords(
            "ROUGE-2",
            "Two words in a row: how many of the experts' word pairs does the student use?",
            _ROUGE_FAILS,
            "the share of the experts' word pairs",
        ),
        "rouge-l": MethodWords(
            "ROUGE-L",
            "Word order: the longest series of an expert's words that the student has in the same "
            "order.",
            _ROUGE_FAILS,
            "the share of the references' words, in order",
        ),
        "rouge-su4": MethodWords(
            "ROUGE-SU4",
            "Words, and pairs of words up to four words apart.",
            _ROUGE_FAILS,
            "the share of the references' words and pairs",
        ),
        "be-hm": MethodWords(
            "Basic Elements",
            "Pairs of words that belong together: who does something, what is done to what, "
            "which adjective describes what.",
            "The same thought in other words earns nothing. “Sunlight absorbs roofs” earns as "
            "much as “roofs absorb sunlight”, and denials are not noticed.",
            _POINTS,
            is_share=False,
        ),
        "be-hmr": MethodWords(
            "Basic Elements with relations",
            "The same pairs, and how the two words are related.",
            "The same thought in other words earns nothing: another preposition is enough. "
            "Denials are not noticed.",
            _POINTS,
            is_share=False,
        ),
        "be-heads": MethodWords(
            "Basic Elements, heads only",
            "The main word of each phrase: the things and actions that the experts write about.",
            "It sees only words, not what the text says about them.",
            "points, one for each expert summary that has the word",
            is_share=False,
        ),
        "peak": MethodWords(
            "PEAK",
            "Statements of the form “who does what”, compared by the senses of their words in a "
            "dictionary.",
            "Free paraphrases are missed, and related words can match by mistake. It does not "
            "notice denials, or who does what to whom.",
            "points, the weights of the statements that it matched",
            is_share=False,
        ),
        "edu-alignment": MethodWords(
            "EDU pyramid, aligned",
            "Clauses of the source that the expert summaries use: which of them does the student "
            "use?",
            _SOURCE_FAILS,
            _SHARE_OF_BEST,
        ),
        "edu-oracle-rouge": MethodWords(
            "EDU pyramid, by word pairs",
            "Clauses of the source that together have most of an expert's word pairs.",
            _SOURCE_FAILS,
            _SHARE_OF_BEST,
        ),
        "edu-oracle-be": MethodWords(
            "EDU pyramid, by Basic Elements",
            "Clauses of the source that together have most of an expert's Basic Elements.",
            _SOURCE_FAILS,
            _SHARE_OF_BEST,
        ),
        "ape": MethodWords(
            "APE",
            "Each idea of your pyramid as a graph of its meaning. Is most of it in one sentence "
            "of the student?",
            _GRAPH_FAILS,
            "the share of an expert's sum of weights",
        ),
        "ape+su4": MethodWords(
            "APE and ROUGE-SU4",
            "APE and ROUGE-SU4 in one number, half and half.",
            f"{_GRAPH_FAILS} ROUGE-SU4 then decides the order.",
            "the mean of the two shares",
        ),
    }
)
MAIN = "main"  # stands for the main method, where pages choose one
MAIN_TITLE: Final = "Main method"


def title_of(method: str) -> str:
    """What pages call a method; its name where this version does not know it."""
    words = METHOD_WORDS.get(method)
    if words is None:
        return MAIN_TITLE if method == MAIN else method
    return words.title


def score_text(method: str, score: float) -> str:
    """The score as pages show it: shares with two decimals, points as points."""
    words = METHOD_WORDS.get(method)
    is_share = words is None or words.is_share
    return str(hundredths(score)) if is_share else points_as_shown(score)
