"""Whether a text contradicts the experts so often that it waits for a person.

For each contradiction that the rules find, others are worded in ways that no rule knows. Where
some are sure, what alone says little counts too: a denial where no expert denies anything, none
where most experts deny something, and words that go another way than the experts' ("cheap",
"dear"), whatever they are said of.

In such a text a sentence keeps its points only where nothing speaks against it, nearly all that it
says is said by an expert, and it isn't among the few: the right half of a text that is half wrong.
"""

from collections.abc import Sequence, Set

from grading.pyramid.contradictions.statements import Statement, align

# Of the sentences with a match, so many contradict the experts, and this share:
CONTRADICTING, CONTRADICTING_SHARE = 2, 1 / 6
# or one does, and so many may, and this share:
DOUBTFUL, DOUBTFUL_SHARE = 4, 1 / 3
# or none does, and so many deny something where no expert does, and this share.
DENYING, DENYING_SHARE = 4, 0.4

SAID_BY_AN_EXPERT = 0.8  # of a sentence's words of content, so that it is not held with the text
HALF_RIGHT = 0.25  # of the sentences with a match are such, at least; else all of the text is held


def sentences_against(
    matched: Set[int], contradicting: Set[int], denying: Set[int], doubtful: Set[int]
) -> int:
    """How many sentences of a text speak against it as a whole; 0 where it is not held.

    All are numbers of sentences: those with a match, and among them those that contradict the
    experts, that deny what no expert denies, and that are doubtful otherwise.
    """
    doubtful = contradicting | denying | doubtful
    for sentences, least, share in (
        (contradicting, CONTRADICTING, CONTRADICTING_SHARE),
        (doubtful if contradicting else frozenset(), DOUBTFUL, DOUBTFUL_SHARE),
        (denying, DENYING, DENYING_SHARE),
    ):
        if len(sentences) >= least and len(sentences) >= share * len(matched):
            return len(sentences)
    return 0


def may_be_held(matched: Set[int], contradicting: Set[int]) -> bool:
    """Whether a text can be held at all, before its other sentences are asked for doubts."""
    return bool(contradicting) or len(matched) >= DENYING


def says_what_an_expert_says(idea: Sequence[Statement], sentence: Statement) -> bool:
    """Whether one expert has most of the words of a sentence, or words that say the same."""
    least = SAID_BY_AN_EXPERT * len(sentence.content)
    return bool(sentence.content) and any(
        sum(pair.says_the_same for pair in align(expert, sentence).values()) >= least
        for expert in idea
    )


def denies_alone(idea: Sequence[Statement], sentence: Statement) -> bool:
    """Whether a sentence denies something, and no expert does."""
    return sentence.denies and not any(expert.denies for expert in idea)


def is_doubtful(idea: Sequence[Statement], sentence: Statement) -> bool:
    """Whether a sentence denies nothing where most experts do, or goes another way than all."""
    denying = sum(expert.denies for expert in idea)
    if denying and 2 * denying >= len(idea) and not sentence.denies:
        return True
    if all(expert.contrary_ways.isdisjoint(sentence.possible_ways) for expert in idea):
        return False
    return any(
        len(ways) == 1
        and {way for expert in idea for way in expert.ways.get(kind, ())} == {-min(ways)}
        for kind, ways in sentence.ways.items()
    )
