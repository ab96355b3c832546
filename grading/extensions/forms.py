"""An extension: for whom, until when, how many finals, and why."""

from collections.abc import Sequence
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError

from grading.extensions.queries import CourseStudents
from grading.models import Assignment, Extension, Membership
from grading.models.extensions import NOTHING_EXTENDED
from grading.web.time_zones import CourseTimeField

YEARS = range(2000, 2200)  # of due dates: outside, times in other zones may not exist


class ExtensionForm(forms.ModelForm[Extension]):
    """What an extension grants. A field that would change nothing is left out."""

    class Meta:
        model = Extension
        fields = ["due_at", "max_attempts", "reason"]
        field_classes = {"due_at": CourseTimeField}
        widgets = {
            "due_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }
        labels = {"due_at": "New due date", "max_attempts": "Final submissions"}
        help_texts = {"reason": "For graders only."}

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.assignment = assignment
        self.instance.assignment = assignment
        self.fields["reason"].required = True
        if assignment.due_at is None:
            del self.fields["due_at"]
        else:
            due_at = cast(CourseTimeField, self.fields["due_at"])
            due_at.zone = ZoneInfo(assignment.course.time_zone)
            due_at.help_text = f"In the course's time zone, {due_at.zone.key}."
            self.initial.setdefault("due_at", assignment.due_at)
        if assignment.max_attempts is None:
            del self.fields["max_attempts"]
        else:
            self.fields["max_attempts"].help_text = f"The class has {assignment.max_attempts}."

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned, terms = self.cleaned_data, self.assignment.terms
        due_at, most = cleaned.get("due_at"), cleaned.get("max_attempts")
        if due_at is not None and due_at.year not in YEARS:
            self.add_error("due_at", f"Check the year {due_at.year}.")
            return cleaned
        if due_at is not None and terms.due_at is not None and due_at <= terms.due_at:
            cleaned["due_at"] = None  # the due date of the class, which the field begins with
        if most is not None and terms.max_attempts is not None and most <= terms.max_attempts:
            cleaned["max_attempts"] = None
        # With both fields in the form, the constraint of the table says the same.
        is_one = len(self.fields.keys() & {"due_at", "max_attempts"}) == 1
        if (
            is_one
            and not self.errors
            and not (cleaned.get("due_at") or cleaned.get("max_attempts"))
        ):
            self.add_error(None, NOTHING_EXTENDED)
        return cleaned


class NewExtensionForm(ExtensionForm):
    """Also asks for whom: one of the students shown, or a section."""

    whom = forms.ChoiceField(
        label="For", error_messages={"required": "Choose a student or a section."}
    )

    field_order = ["whom", "due_at", "max_attempts", "reason"]

    def __init__(
        self, *args: Any, students: CourseStudents, shown: Sequence[Membership], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.students = students
        names_hidden = self.assignment.names_hidden
        sections = [
            (f"section:{name}", f"{name} ({number})") for name, number in students.sections.items()
        ]
        # With the login, since two students may have one name.
        people = [
            (f"student:{member.user_id}", f"{member.user.name} ({member.user.username})")
            for member in ([] if names_hidden else shown)
        ]
        groups = [("Sections", sections), ("Students", people)]
        self.fields["whom"].choices = [  # type: ignore[attr-defined]
            ("", "Choose…"),
            *((label, choices) for label, choices in groups if choices),
        ]

    def clean_whom(self) -> str:
        kind, _, name = str(self.cleaned_data["whom"]).partition(":")
        target = {"section": name} if kind == "section" else {"student": int(name)}
        if self.assignment.extensions.filter(**target).exists():
            raise ValidationError("There is already an extension. Change that extension.")
        if kind == "section":
            self.instance.section = name
        else:
            self.instance.student_id = int(name)
        return name
