"""Texts that are pasted or uploaded, and what is refused of them."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from grading.pyramid.structures import Text

LONGEST_TEXT = 60_000  # characters: some 10,000 words, twice what an assignment can ask for
LARGEST_FILE = 500_000  # bytes


def _decode(file: UploadedFile[Any]) -> str:
    """The text of an uploaded file, or a ValidationError that names the file."""
    if (file.size or 0) > LARGEST_FILE:
        raise forms.ValidationError(f"“{file.name}” is larger than half a megabyte.")
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise forms.ValidationError(
            f"“{file.name}” is not a plain text file in UTF-8. "
            "Save it as “plain text, UTF-8”, or paste the text."
        ) from None
    return check_text(text, f"“{file.name}”")


def check_text(text: str, what: str) -> str:
    """The text with line ends made one kind; ValidationError if it cannot be a summary."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise forms.ValidationError(f"{what} is empty.")
    if "\x00" in text:
        raise forms.ValidationError(f"{what} is not plain text.")
    if len(text) > LONGEST_TEXT:
        raise forms.ValidationError(
            f"{what} has {len(text):,} characters; at most {LONGEST_TEXT:,} can be taken."
        )
    return text


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyTextFilesField(forms.FileField):
    """Any number of .txt files, as Texts named after them."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        files = data if isinstance(data, list | tuple) else [data] if data else []
        problems: list[forms.ValidationError] = []
        texts: list[Text] = []
        for file in files:
            try:
                super().clean(file, initial)
                texts.append(Text(str(file.name).rsplit(".", 1)[0], _decode(file)))
            except forms.ValidationError as problem:
                problems.append(problem)
        if problems:
            raise forms.ValidationError(problems)
        return texts
