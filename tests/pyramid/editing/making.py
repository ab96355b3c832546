"""Pyramids and edits as hypothesis makes them: also with what only odd files have in them."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from grading.pyramid.editing import Command, patch_between
from grading.pyramid.editing import commands as c
from grading.pyramid.editing.command_json import COMMANDS
from grading.pyramid.editing.commands import MoveEnd, RemovePart
from grading.pyramid.editing.reference_commands import (
    AddReference,
    ChangeReference,
    RemoveReference,
)
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Standing, Text

CONTENTS = (
    "Cities are hotter than the country.  Dark roofs store the sun's heat.",
    "Towns — so they say — are warmer.\nTrees cool streets;\tparks do so too. 🌳🌳",
    "Bra\u0302nză: cafe\u0301s stay open, old people suffer at 30°, well-known as it is",
    "المدن أكثر حرارة من الريف. الأشجار تبرد الشوارع",
    "word",
)
NAMES = ("Ada", "Ben", "Chi", "Dee", "Eve")

# What people and programs send: much of it good, some of it not.
wordings = st.one_of(
    st.sampled_from(["Cities are hot", "Trees  cool\nstreets", "x" * 500, "ملخص", "🌳"]),
    st.sampled_from(["", " \t\n", "\u200b", "a\x00b", "\ud800half", "\x1b[31m", "x" * 501]),
    st.text(max_size=12),
)
_weights = st.one_of(st.none(), st.integers(0, 100), st.sampled_from([-1, 101, 10**30]))
_standings = st.sampled_from(list(Standing))

_names = st.sampled_from([*NAMES, *NAMES[-2:], "  Flo ", "", "x" * 101])
_contents = st.sampled_from(
    [*CONTENTS, " ".join(CONTENTS[:2]), CONTENTS[0][8:], "", " ...", "a NUL \x00", "half \udfff"]
)


@st.composite
def _spans_in(draw: st.DrawFn, length: int) -> Spans:
    """In order and apart; they may touch, and may end anywhere."""
    ends = draw(st.lists(st.integers(0, length), min_size=2, max_size=6))
    ends.sort()
    pairs = (Span(ends[i], ends[i + 1]) for i in range(0, len(ends) - 1, 2))
    return tuple(span for span in pairs if span.start < span.end) or (Span(0, length),)


@st.composite
def _scus(draw: st.DrawFn, uid: int, texts: tuple[Text, ...]) -> Scu:
    telling = draw(
        st.lists(st.sampled_from(texts), unique_by=lambda t: t.name, min_size=1, max_size=4)
    )
    has_words = draw(st.sampled_from([True, True, True, False]))  # else: as out of a rubric
    contributors = tuple(
        Contributor(
            text.name,
            draw(_spans_in(len(text.content))),
            draw(st.sampled_from(["", "", "why?"])),
        )
        for text in telling
        if has_words
    )
    return Scu(
        uid,
        draw(st.sampled_from(["hot cities", "", "trees", "a  label\nof two lines"])),
        contributors,
        draw(st.sampled_from(["", "look at this"])),
        draw(st.one_of(st.none(), st.integers(0, 100))),
        draw(_standings),
    )


KINDS = tuple(COMMANDS)


@st.composite
def pyramids(draw: st.DrawFn) -> Pyramid:
    names = draw(st.permutations(NAMES[: draw(st.integers(1, 4))]))
    texts = tuple(Text(name, CONTENTS[NAMES.index(name)]) for name in names)
    uids = draw(st.lists(st.integers(1, 9), unique=True, min_size=2, max_size=5))
    scus = tuple(draw(_scus(uid, texts)) for uid in uids)
    signature = draw(st.sampled_from(["", "made by hand"]))
    return Pyramid(texts, scus, signature, draw(st.sampled_from([(), ("a note",)])))


def edits(pyramid: Pyramid, next_uid: int) -> st.SearchStrategy[Command]:
    """An edit of this pyramid, of any kind; most fit it, and some do not."""
    return st.sampled_from(KINDS).flatmap(lambda kind: edits_of(kind, pyramid, next_uid))


def edits_of(kind: str, pyramid: Pyramid, next_uid: int) -> st.SearchStrategy[Command]:
    if kind == "Patch":
        return pyramids().map(lambda other: patch_between(pyramid, other, "another state"))
    makers = _Picks(pyramid, next_uid).makers()
    if kind != "Several":
        return makers[kind]()
    some = st.lists(
        st.sampled_from(list(makers)).flatmap(lambda maker: makers[maker]()), max_size=3
    )
    return some.map(lambda commands: c.Several("did all", tuple(commands)))


class _Picks:
    """Arguments for edits of a pyramid."""

    def __init__(self, pyramid: Pyramid, next_uid: int) -> None:
        self._pyramid = pyramid
        known = [scu.uid for scu in pyramid.scus]
        self.uid = st.sampled_from([*known * 6, next_uid, 0])
        self.new_uid = st.sampled_from([*[next_uid] * 9, *known, -3, 10**30])
        names = [text.name for text in pyramid.references]
        self.name = st.sampled_from([*names * 6, "Nobody", "\ud800"])
        self.part = st.integers(-1, 2)

    def makers(self) -> dict[str, Callable[[], st.SearchStrategy[Any]]]:
        return {
            "NewScu": self._new,
            "AddContributor": lambda: self._told(c.AddContributor),
            "AddPart": lambda: self._told(c.AddPart),
            "SetSpans": lambda: self._told(c.SetSpans),
            "MoveEnd": self._of_an_end,
            "RemovePart": lambda: self._with(RemovePart, self.part),
            "RemoveContributor": lambda: self._of_a_contributor(c.RemoveContributor),
            "MoveContributor": lambda: self._with(c.MoveContributor, self.uid),
            "MergeScus": lambda: st.builds(c.MergeScus, self.uid, self.uid),
            "SplitScu": self._split,
            "SetLabel": lambda: st.builds(c.SetLabel, self.uid, wordings),
            "LabelFromContributor": lambda: self._of_a_contributor(c.LabelFromContributor),
            "SetComment": self._comment,
            "DeleteScu": lambda: st.builds(c.DeleteScu, self.uid),
            "Reorder": lambda: st.builds(c.Reorder, self.uid, st.one_of(st.none(), self.uid)),
            "SetStanding": lambda: st.builds(c.SetStanding, self.uid, _standings),
            "SetWeight": lambda: st.builds(c.SetWeight, self.uid, _weights),
            "AddReference": lambda: st.builds(AddReference, _names, _contents),
            "RemoveReference": lambda: st.builds(RemoveReference, self.name),
            "ChangeReference": self._change,
        }

    def _told(self, kind: Callable[..., Command]) -> st.SearchStrategy[Command]:
        """With selected words, of an idea and a reference that often go together."""
        return self._contributor().flatmap(
            lambda pair: st.builds(kind, st.just(pair[0]), st.just(pair[1]), self._spans(pair[1]))
        )

    def _contributor(self) -> st.SearchStrategy[tuple[int, str]]:
        known = [
            (scu.uid, contributor.reference)
            for scu in self._pyramid.scus
            for contributor in scu.contributors
        ]
        any_pair = st.tuples(self.uid, self.name)
        return st.one_of(st.sampled_from(known), any_pair) if known else any_pair

    def _spans(self, name: str) -> st.SearchStrategy[Spans]:
        contents = {text.name: text.content for text in self._pyramid.references}
        good = _spans_in(len(contents.get(name, "word")))
        ends = st.one_of(st.integers(-2, 80), st.just(10**30))
        odd = st.lists(st.builds(Span, ends, ends), max_size=3).map(tuple)
        return st.one_of(good, good, good, odd)

    def _new(self) -> st.SearchStrategy[Command]:
        label = st.one_of(st.just(""), wordings)
        from_words = self.name.flatmap(
            lambda name: st.builds(
                c.NewScu, self.new_uid, label, st.just(name), self._spans(name), _weights
            )
        )
        return from_words | st.builds(c.NewScu, self.new_uid, wordings, given_weight=_weights)

    def _of_a_contributor(self, kind: Callable[..., Command]) -> st.SearchStrategy[Command]:
        return self._contributor().map(lambda pair: kind(*pair))

    def _with(
        self, kind: Callable[..., Command], last: st.SearchStrategy[Any]
    ) -> st.SearchStrategy[Command]:
        return st.builds(lambda pair, argument: kind(*pair, argument), self._contributor(), last)

    def _comment(self) -> st.SearchStrategy[Command]:
        on_words = st.builds(
            lambda pair, comment: c.SetComment(pair[0], comment, pair[1]),
            self._contributor(),
            wordings,
        )
        return on_words | st.builds(c.SetComment, self.uid, wordings)

    def _of_an_end(self) -> st.SearchStrategy[Command]:
        ends, by = st.sampled_from(["start", "end", "start", "end", "mid"]), st.integers(-1, 1)
        return self._contributor().flatmap(
            lambda pair: st.builds(MoveEnd, st.just(pair[0]), st.just(pair[1]), self.part, ends, by)
        )

    def _split(self) -> st.SearchStrategy[Command]:
        """Of an idea that can be split, if there is one."""
        can = [scu for scu in self._pyramid.scus if len(scu.contributors) > 1]
        if not can:
            names = st.lists(self.name, max_size=2).map(tuple)
            return st.builds(c.SplitScu, self.uid, self.new_uid, names)
        return st.sampled_from(can).flatmap(
            lambda scu: st.builds(
                c.SplitScu,
                st.just(scu.uid),
                self.new_uid,
                st.lists(
                    st.sampled_from([contributor.reference for contributor in scu.contributors]),
                    max_size=3,
                ).map(tuple),
            )
        )

    def _change(self) -> st.SearchStrategy[Command]:
        return st.one_of(
            st.builds(ChangeReference, self.name, _names, _contents),
            st.builds(lambda name, text: ChangeReference(name, name, text), self.name, _contents),
        )
