"""Courses: their settings, joining, roles."""

from django import forms

from grading.models import Course, Membership, Role
from grading.web.time_zones import TimeZoneField


class CourseForm(forms.ModelForm[Course]):
    time_zone = TimeZoneField(help_text="Due dates count in this zone.")

    class Meta:
        model = Course
        fields = ["name", "term", "time_zone"]
        help_texts = {"term": "Such as “Autumn 2026”."}


class JoinForm(forms.Form):
    code = forms.CharField(
        label="Course code", max_length=30, help_text="Seven letters and digits from your teacher."
    )

    def clean_code(self) -> Course:
        course = Course.objects.all().with_code(self.cleaned_data["code"]).first()
        if course is None:
            raise forms.ValidationError(
                "No course has this code. Check it for mistyped letters; it has no O, I, 0 or 1."
            )
        return course


class RoleForm(forms.ModelForm[Membership]):
    role = forms.ChoiceField(choices=Role.choices)

    class Meta:
        model = Membership
        fields = ["role"]
