"""A reference of which hardly anything belongs to an idea: offered as a whole.

Of a reference that came later much is expected to fit, so a little less similarity is enough.
"""

from collections.abc import Iterator, Sequence

from grading.pyramid.analysis.coverage import Clause, Coverage
from grading.pyramid.analysis.fitting import Fit, Fitting, new_idea
from grading.pyramid.analysis.likeness import Likeness
from grading.pyramid.analysis.suggestions import Kind, Suggestion, key_of
from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import AddContributor, AddPart, Several
from grading.pyramid.editing.wording import quoted
from grading.pyramid.figures import number_of
from grading.pyramid.structures import Pyramid

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
    added = [fit for fit in fits if fit.scu is not None]
    groups = [[clauses[place] for place in fit.clauses] for fit in fits if fit.scu is None]
    groups += [[clause] for clause in sorted(alone, key=lambda one: one.spans)]
    counts = f"{number_of(len(added), 'addition')}, {number_of(len(groups), 'new idea')}"
    commands: list[Command] = [_addition(pyramid, fit, clauses) for fit in added]
    commands += [new_idea(group, -number) for number, group in enumerate(groups)]
    return Suggestion(
        key=key_of(Kind.FIT, name),
        kind=Kind.FIT,
        reason=f"Fit in everything of {quoted(name)}: {counts}. Each can be changed afterwards.",
        command=Several(f"fitted in everything of {quoted(name)}: {counts}", tuple(commands)),
        strength=1.0,
        scus=tuple(sorted({pyramid.scus[fit.scu].uid for fit in added if fit.scu is not None})),
    )


def _addition(pyramid: Pyramid, fit: Fit, clauses: Sequence[Clause]) -> Command:
    clause = clauses[fit.clauses[0]]
    uid = pyramid.scus[fit.scu or 0].uid
    kind = AddPart if fit.is_part else AddContributor
    return kind(uid, clause.text.name, clause.spans)
