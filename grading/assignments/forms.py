"""An assignment's settings, its state, and whose results are released."""

from typing import Any, ClassVar, cast
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from grading import access
from grading.access.hidden_names import person_key
from grading.models import Assignment, Course, Submission
from grading.web.texts_in_forms import source_problem
from grading.web.time_zones import CourseTimeField

YEARS = range(2000, 2200)  # of due dates: outside, times in other zones may not exist
CHOOSE = {"required": "Choose one of these."}


class _SourceForm(forms.ModelForm[Assignment]):
    """A form with the source text."""

    def clean_source_text(self) -> str:
        text = str(self.cleaned_data["source_text"])
        if "source_text" in self.changed_data and (problem := source_problem(text)):
            raise forms.ValidationError(problem)
        return text


class NewAssignmentForm(_SourceForm):
    """What an assignment begins with; the model's defaults suit a first formative one."""

    class Meta:
        model = Assignment
        fields = ["title", "source_text"]
        labels = {"source_text": "Source text"}
        help_texts = {"source_text": "Students summarise it."}
        widgets = {"source_text": forms.Textarea(attrs={"rows": 10, "class": "textarea-long"})}

    def __init__(self, *args: Any, course: Course, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.course = course
        self.instance.mails_since = timezone.now()  # there is nothing yet that would be no news


class SettingsForm(forms.ModelForm[Assignment]):
    """One section of the settings, saved on its own. ``section`` is also its anchor on the page."""

    section: ClassVar[str]
    heading: ClassVar[str]

    class Meta:
        model = Assignment
        fields: ClassVar[list[str]] = []

    def remarks(self) -> list[str]:
        """What is allowed, and may surprise whoever chose it."""
        return []


class TaskForm(_SourceForm, SettingsForm):
    section, heading = "task", "Task"

    class Meta:
        model = Assignment
        fields = ["title", "instructions", "source_title", "source_text"]
        widgets = {
            "instructions": forms.Textarea(attrs={"rows": 3}),
            "source_text": forms.Textarea(attrs={"rows": 10, "class": "textarea-long"}),
        }
        labels = {"source_title": "Title of the source", "source_text": "Source text"}
        help_texts = {
            "source_text": "Without it, copying isn't checked.",
        }


class SubmittingForm(SettingsForm):
    section, heading = "submitting", "Submissions"

    class Meta:
        model = Assignment
        fields = [
            "min_words",
            "max_words",
            "due_at",
            "accepts_late",
            "max_drafts",
            "max_attempts",
        ]
        field_classes = {"due_at": CourseTimeField}
        widgets = {
            "due_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }
        labels = {
            "min_words": "Minimum words",
            "max_words": "Maximum words",
            "max_drafts": "Draft submissions before the final one",
        }
        help_texts = {
            "min_words": "Students must confirm a shorter text.",
            "max_words": "A longer text is refused.",
            "max_drafts": "0 means no drafts.",
            "max_attempts": "The newest counts. Empty means no limit.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        due_at = cast(CourseTimeField, self.fields["due_at"])
        due_at.zone = ZoneInfo(self.instance.course.time_zone)
        due_at.help_text = f"In {due_at.zone.key}."

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        shortest, longest = cleaned.get("min_words"), cleaned.get("max_words")
        if shortest is not None and longest is not None and shortest > longest:
            self.add_error("min_words", "The minimum can't be more than the maximum.")
        due_at = cleaned.get("due_at")
        if due_at is not None and due_at.year not in YEARS:
            self.add_error("due_at", f"Check the year {due_at.year}.")
        return cleaned

    def remarks(self) -> list[str]:
        return _remarks_on_release(self.instance)


class CopyingForm(SettingsForm):
    section, heading = "copying", "Copying from the source"

    class Meta:
        model = Assignment
        fields = ["copying", "copying_percent"]
        labels = {"copying_percent": "Mostly copied means at least (percent of words)"}
        help_texts = {
            "copying": "Six words in a row count as copied.",
            "copying_percent": "Good summaries rarely copy more than 10 %.",
        }
        error_messages = {"copying": CHOOSE}


class ResultsForm(SettingsForm):
    section, heading = "results", "Results"

    class Meta:
        model = Assignment
        fields = ["release", "missed_before", "missed_after", "second_looks"]
        help_texts = {
            "missed_before": "The more you show, the easier the next attempt is.",
            "missed_after": "Late students may have seen a classmate's feedback.",
        }
        error_messages = dict.fromkeys(("release", "missed_before", "missed_after"), CHOOSE)

    def remarks(self) -> list[str]:
        remarks = _remarks_on_release(self.instance)
        if self.instance.missed_after < self.instance.missed_before:
            remarks.append(
                "After the due date, students would see less about missing ideas than before."
            )
        return remarks


class MailForm(SettingsForm):
    section, heading = "e-mail", "E-mail"

    class Meta:
        model = Assignment
        fields = ["mails_results", "mails_reminder"]
        labels = {
            "mails_results": "E-mail students when a result is ready or a second look is answered",
            "mails_reminder": "Remind students who haven't submitted 24 hours before the due date",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not access.mail_is_set_up():
            not_sent = "No e-mails are sent yet. Mail isn't set up on this server."
            self.fields["mails_results"].help_text = not_sent


SETTINGS: tuple[type[SettingsForm], ...] = (
    TaskForm,
    SubmittingForm,
    CopyingForm,
    ResultsForm,
    MailForm,
)


def _remarks_on_release(assignment: Assignment) -> list[str]:
    """How release, due date and drafts go together."""
    remarks = []
    if assignment.release == Assignment.Release.AFTER_DUE and assignment.due_at is None:
        remarks.append("There is no due date. Students see results when you close the assignment.")
    if assignment.max_drafts and assignment.release != Assignment.Release.AT_ONCE:
        until = _UNTIL[Assignment.Release(assignment.release)]
        remarks.append(
            f"Students get no feedback on drafts until {until}. To let them improve a draft, show "
            "results as soon as they are scored."
        )
    return remarks


_UNTIL = {
    Assignment.Release.AFTER_DUE: "the due date has passed",
    Assignment.Release.BY_HAND: "you release it",
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
    students = forms.TypedMultipleChoiceField(required=False)  # by their keys, cleaned to pks

    def __init__(
        self,
        *args: Any,
        assignment: Assignment,
        handed_in: frozenset[int],
        waiting: frozenset[int],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.handed_in = handed_in
        self.waiting = waiting
        by_key = {person_key(assignment, pk): pk for pk in handed_in}
        students = cast(forms.TypedMultipleChoiceField, self.fields["students"])
        students.choices = [(key, key) for key in by_key]
        students.coerce = by_key.__getitem__
        students.error_messages["invalid_choice"] = (
            "One of the students has left the course or has no submission. Check the list, then "
            "choose again."
        )

    def clean(self) -> dict[str, Any]:
        super().clean()
        who = self.cleaned_data.get("who")
        if who == self.ALL:
            self.cleaned_data["students"] = self.handed_in
        elif who == self.WAITING:
            self.cleaned_data["students"] = self.waiting
        elif not self.cleaned_data.get("students") and "students" not in self.errors:
            self.add_error("students", "No students are ticked. Tick students, and try again.")
        return self.cleaned_data

    @property
    def only_waiting(self) -> bool:
        return bool(self.cleaned_data["who"] == self.WAITING)
