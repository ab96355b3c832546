"""Which part of a class is looked at, and in which order."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from grading.pyramid.method_words import title_of

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

    WEIGHT, SHARE, DISCRIMINATION = "weight", "share", "telling"

    sort = forms.ChoiceField(
        required=False, choices=[(name, name) for name in (WEIGHT, SHARE, DISCRIMINATION)]
    )

    @property
    def chosen(self) -> str:
        return str(self.cleaned_data["sort"] or self.WEIGHT) if self.is_valid() else self.WEIGHT


class MethodPairForm(forms.Form):
    """Which two methods a scatter plot shows; the first two unless others are sent."""

    x = forms.ChoiceField(label="Horizontal", required=False)
    y = forms.ChoiceField(label="Vertical", required=False)

    def __init__(self, data: QueryDict, *, methods: Sequence[str]) -> None:
        """``methods`` are two at least."""
        super().__init__({"x": data.get("x") or methods[0], "y": data.get("y") or methods[1]})
        self.methods = methods
        for name in ("x", "y"):
            choices = [(method, title_of(method)) for method in methods]
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    @property
    def pair(self) -> tuple[str, str]:
        if not self.is_valid():
            return self.methods[0], self.methods[1]
        return self.cleaned_data["x"], self.cleaned_data["y"]
