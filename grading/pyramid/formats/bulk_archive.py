"""Zip archives of students' work: unpacked in memory, piece by piece, under limits.

Nothing is written anywhere, so no path leads out of anything; what an archive says of its sizes is
only the first hurdle, and archives within archives stay closed.
"""

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from grading.pyramid.errors import InputError

MOST_FILES: Final = 2_000
LARGEST_FILE: Final = 5_000_000  # bytes, unpacked
LARGEST_WHOLE: Final = 250_000_000  # bytes of all files, unpacked
_LONGEST_PATH: Final = 400
_PIECE: Final = 1 << 16
_NOT_WORK: Final = re.compile(
    r"(?:^|/)(?:__MACOSX/|\.|~\$)|(?:^|/)(?:Thumbs\.db|desktop\.ini)$", re.IGNORECASE
)
_UTF8: Final = 0x800
_ENCRYPTED: Final = 0x1


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file of an archive: its bytes, or why there are none."""

    path: str
    data: bytes = b""
    error: str = ""


def is_archive(data: bytes, name: str) -> bool:
    return name.lower().endswith(".zip") and data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_noise(path: str) -> bool:
    """What systems put beside people's files."""
    return bool(_NOT_WORK.search(path)) or path.endswith("/")


def paths_in(data: bytes) -> list[str]:
    """The files of an archive in its order; InputError where it is none, or holds far too many."""
    with _damage_told(), zipfile.ZipFile(BytesIO(data)) as archive:
        paths = [_path(entry) for entry in _entries(archive)]
    if len(paths) > MOST_FILES:
        raise InputError(
            f"The zip holds {len(paths):,} files; at most {MOST_FILES:,} can be read at once."
        )
    return paths


def unpacked(data: bytes) -> Iterator[PackedFile]:
    """The files of ``paths_in`` one by one; InputError once they are too large together."""
    with _damage_told(), zipfile.ZipFile(BytesIO(data)) as archive:
        size = 0
        for entry in _entries(archive):
            packed = _unpack(archive, entry)
            size += len(packed.data)
            if size > LARGEST_WHOLE:
                raise InputError(
                    f"What is in the zip is larger than {LARGEST_WHOLE // 1_000_000} MB. "
                    "Send it in several parts."
                )
            yield packed


def _entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [entry for entry in archive.infolist() if not is_noise(_path(entry))]


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> PackedFile:
    path = _path(entry)
    if path.lower().endswith(".zip"):
        return PackedFile(path, error="This is a zip inside the zip; it is not opened.")
    if entry.flag_bits & _ENCRYPTED:
        return PackedFile(path, error="This file is protected by a password.")
    if entry.file_size > LARGEST_FILE:
        return PackedFile(path, error=_too_large(entry.file_size))
    try:
        with _damage_told():
            return PackedFile(path, _limited(archive, entry))
    except InputError:
        return PackedFile(path, error="This file is damaged in the zip.")
    except _TooLargeError:
        return PackedFile(path, error=_too_large(LARGEST_FILE + 1))


class _TooLargeError(Exception):
    pass


def _limited(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    pieces, size = [], 0
    with archive.open(entry) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            if size > LARGEST_FILE:
                raise _TooLargeError
            pieces.append(piece)
    return b"".join(pieces)


def _too_large(size: int) -> str:
    return f"The file has {size / 1e6:.1f} MB; at most {LARGEST_FILE // 1_000_000} MB can be read."


def _path(entry: zipfile.ZipInfo) -> str:
    """As a person wrote it: archives without the mark of UTF-8 often are in it all the same."""
    name = entry.filename
    if not entry.flag_bits & _UTF8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = entry.filename
    return plain_path(name)


def plain_path(name: str) -> str:
    """With / between folders, none of which leads upwards, and nothing that nobody sees."""
    parts = name.replace("\\", "/").split("/")
    kept = [part for part in parts[:-1] if part not in {"", ".", ".."}]
    path = "/".join([*kept, parts[-1]])
    return "".join(one for one in path if one.isprintable())[-_LONGEST_PATH:]


@contextmanager
def _damage_told() -> Iterator[None]:
    """All that zipfile raises over archives that are broken, or made to break readers."""
    try:
        yield
    except (
        zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
        KeyError, OverflowError, lzma.LZMAError, NotImplementedError,
    ):  # fmt: skip
        raise InputError("The zip is damaged. Download it anew, and try again.") from None
