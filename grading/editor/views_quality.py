"""How good the pyramid of a draft is: a picture with a table beside it, and plain sentences."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.drafts.log import draft_state
from grading.editor.actions_analyses import FoundAnalysis
from grading.editor.views_suggestions import progress_context
from grading.models import Draft
from grading.pyramid.analysis import Quality
from grading.pyramid.analysis.advice import advice_of
from grading.pyramid.structures import Pyramid
from grading.web.ideas import band_of, heaviest_of
from grading.web.rendering import SignedInRequest, render_page

_WEAKEST = 10  # ideas shown at once; the others can be opened
_WIDTH = 260  # of the widest bar, in the picture's own measure
_LEFT = 64
_ROW = 30


@dataclass(frozen=True, slots=True)
class Tier:
    """A weight in the picture and in the table."""

    weight: int
    band: int
    count: int
    expected: int | None
    y: int
    x: int
    width: int
    marks: tuple[int, ...]  # where the two ends of a bar of the expected width would be


@dataclass(frozen=True, slots=True)
class CoveredReference:
    number: int
    name: str
    share: float
    uncovered: int
    stretches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WeakIdea:
    uid: int
    label: str
    weight: int
    band: int
    attraction: float
    is_apart: bool


@require_safe
def draft_quality(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_draft_for(request.user, pk)
    context = progress_context(draft, membership) | {"page": "quality"}
    if context["found"] is not None:
        context |= _told(draft, context["found"])
    return render_page(request, "grading/editor/quality.html", context)


def _told(draft: Draft, found: FoundAnalysis) -> dict[str, Any]:
    """The figures, of the state of the draft that they were found of."""
    pyramid, quality = draft_state(draft=draft, revision=found.revision), found.analysis.quality
    tiers, weakest = _tiers(quality, heaviest_of(pyramid)), _weakest(quality, pyramid)
    return {
        "quality": quality,
        "advice": advice_of(quality),
        "tiers": tiers,
        "height": _ROW * len(tiers),
        "coverages": _coverages(quality, pyramid),
        "weakest": weakest[:_WEAKEST],
        "stronger": weakest[_WEAKEST:],
    }


def _tiers(quality: Quality, heaviest: int) -> list[Tier]:
    """Bars in the middle, one above the other, so that the picture is a pyramid."""
    most = max((one.count for one in quality.shape), default=0) or 1
    middle = _LEFT + _WIDTH // 2
    tiers = []
    for number, one in enumerate(quality.shape):
        width = round(_WIDTH * one.count / most)
        inside = one.expected is not None and one.expected <= most
        half = round(_WIDTH * (one.expected or 0) / most / 2)
        tiers.append(
            Tier(
                weight=one.weight,
                band=band_of(one.weight, heaviest),
                count=one.count,
                expected=one.expected,
                y=_ROW * number,
                x=middle - width // 2,
                width=width,
                marks=(middle - half, middle + half) if inside else (),
            )
        )
    return tiers


def _coverages(quality: Quality, pyramid: Pyramid) -> list[CoveredReference]:
    return [
        CoveredReference(
            number,
            text.name,
            one.share,
            one.words - one.covered,
            tuple(text.words_at((span,)) for span in one.stretches),
        )
        for number, (text, one) in enumerate(
            zip(pyramid.references, quality.coverages, strict=True)
        )
    ]


def _weakest(quality: Quality, pyramid: Pyramid) -> list[WeakIdea]:
    scus, heaviest = {scu.uid: scu for scu in pyramid.scus}, heaviest_of(pyramid)
    told = [one for one in quality.attractions if one.attraction is not None]
    return [
        WeakIdea(
            uid=one.scu,
            label=scus[one.scu].label,
            weight=scus[one.scu].weight,
            band=band_of(scus[one.scu].weight, heaviest),
            attraction=one.attraction or 0.0,
            is_apart=(one.attraction or 0.0) < quality.apart,
        )
        for one in told
    ]
