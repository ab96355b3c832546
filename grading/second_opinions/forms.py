"""Second opinions: which methods give them, and from where on they disagree."""

from collections.abc import Mapping
from typing import Any

from django import forms

from grading.models import OpinionSetting
from grading.models.second_opinions import LEAST_DIFFERENCE, MOST_DIFFERENCE
from grading.pyramid.method_words import title_of
from grading.pyramid.registry import CONTENT_METHODS


class OpinionSettingForm(forms.Form):
    """``unavailable`` are methods that cannot be chosen, with the reason."""

    methods = forms.MultipleChoiceField(
        choices=[(name, title_of(name)) for name in CONTENT_METHODS],
        required=False,
        error_messages={"invalid_choice": "There is no method “%(value)s”."},
    )
    least_difference = forms.FloatField(
        label="Flag a text when the difference is at least (standard deviations)",
        min_value=LEAST_DIFFERENCE,
        max_value=MOST_DIFFERENCE,
        widget=forms.NumberInput(attrs={"step": "0.1"}),
        help_text="At 1.5, about 2 to 13 texts in 100 are flagged.",
        error_messages={
            "required": "Enter the smallest difference to flag.",
            "invalid": "Enter a number, such as 1.5.",
            "min_value": f"The smallest is {LEAST_DIFFERENCE:g}.",
            "max_value": f"The largest is {MOST_DIFFERENCE:g}.",
        },
    )

    def __init__(
        self, *args: Any, setting: OpinionSetting, unavailable: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.unavailable = unavailable
        self.initial = {
            "methods": setting.methods,
            "least_difference": f"{setting.least_difference:g}",
        }

    def clean_methods(self) -> list[str]:
        """In the order of the registry."""
        chosen = self.cleaned_data["methods"]
        for name in chosen:
            if name in self.unavailable:
                raise forms.ValidationError(f"{title_of(name)}: {self.unavailable[name]}")
        return [name for name in CONTENT_METHODS if name in chosen]

    @property
    def ticked(self) -> list[str]:
        """The methods that the page shows as chosen."""
        return self["methods"].value() or []
