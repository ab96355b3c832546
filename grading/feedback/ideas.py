"""The ideas that a text has, contradicts and lacks, as far as their reader may see them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.html import format_html
from django.utils.text import capfirst

from grading.models import Missed, Sight
from grading.pyramid.characters import WORD
from grading.pyramid.feedback.likely_ideas import Grounds, grounds_of
from grading.pyramid.feedback.sureness import confidence_in_words, is_doubtful
from grading.pyramid.feedback.topics import Topics
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Scu, Span, Spans, Standing, Text
from grading.scoring.comments_shown import ShownComment
from grading.web.ideas import Idea, Ideas, band_of, heaviest_of, missed_ideas_of
from grading.web.word_spans import span_ref

MOST_QUOTES = 2  # the nearest expert's and another one's; a dozen would fill a page
MOST_QUOTES_FOR_GRADERS = 1  # they can look into the pyramid
MOST_NEAR = 1
FIRST_MISSED = 10  # shown without opening the rest of the list


@dataclass(frozen=True, slots=True)
class ReaderContext:
    """A scored text and who reads about it. ``pyramid`` has only the ideas that count."""

    text: Text
    pyramid: Pyramid
    report: ScoreReport
    sight: Sight
    word_limits: tuple[int, int]
    graders: Mapping[int, str] = field(default_factory=dict)  # by idea: who marked it manually
    comments: Sequence[ShownComment] = ()
    has_exclusions: bool = False  # a grader excluded words from scoring

    @property
    def matches(self) -> list[Match]:
        """Ideas that earn points, in the order of the text."""
        matches = self.report.evidence.credited
        return sorted(matches, key=lambda match: (match.spans, match.scu_uid))

    @property
    def heaviest(self) -> int:
        """The weight by which bands are measured.

        Where the reader may not know anything of ideas that the text lacks, these must not move
        a band either.
        """
        if self.sight.missed != Missed.NOTHING:
            return heaviest_of(self.pyramid)
        matched = {match.scu_uid for match in self.matches}
        weights = (scu.weight for scu in self.pyramid.scus if scu.uid in matched)
        return max(len(self.pyramid.references), *weights, 1)


def places_for_script(spans: Spans) -> str:
    """Where words are, for the script that underlines them: “12-16 30-35”."""
    return " ".join(f"{span.start}-{span.end}" for span in spans)


# --- matched ideas ---


@dataclass(frozen=True, slots=True)
class Quote:
    """What an expert wrote; the name is for graders."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class MatchedIdea:
    """An idea that the text expresses.

    Its number is 0 where the reader may not know how many ideas there are.
    """

    order: int  # among the matches of the text
    idea: Idea
    words: str
    start: int  # of its words in the text
    doubtful: bool
    confidence: str  # “likely, 82 %”; empty where it is not known
    marked_by: str  # who marked it manually, or confirmed what the program matched
    confirmed: bool
    grounds: Grounds
    quotes: tuple[Quote, ...]  # the nearest first
    remarks: tuple[str, ...]  # what speaks against it
    near: tuple[tuple[str, float], ...]  # label and similarity of other ideas; for graders
    span_ref: str  # of its words, as addresses have it
    comments: tuple[ShownComment, ...]

    @property
    def lit(self) -> str:
        """Where the words are that it shares with the experts."""
        return places_for_script(self.grounds.spans)

    @property
    def name(self) -> str:
        return f"idea {self.idea.number}" if self.idea.number else "an idea"

    @property
    def symbol(self) -> str:
        """What the number is followed by: unsure, to check, or decided by a person."""
        if self.marked_by:
            return "\u2009✎"
        return f"{'?' if self.doubtful else ''}{'!' if self.remarks else ''}"

    @property
    def needs_decision(self) -> bool:
        """Should a person look at it, and has nobody?"""
        return not self.marked_by and (self.doubtful or bool(self.remarks))

    @property
    def spoken(self) -> str:
        """What a screen reader says beside the number: how important, how sure."""
        notes = [
            self.idea.importance,
            "unsure" if self.doubtful else "",
            "to check" if self.remarks else "",
            "marked by a person" if self.marked_by else "",
        ]
        return ", ".join(note for note in notes if note)

    @property
    def attribution(self) -> str:
        """Who matched it: a person with their name, or the program and how sure it is."""
        if self.marked_by:
            verb = "Confirmed" if self.confirmed else "Marked"
            return format_html("{} by <bdi>{}</bdi>", verb, self.marked_by)
        return capfirst(self.confidence) or "Matched by the program"

    @property
    def more_quotes(self) -> int:
        return len(self.idea.contributors) - len(self.quotes)


