"""Text that belongs to no idea: ideas that it fits, and ideas that it would make.

Clauses are dealt with from the best fit down, and no word is offered twice. A clause fits the idea
that it is most similar to, if it is as similar as most wordings of one idea are here; clauses of
several references that are more similar to each other make a new one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.analysis.quality import Clause, Coverage
from grading.pyramid.analysis.regrouping import Likeness
from grading.pyramid.analysis.suggestions import Kind, Quote, Suggestion, key_of
from grading.pyramid.contradictions.words_only import contradictions
from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import AddContributor, AddPart, NewScu, Several
from grading.pyramid.editing.wording import quoted
from grading.pyramid.figures import number_of
from grading.pyramid.structures import Pyramid, Spans, Standing


@dataclass(frozen=True, slots=True)
class Fit:
    """A clause for an idea; or clauses of several references for a new one (``idea`` is None).

    Both by their places. ``is_part`` where the reference contributes to the idea already.
    """

    similarity: float
    clauses: tuple[int, ...]
    idea: int | None = None
    is_part: bool = False


class Fitting:
    """The clauses that belong to no idea, and where they could go if they are similar enough."""

    def __init__(
        self, pyramid: Pyramid, clauses: Sequence[Clause], likeness: Likeness, least: float
    ) -> None:
        self._pyramid = pyramid
        self._least = least
        self._clauses = clauses
        self._likeness = likeness
        self._offered: dict[str, set[int]] = {text.name: set() for text in pyramid.references}
        self.fits = tuple(self._dealt())

    def suggestions(self) -> Iterator[Suggestion]:
        for fit in self.fits:
            yield self._new(fit) if fit.idea is None else self._add(fit, fit.idea)

    def left_over(self, reference: str) -> Iterator[Clause]:
        """Clauses of a reference that only it says: whole sentences where nothing of them fits."""
        offered = set(self._offered[reference])
        own = [clause for clause in self._clauses if clause.text.name == reference]
        for clause in sorted(own, key=lambda clause: (-len(clause.words), clause.spans)):
            if not clause.words & offered:
                offered |= clause.words
                yield clause

    # --- dealing ---

    def _dealt(self) -> Iterator[Fit]:
        """The best fits that do not share words."""
        options = [*self._for_ideas(), *self._for_new_ideas()]
        taken: set[tuple[int | None, str]] = set()
        for fit in sorted(options, key=lambda fit: (-fit.similarity, fit.clauses, fit.idea or 0)):
            names = [self._clauses[place].text.name for place in fit.clauses]
            is_taken = fit.idea is not None and (fit.idea, names[0]) in taken
            if is_taken or not all(self._is_free(place) for place in fit.clauses):
                continue
            taken.add((fit.idea, names[0]))
            fitted = fit if fit.idea is not None else self._grown(fit)
            for place in fitted.clauses:
                self._offered[self._clauses[place].text.name] |= self._clauses[place].words
            yield fitted

    def _is_free(self, place: int) -> bool:
        clause = self._clauses[place]
        return not clause.words & self._offered[clause.text.name]

    def _for_ideas(self) -> Iterator[Fit]:
        table = self._likeness.clauses_to_ideas
        very = max(self._least, self._likeness.yardstick.very)
        for place, row in enumerate(table if table.size else ()):
            nearest = int(row.argmax())
            scu = self._pyramid.scus[nearest]
            is_part = scu.contributor(self._clauses[place].text.name) is not None
            enough = row[nearest] >= (very if is_part else self._least)
            if enough and scu.standing is not Standing.ASIDE and not self._denies(place, nearest):
                yield Fit(float(row[nearest]), (place,), nearest, is_part)

    def _denies(self, clause: int, idea: int) -> bool:
        wordings = [wording.unit.words for wording in self._likeness.wordings_of(idea)]
        return bool(contradictions(wordings, self._clauses[clause].unit.words))

    def _for_new_ideas(self) -> Iterator[Fit]:
        """Pairs of different references, more similar than either is to any idea."""
        names = np.array([clause.text.name for clause in self._clauses], dtype=np.str_)
        table = self._likeness.clauses_to_ideas
        nearest = table.max(axis=1) if table.size else np.zeros(len(names))
        similar = self._likeness.clauses
        least = np.maximum(self._least, np.maximum.outer(nearest, nearest))
        pairs = np.triu((similar >= least) & (names[:, None] != names), 1)
        for left, right in np.argwhere(pairs).tolist():
            words = self._clauses[left].unit.words, self._clauses[right].unit.words
            if not contradictions([words[0]], words[1]):
                yield Fit(float(similar[left, right]), (left, right))

    def _grown(self, fit: Fit) -> Fit:
        """With clauses of further references that are similar to all of these on average."""
        members = list(fit.clauses)
        similar = self._likeness.clauses
        while True:
            names = {self._clauses[place].text.name for place in members}
            further = [
                (round(float(similar[place, members].mean()), 6), -place)
                for place in range(len(self._clauses))
                if self._clauses[place].text.name not in names and self._is_free(place)
            ]
            best, place = max(further, default=(0.0, 0))
            if not further or best < self._least:
                break
            members.append(-place)
        central = similar[np.ix_(members, members)].sum(axis=1).round(6).tolist()
        ordered = sorted(zip(central, members, strict=True), key=lambda pair: (-pair[0], pair[1]))
        return Fit(fit.similarity, tuple(place for _, place in ordered))

    # --- as suggestions ---

    def _add(self, fit: Fit, place: int) -> Suggestion:
        clause, scu = self._clauses[fit.clauses[0]], self._pyramid.scus[place]
        name = clause.text.name
        command: Command = AddContributor(scu.uid, name, clause.spans)
        reason = (
            f"{quoted(name)} seems to say {quoted(scu.label)} too, in words that belong to no idea."
        )
        if fit.is_part:
            command = AddPart(scu.uid, name, clause.spans)
            reason = (
                f"{quoted(name)} seems to say {quoted(scu.label)} a second time: add it as a part."
            )
        return Suggestion(
            key=key_of(Kind.ADD, scu.uid, name, *_places(clause.spans)),
            kind=Kind.ADD,
            reason=reason,
            command=command,
            strength=self._strength(fit),
            scus=(scu.uid,),
            quotes=(Quote(name, clause.unit.words),),
        )

    def _new(self, fit: Fit) -> Suggestion:
        clauses = [self._clauses[place] for place in fit.clauses]
        anchors = sorted((clause.text.name, *_places(clause.spans)) for clause in clauses)
        return Suggestion(
            key=key_of(Kind.NEW, *anchors),
            kind=Kind.NEW,
            reason=f"{len(clauses)} references seem to say the same here, and no idea covers it.",
            command=new_idea(clauses, 0),
            strength=self._strength(fit),
            quotes=tuple(Quote(clause.text.name, clause.unit.words) for clause in clauses),
        )

    def _strength(self, fit: Fit) -> float:
        room = 1 - self._least
        return round((fit.similarity - self._least) / room, 4) if room > 0 else 0.0


def new_idea(clauses: Sequence[Clause], uid: int) -> Command:
    """The edit that makes an idea of clauses, labelled by the first."""
    first, *others = clauses
    new = NewScu(uid, "", first.text.name, first.spans)
    if not others:
        return new
    further = (AddContributor(uid, other.text.name, other.spans) for other in others)
    names = " and ".join(quoted(clause.text.name) for clause in clauses)
    return Several(f"made an idea of words of {names}", (new, *further))


def _places(spans: Spans) -> list[int]:
    return [edge for span in spans for edge in (span.start, span.end)]


# A reference of which hardly anything belongs to an idea: offered as a whole.
#
# Of a reference that came later much is expected to fit, so a little less similarity is enough.

_LATER = 0.2  # of its words are covered at most


def fit_in_references(
    pyramid: Pyramid, coverages: Sequence[Coverage], clauses: Sequence[Clause], likeness: Likeness
) -> Iterator[Suggestion]:
    """For each: what fits an idea, what makes one with other references, and what only it says.

    A pyramid without ideas is begun by building it, not by fitting all of it in.
    """
    later = [
        coverage.reference for coverage in coverages if coverage.words and coverage.share <= _LATER
    ]
    if later and pyramid.scus:
        fitting = Fitting(pyramid, clauses, likeness, likeness.yardstick.likely)
        for name in later:
            fits = [fit for fit in fitting.fits if _touches(fit, name, clauses)]
            alone = list(fitting.left_over(name))
            if len(fits) + len(alone) > 1:
                yield _together(pyramid, name, fits, clauses, alone)


def _touches(fit: Fit, name: str, clauses: Sequence[Clause]) -> bool:
    return any(clauses[place].text.name == name for place in fit.clauses)


def _together(
    pyramid: Pyramid,
    name: str,
    fits: Sequence[Fit],
    clauses: Sequence[Clause],
    alone: Sequence[Clause],
) -> Suggestion:
    added = [fit for fit in fits if fit.idea is not None]
    groups = [[clauses[place] for place in fit.clauses] for fit in fits if fit.idea is None]
    groups += [[clause] for clause in sorted(alone, key=lambda clause: clause.spans)]
    counts = f"{number_of(len(added), 'addition')}, {number_of(len(groups), 'new idea')}"
    commands: list[Command] = [_addition(pyramid, fit, clauses) for fit in added]
    commands += [new_idea(group, -number) for number, group in enumerate(groups)]
    return Suggestion(
        key=key_of(Kind.FIT, name),
        kind=Kind.FIT,
        reason=f"Fit in everything of {quoted(name)}: {counts}. You can change each afterwards.",
        command=Several(f"fitted in everything of {quoted(name)}: {counts}", tuple(commands)),
        strength=1.0,
        scus=tuple(sorted({pyramid.scus[fit.idea].uid for fit in added if fit.idea is not None})),
    )


def _addition(pyramid: Pyramid, fit: Fit, clauses: Sequence[Clause]) -> Command:
    clause = clauses[fit.clauses[0]]
    uid = pyramid.scus[fit.idea or 0].uid
    kind = AddPart if fit.is_part else AddContributor
    return kind(uid, clause.text.name, clause.spans)
