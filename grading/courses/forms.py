"""Courses: their settings, joining, roles."""

from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms

from grading.models import Course, Membership, Role
from grading.web.time_zones import CourseTimeField, TimeZoneField


class CourseForm(forms.ModelForm[Course]):
    time_zone = TimeZoneField(help_text="For due dates.")

    class Meta:
        model = Course
        fields = ["name", "term", "time_zone", "sends_mail"]
        labels = {"sends_mail": "Send e-mails about this course"}
        help_texts = {
            "term": "Such as “Autumn 2026”.",
            "sends_mail": "Results, second looks, due dates.",
        }


class CodeExpiryForm(forms.ModelForm[Course]):
    """The last moment at which the join code works, by the clocks of the course."""

    code_expires_at = CourseTimeField(
        label="The code works until",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text="Empty means no expiry date.",
    )

    class Meta:
        model = Course
        fields = ["code_expires_at"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(CourseTimeField, self.fields["code_expires_at"]).zone = ZoneInfo(
            self.instance.time_zone
        )


class JoinForm(forms.Form):
    code = forms.CharField(
        label="Course code",
        max_length=30,
        help_text="Seven letters and digits from your instructor.",
    )

    def clean_code(self) -> Course:
        course = Course.objects.all().with_code(self.cleaned_data["code"]).first()
        if course is None:
            raise forms.ValidationError(
                "No course has this code, or it has expired. Check its letters: it has no O, I, "
                "0 or 1."
            )
        return course


class RoleForm(forms.ModelForm[Membership]):
    role = forms.ChoiceField(choices=Role.choices)

    class Meta:
        model = Membership
        fields = ["role"]