def matched_ideas(context: ReaderContext) -> tuple[MatchedIdea, ...]:
    """One for each match, in the order of the text."""
    text, pyramid, heaviest = context.text, context.pyramid, context.heaviest
    scus = {scu.uid: scu for scu in pyramid.scus}
    ideas = Ideas(pyramid, heaviest)
    matched = []
    for order, match in enumerate(context.matches, start=1):
        idea = ideas.of(scus[match.scu_uid])
        if context.sight.missed == Missed.NOTHING:
            idea = replace(idea, number=0)
        grounds = grounds_of(text, pyramid, match)
        marked_by = context.graders.get(match.scu_uid) or "a person"
        nearest_first = sorted(idea.contributors, key=lambda quote: quote[1] != grounds.words)
        shown = nearest_first[: MOST_QUOTES_FOR_GRADERS if context.sight.full else MOST_QUOTES]
        matched.append(
            MatchedIdea(
                order=order,
                idea=idea,
                words=text.quoted(match.spans),
                start=match.spans[0].start,
                doubtful=_is_doubtful(match, context.sight),
                confidence=confidence_in_words(match),
                marked_by=marked_by if match.by_hand else "",
                confirmed=match.by_hand and match.probability is not None,
                grounds=grounds,
                quotes=tuple(
                    Quote(name if context.sight.full else "", words) for name, words in shown
                ),
                remarks=match.remarks,
                near=tuple(
                    (scus[other.scu_uid].label, other.similarity)
                    for other in match.alternatives[:MOST_NEAR]
                    if other.scu_uid in scus and context.sight.full
                ),
                span_ref=span_ref(match.spans),
                comments=tuple(row for row in context.comments if row.uid == match.scu_uid),
            )
        )
    return tuple(matched)


def _is_doubtful(match: Match, sight: Sight) -> bool:
    """Also doubtful to graders: a match without probability where another idea is more similar.

    The program chose this idea because all in all it earns more. Hidden from students: the other
    idea may be one that they may not know of.
    """
    if is_doubtful(match):
        return True
    is_nearer = any(other.similarity > match.similarity for other in match.alternatives)
    return sight.full and match.probability is None and not match.by_hand and is_nearer


