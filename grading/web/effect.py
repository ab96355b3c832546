"""The effect of a change on the class, as pages show it: a sentence, charts, and two tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from grading.models import Submission
from grading.pyramid.effects import Effect, IdeaEffect, Measure, TextEffect
from grading.pyramid.figures import hundredths, with_minus
from grading.scoring.effects import ClassEffect
from grading.web.charts import PairedHistogram

SHOWN = 15  # rows of a table; the others can be opened


@dataclass(frozen=True, slots=True)
class Mover:
    """A row of the table of students."""

    submission: Submission
    effect: TextEffect
    gained: list[IdeaEffect]
    lost: list[IdeaEffect]

    @property
    def direction(self) -> str:
        return "up" if self.effect.move > 0 else "down" if self.effect.move < 0 else "same"

    @property
    def move(self) -> str:
        return with_minus(f"{self.effect.move:+.2f}") if self.effect.move else "0.00"


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """An effect as the page shows it; ``outdated`` says why it may not be right any more."""

    found_at: datetime
    summary: str
    compares: bool
    not_scored: int
    outdated: list[str]
    pictures: list[PairedHistogram]
    movers: list[Mover]
    ideas: tuple[IdeaEffect, ...]

    @property
    def first_movers(self) -> list[Mover]:
        return self.movers[:SHOWN]

    @property
    def other_movers(self) -> list[Mover]:
        return self.movers[SHOWN:]

    @property
    def first_ideas(self) -> tuple[IdeaEffect, ...]:
        return self.ideas[:SHOWN]

    @property
    def other_ideas(self) -> tuple[IdeaEffect, ...]:
        return self.ideas[SHOWN:]


def show_effect(
    class_effect: ClassEffect,
    remaining: Mapping[int, Submission],
    found_at: datetime,
    outdated: list[str],
) -> ShownEffect:
    """The effect without what has been deleted since: ``remaining`` are the submissions left."""
    effect = class_effect.effect.without(class_effect.submissions - remaining.keys())
    return ShownEffect(
        found_at=found_at,
        summary=_summary(effect),
        compares=effect.before(Measure.COMPREHENSIVE) is not None,
        not_scored=len(class_effect.not_scored & remaining.keys()),
        outdated=outdated,
        pictures=[
            PairedHistogram(effect.before(measure), effect.after(measure), measure)
            for measure in Measure
        ],
        movers=[
            Mover(
                remaining[mover.text],
                mover,
                [effect.ideas[index] for index in mover.gained],
                [effect.ideas[index] for index in mover.lost],
            )
            for mover in effect.movers
        ],
        ideas=effect.moved_ideas,
    )


def _summary(effect: Effect) -> str:
    """What the page says first."""
    before, after = effect.before(Measure.COMPREHENSIVE), effect.after(Measure.COMPREHENSIVE)
    students = f"{len(effect.texts)} student{'' if len(effect.texts) == 1 else 's'}"
    mean_after = hundredths(after.mean)
    if before is None:
        return (
            f"Nothing was published before. The mean score of {students} would be {mean_after}, "
            f"the median {hundredths(after.median)}."
        )
    moving = effect.ups + effect.downs
    if not moving:
        return f"No scores change: the mean of {students} stays {mean_after}."
    mean_before = hundredths(before.mean)
    mean = (
        f"the mean goes from {mean_before} to {mean_after}"
        if mean_before != mean_after
        else f"the mean stays {mean_after}"
    )
    verb = "moves" if moving == 1 else "move"
    return f"{moving} of {students} {verb}: {effect.ups} up, {effect.downs} down; {mean}."
