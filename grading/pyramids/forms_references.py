"""Reference summaries: many at once, or one that is changed."""

from collections.abc import Sequence
from typing import Any

from django import forms

from grading.models import Assignment, Reference
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Text
from grading.submissions.actions_summaries import (
    reference_change,
    references_add,
    references_problem,
)
from grading.web.texts_in_forms import ManyFilesInput, ManyTextFilesField, ReadFiles, check_text


class ReferencesForm(forms.Form):
    """References by paste, by files, or both."""

    name = forms.CharField(
        max_length=90, required=False, help_text="Whose summary it is, for the pasted text."
    )
    text = forms.CharField(
        label="Paste a reference summary",
        required=False,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 8, "class": "textarea-long"}),
    )
    text_files = ManyTextFilesField(
        label="Or choose .txt files",
        required=False,
        help_text="One summary a file. Several at once are fine.",
        widget=ManyFilesInput(attrs={"accept": ".txt,text/plain"}),
    )

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
            raise forms.ValidationError("Paste a reference summary or choose a file.")
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
        pasted = self.cleaned_data.get("text")
        first = [Text(self.cleaned_data.get("name") or "", pasted)] if pasted else []
        return [*first, *self._files().texts]

    def remarks(self) -> Sequence[str]:
        """What must be said of how the files were read."""
        return self._files().remarks

    def _files(self) -> ReadFiles:
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
