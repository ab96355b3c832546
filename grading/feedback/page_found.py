"""The ideas that a text expresses, each as a card: how important, how sure, and what made it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grading.models import Missed, Sight
from grading.pyramid.feedback.grounds import Grounds, grounds_of
from grading.pyramid.feedback.sureness import confidence_in_words, is_doubtful
from grading.pyramid.structures import Match, Pyramid, Repeat, Scu, Spans, Text
from grading.scoring.comments_shown import ShownComment
from grading.web.ideas import Idea, heaviest_of, idea_of

MOST_QUOTES = 2  # the nearest expert's and another's; a dozen would be a page of their own
MOST_QUOTES_FOR_GRADERS = 1  # who have the pyramid to look into
MOST_NEAR = 1


@dataclass(frozen=True, slots=True)
class NearIdea:
    """Another idea that came close. For graders."""

    label: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Quote:
    """What an expert wrote; the name is for graders."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class SaidAgain:
    """Words that tell once more what counts elsewhere, and where they begin."""

    words: str
    start: int


@dataclass(frozen=True, slots=True)
class FoundIdea:
    """An idea that the text expresses, numbered by where it stands in the text."""

    number: int
    idea: Idea
    words: str
    start: int  # of its words in the text
    doubtful: bool
    confidence: str  # “likely, 82 %”; empty where it is not known
    marked_by: str  # who marked it by hand, or confirmed what the program found
    confirmed: bool
    grounds: Grounds
    quotes: tuple[Quote, ...]  # the nearest first
    remarks: tuple[str, ...]  # what speaks against it
    near: tuple[NearIdea, ...]
    again: tuple[SaidAgain, ...]
    comments: tuple[ShownComment, ...]

    @property
    def lit(self) -> str:
        """Where the shared words stand."""
        return lit_words(self.grounds.spans)

    @property
    def spoken(self) -> str:
        """What a screen reader says beside the number: how important, how sure."""
        notes = [
            self.idea.importance,
            "unsure" if self.doubtful else "",
            "to check" if self.remarks else "",
        ]
        return ", ".join(note for note in notes if note)

    @property
    def quotes_left_out(self) -> int:
        return len(self.idea.contributors) - len(self.quotes)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the ideas of a text are told from: the pyramid that scores, and who looks."""

    text: Text
    pyramid: Pyramid
    sight: Sight
    graders: Mapping[int, str]  # by idea: who marked it by hand
    repeats: tuple[Repeat, ...] = ()
    comments: Sequence[ShownComment] = ()

    def heaviest(self, matches: Sequence[Match]) -> int:
        """What bands are measured by. Where nothing is told of ideas that are not in the text,

        none of them may move a band.
        """
        if self.sight.missed != Missed.NOTHING:
            return heaviest_of(self.pyramid)
        found = {match.scu for match in matches}
        weights = (scu.weight for scu in self.pyramid.scus if scu.uid in found)
        return max(len(self.pyramid.references), *weights, 1)


def lit_words(spans: Spans) -> str:
    """Words of the text for the script that underlines them: “12-16 30-35”."""
    return " ".join(f"{span.start}-{span.end}" for span in spans)


def found_ideas(seen: Seen, matches: Sequence[Match]) -> tuple[FoundIdea, ...]:
    """One for each match, in their order."""
    heaviest = seen.heaviest(matches)
    scus = {scu.uid: scu for scu in seen.pyramid.scus}
    return tuple(
        _found(number, match, seen, idea_of(seen.pyramid, scus[match.scu], heaviest), scus)
        for number, match in enumerate(matches, start=1)
    )


def _found(number: int, match: Match, seen: Seen, idea: Idea, scus: Mapping[int, Scu]) -> FoundIdea:
    grounds = grounds_of(seen.text, seen.pyramid, match)
    return FoundIdea(
        number=number,
        idea=idea,
        words=seen.text.quoted(match.spans),
        start=match.spans[0].start,
        doubtful=_is_doubtful(match, seen.sight),
        confidence=confidence_in_words(match),
        marked_by=(seen.graders.get(match.scu) or "a person") if match.by_hand else "",
        confirmed=match.by_hand and match.probability is not None,
        grounds=grounds,
        quotes=_quotes(idea, grounds, seen.sight),
        remarks=match.remarks,
        near=tuple(
            NearIdea(scus[other.scu].label, other.similarity)
            for other in match.alternatives[:MOST_NEAR]
            if other.scu in scus
        )
        if seen.sight.full
        else (),
        again=tuple(
            SaidAgain(seen.text.quoted(one.segment.spans), one.segment.spans[0].start)
            for one in seen.repeats
            if one.scu == match.scu
        ),
        comments=tuple(one for one in seen.comments if one.uid == match.scu),
    )


def _is_doubtful(match: Match, sight: Sight) -> bool:
    """Graders are also told where a method that knows no probability passed a nearer idea over.

    It has chosen this idea because all in all it counts more. The other may be one that the student
    is not to know of.
    """
    passed_over = any(other.similarity > match.similarity for other in match.alternatives)
    is_told = sight.full and match.probability is None and not match.by_hand
    return is_doubtful(match) or (is_told and passed_over)


def _quotes(idea: Idea, grounds: Grounds, sight: Sight) -> tuple[Quote, ...]:
    by_likeness = sorted(idea.contributors, key=lambda one: one[1] != grounds.words)
    shown = by_likeness[: MOST_QUOTES_FOR_GRADERS if sight.full else MOST_QUOTES]
    return tuple(Quote(name if sight.full else "", words) for name, words in shown)
