"""Forms of the rule from scores to grades, and of a grade by hand."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from django import forms

from grading.grades.actions import HandWord, NewRule
from grading.models import HandGrade
from grading.pyramid.formats.band_list import bands_text, read_bands
from grading.pyramid.grade_rules.rules import (
    MEASURES,
    MOST_GRACE,
    MOST_POINTS,
    ROUNDINGS,
    Attempt,
    Bands,
    GradeRule,
    LatePenalty,
    Linear,
    RuleError,
    Scale,
    Unit,
    Weights,
    plain,
)
from grading.second_looks.forms import LONGEST_REASON, ReasonField

MIX, LINE, BANDS = "mix", "line", "bands"
NEVER, PER_DAY, ONCE = "never", "per_day", "once"
_EXAMPLE_BANDS = "A | 0.85 | 10\nB | 0.7 | 8\nC | 0.5 | 6\nF | 0 | 0"
Part = TypeVar("Part")


class PointsField(forms.DecimalField):
    """Points to two places; a comma will do for the point."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs = {"max_digits": 7, "decimal_places": 2, "min_value": 0, **kwargs}
        super().__init__(widget=forms.TextInput(attrs={"inputmode": "decimal"}), **kwargs)

    def to_python(self, value: Any) -> Any:
        typed = value.strip().replace(",", ".") if isinstance(value, str) else value
        return super().to_python(typed)


class ScoreField(PointsField):
    """A score from 0 to 1, to four places."""

    def __init__(self, **kwargs: Any) -> None:
        messages = {"max_value": "A score goes from 0 to 1, for example 0.9."}
        places = {"max_digits": 5, "decimal_places": 4, "max_value": 1}
        super().__init__(error_messages=messages, **places, **kwargs)


def _percent(label: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=100, required=False)


