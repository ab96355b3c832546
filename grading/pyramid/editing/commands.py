"""The edits that a person can make. Each applies to a pyramid and tells itself in words.

``apply`` gives another pyramid and leaves its argument alone; where the edit does not fit, it
raises an EditError. ``words`` are those of the history, told of the pyramid as it was before.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from grading.pyramid.editing.changes import (
    checked_words,
    get_contributor,
    get_scu,
    joined,
    put_contributor,
    put_scu,
    quoted,
    told_by,
    without_contributor,
)
from grading.pyramid.editing.errors import EditError, JoinOfferError
from grading.pyramid.structures import Contributor, Pyramid, Scu, Spans, Standing

LONGEST_LABEL = 500
LONGEST_COMMENT = 5_000
HEAVIEST = 100


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
        if any(scu.uid == self.uid for scu in pyramid.scus):
            raise EditError("There is an idea of this number already.")
        contributors: tuple[Contributor, ...] = ()
        label = " ".join(self.label.split())
        if self.reference:
            spans = checked_words(pyramid, self.reference, self.spans)
            contributors = (Contributor(self.reference, spans),)
            label = label or pyramid.reference(self.reference).words_at(spans)
        scu = Scu(self.uid, _label(label), contributors, given_weight=_weight(self.given_weight))
        return replace(pyramid, scus=(*pyramid.scus, scu))

    def words(self, pyramid: Pyramid) -> str:
        return f"made the idea {quoted(self.apply(pyramid).scu(self.uid).label)}"


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
                f"{self.reference} contributes to {quoted(scu.label)} already, and an idea has one "
                "contributor of each reference. The words can be joined to it as a further part."
            )
        return put_scu(pyramid, put_contributor(scu, Contributor(self.reference, spans)))

    def words(self, pyramid: Pyramid) -> str:
        return f"added {told_by(pyramid, self.reference, self.spans)} to {_idea(pyramid, self.uid)}"


@dataclass(frozen=True, slots=True)
class AddPart:
    """Selected words as a further part of what their reference contributes."""

    uid: int
    reference: str
    spans: Spans

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        spans = checked_words(pyramid, self.reference, self.spans)
        before = scu.contributor(self.reference) or Contributor(self.reference, ())
        return put_scu(pyramid, put_contributor(scu, joined(before, spans)))

    def words(self, pyramid: Pyramid) -> str:
        told = told_by(pyramid, self.reference, self.spans)
        return f"added {told} as a further part to {_idea(pyramid, self.uid)}"


@dataclass(frozen=True, slots=True)
class SetSpans:
    """Other words for what a reference contributes: an end moved, a part taken away."""

    uid: int
    reference: str
    spans: Spans

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        before = get_contributor(scu, self.reference)
        spans = checked_words(pyramid, self.reference, self.spans)
        return put_scu(pyramid, put_contributor(scu, replace(before, spans=spans)))

    def words(self, pyramid: Pyramid) -> str:
        told = told_by(pyramid, self.reference, self.spans)
        return f"changed the words of {_idea(pyramid, self.uid)} to {told}"


@dataclass(frozen=True, slots=True)
class RemoveContributor:
    uid: int
    reference: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        return put_scu(pyramid, without_contributor(get_scu(pyramid, self.uid), self.reference))

    def words(self, pyramid: Pyramid) -> str:
        return f"took the words of {self.reference} out of {_idea(pyramid, self.uid)}"


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
        before = target.contributor(self.reference) or replace(moved, spans=())
        pyramid = put_scu(pyramid, without_contributor(source, self.reference))
        return put_scu(pyramid, put_contributor(target, joined(before, moved.spans)))

    def words(self, pyramid: Pyramid) -> str:
        source, target = _idea(pyramid, self.uid), _idea(pyramid, self.to)
        return f"moved the words of {self.reference} from {source} to {target}"


@dataclass(frozen=True, slots=True)
class MergeScus:
    """One idea into another, whose label stays; words of the same reference become parts."""

    uid: int
    into: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        source, target = get_scu(pyramid, self.uid), get_scu(pyramid, self.into)
        if source is target:
            raise EditError("An idea cannot be merged into itself.")
        for one in source.contributors:
            before = target.contributor(one.reference) or replace(one, spans=())
            target = put_contributor(target, joined(before, one.spans))
        comments = dict.fromkeys(filter(None, (target.comment, source.comment)))
        target = replace(target, comment="\n".join(comments)[:LONGEST_COMMENT])
        return put_scu(DeleteScu(self.uid).apply(pyramid), target)

    def words(self, pyramid: Pyramid) -> str:
        return f"merged {_idea(pyramid, self.uid)} into {_idea(pyramid, self.into)}"


@dataclass(frozen=True, slots=True)
class SplitScu:
    """What some references contribute becomes an idea of its own."""

    uid: int
    new_uid: int
    references: tuple[str, ...]

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        parting = [get_contributor(scu, name) for name in self.references]
        if not parting or len(parting) == len(scu.contributors):
            raise EditError("Choose some of the experts of the idea, but not all of them.")
        for one in parting:
            scu = without_contributor(scu, one.reference)
        label = pyramid.reference(parting[0].reference).words_at(parting[0].spans)
        new = NewScu(self.new_uid, label).apply(put_scu(pyramid, scu))
        return put_scu(new, replace(new.scu(self.new_uid), contributors=tuple(parting)))

    def words(self, pyramid: Pyramid) -> str:
        names = ", ".join(self.references)
        return f"split {_idea(pyramid, self.uid)}: the words of {names} are an idea of their own"


@dataclass(frozen=True, slots=True)
class SetLabel:
    uid: int
    label: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        label = _label(" ".join(self.label.split()))
        return put_scu(pyramid, replace(get_scu(pyramid, self.uid), label=label))

    def words(self, pyramid: Pyramid) -> str:
        return f"changed the label {_idea(pyramid, self.uid)} to {quoted(self.label)}"


@dataclass(frozen=True, slots=True)
class LabelFromContributor:
    """The words of a contributor as the label."""

    uid: int
    reference: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        told = get_contributor(get_scu(pyramid, self.uid), self.reference)
        words = pyramid.reference(self.reference).words_at(told.spans)
        return SetLabel(self.uid, words[:LONGEST_LABEL]).apply(pyramid)

    def words(self, pyramid: Pyramid) -> str:
        return f"took the words of {self.reference} as the label of {_idea(pyramid, self.uid)}"


@dataclass(frozen=True, slots=True)
class SetComment:
    """On an idea, or with a reference on what that contributes."""

    uid: int
    comment: str
    reference: str = ""

    def apply(self, pyramid: Pyramid) -> Pyramid:
        comment = self.comment.strip()
        if len(comment) > LONGEST_COMMENT:
            raise EditError(f"A comment has at most {LONGEST_COMMENT:,} characters.")
        scu = get_scu(pyramid, self.uid)
        if not self.reference:
            return put_scu(pyramid, replace(scu, comment=comment))
        told = replace(get_contributor(scu, self.reference), comment=comment)
        return put_scu(pyramid, put_contributor(scu, told))

    def words(self, pyramid: Pyramid) -> str:
        about = f"the words of {self.reference} in " if self.reference else ""
        idea = about + _idea(pyramid, self.uid)
        comment = self.comment.strip()
        return f"commented on {idea}: {quoted(comment)}" if comment else f"uncommented {idea}"


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
        told = {
            Standing.COUNTS: "let {} count as its weight says",
            Standing.MUST: "pinned {} as must count",
            Standing.ASIDE: "set {} aside",
        }
        return told[self.standing].format(_idea(pyramid, self.uid))


@dataclass(frozen=True, slots=True)
class SetWeight:
    """A weight given by hand; None lets the references decide again."""

    uid: int
    given_weight: int | None

    def apply(self, pyramid: Pyramid) -> Pyramid:
        weight = _weight(self.given_weight)
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
        return self.summary


def _label(label: str) -> str:
    if not label:
        raise EditError("An idea needs a label: a sentence that says it.")
    if len(label) > LONGEST_LABEL:
        raise EditError(
            f"A label has at most {LONGEST_LABEL} characters; this one has {len(label)}."
        )
    return label


def _weight(weight: int | None) -> int | None:
    if weight is not None and not 0 <= weight <= HEAVIEST:
        raise EditError(f"A weight is a number from 0 to {HEAVIEST}, not {weight}.")
    return weight


def _idea(pyramid: Pyramid, uid: int) -> str:
    return quoted(get_scu(pyramid, uid).label)
