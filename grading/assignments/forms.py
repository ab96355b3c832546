"""An assignment's settings, its state, and whose results are released."""

from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms

from grading.models import Assignment, Course, Submission
from grading.web.time_zones import CourseTimeField

YEARS = range(2000, 2200)  # of due dates: outside, times in other zones may not exist

# The page's fieldsets, in which every field stands once.
_GROUPS = (
    ("The task", ("title", "instructions", "source_title", "source_text")),
    ("Length", ("min_words", "max_words")),
    ("Handing in", ("due_at", "accepts_late", "max_drafts", "max_attempts")),
    ("Copying from the source", ("copying", "copying_percent")),
    ("What students see", ("release", "missed_before", "missed_after", "second_looks")),
)


class AssignmentForm(forms.ModelForm[Assignment]):
    class Meta:
        model = Assignment
        fields = [
            "title",
            "instructions",
            "source_title",
            "source_text",
            "min_words",
            "max_words",
            "due_at",
            "accepts_late",
            "max_drafts",
            "max_attempts",
            "copying",
            "copying_percent",
            "release",
            "missed_before",
            "missed_after",
            "second_looks",
        ]
        field_classes = {"due_at": CourseTimeField}
        widgets = {
            "instructions": forms.Textarea(attrs={"rows": 3}),
            "source_text": forms.Textarea(attrs={"rows": 10, "class": "textarea-long"}),
            "due_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }
        labels = {"copying_percent": "Mostly copied begins at (percent of the words)"}
        help_texts = {
            "instructions": "What students should do. They see it above the text field.",
            "min_words": "Students are asked before a shorter one is taken; you are told.",
            "max_words": "Longer ones are refused.",
            "source_text": "Students can read it beside their summary. Leave it empty if they "
            "have it on paper; copying is then not measured.",
            "max_drafts": "A draft gets feedback and counts only as long as there is no final. "
            "0: finals only.",
            "max_attempts": "How often a final can be submitted; the newest counts. Empty: as "
            "often as one likes.",
            "copying": "A word counts as copied where it is one of at least six in a row that "
            "stand in the source in the same order. You see the share of every summary.",
            "copying_percent": "Good summaries have a few percent, seldom more than 10.",
            "release": "After the due date: without one, from when the assignment is closed. You "
            "can show or hold back each result by hand besides.",
            "missed_before": "Ideas that are found are always shown. The more is told of the "
            "others, the more a next attempt can repeat it without having understood.",
            "missed_after": "Where late work is taken, students who submit late can have seen "
            "what classmates were shown.",
            "second_looks": "They mark words or a missed idea and say why it should count; you "
            "answer.",
        }
        error_messages = {
            name: {"required": "Choose one of these."}
            for name in ("copying", "release", "missed_before", "missed_after")
        }

    def __init__(self, *args: Any, course: Course, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.course = course
        due_at = cast(CourseTimeField, self.fields["due_at"])
        due_at.zone = ZoneInfo(course.time_zone)
        due_at.help_text = f"In the course's time zone, {due_at.zone.key}."

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Fields that belong together, under what they are about."""
        return [(legend, [self[name] for name in names]) for legend, names in _GROUPS]

    def remarks(self) -> list[str]:
        """What is allowed, and may surprise whoever chose it."""
        chosen = self.cleaned_data
        remarks = []
        if chosen["release"] == Assignment.Release.AFTER_DUE and chosen["due_at"] is None:
            remarks.append(
                "There is no due date: students see scores and feedback from when you close the "
                "assignment."
            )
        if chosen["max_drafts"] and chosen["release"] != Assignment.Release.AT_ONCE:
            remarks.append(
                "Students can submit drafts, but see feedback on them only "
                f"{_WHEN[chosen['release']]}. To have drafts improved by feedback, show it as "
                "soon as they are scored."
            )
        if chosen["missed_after"] < chosen["missed_before"]:
            remarks.append(
                "After the due date students are told less of missing ideas than before it."
            )
        return remarks

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        shortest, longest = cleaned.get("min_words"), cleaned.get("max_words")
        if shortest is not None and longest is not None and shortest > longest:
            self.add_error("min_words", "The shortest cannot be longer than the longest.")
        due_at = cleaned.get("due_at")
        if due_at is not None and due_at.year not in YEARS:
            self.add_error("due_at", f"The year {due_at.year} cannot be meant.")
        return cleaned


_WHEN = {
    Assignment.Release.AFTER_DUE: "after the due date",
    Assignment.Release.BY_HAND: "when you release it",
}


class StateForm(forms.Form):
    state = forms.ChoiceField(choices=Assignment.State.choices)


class ReleaseForm(forms.Form):
    """For students who are ticked, all who have submitted, or all whose results wait."""

    CHOSEN, ALL, WAITING = "chosen", "all", "waiting"

    what = forms.TypedChoiceField(
        choices=[("shown", "Release"), ("held", "Hold back"), ("rule", "Follow the rule")],
        coerce=lambda value: Submission.Visibility("" if value == "rule" else value),
        error_messages={"required": "Choose what to do: release, hold back, or follow the rule."},
    )
    who = forms.ChoiceField(
        choices=[(who, who) for who in (CHOSEN, ALL, WAITING)], required=False, initial=CHOSEN
    )
    students = forms.TypedMultipleChoiceField(coerce=int, required=False)

    def __init__(
        self, *args: Any, handed_in: frozenset[int], waiting: frozenset[int], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.handed_in = handed_in
        self.waiting = waiting
        self.fields["students"].choices = [(pk, pk) for pk in handed_in]  # type: ignore[attr-defined]
        self.fields["students"].error_messages["invalid_choice"] = (
            "Somebody of those you chose has left the course or has submitted nothing. "
            "Look at the list, and choose again."
        )

    def clean(self) -> dict[str, Any]:
        super().clean()
        who = self.cleaned_data.get("who")
        if who == self.ALL:
            self.cleaned_data["students"] = self.handed_in
        elif who == self.WAITING:
            self.cleaned_data["students"] = self.waiting
        elif not self.cleaned_data.get("students") and "students" not in self.errors:
            self.add_error("students", "Nobody is chosen. Tick the students, and try again.")
        return self.cleaned_data

    @property
    def only_waiting(self) -> bool:
        return bool(self.cleaned_data["who"] == self.WAITING)
