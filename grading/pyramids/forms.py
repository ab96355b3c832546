"""References, the settings of a build, publishing a draft, and two pyramids to compare."""

from dataclasses import dataclass
from typing import Any, Final, cast

from django import forms
from django.conf import settings
from django.http import QueryDict

from grading.models import Assignment, Draft, Reference, StoredPyramid
from grading.models.summaries import MOST_REFERENCES
from grading.pyramid.errors import InputError
from grading.pyramid.registry import BuildSettings, get_method, settings_of
from grading.pyramid.structures import Text
from grading.pyramids.actions import reference_change, references_add, references_problem
from grading.web.texts_in_forms import check_text
from grading.web.uploads import DocumentsField, ReadFiles

LONGEST_NOTE = 500
LARGEST_REVISION = 2**31 - 1  # that a database can hold
HIGHEST_BETA = 10


# --- references ---


class ReferencesForm(forms.Form):
    """References by paste, by files, or both."""

    text_files = DocumentsField(
        label="Choose files",
        required=False,
        most=MOST_REFERENCES,
        help_text="One summary per .txt, .docx or .pdf file, at most 5 MB each.",
    )
    text = forms.CharField(
        label="Or paste a summary",
        required=False,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    name = forms.CharField(max_length=90, required=False, help_text="Who wrote the pasted summary.")

    def __init__(self, *args: Any, assignment: Assignment, owner: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(DocumentsField, self.fields["text_files"]).owner = owner
        self.assignment = assignment

    def clean_text(self) -> str:
        typed = str(self.cleaned_data["text"])
        return check_text(typed, "The text") if typed.strip() else ""

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if self.errors:
            return cleaned
        texts = self.texts()
        if not texts:
            raise forms.ValidationError("Choose a file or paste a summary.")
        if problem := references_problem(assignment=self.assignment, texts=texts):
            raise forms.ValidationError(problem)
        return cleaned

    def add(self) -> list[Reference] | None:
        """Add the references; None, with an error, where others were added a moment ago."""
        try:
            return references_add(assignment=self.assignment, texts=self.texts())
        except InputError as problem:
            self.add_error(None, str(problem))
            return None

    def texts(self) -> list[Text]:
        """The pasted text, if any, before those of the files."""
        pasted = self.cleaned_data.get("text")
        texts = [Text(self.cleaned_data.get("name") or "", pasted)] if pasted else []
        return texts + list(self.files_read.texts)

    @property
    def files_read(self) -> ReadFiles:
        return self.cleaned_data.get("text_files") or ReadFiles()


class ReferenceForm(forms.ModelForm[Reference]):
    class Meta:
        model = Reference
        fields = ["name", "text"]
        widgets = {"text": forms.Textarea(attrs={"rows": 14, "class": "textarea-long"})}

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        others = self.instance.assignment.references.exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(f"Another reference is named “{name}” already.")
        return name

    def clean_text(self) -> str:
        return check_text(str(self.cleaned_data["text"]), "The text")

    def change(self, stamp: str) -> bool:
        """Change the reference; False where it is no longer what ``stamp`` stands for.

        Where another reference took the name a moment ago, the form has an error.
        """
        name, text = self.cleaned_data["name"], self.cleaned_data["text"]
        try:
            reference = reference_change(reference=self.instance, name=name, text=text, stamp=stamp)
        except InputError as problem:
            self.add_error("name", str(problem))
            return True
        return reference is not None


# --- building ---


@dataclass(frozen=True, slots=True)
class BuildOption:
    """One value of a setting, with its explanation."""

    name: str
    title: str
    text: str


BUILDERS: Final = (
    BuildOption(
        "mutual",
        "By closest links",
        "Joins the most similar statements. Agrees best with pyramids made by people. Takes "
        "seconds.",
    ),
    BuildOption(
        "edua-g",
        "Quick",
        "Takes the best-fitting groups first, from all experts down to two (EDUA-G). Takes "
        "seconds.",
    ),
    BuildOption(
        "edua-c-shaped",
        "Most consistent",
        "Like EDUA-G, but with proof that no choice fits better (EDUA-C, kept in shape). Takes a "
        "minute or two.",
    ),
    BuildOption(
        "edua-c",
        "Most consistent, to the letter",
        "The paper's EDUA-C to the letter: one shared idea of each weight, all others weigh 1. "
        "For research only.",
    ),
)
BY_LENGTH, BY_PERCENTILE = "length", "percentile"
EDGES: Final = (
    BuildOption(
        BY_LENGTH,
        "By the length of the texts",
        "Links each statement with two to five in each other text. Found more shared ideas than "
        "a fixed percentile.",
    ),
    BuildOption(
        BY_PERCENTILE,
        "By a percentile",
        "Links pairs at or above this percentile of similarity. Higher is stricter.",
    ),
)


class BuildForm(forms.Form):
    """How to build a draft. A setting that is not chosen is the one of the configured method."""

    builder = forms.ChoiceField(
        label="How ideas are built",
        choices=[(option.name, option.title) for option in BUILDERS],
    )
    edges = forms.ChoiceField(
        label="Which statements of two texts can express the same idea",
        choices=[(option.name, option.title) for option in EDGES],
    )
    edge_percentile = forms.FloatField(
        label="Percentile",
        required=False,
        min_value=0,
        max_value=100,
        help_text="The paper uses 83.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    beta = forms.FloatField(
        label="How quickly shared ideas become fewer (β)",
        min_value=0,
        max_value=HIGHEST_BETA,
        help_text="From 0 to 10. The paper uses 2.5.",
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
    def builders(self) -> list[tuple[BuildOption, bool]]:
        """All builders, each with whether it is the chosen one."""
        return [(option, option.name == self["builder"].value()) for option in BUILDERS]

    @property
    def edge_rules(self) -> list[tuple[BuildOption, bool]]:
        return [(option, option.name == self["edges"].value()) for option in EDGES]


# --- versions ---


class PublishForm(forms.Form):
    """``revision`` is what the reader saw; ``same`` that an unchanged version is really meant.

    ``doubtful``: the reader was shown the ideas that may be wrong, and publishes them anyway.
    """

    revision = forms.IntegerField(min_value=0, max_value=LARGEST_REVISION, widget=forms.HiddenInput)
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=LONGEST_NOTE,
        help_text="What is new. Only graders see it.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    same = forms.BooleanField(label="Publish it although nothing has changed", required=False)
    doubtful = forms.BooleanField(required=False, widget=forms.HiddenInput)


class CompareForm(forms.Form):
    """Two of an assignment's versions (“v3”) and drafts (“d2”).

    Where nothing was chosen: the newest version and the open draft, or the newest two versions.
    """

    a = forms.ChoiceField(label="From")
    b = forms.ChoiceField(label="To")

    def __init__(self, data: QueryDict, *, assignment: Assignment) -> None:
        versions = list(assignment.pyramids.defer("document").order_by("-number"))
        drafts = list(assignment.drafts.defer("document", "first").order_by("-number"))
        super().__init__(data or self._newest_two(versions, drafts))
        self.rows: dict[str, StoredPyramid | Draft] = {
            **{f"v{version.number}": version for version in versions},
            **{f"d{draft.number}": draft for draft in drafts},
        }
        choices = [(f"v{version.number}", f"Version {version.number}") for version in versions]
        for draft in drafts:
            state = draft.get_state_display().lower()
            choices.append((f"d{draft.number}", f"Draft {draft.number} ({state})"))
        for field in ("a", "b"):
            self.fields[field].choices = choices  # type: ignore[attr-defined]

    @staticmethod
    def _newest_two(versions: list[StoredPyramid], drafts: list[Draft]) -> dict[str, str] | None:
        names = [f"v{version.number}" for version in reversed(versions[:2])]
        names += [f"d{draft.number}" for draft in drafts if draft.is_open][:1]
        return {"a": names[-2], "b": names[-1]} if len(names) > 1 else None

    def chosen(self) -> tuple[StoredPyramid | Draft, StoredPyramid | Draft] | None:
        if not self.is_bound or not self.is_valid():
            return None
        return self.rows[self.cleaned_data["a"]], self.rows[self.cleaned_data["b"]]
