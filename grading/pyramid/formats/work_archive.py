"""Zip archives of students' work: unpacked piece by piece, under limits.

No path leads out of anything, as no file keeps its name outside of the archive; what an archive
says of its sizes is only the first hurdle, and archives within archives stay closed. It is done in
a process of its own (docs/decisions/0014), which writes what ``read_unpacked`` reads.
"""

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import write_index
from grading.pyramid.formats.zip_list import bytes_of_list

MOST_FILES: Final = 2_000
LARGEST_FILE: Final = 5_000_000  # bytes, unpacked
LARGEST_WHOLE: Final = 250_000_000  # bytes of all files, unpacked
LONGEST_LIST: Final = 4_000_000  # bytes of the archive's own list of its files
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


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The files of an archive in its order; ``files`` raises InputError where the rest is left."""

    paths: Sequence[str]
    files: Iterator[PackedFile]


def write_unpacked(file: BinaryIO, out: BinaryIO) -> None:
    """The bytes of all files, then where each begins; InputError where it is no such archive."""
    if bytes_of_list(file) > LONGEST_LIST:
        raise _too_many()
    with _damage_as_input_error(), zipfile.ZipFile(file) as archive:
        entries = _entries(archive)
        paths = [_path(entry) for entry in entries]
        if len(paths) > MOST_FILES:
            raise _too_many(f"{len(paths):,} files")
        rows: list[dict[str, Any]] = []
        error = ""
        for entry in entries:
            start = out.tell()
            packed = _unpack(archive, entry)
            if start + len(packed.data) > LARGEST_WHOLE:
                error = (
                    f"The unpacked files are larger than {LARGEST_WHOLE // 1_000_000} MB. "
                    "Send it in parts."
                )
                break
            out.write(packed.data)
            rows.append({"start": start, "size": len(packed.data), "error": packed.error})
    write_index({"paths": paths, "rows": rows, "rest": error}, out)


def _too_many(many: str = "too many files") -> InputError:
    return InputError(f"The zip holds {many}; at most {MOST_FILES:,} can be read at once.")


def read_unpacked(file: BinaryIO, index: Mapping[str, Any]) -> Unpacked:
    return Unpacked(index["paths"], _files(file, index))


def _files(file: BinaryIO, index: Mapping[str, Any]) -> Iterator[PackedFile]:
    for path, row in zip(index["paths"], index["rows"], strict=False):
        file.seek(row["start"])
        yield PackedFile(path, file.read(row["size"]), row["error"])
    if index["rest"]:
        raise InputError(index["rest"])


def _entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [entry for entry in archive.infolist() if not is_noise(_path(entry))]


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> PackedFile:
    path = _path(entry)
    if path.lower().endswith(".zip"):
        return PackedFile(path, error="This is a zip inside the zip. It was not opened.")
    if entry.flag_bits & _ENCRYPTED:
        return PackedFile(path, error="This file is protected by a password.")
    if entry.file_size > LARGEST_FILE:
        return PackedFile(path, error=_too_large(entry.file_size))
    try:
        with _damage_as_input_error():
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
    return "".join(character for character in path if character.isprintable())[-_LONGEST_PATH:]


@contextmanager
def _damage_as_input_error() -> Iterator[None]:
    """All that zipfile raises over archives that are broken, or made to break readers."""
    try:
        yield
    except (
        zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
        KeyError, OverflowError, lzma.LZMAError, NotImplementedError,
    ):  # fmt: skip
        raise InputError("The zip is damaged. Download it again, then try again.") from None
