"""Files in which somebody wrote a summary: a student a submission, experts their references."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from grading.models.summaries import count_words
from grading.pyramid.errors import InputError
from grading.pyramid.figures import number_of
from grading.pyramid.formats.summary_file import ENDINGS, SummaryText
from grading.pyramid.structures import Text
from grading.web.file_reader import read_file_apart
from grading.web.texts_in_forms import ManyFilesInput, check_text

LARGEST_DOCUMENT = 5_000_000  # bytes


def read_document(file: UploadedFile[Any], *, owner: int) -> SummaryText:
    """The text of an uploaded file, read apart; ValidationError names the file."""
    name = f"“{file.name}”"
    if (file.size or 0) > LARGEST_DOCUMENT:
        raise forms.ValidationError(
            f"{name} has {(file.size or 0) / 1_000_000:.1f} MB. The limit is 5 MB."
        )
    try:
        read = read_file_apart(file.read(), PurePath(str(file.name)).suffix, owner=owner)
    except InputError as error:
        raise forms.ValidationError(f"{name}: {error}") from None
    return SummaryText(check_text(read.text, f"The text of {name}"), read.remark)


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """Texts named after their files, and remarks on how they were read."""

    texts: Sequence[Text] = ()
    remarks: Sequence[str] = ()


class DocumentsField(forms.FileField):
    """Any number of .txt, .docx and .pdf files up to ``most``, as ReadFiles.

    Set ``owner``, the pk of the user who sends them, before the form is validated.
    """

    widget = ManyFilesInput
    owner: int

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        super().__init__(allow_empty_file=True, **kwargs)
        self.most = most
        self.widget.attrs["accept"] = ",".join(ENDINGS)

    def clean(self, data: Any, initial: Any = None) -> ReadFiles:
        files = data if isinstance(data, list | tuple) else [data] if data else []
        if len(files) > self.most:
            raise forms.ValidationError(
                f"You chose {len(files)} files. The limit is {self.most} at once."
            )
        problems: list[forms.ValidationError] = []
        texts: list[Text] = []
        remarks: list[str] = []
        for file in files:
            try:
                super().clean(file, initial)
                read = read_document(file, owner=self.owner)
            except forms.ValidationError as problem:
                problems.append(problem)
                continue
            texts.append(Text(PurePath(str(file.name)).stem, read.text))
            remarks.extend([f"“{file.name}”: {read.remark}"] if read.remark else [])
        if problems:
            raise forms.ValidationError(problems)
        return ReadFiles(texts, remarks)


class DocumentForm(forms.Form):
    """A .txt, .docx or .pdf file; when it is valid, ``cleaned_data["file"]`` is a SummaryText."""

    file = forms.FileField(
        label="Take the text from a file",
        allow_empty_file=True,
        widget=forms.FileInput(
            attrs={"accept": ",".join(ENDINGS), "data-largest": LARGEST_DOCUMENT}
        ),
        help_text="A .txt, .docx or .pdf file, at most 5 MB. You can edit it below.",
        error_messages={"required": "Choose a file first."},
    )

    def __init__(self, *args: Any, owner: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner

    def clean_file(self) -> SummaryText:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        read = read_document(file, owner=self.owner)
        self._name = f"“{file.name}”"
        return read

    def messages(self) -> Iterator[str]:
        """What was read, the remarks on it, and what to do next."""
        read: SummaryText = self.cleaned_data["file"]
        words = count_words(read.text)
        yield (
            f"The text of {self._name} is in the field: {number_of(words, 'word')}. Nothing is "
            "submitted yet. Check it, then submit it."
        )
        if read.remark:
            yield read.remark
