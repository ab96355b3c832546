"""An assignment's settings and state."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from grading.models import Assignment, Course

YEARS = range(2000, 2200)  # of due dates: outside, times in other zones may not exist


class AssignmentForm(forms.ModelForm[Assignment]):
    """Due dates are typed and shown in the course's time zone."""

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
            "shows_results",
        ]
        widgets = {
            "instructions": forms.Textarea(attrs={"rows": 3}),
            "source_text": forms.Textarea(attrs={"rows": 10, "class": "textarea-long"}),
            "due_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }
        help_texts = {
            "instructions": "What students should do. They see it above the text field.",
            "min_words": "Shorter ones are taken all the same; the student and you are told.",
            "max_words": "Longer ones are refused.",
            "source_text": "Students can read it beside their summary. Leave it empty if they "
            "have it on paper.",
        }

    def __init__(self, *args: Any, course: Course, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = ZoneInfo(course.time_zone)
        self.instance.course = course
        self.fields["due_at"].help_text = f"In the course's time zone, {self.zone.key}."
        if self.instance.due_at is not None:
            local = self.instance.due_at.astimezone(self.zone)
            self.initial["due_at"] = local.replace(tzinfo=None)

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        shortest, longest = cleaned.get("min_words"), cleaned.get("max_words")
        if shortest is not None and longest is not None and shortest > longest:
            self.add_error("min_words", "The shortest cannot be longer than the longest.")
        due_at = cleaned.get("due_at")
        if due_at is not None and due_at.year not in YEARS:
            self.add_error("due_at", f"The year {due_at.year} cannot be meant.")
        elif due_at is not None:
            cleaned["due_at"] = self._in_course_time(due_at)
        return cleaned

    def _in_course_time(self, typed: Any) -> Any:
        """What was typed is a wall clock time of the course, whatever zone the reader is in."""
        naive = timezone.make_naive(typed) if timezone.is_aware(typed) else typed
        return naive.replace(tzinfo=self.zone)


class StateForm(forms.Form):
    state = forms.ChoiceField(choices=Assignment.State.choices)
