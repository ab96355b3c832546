"""Forms of grade rules, of manual grades, and of gradebook files."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, TypeVar, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from grading.grades.gradebook_files import FillChoices
from grading.grades.queries import ProposedManualGrade, ProposedRule
from grading.models import GradebookExport, ManualGrade, Scope
from grading.pyramid.errors import InputError
from grading.pyramid.formats.lms.cells import written
from grading.pyramid.formats.lms.grade_file import GradeFile
from grading.pyramid.formats.lms.reading import read_grade_file
from grading.pyramid.grade_rules import (
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
    bands_text,
    plain,
    read_bands,
)
from grading.web.fields import LONGEST_REASON, ReasonField
from grading.web.file_reader import read_apart

MIX, LINE, BANDS = "mix", "line", "bands"
NEVER, PER_DAY, ONCE = "never", "per_day", "once"
_EXAMPLE_BANDS = "A | 0.85 | 10\nB | 0.7 | 8\nC | 0.5 | 6\nF | 0 | 0"
Part = TypeVar("Part")
LARGEST_GRADE_FILE = 4_000_000  # bytes
Kind = GradebookExport.Kind
NamedPair = tuple[int, int]  # line of the file, and number of the student


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
    """A grade rule. Fields that the chosen way does not use are ignored, whatever they hold."""

    counts = forms.ChoiceField(
        label="Which score counts",
        choices=[
            ("comprehensive", "Comprehensive: both together"),
            ("quality", "Quality: how important is the text"),
            ("coverage", "Coverage: how many important ideas are in it"),
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
        choices=[(LINE, "On a line: points rise evenly with the score"), (BANDS, "In bands")],
        widget=forms.RadioSelect,
    )
    least = PointsField(label="Lowest points", required=False, help_text="For every scored text.")
    floor = ScoreField(label="Lowest points up to a score of", required=False)
    ceiling = ScoreField(
        label="Full points from a score of",
        required=False,
    )
    bands = forms.CharField(
        label="Bands",
        required=False,
        help_text="One per line: name | lowest score | points.",
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    late = forms.ChoiceField(
        label="Penalty",
        choices=[
            (NEVER, "No penalty"),
            (PER_DAY, "A penalty for each started day"),
            (ONCE, "One penalty, however late"),
        ],
        widget=forms.RadioSelect,
    )
    late_amount = PointsField(label="Amount", required=False)
    late_unit = forms.ChoiceField(
        label="Unit",
        required=False,
        choices=[
            (Unit.PERCENT.value, "percent of the points earned"),
            (Unit.POINTS.value, "points"),
        ],
    )
    late_most = PointsField(label="Highest total (empty means no limit)", required=False)
    grace_minutes = forms.IntegerField(
        label="Grace period in minutes",
        required=False,
        min_value=0,
        max_value=MOST_GRACE,
        help_text="After that, days count from the due date.",
    )
    rounding = forms.TypedChoiceField(
        label="Round to",
        choices=[(plain(step), plain(step)) for step in ROUNDINGS],
        coerce=Decimal,
        help_text="After the late penalty. Halves go up.",
    )
    attempt = forms.ChoiceField(
        label="If there are several final submissions",
        choices=[
            (Attempt.LAST.value, "The last counts"),
            (Attempt.BEST.value, "The best grade counts"),
        ],
        widget=forms.RadioSelect,
    )
    drafts_count = forms.BooleanField(
        label="A draft counts if there is no final submission",
        required=False,
    )
    passes_from = PointsField(
        label="Points needed to pass",
        required=False,
        help_text="Empty means no pass mark.",
    )
    students_see = forms.BooleanField(
        label="Students see their grade",
        required=False,
        help_text="With the reason for a manual grade.",
    )

    def groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Groups of fields, each with its legend and its CSS class; each field once."""
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
        """A part of the rule from the fields that its choice uses; ignores errors of the others."""
        chosen = self.cleaned_data.get(choice)
        own = used.get(chosen, ()) if isinstance(chosen, str) else ()
        for name in {name for names in used.values() for name in names} - set(own):
            self.errors.pop(name, None)
        if self.errors.keys() & set(own):
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
        cleaned["proposed"] = ProposedRule(rule, cleaned["students_see"])

    @property
    def proposed(self) -> ProposedRule:
        proposed: ProposedRule = self.cleaned_data["proposed"]
        return proposed


_LATE = ("late_amount", "late_unit", "late_most", "grace_minutes")
_GROUPS = (
    ("Score", "grade-score", ("counts", *MEASURES)),
    ("Points", "grade-points", ("points", "scale", "least", "floor", "ceiling", "bands")),
    ("Late work", "grade-late", ("late", *_LATE)),
    ("Rounding and attempts", "grade-rest", ("rounding", "attempt", "drafts_count")),
    ("Students", "grade-told", ("passes_from", "students_see")),
)


def rule_initial(proposed: ProposedRule) -> dict[str, Any]:
    """The initial values of the form."""
    rule, scale, late = proposed.rule, proposed.rule.scale, proposed.rule.late
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
        "students_see": proposed.students_see,
    }


