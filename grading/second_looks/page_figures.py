"""Second looks in figures: how often students were right, about which ideas, to what effect."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.models import StoredPyramid
from grading.pyramid.agreement.figures_of_texts import Figure, figure
from grading.pyramid.agreement.shares import Share
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.corrections import Carrier
from grading.scoring.missed_by_program import LookedAt, Missed, looks_at, missed_by_program
from grading.web.ideas import Idea, heaviest_of, idea_of
from grading.web.rendering import SignedInRequest, render_page

SHOWN = 15  # of those; the others can be opened
OFTEN = 2  # times that people found an idea where the program did not


@dataclass(frozen=True, slots=True)
class IdeaAsked:
    """None for the idea: words that no idea was named for, or one that is gone."""

    idea: Idea | None
    right: Share
    effect: float | None  # mean, of those that counted


@dataclass(frozen=True, slots=True)
class OftenMissed:
    idea: Idea
    by_second_looks: int
    by_hand: int
    in_samples: int

    @property
    def total(self) -> int:
        return self.by_second_looks + self.by_hand + self.in_samples


@require_safe
def second_look_figures(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    version = StoredPyramid.objects.newest_of(assignment)
    context: dict[str, object] = {"assignment": assignment, "membership": membership}
    if version is None:
        return render_page(request, "grading/second_looks/figures.html", context | {"right": None})
    carrier, pyramid = Carrier.to_version(version), pyramid_from_row(version).counted()
    looks = looks_at(assignment, carrier)
    often = _often_missed(pyramid, missed_by_program(assignment, version, looks, carrier))
    context |= {
        "version": version,
        "right": _right(looks),
        "effect": _mean_effect([one.effect for one in looks if one.look.is_accepted]),
        "ideas": _ideas(pyramid, looks),
        "missed": often[:SHOWN],
        "more_missed": often[SHOWN:],
    }
    return render_page(request, "grading/second_looks/figures.html", context)


def _right(looks: Sequence[LookedAt]) -> Share:
    return Share(sum(one.look.is_accepted for one in looks), len(looks))


def _mean_effect(effects: Sequence[float]) -> Figure:
    each = np.array(effects, dtype=np.float64)
    return figure(lambda counts: counts @ each / counts.sum(axis=1), len(each))


def _ideas(pyramid: Pyramid, looks: Iterable[LookedAt]) -> list[IdeaAsked]:
    """Those that were asked about most first; what is about no idea of the pyramid comes last."""
    heaviest, there = heaviest_of(pyramid), {scu.uid: scu for scu in pyramid.scus}
    by_idea: dict[int | None, list[LookedAt]] = {}
    for one in looks:
        by_idea.setdefault(one.uid if one.uid in there else None, []).append(one)
    order = sorted(by_idea, key=lambda uid: (uid is None, -len(by_idea[uid]), uid or 0))
    return [
        IdeaAsked(
            None if uid is None else idea_of(pyramid, there[uid], heaviest),
            _right(by_idea[uid]),
            _mean_effect([one.effect for one in by_idea[uid] if one.look.is_accepted]).value,
        )
        for uid in order
    ]


def _often_missed(pyramid: Pyramid, missed: Missed) -> list[OftenMissed]:
    heaviest = heaviest_of(pyramid)
    often = [scu for scu in pyramid.scus if missed.total(scu.uid) >= OFTEN]
    return [
        OftenMissed(
            idea_of(pyramid, scu, heaviest),
            missed.by_second_looks[scu.uid],
            missed.by_hand[scu.uid],
            missed.in_samples[scu.uid],
        )
        for scu in sorted(often, key=lambda scu: (-missed.total(scu.uid), scu.uid))
    ]
