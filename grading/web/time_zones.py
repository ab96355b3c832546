"""Fields for a time zone, and for a time in the zone of a course."""

from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone

# Places that people know; the rest of the database are old names and offsets ("Etc/GMT+10").
REGIONS = (
    "Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/",
    "Pacific/",
)  # fmt: skip


def _zone_choices() -> list[tuple[str, str]]:
    names = sorted(name for name in available_timezones() if name.startswith(REGIONS))
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in names)]


class TimeZoneField(forms.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(choices=_zone_choices, **options)


class CourseTimeField(forms.DateTimeField):
    """Typed and shown by the clocks of the course, whatever zone the reader is in."""

    zone: ZoneInfo

    def to_python(self, value: Any) -> Any:
        try:
            with timezone.override(self.zone):
                return super().to_python(value)
        except forms.ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            raise forms.ValidationError(
                f"The clocks change at this time in {self.zone.key}: choose another time."
            ) from None

    def prepare_value(self, value: Any) -> Any:
        with timezone.override(self.zone):
            return super().prepare_value(value)
