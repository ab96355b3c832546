"""What the experts themselves score: a scale by which a student's score means something.

Each reference is scored as if a student had written it, by the pyramid that the other references
make: without the reference's contributors, and without the ideas that nobody else expresses.
"""

from dataclasses import dataclass

from grading.pyramid.editing.reference_commands import RemoveReference
from grading.pyramid.pipeline import Engine, prepare_scorer, read_summaries
from grading.pyramid.structures import Pyramid, ScoreReport


@dataclass(frozen=True, slots=True)
class ExpertScore:
    """The score of one reference by the pyramid of the others."""

    reference: str
    report: ScoreReport


def expert_scores(pyramid: Pyramid, engine: Engine) -> tuple[ExpertScore, ...]:
    """In the order of the references; none for a pyramid of fewer than two, as out of a rubric.

    A reference is left out where no idea remains without it. The scores are independent of the
    order of the references.
    """
    if len(pyramid.references) < 2:
        return ()
    texts = read_summaries(pyramid.references, engine)
    rests = [RemoveReference(text.text.name).apply(pyramid) for text in texts]
    return tuple(
        ExpertScore(text.text.name, prepare_scorer(rest, engine)(text))
        for text, rest in zip(texts, rests, strict=True)
        if any(scu.contributors for scu in rest.counted().scus)
    )
