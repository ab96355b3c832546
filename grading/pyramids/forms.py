"""The settings of a build."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings

from grading.pyramid.registry import BuildSettings, get_method, settings_of


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several, explained."""

    name: str
    title: str
    text: str


BUILDERS = (
    Choice(
        "mutual",
        "By closest links",
        "Joins statements that are each other's closest, whatever words the experts use. Agrees "
        "best with pyramids made by people. A few seconds.",
    ),
    Choice(
        "edua-g",
        "Quick",
        "Takes the groups of parts that fit best, from what all experts share down to what two "
        "share. A few seconds. The paper calls it EDUA-G.",
    ),
    Choice(
        "edua-c-shaped",
        "Holding together best",
        "As many ideas of each weight as the quick way finds, but chosen so that all of them "
        "together fit best, with proof. May take a minute or two. It is the paper's EDUA-C, kept "
        "in shape.",
    ),
    Choice(
        "edua-c",
        "Holding together best, to the letter",
        "Mind: by the paper's definition of EDUA-C the best pyramid shares only one idea of each "
        "weight, and all others weigh 1. Proven, but of little use for scoring; for research.",
    ),
)
BY_LENGTH, BY_PERCENTILE = "length", "percentile"
EDGES = (
    Choice(
        BY_LENGTH,
        "By the length of the texts",
        "An idea has about one counterpart in each other text, however long the texts are; so a "
        "part is linked with two to five there. Compared with pyramids made by people, this found "
        "more of the shared ideas than a fixed percentile.",
    ),
    Choice(
        BY_PERCENTILE,
        "By a percentile",
        "Of all pairs of parts, those from this percentile of similarity on. Higher is stricter.",
    ),
)
HIGHEST_BETA = 10


class BuildForm(forms.Form):
    """What is not chosen is as the configured method has it."""

    builder = forms.ChoiceField(
        label="How ideas are put together", choices=[(one.name, one.title) for one in BUILDERS]
    )
    edges = forms.ChoiceField(
        label="Which parts of two texts can say the same",
        choices=[(one.name, one.title) for one in EDGES],
    )
    edge_percentile = forms.FloatField(
        label="Percentile",
        required=False,
        min_value=0,
        max_value=100,
        help_text="The paper takes 83. Only used when you choose “By a percentile”.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    beta = forms.FloatField(
        label="How fast shared ideas become fewer (β)",
        min_value=0,
        max_value=HIGHEST_BETA,
        help_text="The larger, the fewer ideas with a high weight there can be. The paper takes "
        "2.5; from 0 to 10. Not used by “By closest links”.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        method = get_method(settings.PYREVAL_METHOD)
        usual = settings_of(method)
        by_length = usual.edge_percentile is None
        self.initial = {
            "builder": usual.builder,
            "edges": BY_LENGTH if by_length else BY_PERCENTILE,
            "edge_percentile": f"{method.config.edge_percentile:g}",
            "beta": f"{usual.beta:g}",
        }

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        missing = cleaned.get("edge_percentile") is None and "edge_percentile" not in self.errors
        if cleaned.get("edges") == BY_PERCENTILE and missing:
            self.add_error("edge_percentile", "Type a percentile from 0 to 100, such as 83.")
        return cleaned

    def settings(self) -> BuildSettings:
        by_length = self.cleaned_data["edges"] == BY_LENGTH
        return BuildSettings(
            builder=self.cleaned_data["builder"],
            edge_percentile=None if by_length else self.cleaned_data["edge_percentile"],
            beta=self.cleaned_data["beta"],
        )

    @property
    def builders(self) -> list[tuple[Choice, bool]]:
        """With whether it is the chosen one."""
        return [(one, one.name == self["builder"].value()) for one in BUILDERS]

    @property
    def edge_rules(self) -> list[tuple[Choice, bool]]:
        return [(one, one.name == self["edges"].value()) for one in EDGES]
