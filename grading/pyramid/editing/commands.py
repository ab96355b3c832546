"""The edits that a person can make. Each applies to a pyramid and tells itself in words.

``apply`` gives another pyramid and leaves its argument alone; where the edit does not fit, it
raises an EditError. ``words`` are those of the history, about the pyramid before the command.
"""

from dataclasses import dataclass, replace
from typing import Literal, Protocol

from grading.pyramid.editing.changes import (
    WORD,
    add_scu,
    checked_words,
    get_contributor,
    get_reference,
    get_scu,
    joined,
    put_contributor,
    put_scu,
    quote_from_reference,
    take_contributor,
    with_last_contributor,
    with_spans,
    without_contributor,
    words_of,
)
from grading.pyramid.editing.wording import (
    LONGEST_LABEL,
    both_comments,
    checked_comment,
    checked_label,
    folded,
    quoted,
    shortened,
)
from grading.pyramid.errors import EditError, JoinOfferError
from grading.pyramid.formats.pyramid_json import HEAVIEST
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Standing, Text


class Command(Protocol):
    def apply(self, pyramid: Pyramid) -> Pyramid:
        """The pyramid after the edit."""

    def words(self, pyramid: Pyramid) -> str:
        """What the edit does, in the past tense: “merged … into …”."""


@dataclass(frozen=True, slots=True)
class NewScu:
    """An idea from selected words, or from a statement that nobody has written (no reference)."""

    uid: int
    label: str = ""
    reference: str = ""
    spans: Spans = ()
    given_weight: int | None = None

    def apply(self, pyramid: Pyramid) -> Pyramid:
        contributors: tuple[Contributor, ...] = ()
        label = folded(self.label)
        if self.reference:
            spans = checked_words(pyramid, self.reference, self.spans)
            contributors = (Contributor(self.reference, spans),)
            label = label or _label_of(pyramid, contributors[0])
        weight = _checked_weight(self.given_weight)
        scu = Scu(self.uid, checked_label(label), contributors, given_weight=weight)
        return add_scu(pyramid, scu)

    def words(self, pyramid: Pyramid) -> str:
        return f"made the idea {_idea(self.apply(pyramid), self.uid)}"


@dataclass(frozen=True, slots=True)
class AddContributor:
    """Selected words as what their reference contributes to an idea."""

    uid: int
    reference: str
    spans: Spans

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        spans = checked_words(pyramid, self.reference, self.spans)
        if scu.contributor(self.reference) is not None:
            raise JoinOfferError(
                f"{self.reference} says {quoted(scu.label)} already, and counts once. "
                "The words can be added as a further part."
            )
        return put_scu(pyramid, put_contributor(scu, Contributor(self.reference, spans)))

    def words(self, pyramid: Pyramid) -> str:
        return f"added {_selected(pyramid, self)} to {_idea(pyramid, self.uid)}"


@dataclass(frozen=True, slots=True)
class AddPart:
    """Selected words as a further part of what their reference contributes."""

    uid: int
    reference: str
    spans: Spans

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        spans = checked_words(pyramid, self.reference, self.spans)
        return put_scu(pyramid, joined(scu, Contributor(self.reference, spans)))

    def words(self, pyramid: Pyramid) -> str:
        first = get_scu(pyramid, self.uid).contributor(self.reference) is None
        further = "" if first else "as a further part "
        return f"added {_selected(pyramid, self)} {further}to {_idea(pyramid, self.uid)}"


@dataclass(frozen=True, slots=True)
class SetSpans:
    """Other words for what a reference contributes: an end moved, a part taken away."""

    uid: int
    reference: str
    spans: Spans

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        before = get_contributor(scu, self.reference)
        spans = checked_words(pyramid, self.reference, self.spans, known=before.spans)
        return put_scu(pyramid, put_contributor(scu, replace(before, spans=spans)))

    def words(self, pyramid: Pyramid) -> str:
        after = get_contributor(get_scu(self.apply(pyramid), self.uid), self.reference)
        words = get_reference(pyramid, self.reference).words_at(after.spans)
        idea = _idea(pyramid, self.uid)
        return f"changed the words of {self.reference} in {idea} to {quoted(words)}"