class GradeRuleForm(forms.Form):
    """Fields that the chosen way does not use are left out of account, whatever they hold."""

    counts = forms.ChoiceField(
        label="Which score counts",
        choices=[
            ("comprehensive", "Comprehensive: both together"),
            ("quality", "Quality: how important is what was written"),
            ("coverage", "Coverage: how much of what is important was written"),
            (MIX, "A weighted mean of the three"),
        ],
        widget=forms.RadioSelect,
    )
    comprehensive = _percent("Comprehensive, percent")
    quality = _percent("Quality, percent")
    coverage = _percent("Coverage, percent")
    points = PointsField(label="Points possible", max_value=MOST_POINTS)
    scale = forms.ChoiceField(
        label="From the score to points",
        choices=[(LINE, "On a line: a bit more score, a bit more points"), (BANDS, "In bands")],
        widget=forms.RadioSelect,
    )
    least = PointsField(
        label="Least points", required=False, help_text="For anything handed in and scored."
    )
    floor = ScoreField(label="The least up to a score of", required=False)
    ceiling = ScoreField(
        label="All points from a score of",
        required=False,
        help_text="Experts seldom reach 1, so a new rule begins with what they score on average.",
    )
    bands = forms.CharField(
        label="Bands",
        required=False,
        help_text="One a line: name | the score it begins at | points. The lowest begins at 0.",
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    late = forms.ChoiceField(
        label="What is taken",
        choices=[
            (NEVER, "Nothing is taken"),
            (PER_DAY, "Something for each day begun"),
            (ONCE, "Something once, however late"),
        ],
        widget=forms.RadioSelect,
    )
    late_amount = PointsField(label="How much", required=False)
    late_unit = forms.ChoiceField(
        label="Taken in",
        required=False,
        choices=[
            (Unit.PERCENT.value, "percent of what was earned"),
            (Unit.POINTS.value, "points"),
        ],
    )
    late_most = PointsField(label="At most, in all (empty: no limit)", required=False)
    grace_minutes = forms.IntegerField(
        label="Minutes of grace",
        required=False,
        min_value=0,
        max_value=MOST_GRACE,
        help_text="So long after the due date nothing is taken. After it, days count from the "
        "due date.",
    )
    rounding = forms.TypedChoiceField(
        label="Round to",
        choices=[(plain(step), plain(step)) for step in ROUNDINGS],
        coerce=Decimal,
        help_text="Once, at the end, after what lateness takes. Halves go up.",
    )
    attempt = forms.ChoiceField(
        label="Of several finals",
        choices=[
            (Attempt.LAST.value, "The last counts"),
            (Attempt.BEST.value, "The one with the best grade counts"),
        ],
        widget=forms.RadioSelect,
    )
    drafts_count = forms.BooleanField(
        label="A draft counts where there is no final",
        required=False,
        help_text="Otherwise drafts get no grade, which is not a zero.",
    )
    passes_from = PointsField(
        label="Passes from so many points",
        required=False,
        help_text="Empty where there is no such line.",
    )
    students_see = forms.BooleanField(
        label="Students see their grade",
        required=False,
        help_text="Where their results are shown to them, with how it was reckoned, and the reason "
        "where it was set by hand.",
    )

    def groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Legend, and the class and fields of what stands together; each field once."""
        return [(legend, group, [self[name] for name in names]) for legend, group, names in _GROUPS]

    def clean(self) -> dict[str, Any]:
        super().clean()
        parts = (
            self._part(self._weights, {MIX: MEASURES}, "counts"),
            self._part(
                self._scale, {LINE: ("least", "floor", "ceiling"), BANDS: ("bands",)}, "scale"
            ),
            self._part(self._late, {PER_DAY: _LATE, ONCE: _LATE}, "late"),
        )
        if not self.errors:
            self._part(lambda: self._new_rule(*parts), {}, "points")
        return self.cleaned_data

    def _part(
        self, make: Callable[[], Part], used: dict[str, tuple[str, ...]], choice: str
    ) -> Part | None:
        """A part of the rule of the fields that its choice uses; errors of the others go."""
        chosen = self.cleaned_data.get(choice)
        mine = used.get(chosen, ()) if isinstance(chosen, str) else ()
        for name in {name for names in used.values() for name in names} - set(mine):
            self.errors.pop(name, None)
        if self.errors.keys() & set(mine):
            return None
        try:
            return make()
        except RuleError as error:
            field = {"weights": "counts"}.get(error.part, error.part)
            self.add_error(field, str(error))
            return None

    def _weights(self) -> Weights:
        counts = self.cleaned_data.get("counts")
        if counts == MIX:
            return Weights(**{name: self.cleaned_data.get(name) or 0 for name in MEASURES})
        return Weights(**{name: 100 if name == counts else 0 for name in MEASURES})

    def _scale(self) -> Scale:
        cleaned = self.cleaned_data
        if cleaned.get("scale") == BANDS:
            bands, problems = read_bands(cleaned.get("bands", ""))
            if problems:
                raise RuleError("bands", " ".join(problems))
            return Bands(bands)
        ceiling = cleaned.get("ceiling")
        return Linear(
            cleaned.get("floor") or Decimal(0),
            Decimal(1) if ceiling is None else ceiling,
            cleaned.get("least") or Decimal(0),
        )

    def _late(self) -> LatePenalty | None:
        cleaned = self.cleaned_data
        if cleaned.get("late") not in {PER_DAY, ONCE}:
            return None
        per_day = cleaned["late"] == PER_DAY
        return LatePenalty(
            amount=cleaned.get("late_amount") or Decimal(0),
            unit=Unit(cleaned.get("late_unit") or Unit.PERCENT),
            per_day=per_day,
            most=cleaned.get("late_most") if per_day else None,
            grace_minutes=cleaned.get("grace_minutes") or 0,
        )

    def _new_rule(
        self, weights: Weights | None, scale: Scale | None, late: LatePenalty | None
    ) -> None:
        cleaned = self.cleaned_data
        rule = GradeRule(
            points=cleaned["points"],
            weights=weights or Weights(),
            scale=scale or Linear(),
            rounding=cleaned["rounding"],
            late=late,
            attempt=Attempt(cleaned["attempt"]),
            drafts_count=cleaned["drafts_count"],
            passes_from=cleaned.get("passes_from"),
        )
        cleaned["new"] = NewRule(rule, cleaned["students_see"])

    @property
    def new(self) -> NewRule:
        new: NewRule = self.cleaned_data["new"]
        return new


_LATE = ("late_amount", "late_unit", "late_most", "grace_minutes")
_GROUPS = (
    ("Score", "grade-score", ("counts", *MEASURES)),
    ("Points", "grade-points", ("points", "scale", "least", "floor", "ceiling", "bands")),
    ("Late work", "grade-late", ("late", *_LATE)),
    ("Rounding and attempts", "grade-rest", ("rounding", "attempt", "drafts_count")),
    ("What is told", "grade-told", ("passes_from", "students_see")),
)


def rule_initial(new: NewRule) -> dict[str, Any]:
    """What the form begins with."""
    rule, scale, late = new.rule, new.rule.scale, new.rule.late
    line = scale if isinstance(scale, Linear) else Linear()
    when = NEVER if late is None else PER_DAY if late.per_day else ONCE
    return {
        "counts": rule.weights.single or MIX,
        **{name: getattr(rule.weights, name) for name in MEASURES},
        "points": plain(rule.points),
        "scale": BANDS if isinstance(scale, Bands) else LINE,
        "least": plain(line.least),
        "floor": plain(line.floor),
        "ceiling": plain(line.ceiling),
        "bands": bands_text(scale) if isinstance(scale, Bands) else _EXAMPLE_BANDS,
        "late": when,
        "late_amount": plain(late.amount) if late else "10",
        "late_unit": (late.unit if late else Unit.PERCENT).value,
        "late_most": plain(late.most) if late and late.most is not None else "",
        "grace_minutes": late.grace_minutes if late else 0,
        "rounding": plain(rule.rounding),
        "attempt": rule.attempt.value,
        "drafts_count": rule.drafts_count,
        "passes_from": "" if rule.passes_from is None else plain(rule.passes_from),
        "students_see": new.students_see,
    }


class HandGradeForm(forms.Form):
    kind = forms.ChoiceField(
        label="What holds",
        choices=[
            (HandGrade.Kind.POINTS.value, "These points"),
            (HandGrade.Kind.EXCUSED.value, "Excused: no grade, and none is asked for"),
            (HandGrade.Kind.RULE.value, "What the rule gives"),
        ],
        widget=forms.RadioSelect,
    )
    points = PointsField(label="Points", required=False)
    reason = ReasonField(
        label="Reason",
        error_messages={"required": "Say in a sentence why."},
        widget=forms.Textarea(
            attrs={
                "rows": 3,
                "data-live-count": "id_reason_count",
                "data-unit": "character",
                "data-max": LONGEST_REASON,
                "aria-describedby": "id_reason_helptext id_reason_count",
            }
        ),
    )

    def __init__(self, *args: Any, possible: Decimal, saves: bool = False, **kwargs: Any) -> None:
        """What changes is shown without a reason; nothing is kept without one."""
        super().__init__(*args, **kwargs)
        self.possible = possible
        self.fields["reason"].required = saves

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("kind") != HandGrade.Kind.POINTS:
            self.errors.pop("points", None)
            self.cleaned_data["points"] = None
        elif "points" not in self.errors:
            self._clean_points(self.cleaned_data.get("points"))
        return self.cleaned_data

    def _clean_points(self, points: Decimal | None) -> None:
        if points is None:
            self.add_error("points", "Say how many points.")
        elif points > self.possible:
            self.add_error("points", f"The assignment gives {plain(self.possible)} points at most.")

    @property
    def word(self) -> HandWord | None:
        """What is said, with the reason or, as far as is sent, without; None where it is wrong."""
        if self.errors.keys() - {"reason"}:
            return None
        said = self.cleaned_data
        return HandWord(HandGrade.Kind(said["kind"]), said.get("reason", ""), said["points"])
