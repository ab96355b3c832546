"""Figures of a class in words that a teacher would use."""

from collections import Counter
from collections.abc import Sequence

from grading.pyramid.class_figures.ideas import Flag, IdeaFigures, Telling
from grading.pyramid.class_figures.needing_help import Ground, NeedsHelp, Reason
from grading.pyramid.figures import hundredths, with_minus
from grading.pyramid.intervals import Interval

TELLING = {
    Telling.CLEARLY: "tells strong from weak texts",
    Telling.LITTLE: "tells little",
    Telling.AGAINST: "goes against",
    Telling.UNKNOWN: "not clear",
    Telling.SAME: "nothing to compare",
}
FLAGS = {
    Flag.HEAVY_MISSED: "important, and hardly anyone tells it",
    Flag.LIGHT_TOLD: "less important, and nearly everyone tells it",
    Flag.AGAINST: "weaker texts tell it more often than stronger ones",
}
ADVICE = {
    Flag.HEAVY_MISSED: "Teach it again, or see whether students say it in words that were not "
    "recognised: the idea may need another label.",
    Flag.LIGHT_TOLD: "Perhaps it deserves more weight than the experts gave it, or it is found "
    "where it is not meant: look at some of the texts.",
    Flag.AGAINST: "Perhaps it is found where it is not meant, or strong writers leave it out on "
    "purpose: look at some of the texts.",
}
REASONS = {
    Reason.NOTHING: "None of the ideas was found",
    Reason.COVERAGE: "Low coverage",
    Reason.QUALITY: "Low quality",
    Reason.FALLING: "Fell since the attempt before",
    Reason.SHORT: "Short",
}


def percent(share: float) -> str:
    return f"{round(100 * share)}\u00a0%"


def percent_between(interval: Interval) -> str:
    """“44 to 68 %”."""
    return f"{round(100 * interval.low)} to {percent(interval.high)}"


def signed(number: float) -> str:
    """With a minus that is as long as a plus."""
    return with_minus(str(hundredths(number) + 0))


def telling_in_words(idea: IdeaFigures) -> str:
    if idea.telling is Telling.SAME and not idea.missed:
        return "everyone tells it"
    if idea.telling is Telling.SAME and not idea.told:
        return "nobody tells it"
    return TELLING[idea.telling]


def ground_in_words(ground: Ground) -> str:
    """Why somebody needs help, with the numbers."""
    value, limit = hundredths(ground.value), hundredths(ground.limit)
    return {
        Reason.NOTHING: "None of the ideas was found in the text.",
        Reason.COVERAGE: f"Coverage {value}: little of what is important is there "
        f"(low is below {limit}).",
        Reason.QUALITY: f"Quality {value}: little of what is written is important "
        f"(low is below {limit}).",
        Reason.FALLING: f"Fell from {limit} to {value} since the attempt before.",
        Reason.SHORT: f"{ground.value:.0f} words: short is below {ground.limit:.0f}.",
    }[ground.reason]


def reason_rows(needing: Sequence[NeedsHelp]) -> list[tuple[str, int]]:
    """How many have each reason; one student may have several."""
    counts = Counter(ground.reason for one in needing for ground in one.grounds)
    return [(REASONS[reason], counts[reason]) for reason in Reason if counts[reason]]