@dataclass(frozen=True, slots=True)
class RemoveContributor:
    uid: int
    reference: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        return take_contributor(pyramid, self.uid, self.reference)

    def words(self, pyramid: Pyramid) -> str:
        emptied = with_last_contributor(self.apply(pyramid), self.uid)
        return f"took the words of {self.reference} out of {_idea(pyramid, self.uid)}{emptied}"


@dataclass(frozen=True, slots=True)
class MoveContributor:
    """To another idea; where the reference contributes to that already, the parts are joined."""

    uid: int
    reference: str
    to: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        source, target = get_scu(pyramid, self.uid), get_scu(pyramid, self.to)
        if source is target:
            raise EditError("These words belong to this idea already.")
        moved = get_contributor(source, self.reference)
        pyramid = take_contributor(pyramid, self.uid, self.reference)
        return put_scu(pyramid, joined(target, moved))

    def words(self, pyramid: Pyramid) -> str:
        source, target = _idea(pyramid, self.uid), _idea(pyramid, self.to)
        emptied = with_last_contributor(self.apply(pyramid), self.uid)
        return f"moved the words of {self.reference} from {source} to {target}{emptied}"


@dataclass(frozen=True, slots=True)
class MergeScus:
    """One idea into another, whose label, manual weight and standing stay.

    Words of the same reference become parts.
    """

    uid: int
    into: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        source, target = get_scu(pyramid, self.uid), get_scu(pyramid, self.into)
        if source is target:
            raise EditError("An idea cannot be merged into itself.")
        for contributor in source.contributors:
            target = joined(target, contributor)
        target = replace(target, comment=both_comments(target.comment, source.comment))
        return put_scu(DeleteScu(self.uid).apply(pyramid), target)

    def words(self, pyramid: Pyramid) -> str:
        return f"merged {_idea(pyramid, self.uid)} into {_idea(pyramid, self.into)}"


@dataclass(frozen=True, slots=True)
class SplitScu:
    """What some references contribute becomes an idea of its own.

    It stands as the whole did (what was set aside stays aside); a manual weight stays behind.
    """

    uid: int
    new_uid: int
    references: tuple[str, ...]

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        parting = [get_contributor(scu, name) for name in dict.fromkeys(self.references)]
        if not parting or len(parting) == len(scu.contributors):
            raise EditError("Choose some of the experts of the idea, but not all of them.")
        for contributor in parting:
            scu = without_contributor(scu, contributor.reference)
        label = folded(_label_of(pyramid, parting[0])) or scu.label
        new = Scu(self.new_uid, label, tuple(parting), standing=scu.standing)
        return add_scu(put_scu(pyramid, scu), new)

    def words(self, pyramid: Pyramid) -> str:
        names = " and ".join(dict.fromkeys(self.references))
        return f"split {_idea(pyramid, self.uid)}: the words of {names} are an idea of their own"


@dataclass(frozen=True, slots=True)
class SetLabel:
    uid: int
    label: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        label = checked_label(self.label)
        return put_scu(pyramid, replace(get_scu(pyramid, self.uid), label=label))

    def words(self, pyramid: Pyramid) -> str:
        return f"changed the label {_idea(pyramid, self.uid)} to {quoted(self.label)}"


@dataclass(frozen=True, slots=True)
class LabelFromContributor:
    """The words of a contributor as the label."""

    uid: int
    reference: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        contributor = get_contributor(get_scu(pyramid, self.uid), self.reference)
        return SetLabel(self.uid, _label_of(pyramid, contributor)).apply(pyramid)

    def words(self, pyramid: Pyramid) -> str:
        return f"took the words of {self.reference} as the label of {_idea(pyramid, self.uid)}"


