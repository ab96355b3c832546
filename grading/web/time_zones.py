"""The field in which a time zone is chosen."""

from typing import Any
from zoneinfo import available_timezones

from django import forms

# Places that people know; the rest of the database are old names and offsets ("Etc/GMT+10").
REGIONS = (
    "Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/",
    "Pacific/",
)  # fmt: skip


def _zone_choices() -> list[tuple[str, str]]:
    names = sorted(name for name in available_timezones() if name.startswith(REGIONS))
    return [(name, name.replace("_", " ")) for name in names]


class TimeZoneField(forms.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(choices=lambda: [("UTC", "UTC"), *_zone_choices()], **options)
