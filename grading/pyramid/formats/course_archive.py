"""A whole course in a file: a zip of tables (JSON, one row a line), files to read, and a manifest.

Only the form is known here, not what the tables hold. Whatever is wrong with a file is an
InputError that names the part and the line; docs/formats.md tells the form to others.

A file from outside is opened by ``ArchiveReader`` in a process of its own (docs/decisions/0014),
which writes what it has checked for ``CheckedCourse`` to read.
"""

import hashlib
import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import IO, Any, BinaryIO, Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.zip_list import bytes_of_list

FORMAT: Final = "pyreval-classroom-course"
NUMBER: Final = 1  # of the format; a file with a higher one comes from a newer version
MANIFEST: Final = "manifest.json"
LONGEST_ROW: Final = 20_000_000  # bytes
MOST_VALUES: Final = 1_000_000  # of a row: an empty list takes two bytes here, and 60 in memory
BYTES_A_PART: Final = 300  # of the zip's own list of its parts, and of the manifest

_OLDEST: Final = (1980, 1, 1, 0, 0, 0)  # that a zip can tell
_INDEX_PLACE: Final = 20  # digits
# What no database keeps: the character 0, and halves of characters.
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,  # a way to compress that nobody uses
    RuntimeError,  # encrypted
    ValueError,
)

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CourseLimits:
    """What a file may hold."""

    unpacked: int  # bytes
    parts: int = 50_000
    rows: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the file says of itself; ``rows`` of each table, ``files`` with their SHA-256."""

    product_version: str
    written_at: str
    course: Mapping[str, str]
    rows: Mapping[str, int]
    files: Mapping[str, str]


# Names of tables and fields in files that were written before they got others.
EARLIER_TABLES: Mapping[str, str] = {"manual_grades": "hand_grades"}
EARLIER_FIELDS: Mapping[str, Mapping[str, str]] = {
    "reviews": {"looked_at": "reviewed_at", "looked_by": "reviewed_by"}
}


def table_file(table: str) -> str:
    return f"tables/{table}.jsonl"


# --- writing ---


@dataclass(slots=True)
class ArchiveWriter:
    """Tables and files one after the other, then ``finish``."""

    archive: zipfile.ZipFile
    when: datetime
    _rows: dict[str, int] = field(default_factory=dict)
    _files: dict[str, str] = field(default_factory=dict)

    def write_table(self, table: str, rows: Iterable[Row]) -> None:
        self._rows[table] = 0
        with self._entry(table_file(table)) as out:
            for row in rows:
                self._rows[table] += 1
                out.write(json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n")

    def write_file(self, name: str, content: str) -> None:
        with self._entry(f"files/{name}") as out:
            out.write(content.encode())

    def finish(self, *, product_version: str, course: Mapping[str, str], readme: str) -> None:
        with self._entry("README.txt") as out:
            out.write(readme.encode())
        manifest = {
            "format": FORMAT,
            "number": NUMBER,
            "product_version": product_version,
            "written_at": self.when.isoformat(timespec="seconds"),
            "course": dict(course),
            "rows": self._rows,
            "files": self._files,
        }
        with self._entry(MANIFEST) as out:
            out.write(json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n")

    @contextmanager
    def _entry(self, name: str) -> Iterator["_Hashing"]:
        info = zipfile.ZipInfo(name, max(self.when.timetuple()[:6], _OLDEST))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        with self.archive.open(info, "w", force_zip64=True) as raw:
            out = _Hashing(raw)
            yield out
        self._files[name] = out.sha256.hexdigest()


class _Hashing:
    """Writes on, and knows the SHA-256 of all that it wrote."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self.sha256 = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self.sha256.update(data)
        self._raw.write(data)


# --- reading ---