@dataclass(frozen=True, slots=True)
class SetComment:
    """On an idea, or with a reference on what that contributes."""

    uid: int
    comment: str
    reference: str = ""

    def apply(self, pyramid: Pyramid) -> Pyramid:
        comment = checked_comment(self.comment)
        scu = get_scu(pyramid, self.uid)
        if not self.reference:
            return put_scu(pyramid, replace(scu, comment=comment))
        contributor = replace(get_contributor(scu, self.reference), comment=comment)
        return put_scu(pyramid, put_contributor(scu, contributor))

    def words(self, pyramid: Pyramid) -> str:
        about = f"the words of {self.reference} in " if self.reference else ""
        idea = about + _idea(pyramid, self.uid)
        comment = checked_comment(self.comment)
        if not comment:
            return f"deleted the comment on {idea}"
        return f"commented on {idea}: {quoted(comment)}"


@dataclass(frozen=True, slots=True)
class DeleteScu:
    uid: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        gone = get_scu(pyramid, self.uid)
        return replace(pyramid, scus=tuple(scu for scu in pyramid.scus if scu is not gone))

    def words(self, pyramid: Pyramid) -> str:
        return f"deleted the idea {_idea(pyramid, self.uid)}"


@dataclass(frozen=True, slots=True)
class Reorder:
    """An idea to the place before another one of its weight, or behind all."""

    uid: int
    before: int | None

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        others = [other for other in pyramid.scus if other is not scu]
        place = len(others)
        if self.before is not None:
            next_one = get_scu(pyramid, self.before)
            if next_one is scu:
                raise EditError("An idea cannot be put before itself.")
            if next_one.weight != scu.weight:
                raise EditError("Only ideas of the same weight can be put in another order.")
            place = others.index(next_one)
        return replace(pyramid, scus=(*others[:place], scu, *others[place:]))

    def words(self, pyramid: Pyramid) -> str:
        place = "to the end" if self.before is None else f"before {_idea(pyramid, self.before)}"
        return f"put {_idea(pyramid, self.uid)} {place}"


@dataclass(frozen=True, slots=True)
class SetStanding:
    """Pinned as must count, set aside, or neither."""

    uid: int
    standing: Standing

    def apply(self, pyramid: Pyramid) -> Pyramid:
        return put_scu(pyramid, replace(get_scu(pyramid, self.uid), standing=self.standing))

    def words(self, pyramid: Pyramid) -> str:
        sentences = {
            Standing.COUNTS: "let {} count as its weight says",
            Standing.MUST: "pinned {} as must count",
            Standing.ASIDE: "set {} aside",
        }
        return sentences[self.standing].format(_idea(pyramid, self.uid))


@dataclass(frozen=True, slots=True)
class SetWeight:
    """A weight set manually; None lets the references decide again."""

    uid: int
    given_weight: int | None

    def apply(self, pyramid: Pyramid) -> Pyramid:
        weight = _checked_weight(self.given_weight)
        return put_scu(pyramid, replace(get_scu(pyramid, self.uid), given_weight=weight))

    def words(self, pyramid: Pyramid) -> str:
        if self.given_weight is None:
            return f"let the references decide the weight of {_idea(pyramid, self.uid)}"
        return f"gave {_idea(pyramid, self.uid)} the weight {self.given_weight}"


@dataclass(frozen=True, slots=True)
class Several:
    """Edits made as one."""

    summary: str
    commands: tuple[Command, ...]

    def apply(self, pyramid: Pyramid) -> Pyramid:
        for command in self.commands:
            pyramid = command.apply(pyramid)
        return pyramid

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return folded(self.summary)


def _checked_weight(weight: int | None) -> int | None:
    if weight is not None and not 0 <= weight <= HEAVIEST:
        raise EditError(f"A weight is a number from 0 to {HEAVIEST}, not {weight:,}.")
    return weight


def _label_of(pyramid: Pyramid, contributor: Contributor) -> str:
    words = get_reference(pyramid, contributor.reference).words_at(contributor.spans)
    return shortened(folded(words), LONGEST_LABEL)


