"""Copying, exporting, importing and deleting courses and assignments."""

import unicodedata
from typing import Any, BinaryIO, cast

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet

from grading.housekeeping.copies import CopyRules
from grading.housekeeping.course_import import CoursePreview, ImportOptions, course_preview
from grading.models import Course, User
from grading.pyramid.errors import InputError

MOST_WEEKS = 520


class _CopyForm(forms.Form):
    """The fields of every copy, which come last."""

    due = forms.ChoiceField(
        label="Due dates",
        choices=[
            ("none", "Don't copy them"),
            ("moved", "Move them by this many weeks"),
        ],
        initial="none",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what to do with due dates."},
    )
    weeks = forms.IntegerField(
        required=False,
        min_value=-MOST_WEEKS,
        max_value=MOST_WEEKS,
        help_text="52 weeks is the same week next year.",
    )
    drafts = forms.BooleanField(
        label="Also copy the newest open draft of the pyramid",
        required=False,
        help_text="Besides the published version.",
    )

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("due") == "moved" and not self.errors and cleaned.get("weeks") is None:
            self.add_error("weeks", "Enter the number of weeks.")
        return cleaned

    def rules(self) -> CopyRules:
        cleaned = self.cleaned_data
        weeks = cleaned["weeks"] if cleaned["due"] == "moved" else None
        return CopyRules(weeks=weeks, drafts=cleaned["drafts"])


class AssignmentCopyForm(_CopyForm):
    course = forms.ModelChoiceField(
        Course.objects.none(),
        label="Copy to",
        empty_label=None,
        error_messages={"invalid_choice": "Choose one of your courses."},
    )
    field_order = ["course"]

    def __init__(self, *args: Any, courses: QuerySet[Course], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["course"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (for the type checker)
        field.queryset = courses


class CourseCopyForm(_CopyForm):
    name = forms.CharField(label="Name of the new course", max_length=200)
    term = forms.CharField(max_length=60, required=False, help_text="Such as “Autumn 2027”.")
    field_order = ["name", "term"]


class ConfirmForm(forms.Form):
    """Ask for the name once more, so that nothing is deleted by a slip of the finger."""

    typed = forms.CharField(
        label="Type the name to confirm",
        max_length=400,
        error_messages={"required": "Type the name shown above."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name

    def clean_typed(self) -> str:
        def plain(name: str) -> str:
            return " ".join(unicodedata.normalize("NFC", name).casefold().split())

        typed = str(self.cleaned_data["typed"])
        if plain(typed) != plain(self._name):
            raise forms.ValidationError("The names don't match. Nothing was deleted.")
        return typed


class CourseFileForm(forms.Form):
    """A file with a course; when it is valid, ``content`` is that file, open."""

    file = forms.FileField(
        label="Course file",
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owner = owner
        self.fields["file"].help_text = (
            "A .zip exported by PyrEval Classroom, at most "
            f"{settings.LARGEST_COURSE_FILE // 1_000_000} MB."
        )

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        most = settings.LARGEST_COURSE_FILE
        if (file.size or 0) > most:
            raise forms.ValidationError(
                f"“{file.name}” has {(file.size or 0) / 1_000_000:,.0f} MB; at most "
                f"{most // 1_000_000} MB can be imported."
            )
        try:
            course_preview(cast(BinaryIO, file.file), self._owner)
        except InputError as error:
            raise forms.ValidationError(f"“{file.name}”: {error}") from None
        return file

    def content(self) -> BinaryIO:
        return cast(BinaryIO, self.cleaned_data["file"].file)


class CourseImportForm(forms.Form):
    """What an instructor decides before a file becomes a course."""

    name = forms.CharField(label="Name of the new course", max_length=200)
    term = forms.CharField(max_length=60, required=False)
    accounts = forms.ChoiceField(
        label="People with an account here",
        help_text="Add them only if you trust the file: its work will count as theirs.",
        choices=[
            ("join", "Add them to the new course with their work"),
            ("apart", "Create new accounts without an address for their work"),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what to do with people who have an account here."},
    )

    def __init__(self, *args: Any, preview: CoursePreview, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"name": preview.name, "term": preview.term})
        super().__init__(*args, **kwargs)
        if not preview.people.known:
            del self.fields["accounts"]

    def options(self) -> ImportOptions:
        cleaned = self.cleaned_data
        joins_accounts = cleaned.get("accounts") == "join"
        return ImportOptions(cleaned["name"], cleaned["term"], joins_accounts)