class ArchiveReader:
    """A course in a file, opened. Nothing of it is believed before ``check`` has been through."""

    def __init__(self, file: BinaryIO, limits: CourseLimits) -> None:
        self._limits = limits
        self._rows_read = 0
        with _in_words("the file"):
            if bytes_of_list(file) > limits.parts * BYTES_A_PART:
                raise self._too_many_parts()
            if not zipfile.is_zipfile(file):
                raise InputError("This is not a zip file, so it can't be an exported course.")
            self._archive = zipfile.ZipFile(file)
        infos = self._archive.infolist()
        if len(infos) > limits.parts:
            raise self._too_many_parts()
        self._names = {info.filename for info in infos}
        if len(self._names) != len(infos):
            raise InputError("The file is damaged: two parts have the same name.")
        if (unpacked := sum(info.file_size for info in infos)) > limits.unpacked:
            raise InputError(
                f"Unpacked this is {unpacked / 1_000_000:,.0f} MB; at most "
                f"{limits.unpacked / 1_000_000:,.0f} MB can be imported."
            )
        self.manifest = self._manifest()

    def _too_many_parts(self) -> InputError:
        return InputError(
            f"The zip holds more than {self._limits.parts:,} files. Choose a file that PyrEval "
            "Classroom has exported."
        )

    def _manifest(self) -> Manifest:
        if MANIFEST not in self._names:
            raise InputError("This zip is not an exported course: it has no manifest.json.")
        largest = self._limits.parts * BYTES_A_PART
        with _in_words(MANIFEST), self._archive.open(MANIFEST) as entry:
            content = entry.read(largest + 1)
        if len(content) > largest:
            raise InputError(f"{MANIFEST}: this is far longer than that of a course.")
        manifest = _value(content, MANIFEST)
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise InputError("This zip is not an exported course of PyrEval Classroom.")
        number = manifest.get("number")
        version = str(manifest.get("product_version", "unknown"))[:40]
        if number != NUMBER:
            raise InputError(
                f"This file was written in form {str(number)[:20]} (by version {version}); "
                f"only form {NUMBER} can be read here. A newer version may read it."
            )
        return Manifest(
            product_version=version,
            written_at=str(manifest.get("written_at", ""))[:40],
            course=_mapping(manifest, "course", str),
            rows=_mapping(manifest, "rows", int),
            files=_mapping(manifest, "files", str),
        )

    def check(self, tables: Iterable[str]) -> None:
        """Is all there that the manifest names, to the letter, and nothing else?"""
        known = {*tables, *EARLIER_TABLES.values()}
        if unknown := sorted(set(self.manifest.rows) - known):
            raise InputError(
                f"The file has a table “{unknown[0][:60]}” that is not known here. A newer "
                "version may read it."
            )
        if strange := sorted(self._names - set(self.manifest.files) - {MANIFEST}):
            raise InputError(f"“{strange[0][:100]}” is in the file, but not in its manifest.")
        for name, expected in self.manifest.files.items():
            if name not in self._names:
                raise InputError(f"“{name[:100]}” is missing: the file is incomplete.")
            if self._sha256(name) != expected:
                raise InputError(
                    f"“{name[:100]}” differs from its hash: the file is damaged, or was changed."
                )

    def _count_row(self) -> None:
        self._rows_read += 1
        if self._rows_read > self._limits.rows:
            raise InputError(
                f"The course has more than {self._limits.rows:,} rows. Export a part of it, or ask "
                "your administrator to raise the limit COURSE_FILE_ROWS."
            )

    def _sha256(self, name: str) -> str:
        digest = hashlib.sha256()
        with _in_words(name), self._archive.open(name) as entry:
            for piece in iter(lambda: entry.read(1_000_000), b""):
                digest.update(piece)
        return digest.hexdigest()

    def rows(self, table: str) -> Iterator[tuple[int, Row]]:
        """Each row with its line; none where there is no such table."""
        name = table_file(table)
        if name not in self._names:
            name = table_file(EARLIER_TABLES.get(table, table))
        if name not in self._names:
            return
        with _in_words(name), self._archive.open(name) as entry:
            for number, line in enumerate(_lines(entry, name), start=1):
                self._count_row()
                row = _value(line, f"{name}, line {number}")
                if not isinstance(row, dict):
                    raise InputError(f"{name}, line {number}: this is not a row of a table.")
                renamed = EARLIER_FIELDS.get(table, {})
                yield number, {renamed.get(field, field): cell for field, cell in row.items()}


