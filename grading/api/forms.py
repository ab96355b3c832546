"""New tokens and new webhooks; and times as the forms of the pages take them."""

from datetime import datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.utils.timezone import is_aware

from grading.access import get_memberships_of
from grading.api.targets import TargetError, read_target
from grading.models import Course, User

READ, WRITE = "read", "write"


class TokenForm(forms.Form):
    """For one course in which the user grades."""

    name = forms.CharField(
        max_length=60,
        help_text="Such as “Weekly export”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    course = forms.TypedChoiceField(coerce=int)
    scope = forms.ChoiceField(
        label="Permission",
        choices=[(READ, "Read"), (WRITE, "Read and write")],
        initial=READ,
        widget=forms.RadioSelect,
    )
    days = forms.TypedChoiceField(
        label="Expires after",
        coerce=int,
        choices=[(7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "1 year")],
        initial=90,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.courses: dict[int, Course] = {
            row.course_id: row.course for row in get_memberships_of(user) if row.is_grader
        }
        course = cast(forms.TypedChoiceField, self.fields["course"])
        course.choices = [(pk, str(course)) for pk, course in self.courses.items()]

    @property
    def chosen_course(self) -> Course:
        return self.courses[self.cleaned_data["course"]]

    @property
    def can_write(self) -> bool:
        return bool(self.cleaned_data["scope"] == WRITE)


class WebhookForm(forms.Form):
    url = forms.CharField(
        label="Address",
        max_length=500,
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    scored = forms.BooleanField(label="When a submission is scored", required=False, initial=True)
    released = forms.BooleanField(label="When a result is released", required=False, initial=True)
    second_looks = forms.BooleanField(
        label="When a second look is requested or answered", required=False, initial=True
    )

    def clean_url(self) -> str:
        url = str(self.cleaned_data["url"])
        try:
            read_target(url)
        except TargetError as error:
            raise forms.ValidationError(str(error)) from None
        return url

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.kinds:
            raise forms.ValidationError("Choose at least one event.")
        return self.cleaned_data

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(
            kind for kind in ("scored", "released", "second_looks") if self.cleaned_data.get(kind)
        )


def as_typed(course: Course, value: Any) -> Any:
    """As a page sends it: times by the clocks of the course."""
    if not isinstance(value, datetime):
        return value
    zone = ZoneInfo(course.time_zone)
    return (value.astimezone(zone) if is_aware(value) else value).strftime("%Y-%m-%dT%H:%M")
