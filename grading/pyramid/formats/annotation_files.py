"""Annotations of several summaries as they are uploaded: one ``.pan`` file, or a zip of them."""

import io
import lzma
import struct
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import Annotation, read_annotation
from grading.pyramid.formats.zip_list import bytes_of_list

MOST_FILES: Final = 1_000
LARGEST_UNPACKED: Final = 60_000_000  # bytes of all files together
_LONGEST_LIST: Final = 1_000_000  # bytes of a zip's own list of its files
# All that zipfile raises over archives that are broken, or made to break readers.
_DAMAGE: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
    KeyError, OverflowError, lzma.LZMAError, NotImplementedError,
)  # fmt: skip
_TOO_LARGE: Final = (
    f"The zip is too large. The limit is {MOST_FILES:,} files with a total of "
    f"{LARGEST_UNPACKED // 1_000_000} MB."
)


@dataclass(frozen=True, slots=True)
class AnnotationFile:
    """A file by its name without ending; where it can't be read, ``problem`` says why.

    The ideas of the annotation's pyramid have numbers and labels, but no words of references.
    """

    name: str
    annotation: Annotation | None = None
    problem: str = ""


def read_annotation_files(data: bytes, name: str) -> tuple[AnnotationFile, ...]:
    """The annotations in an uploaded file of this name; InputError where there is none."""
    if not data.startswith(b"PK"):
        return (_read(_stem(name), data),)
    if bytes_of_list(io.BytesIO(data)) > _LONGEST_LIST:
        raise InputError(_TOO_LARGE)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = _entries(archive)
            return tuple(_read(_stem(entry.filename), archive.read(entry)) for entry in entries)
    except _DAMAGE:
        raise InputError("The zip is damaged, or locked with a password.") from None


def _entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = [entry for entry in archive.infolist() if _is_annotation(entry)]
    size = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_FILES or size > LARGEST_UNPACKED:
        raise InputError(_TOO_LARGE)
    if not entries:
        raise InputError("The zip has no .pan file.")
    names = Counter(_stem(entry.filename) for entry in entries)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InputError(f"The zip has “{twice[0]}.pan” twice.")
    return entries


def _is_annotation(entry: zipfile.ZipInfo) -> bool:
    """macOS puts a file of its own beside each, in a folder __MACOSX."""
    path = PurePosixPath(entry.filename)
    return path.suffix.lower() == ".pan" and "__MACOSX" not in path.parts


def _stem(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).stem


def _read(name: str, data: bytes) -> AnnotationFile:
    try:
        annotation = read_annotation(data, name)
    except InputError as error:
        return AnnotationFile(name, problem=str(error))
    scus = tuple(replace(scu, contributors=()) for scu in annotation.pyramid.scus)
    bare = replace(annotation.pyramid, references=(), scus=scus)
    return AnnotationFile(name, replace(annotation, pyramid=bare))
