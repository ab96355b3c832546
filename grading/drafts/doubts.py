"""Ideas of a draft that a program built and that are probably wrong."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from grading.models import Draft, Finding
from grading.pyramid.analysis.doubts import DoubtfulIdea
from grading.pyramid.formats.pyramid_json import pyramid_from_json
from grading.pyramid.structures import Pyramid, Scu, Standing

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Doubts:
    """``ideas`` are doubtful, the most doubtful first, of so many that several references share."""

    ideas: tuple[tuple[Scu, DoubtfulIdea], ...] = ()
    shared: int = 0


def doubts_keep(*, draft: Draft, ideas: Sequence[DoubtfulIdea]) -> None:
    """Keep what was found out about a draft that was just built."""
    if ideas:
        Finding.objects.create(
            draft=draft,
            kind=Finding.Kind.DOUBTS,
            revision=draft.revision,
            document={"format": _FORMAT, "ideas": [asdict(idea) for idea in ideas]},
        )


def doubts_of(*, draft: Draft, pyramid: Pyramid) -> Doubts:
    """What is still doubtful: an idea whose contributors a person changed, or set aside, is not."""
    row = draft.findings.filter(kind=Finding.Kind.DOUBTS, document__format=_FORMAT).first()
    if row is None:
        return Doubts()
    counting = [scu for scu in pyramid.scus if scu.standing is not Standing.ASIDE]
    current = {scu.uid: scu for scu in counting}
    built = {scu.uid: scu for scu in pyramid_from_json(draft.first).scus}
    ideas = (DoubtfulIdea(**idea) for idea in row.document["ideas"])
    doubtful = (
        (current[idea.uid], idea)
        for idea in ideas
        if idea.uid in current and current[idea.uid].contributors == built[idea.uid].contributors
    )
    return Doubts(tuple(doubtful), sum(len(scu.contributors) > 1 for scu in counting))