class ManualGradeForm(forms.Form):
    kind = forms.ChoiceField(
        label="Grade",
        choices=[
            (ManualGrade.Kind.POINTS.value, "These points"),
            (ManualGrade.Kind.EXCUSED.value, "Excused: no grade needed"),
            (ManualGrade.Kind.RULE.value, "The rule's grade"),
        ],
        widget=forms.RadioSelect,
    )
    points = PointsField(label="Points", required=False)
    reason = ReasonField(
        label="Reason",
        help_text="Students can read it if they see grades.",
        error_messages={"required": "Give the reason in a sentence."},
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
        """A preview needs no reason; nothing is saved without one."""
        super().__init__(*args, **kwargs)
        self.possible = possible
        self.fields["reason"].required = saves

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("kind") != ManualGrade.Kind.POINTS:
            self.errors.pop("points", None)
            self.cleaned_data["points"] = None
        elif "points" not in self.errors:
            points = self.cleaned_data.get("points")
            if points is None:
                self.add_error("points", "Enter the points.")
            elif points > self.possible:
                self.add_error(
                    "points", f"The assignment gives at most {plain(self.possible)} points."
                )
        return self.cleaned_data

    @property
    def manual_grade(self) -> ProposedManualGrade | None:
        """The grade, perhaps still without a reason; None if anything else is wrong."""
        if self.errors.keys() - {"reason"}:
            return None
        data = self.cleaned_data
        return ProposedManualGrade(
            ManualGrade.Kind(data["kind"]), data.get("reason", ""), data["points"]
        )


# --- gradebook files ---


def _scope_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Which grades",
        choices=Scope.choices,
        initial=Scope.ALL,
        error_messages={"required": "Choose all grades, or only grades of released results."},
    )


class LmsFileForm(forms.Form):
    """A file that an LMS exported; ``content`` and ``grade_file`` are there once it is valid.

    ``owner`` is the pk of the user who sends it.
    """

    file = forms.FileField(
        label="The file that your LMS exported",
        help_text="Canvas, Moodle, Blackboard, Brightspace or Sakai. At most 4 MB.",
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xls"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )
    scope = _scope_field()

    content: bytes
    grade_file: GradeFile

    def __init__(self, *args: Any, owner: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owner = owner

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_GRADE_FILE:
            raise forms.ValidationError(
                f"“{file.name}” has {file.size or 0:,} bytes; the limit is {LARGEST_GRADE_FILE:,}."
            )
        self.content = file.read()
        try:
            self.grade_file = read_apart(read_grade_file, self.content, owner=self._owner)
        except InputError as error:
            raise forms.ValidationError(f"“{file.name}”: {error}", code="unknown") from None
        if problem := _nothing_to_fill(self.grade_file):
            raise forms.ValidationError(f"“{file.name}”, a {self.grade_file.name}: {problem}")
        return file

    @property
    def is_unknown(self) -> bool:
        """Was it a file that no LMS writes?"""
        return self.has_error("file", "unknown")


def _nothing_to_fill(file: GradeFile) -> str:
    if not file.people:
        return f"it has no row with a student. {' '.join(file.remarks)}".strip()
    if file.candidates:
        return ""
    named = "; ".join(f"“{column.title}”: {column.why_not}" for column in file.columns)
    return f"it has no column to fill. {named or 'Add the assignment there first.'}"


class FillForm(forms.Form):
    """What to fill in. A download needs the ``stamp`` of the file that was shown."""

    column = forms.TypedChoiceField(
        label="Column to fill",
        coerce=int,
        error_messages={"required": "Choose the column to fill."},
    )
    scope = _scope_field()
    out_of = forms.DecimalField(
        label="Points of this column in the LMS",
        help_text="Empty means the same as here.",
        required=False,
        min_value=0,
        max_digits=8,
        decimal_places=2,
    )
    scale = forms.BooleanField(required=False)
    comments = forms.BooleanField(label="Fill in the comments to students", required=False)
    all_names = forms.BooleanField(required=False)
    offered = forms.CharField(required=False, widget=forms.HiddenInput)  # cells with a box
    stamp = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, file: GradeFile, stored: FillChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.file = file
        self._stored = stored
        columns: Any = self.fields["column"]
        choices = [("", "Choose a column")] if stored.column is None else []
        for column in file.candidates:
            points = "" if column.points is None else f" ({written(column.points)} points)"
            choices.append((str(column.index), f"{column.title}{points}"))
        columns.choices = choices  # the widget has a copy, so a list cannot grow later
        self.initial.update(stored.as_json())

    def choices(self, named: Callable[[], Iterable[NamedPair]]) -> FillChoices:
        """The choices to store. ``named`` gives all pairs; it is called only if all are ticked."""
        data = self.cleaned_data
        posted = cast(QueryDict, self.data)
        ticked = {_pair(value) for value in posted.getlist("fill")}
        offered = map(_pair, data["offered"].split())
        return FillChoices(
            column=data["column"],
            scope=Scope(data["scope"]),
            scale=data["scale"],
            out_of=data["out_of"] or None,
            comments=data["comments"],
            names=frozenset(named() if data["all_names"] else map(_pair, posted.getlist("names"))),
            ticks={**self._stored.ticks, **{cell: cell in ticked for cell in offered}},
        )


def _pair(value: str) -> NamedPair:
    """Student and cell by the value of a tick; (0, 0), which is nobody, where it makes no sense."""
    line, _, key = value.partition("-")
    is_pair = all(part.isascii() and part.isdigit() for part in (line, key))
    return (int(line), int(key)) if is_pair and len(value) < 40 else (0, 0)


class FreshForm(forms.Form):
    """What a new gradebook file is to contain."""

    kind = forms.ChoiceField(
        label="File",
        choices=[(kind.value, kind.label) for kind in (Kind.CANVAS, Kind.MOODLE, Kind.CSV)],
        initial=Kind.CSV,
    )
    scope = _scope_field()
    title = forms.CharField(
        label="Title of the column",
        max_length=200,
        required=False,
        help_text="The assignment's name there, if it differs.",
    )
    stamp = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, title: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._title = title

    def clean_title(self) -> str:
        return " ".join(str(self.cleaned_data["title"]).split()) or self._title
