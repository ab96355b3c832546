"""A rule as sentences, for whoever made it and whoever is graded by it."""

from grading.pyramid.figures import number_of
from grading.pyramid.grade_rules.reckoning import TIMES, number_of_points
from grading.pyramid.grade_rules.rules import (
    MEASURES,
    Attempt,
    Bands,
    GradeRule,
    LatePenalty,
    Linear,
    Unit,
    plain,
)


def told_rule(rule: GradeRule) -> list[tuple[str, str]]:
    """What each part is about, and what it says."""
    rows = [
        ("Score", _score(rule)),
        ("Points", _points(rule)),
        ("Late work", _late(rule.late)),
        ("Rounding", f"To {plain(rule.rounding)}, once at the end; halves go up."),
        ("Attempt", told_attempt(rule)),
    ]
    if rule.passes_from is not None:
        rows.append(("Pass", f"From {number_of_points(rule.passes_from)} on."))
    return rows


def _score(rule: GradeRule) -> str:
    if name := rule.weights.single:
        return f"The {name} score counts."
    parts = [(name, getattr(rule.weights, name)) for name in MEASURES]
    return f"{' + '.join(f'{part} % {name}' for name, part in parts if part)}."


def _points(rule: GradeRule) -> str:
    whole, scale = number_of_points(rule.points), rule.scale
    if isinstance(scale, Bands):
        bands = "; ".join(
            f"“{band.label}” from {plain(band.start)}: {plain(band.points)}" for band in scale.bands
        )
        return f"Of {whole}, by bands: {bands}."
    if scale == Linear():
        return f"The score {TIMES} {whole}."
    return (
        f"From {plain(scale.least)} up to a score of {plain(scale.floor)} to {whole} from "
        f"{plain(scale.ceiling)} on, evenly in between."
    )


def _late(late: LatePenalty | None) -> str:
    if late is None:
        return "Nothing is taken."
    percent = late.unit is Unit.PERCENT
    amount = f"{plain(late.amount)} %" if percent else number_of_points(late.amount)
    words = f"{amount} of what was earned" if percent else amount
    words += " for each day begun" if late.per_day else ", however late"
    if late.per_day and late.most is not None:
        words += f", at most {plain(late.most)}{' %' if percent else ''}"
    if late.grace_minutes:
        words += f"; nothing within {number_of(late.grace_minutes, 'minute')} of the due date"
    return f"{words}."


def told_attempt(rule: GradeRule) -> str:
    """Which of several counts."""
    if rule.attempt is Attempt.BEST:
        words = "The final with the best grade counts"
    else:
        words = "The last final counts"
    drafts = "drafts count where there is none" if rule.drafts_count else "drafts get no grade"
    return f"{words}; {drafts}."
