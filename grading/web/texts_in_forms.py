"""Texts that are pasted or uploaded, and what is refused of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import decode
from grading.pyramid.structures import Text

LONGEST_TEXT = 60_000  # characters: some 10,000 words, twice what an assignment can ask for
LARGEST_FILE = 500_000  # bytes


def check_text(text: str, what: str) -> str:
    """The text with line ends made one kind; ValidationError if it cannot be a summary."""
    text = with_one_line_end(text).strip()
    if not text:
        raise forms.ValidationError(f"{what} is empty.")
    if "\x00" in text:
        raise forms.ValidationError(f"{what} is not plain text.")
    if len(text) > LONGEST_TEXT:
        raise forms.ValidationError(
            f"{what} has {len(text):,} characters; at most {LONGEST_TEXT:,} can be taken."
        )
    return text


def with_one_line_end(text: str) -> str:
    """Browsers send line ends as Windows writes them, whatever was typed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """Texts named after their files, and what must be said of how they were read."""

    texts: Sequence[Text] = ()
    remarks: Sequence[str] = ()


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyTextFilesField(forms.FileField):
    """Any number of .txt files, as ReadFiles."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> ReadFiles:
        files = data if isinstance(data, list | tuple) else [data] if data else []
        problems: list[forms.ValidationError] = []
        texts: list[Text] = []
        remarks: list[str] = []
        for file in files:
            try:
                super().clean(file, initial)
                text, remark = _read(file)
            except forms.ValidationError as problem:
                problems.append(problem)
                continue
            texts.append(text)
            remarks.extend([f"“{file.name}”: {remark}"] if remark else [])
        if problems:
            raise forms.ValidationError(problems)
        return ReadFiles(texts, remarks)


def _read(file: UploadedFile[Any]) -> tuple[Text, str]:
    """The text of an uploaded file with a remark, or a ValidationError that names the file."""
    if (file.size or 0) > LARGEST_FILE:
        raise forms.ValidationError(f"“{file.name}” is larger than half a megabyte.")
    try:
        decoded = decode(file.read())
    except InputError as error:
        raise forms.ValidationError(f"“{file.name}”: {error}") from None
    name = str(file.name).rsplit(".", 1)[0]
    return Text(name, check_text(decoded.text, f"“{file.name}”")), decoded.remark
