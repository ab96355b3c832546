"""Which part of a class is looked at, and in which order."""

from collections.abc import Sequence
from typing import Any

from django import forms

_IN, _WITHOUT = "in:", "without"


class SectionForm(forms.Form):
    """Everyone, a section, or those who are in none; sent as a link."""

    def __init__(self, *args: Any, sections: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(f"{_IN}{name}", name) for name in sections if name]
        without = [(_WITHOUT, "Without a section")] if "" in sections else []
        choices = [("", "The whole class"), *named, *without]
        self.fields["section"] = forms.ChoiceField(choices=choices, required=False)

    @property
    def chosen(self) -> str | None:
        """The name; None for everyone, also where there is no such section (any more)."""
        value = self.cleaned_data.get("section") if self.is_valid() else ""
        if not value:
            return None
        return "" if value == _WITHOUT else str(value).removeprefix(_IN)

    @staticmethod
    def value_of(section: str) -> str:
        """As it is sent."""
        return f"{_IN}{section}" if section else _WITHOUT


class OrderForm(forms.Form):
    """Of the table of ideas."""

    WEIGHT, SHARE, TELLING = "weight", "share", "telling"

    sort = forms.ChoiceField(
        required=False, choices=[(name, name) for name in (WEIGHT, SHARE, TELLING)]
    )

    @property
    def chosen(self) -> str:
        return str(self.cleaned_data["sort"] or self.WEIGHT) if self.is_valid() else self.WEIGHT