def _idea(pyramid: Pyramid, uid: int) -> str:
    return quoted(get_scu(pyramid, uid).label)


def _selected(pyramid: Pyramid, command: AddContributor | AddPart) -> str:
    spans = checked_words(pyramid, command.reference, command.spans)
    return quote_from_reference(pyramid, command.reference, spans)


# Edits of one part of what a reference contributes: an end moved by a word, the part removed.
#
# The other parts, and the other end, stay as they are, also where they do not end with a word (as
# in files that other programs wrote).

End = Literal["start", "end"]


@dataclass(frozen=True, slots=True)
class MoveEnd:
    """The start or the end of a part (counted from 0) by one word: -1 to the front, 1 onwards."""

    uid: int
    reference: str
    part: int
    end: End
    by: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        contributor = get_contributor(scu, self.reference)
        text = get_reference(pyramid, self.reference)
        others = (*contributor.spans[: self.part], *contributor.spans[self.part + 1 :])
        moved = self._moved(text, _get_part(contributor, self.part))
        return put_scu(
            pyramid, put_contributor(scu, replace(contributor, spans=with_spans(others, (moved,))))
        )

    def words(self, pyramid: Pyramid) -> str:
        scu = get_scu(pyramid, self.uid)
        text = get_reference(pyramid, self.reference)
        old = _get_part(get_contributor(scu, self.reference), self.part)
        new = self._moved(text, old)
        change = "longer" if new.end - new.start > old.end - old.start else "shorter"
        quote = quote_from_reference(pyramid, self.reference, (new,))
        return f"made a part of {quoted(scu.label)} {change} by a word: {quote}"

    def _moved(self, text: Text, span: Span) -> Span:
        if self.end not in {"start", "end"} or self.by not in {-1, 1}:
            raise EditError("The start or the end of a part moves by one word at a time.")
        if self.end == "start":
            return _longer_start(text, span) if self.by < 0 else _shorter(text, span, "start")
        return _longer_end(text, span) if self.by > 0 else _shorter(text, span, "end")


@dataclass(frozen=True, slots=True)
class RemovePart:
    """One part (counted from 0) of what a reference contributes; with the only one, all of it."""

    uid: int
    reference: str
    part: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        contributor = get_contributor(scu, self.reference)
        _get_part(contributor, self.part)
        left = (*contributor.spans[: self.part], *contributor.spans[self.part + 1 :])
        if not left:
            return take_contributor(pyramid, self.uid, self.reference)
        return put_scu(pyramid, put_contributor(scu, replace(contributor, spans=left)))

    def words(self, pyramid: Pyramid) -> str:
        scu = get_scu(pyramid, self.uid)
        part = _get_part(get_contributor(scu, self.reference), self.part)
        quote = quote_from_reference(pyramid, self.reference, (part,))
        emptied = with_last_contributor(self.apply(pyramid), self.uid)
        return f"took {quote} out of {quoted(scu.label)}{emptied}"


def _get_part(contributor: Contributor, part: int) -> Span:
    if not 0 <= part < len(contributor.spans):
        raise EditError(f"This part of the words of {contributor.reference} no longer exists.")
    return contributor.spans[part]


def _longer_start(text: Text, span: Span) -> Span:
    starts = [word.start() for word in WORD.finditer(text.content) if word.start() < span.start]
    if not starts:
        raise EditError("This is the first word of the reference.")
    return Span(starts[-1], span.end)


def _longer_end(text: Text, span: Span) -> Span:
    ends = (word.end() for word in WORD.finditer(text.content) if word.end() > span.end)
    end = next(ends, None)
    if end is None:
        raise EditError("This is the last word of the reference.")
    return Span(span.start, end)


def _shorter(text: Text, span: Span, end: End) -> Span:
    words = words_of(text, span)
    if len(words) < 2:
        raise EditError("This part has only one word. Remove the part instead.")
    if end == "start":
        return Span(words[1].start, span.end)
    return Span(span.start, words[-2].end)
