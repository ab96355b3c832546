"""Files of annotations: what they are called, which are taken, and what is shown of them first."""

import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile

from grading.marking.actions_annotations import Annotated, Proposed
from grading.models import Assignment, Submission
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.formats.pyramid_json import Json, spans_from_json, spans_to_json

LARGEST_FILE = 9_000_000  # bytes, as it is sent
LARGEST_UNPACKED = 60_000_000  # bytes of all files together
MOST_FILES = 1_000


def annotation_names(submissions: Iterable[Submission]) -> dict[int, str]:
    """What the files are called: login (the pseudonym where names are hidden) and attempt.

    Of two that would have the same name each has its number besides.
    """
    names = {
        one.pk: f"{one.student.username}-{one.attempt}".replace(" ", "-") for one in submissions
    }
    count = Counter(names.values())
    return {pk: name if count[name] == 1 else f"{name}-{pk}" for pk, name in names.items()}


class AnnotationsForm(forms.Form):
    """A ``.pan`` file, or a zip of them; ``files_read`` are names without ending and contents."""

    file = forms.FileField(
        label="File",
        help_text="A .pan file of DUCView, or a .zip of such files. At most 9 MB.",
        widget=forms.FileInput(attrs={"accept": ".pan,.zip,.xml"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(
                f"“{file.name}” has {file.size or 0:,} bytes; at most {LARGEST_FILE:,} can be "
                "taken."
            )
        data = file.read()
        self.files_read = (
            self._unpacked(data) if data.startswith(b"PK") else [(_stem(str(file.name)), data)]
        )
        return file

    def _unpacked(self, data: bytes) -> list[tuple[str, bytes]]:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = [one for one in archive.infolist() if _is_annotation(one)]
                if (
                    len(entries) > MOST_FILES
                    or sum(e.file_size for e in entries) > LARGEST_UNPACKED
                ):
                    raise forms.ValidationError(
                        f"The archive holds too much: at most {MOST_FILES:,} files of together "
                        f"{LARGEST_UNPACKED // 1_000_000} MB can be taken."
                    )
                found = [(_stem(entry.filename), archive.read(entry)) for entry in entries]
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
            raise forms.ValidationError("The archive is damaged, or locked.") from None
        if not found:
            raise forms.ValidationError("The archive holds no .pan file.")
        twice = [name for name, count in Counter(name for name, _ in found).items() if count > 1]
        if twice:
            raise forms.ValidationError(f"The archive holds “{twice[0]}.pan” twice.")
        return found


def _is_annotation(entry: zipfile.ZipInfo) -> bool:
    """Not what macOS puts beside each file."""
    path = PurePosixPath(entry.filename)
    return path.suffix.lower() == ".pan" and "__MACOSX" not in path.parts


def _stem(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).stem


class ProposedForm(forms.Form):
    """What was shown, signed, so that nothing else comes back."""

    proposed = forms.CharField(
        widget=forms.HiddenInput, error_messages={"required": "There was nothing to take over."}
    )

    def __init__(
        self,
        *args: Any,
        assignment: Assignment,
        shown: Sequence[Annotated] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._salt = f"annotations for assignment {assignment.pk}"
        value = [_to_json(one) for one in shown if one.is_change]
        self.initial["proposed"] = signing.dumps(value, salt=self._salt, compress=True)

    def clean_proposed(self) -> list[Proposed]:
        try:
            value = signing.loads(self.cleaned_data["proposed"], salt=self._salt)
        except signing.BadSignature:
            raise forms.ValidationError(
                "What was to be taken over is not what was shown. Choose the file once more."
            ) from None
        return [_from_json(one) for one in value]


def _to_json(one: Annotated) -> Json:
    changes = one.changes.corrections if one.changes else ()
    return {
        "submission": one.submission.pk if one.submission else 0,
        "stamp": one.stamp,
        "changes": [[c.scu, str(c.verdict), spans_to_json(c.spans)] for c in changes],
    }


def _from_json(value: dict[str, Any]) -> Proposed:
    return Proposed(
        value["submission"],
        value["stamp"],
        tuple(
            Correction(uid, Verdict(verdict), spans_from_json(spans) if spans else ())
            for uid, verdict, spans in value["changes"]
        ),
    )