# --- contradictions ---


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A sentence that may contradict the experts.

    The idea's number and label and the experts' words are empty where they are not shown.
    """

    number: int | None
    uid: int  # of the idea; not shown
    spans: tuple[Span, ...]
    words: str
    label: str  # of the idea
    experts: str  # what the experts say, in their words
    remark: str  # one sentence that names both sides

    @property
    def start(self) -> int:
        return self.spans[0].start

    @property
    def span_ref(self) -> str:
        return span_ref(self.spans)


def contradictions_of(
    text: Text, pyramid: Pyramid, report: ScoreReport, sight: Sight
) -> tuple[Contradiction, ...]:
    """The sentences that may contradict the experts, in the order of the text.

    The text lacks the idea behind such a sentence. So its label and the experts' words are shown
    only where those of missed ideas are; elsewhere the page just asks to check the sentence.
    """
    labels, numbers = {scu.uid: scu.label for scu in pyramid.scus}, pyramid.numbers()
    shows_label, shows_words = sight.missed >= Missed.LABELS, sight.missed >= Missed.SENTENCES
    matches = sorted(report.evidence.contradicting, key=lambda match: (match.spans, match.scu_uid))
    return tuple(
        Contradiction(
            number=numbers.get(match.scu_uid) if shows_label else None,
            uid=match.scu_uid,
            spans=match.spans,
            words=text.quoted(match.spans),
            label=labels.get(match.scu_uid, "") if shows_label else "",
            experts=match.contradicts if shows_words else "",
            remark=match.remarks[0] if shows_words and match.remarks else "",
        )
        for match in matches
    )


# --- missed ideas ---


@dataclass(frozen=True, slots=True)
class MissedIdea:
    """An idea that the text lacks, with as much as its reader may see."""

    number: int
    weight: int
    band: int
    label: str
    topics: tuple[str, ...]
    quote: Quote | None
    must: bool  # must count; for graders

    @property
    def quotes_its_label(self) -> bool:
        return self.quote is not None and _is_same_wording(self.quote.words, self.label)


@dataclass(frozen=True, slots=True)
class MissedIdeas:
    """``first`` and ``more`` are empty unless the reader sees at least hints."""

    count: int
    first: tuple[MissedIdea, ...] = ()
    more: tuple[MissedIdea, ...] = ()


def missed_ideas_shown(pyramid: Pyramid, report: ScoreReport, sight: Sight) -> MissedIdeas | None:
    """The ideas that the text lacks; None where the reader may not know whether any are missed."""
    if sight.missed == Missed.NOTHING:
        return None
    scus = missed_ideas_of(pyramid, report)
    if sight.missed == Missed.COUNTS:
        return MissedIdeas(len(scus))
    heaviest, numbers = heaviest_of(pyramid), pyramid.numbers()
    topics = Topics(pyramid) if sight.missed == Missed.HINTS else None
    ideas = tuple(
        MissedIdea(
            number=numbers[scu.uid],
            weight=scu.weight,
            band=band_of(scu.weight, heaviest),
            label="" if topics else scu.label,
            topics=topics.words(scu) if topics else (),
            quote=_most_different_quote(scu, pyramid, sight),
            must=sight.full and scu.standing is Standing.MUST,
        )
        for scu in scus
    )
    return MissedIdeas(len(ideas), ideas[:FIRST_MISSED], ideas[FIRST_MISSED:])


def _most_different_quote(scu: Scu, pyramid: Pyramid, sight: Sight) -> Quote | None:
    """The longest wording that is not just the label; only graders see whose it is."""
    if sight.missed != Missed.SENTENCES:
        return None
    quotes = (
        Quote(
            part.reference if sight.full else "",
            pyramid.reference(part.reference).words_at(part.spans),
        )
        for part in scu.contributors
    )

    def worth(quote: Quote) -> tuple[bool, int]:
        return not _is_same_wording(quote.words, scu.label), len(quote.words.split())

    return max(quotes, key=worth, default=None)


def _is_same_wording(first: str, second: str) -> bool:
    """Compare without capitals, punctuation and spaces."""
    return WORD.findall(first.casefold()) == WORD.findall(second.casefold())


# --- how many there are ---


@dataclass(frozen=True, slots=True)
class WeightCount:
    """How many ideas of one weight are matched; ``total`` is None where that is not shown."""

    weight: int
    band: int
    matched: int
    total: int | None
    label: str  # what the weight of the matched ideas means

    @property
    def missed(self) -> int:
        return 0 if self.total is None else self.total - self.matched


def weight_counts(
    context: ReaderContext, matched: Sequence[MatchedIdea]
) -> tuple[WeightCount, ...]:
    """How many ideas of each weight are matched, the heaviest first.

    Where missed ideas are not shown at all, only weights of matched ideas are there.
    """
    pyramid = context.pyramid
    hits = Counter(row.idea.weight for row in matched)
    manual = {row.idea.weight for row in matched if row.idea.is_must or row.idea.is_given}
    if context.sight.missed == Missed.NOTHING:
        totals: dict[int, int | None] = dict.fromkeys(hits)
    else:
        totals = dict(Counter(scu.weight for scu in pyramid.scus))
    experts, heaviest = len(pyramid.references), context.heaviest
    return tuple(
        WeightCount(
            weight=weight,
            band=band_of(weight, heaviest),
            matched=hits[weight],
            total=totals[weight],
            label=f"weight {weight}" if weight in manual else f"in {weight} of {experts} summaries",
        )
        for weight in sorted(totals, reverse=True)
    )