# --- from the process that reads to the one that asked ---


def write_checked(reader: ArchiveReader, tables: Iterable[str], out: BinaryIO) -> None:
    """Write the manifest, and the rows of these tables, for ``CheckedCourse``."""
    places = {}
    for table in tables:
        places[table] = out.tell()
        rows = (json.dumps([line, row], separators=(",", ":")) for line, row in reader.rows(table))
        out.writelines(row.encode() + b"\n" for row in rows)
        out.write(b"\n")
    write_index({"manifest": asdict(reader.manifest), "places": places}, out)


def write_index(index: Mapping[str, Any], out: BinaryIO) -> None:
    place = out.tell()
    out.write(json.dumps(index).encode())
    out.write(f"{place:0{_INDEX_PLACE}d}".encode())


def read_index(file: IO[bytes]) -> dict[str, Any]:
    """What ``write_index`` wrote last; ValueError or OSError where that did not come to its end."""
    end = file.seek(-_INDEX_PLACE, io.SEEK_END)
    place = int(file.read(_INDEX_PLACE))
    file.seek(place)
    index: dict[str, Any] = json.loads(file.read(end - place))
    return index


class CheckedCourse:
    """What ``write_checked`` wrote, as often as you like."""

    def __init__(self, file: BinaryIO, index: Mapping[str, Any]) -> None:
        self._file = file
        self._places = index["places"]
        self.manifest = Manifest(**index["manifest"])

    def rows(self, table: str) -> Iterator[tuple[int, Row]]:
        """Each row with its line; none where there is no such table."""
        place = self._places[table]
        while True:
            self._file.seek(place)  # others may have read meanwhile
            line = self._file.readline()
            place += len(line)
            if not line.strip():
                return
            number, row = json.loads(line)
            yield number, row


@contextmanager
def _in_words(what: str) -> Iterator[None]:
    """What goes wrong in a damaged zip comes in many kinds, and means one thing."""
    try:
        yield
    except _BROKEN:
        raise InputError(f"The file is damaged: {what[:100]} cannot be read.") from None


def _lines(entry: IO[bytes], name: str) -> Iterator[bytes]:
    for line in iter(lambda: entry.readline(LONGEST_ROW + 1), b""):
        if len(line) > LONGEST_ROW:
            raise InputError(f"{name}: one of its rows is too long.")
        yield line


def _value(content: bytes, place: str) -> Any:
    try:
        value = json.loads(
            content.decode(), parse_constant=_no_number, parse_float=_finite, parse_int=_whole
        )
        if _values_in(value) > MOST_VALUES:
            raise InputError(f"{place}: this has more than {MOST_VALUES:,} values.")
    except UnicodeDecodeError:
        raise InputError(f"{place}: this is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{place}: this is not JSON ({error.msg}).") from None
    except (RecursionError, ValueError):
        raise InputError(f"{place}: this can't be stored.") from None
    return value


def _no_number(word: str) -> float:
    raise ValueError(word)


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(digits)
    return number


def _whole(digits: str) -> int:
    if len(digits.removeprefix("-")) > 18:  # more than a database can hold
        raise ValueError(digits)
    return int(digits)


def _values_in(value: Any) -> int:
    """How many there are; ValueError where one of them can't be stored."""
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            raise ValueError(value)
        return 1
    if isinstance(value, list):
        return 1 + sum(map(_values_in, value))
    if isinstance(value, dict):
        return 1 + sum(map(_values_in, value)) + sum(map(_values_in, value.values()))
    return 1


def _mapping(row: Row, key: str, kind: type) -> dict[str, Any]:
    value = row.get(key)
    if not isinstance(value, dict) or not all(isinstance(item, kind) for item in value.values()):
        raise InputError(f"{MANIFEST}: “{key}” is not what it should be.")
    return value
