"""The file in which a student wrote a summary."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from grading.models.summaries import count_words
from grading.pyramid.errors import InputError
from grading.pyramid.figures import number_of
from grading.pyramid.formats.summary_file import ENDINGS, SummaryText
from grading.web.file_reader import read_file_apart
from grading.web.texts_in_forms import check_text

LARGEST_DOCUMENT = 5_000_000  # bytes


class DocumentForm(forms.Form):
    """A .txt, .docx or .pdf file; when it is valid, ``cleaned_data["file"]`` is a SummaryText."""

    file = forms.FileField(
        label="Take the text from a file",
        allow_empty_file=True,
        widget=forms.FileInput(
            attrs={"accept": ",".join(ENDINGS), "data-largest": LARGEST_DOCUMENT}
        ),
        help_text="A .txt, .docx or .pdf file, at most 5 MB. Its text is put into the field below; "
        "nothing is handed in yet.",
        error_messages={"required": "Choose a file first."},
    )

    def __init__(self, *args: Any, owner: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner

    def clean_file(self) -> SummaryText:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        name = f"“{file.name}”"
        if (file.size or 0) > LARGEST_DOCUMENT:
            raise forms.ValidationError(
                f"{name} has {(file.size or 0) / 1_000_000:.1f} MB; at most 5 MB can be read."
            )
        try:
            read = read_file_apart(file.read(), PurePath(str(file.name)).suffix, owner=self.owner)
        except InputError as error:
            raise forms.ValidationError(f"{name}: {error}") from None
        self._name = name
        return SummaryText(check_text(read.text, f"The text of {name}"), read.remark)

    def told_read(self) -> Iterator[str]:
        """What was read, what must be said of it, and what is to be done now."""
        read: SummaryText = self.cleaned_data["file"]
        words = count_words(read.text)
        yield (
            f"The text of {self._name} is in the field: {number_of(words, 'word')}. Nothing is "
            "handed in yet. Look it through, then hand it in."
        )
        if read.remark:
            yield read.remark
