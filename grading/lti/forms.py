"""Registrations that an administrator types, and what an instructor links."""

import re
from typing import Any, cast

from django import forms

from grading.lti.outgoing import address_problem
from grading.models import Assignment, Course, LtiContext, LtiLink, LtiPlatform, Role, User

_ORIGIN = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?", re.ASCII)


class PlatformForm(forms.ModelForm[LtiPlatform]):
    """What an LMS shows after the tool was added to it."""

    class Meta:
        model = LtiPlatform
        fields = [
            "name",
            "issuer",
            "client_id",
            "authorization_url",
            "token_url",
            "jwks_url",
            "token_audience",
            "origins",
            "is_active",
        ]
        labels = {
            "issuer": "Issuer or platform ID",
            "client_id": "Client ID",
            "is_active": "Accept launches",
        }
        help_texts = {
            "name": "Such as “Moodle of the faculty”.",
            "token_audience": "Only for Brightspace.",
            "origins": "Such as https://moodle.example.org. One per line.",
        }
        widgets = {
            "issuer": forms.TextInput(attrs={"autocomplete": "off"}),
            "client_id": forms.TextInput(attrs={"autocomplete": "off"}),
            "origins": forms.Textarea(attrs={"rows": 3}),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in ("authorization_url", "token_url", "jwks_url"):
            if name in cleaned and (problem := address_problem(cleaned[name])):
                self.add_error(name, problem)
        return cleaned

    def clean_origins(self) -> str:
        origins = str(self.cleaned_data["origins"]).split()
        for origin in origins:
            plain = origin.replace("//*.", "//", 1)
            if not _ORIGIN.fullmatch(origin) or address_problem(plain):
                raise forms.ValidationError(
                    f"“{origin}” can't be used here. Enter only https:// and the host name."
                )
        return "\n".join(origins)


class DeploymentForm(forms.Form):
    deployment_id = forms.CharField(label="Deployment ID", max_length=255)


class LinkCourseForm(forms.Form):
    """A new course, or one that the instructor teaches here already."""

    course = forms.ModelChoiceField(
        Course.objects.none(),
        required=False,
        label="Course",
        empty_label="Create a new course",
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelChoiceField[Course]", self.fields["course"])
        field.queryset = Course.objects.filter(
            memberships__user=user,
            memberships__role=Role.INSTRUCTOR,
            archived_at=None,
            leaves_at=None,
        )


class ChooseAssignmentForm(forms.Form):
    """An assignment of the course, or a new one."""

    assignment = forms.ModelChoiceField(
        Assignment.objects.none(),
        required=False,
        label="Assignment",
        empty_label="Create a new assignment",
    )
    title = forms.CharField(
        label="Title of the new assignment",
        max_length=200,
        required=False,
        help_text="It starts as a hidden draft.",
    )
    sends_grades = forms.BooleanField(
        label="Send released grades to the LMS",
        required=False,
        initial=True,
    )
    sends_comments = forms.BooleanField(
        label="Send comments with the grades",
        required=False,
    )

    def __init__(
        self, *args: Any, context: LtiContext, link: LtiLink | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._course = context.course
        field = cast("forms.ModelChoiceField[Assignment]", self.fields["assignment"])
        field.queryset = Assignment.objects.filter(
            course=context.course_id, leaves_at=None, archived_at=None
        )
        if link is None:
            # Deep linking makes no link yet.
            del self.fields["sends_grades"], self.fields["sends_comments"]
        else:
            self.initial["assignment"] = link.assignment_id
            self.initial["sends_grades"] = link.sends_grades
            self.initial["sends_comments"] = link.sends_comments
            self.initial["title"] = "" if link.assignment_id else link.title

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("assignment") is None and not cleaned.get("title"):
            self.add_error("title", "Choose an assignment, or type the title of a new one.")
        return cleaned
