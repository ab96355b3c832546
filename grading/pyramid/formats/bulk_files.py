"""Files of students' work, read: texts with what is known of whose they are, or why there is none.

What was uploaded is archives, single files and tables, mixed as you like. How an archive is
unpacked, and how a Word file or a PDF becomes text, is the caller's: it is done in a process of its
own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.bulk_names import MOODLE, PLAIN, NamedFile, named_files, platform_of
from grading.pyramid.formats.csv_table import Table, read_table, squash
from grading.pyramid.formats.encodings import as_typed
from grading.pyramid.formats.online_text import Receipt, read_receipt, text_of_html
from grading.pyramid.formats.reading_child import ONLINE_TEXT
from grading.pyramid.formats.roster_csv import columns_of, first_name_first
from grading.pyramid.formats.summary_file import SummaryText, read_summary_file
from grading.pyramid.formats.work_archive import (
    LARGEST_FILE,
    PackedFile,
    Unpacked,
    is_archive,
    is_noise,
    plain_path,
)
from grading.pyramid.structures import Text

# Work in a table: a column that says who, and one with what they wrote.
#
# Moodle's worksheet of an assignment may come beside its zip: it has the numbers that the zip's
# names have, with e-mail addresses or ID numbers to know the students by.

_TEXTS: Final = frozenset(
    [
        "text",
        "summary",
        "submission",
        "essay",
        "answer",
        "response",
        "onlinetext",
        "submissiontext",
        "work",
        "writing",
        "antwort",
        "zusammenfassung",
        "resumen",
        "texto",
        "resume",
        "texte",
        "riassunto",
        "testo",
    ]
)
_WORDS_OF_A_TEXT: Final = 8  # a column of fewer on average holds no summaries
_TAG: Final = "</"


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """A row of the table as if it were a file."""

    named: NamedFile
    text: str


def read_written_table(data: bytes, name: str) -> list[WrittenRow]:
    """A text for each row that has one; InputError names what the table lacks."""
    table = read_table(data)
    columns = columns_of(table.heading)
    if not columns:
        raise InputError(
            "No column names the students. Call it “Login”, “Student number”, “E-mail” or “Name”."
        )
    column = _text_column(table, columns)
    rows = []
    for row in table.rows:
        cell = row.cell(column)
        text = text_of_html(cell) if _TAG in cell else as_typed(cell)
        ids = {field: row.cell(index) for field, index in columns.items()}
        spelled = " ".join(filter(None, (ids.get("first"), ids.get("last"))))
        named = NamedFile(
            f"{name}, line {row.line}",
            PLAIN,
            name=spelled or first_name_first(ids.get("name", "")),
            lms_id=ids.get("lms_id", ""),
            logins=tuple(
                filter(None, (ids.get("student_number"), ids.get("login"), ids.get("email")))
            ),
        )
        rows.append(WrittenRow(named, text))
    return rows


def read_worksheet(data: bytes) -> Mapping[str, NamedFile] | None:
    """By the number in Moodle's names who it is; None where the table is no worksheet."""
    table = read_table(data)
    cells = [squash(cell) for cell in table.heading]
    columns = columns_of(table.heading)
    if "identifier" not in cells or not {"name", "email", "student_number"} & set(columns):
        return None
    texts = {}
    for row in table.rows:
        number = "".join(
            character for character in row.cell(cells.index("identifier")) if character.isdigit()
        )
        ids = [
            row.cell(columns[field]) for field in ("student_number", "email") if field in columns
        ]
        name = row.cell(columns["name"]) if "name" in columns else ""
        texts[number] = NamedFile("", name=name, logins=tuple(filter(None, ids)))
    return texts


@dataclass(frozen=True, slots=True)
class WorkTable:
    """A table as it was uploaded: students' texts, or Moodle's worksheet by participant."""

    rows: tuple[WrittenRow, ...] = ()
    worksheet: tuple[tuple[str, NamedFile], ...] | None = None


def read_work_table(data: bytes, name: str, has_moodle: bool) -> WorkTable:
    """What a table is beside files of Moodle, or else; InputError names what it lacks."""
    sheet = read_worksheet(data) if has_moodle else None
    if sheet is not None:
        return WorkTable(worksheet=tuple(sheet.items()))
    return WorkTable(tuple(read_written_table(data, name)))


def _text_column(table: Table, columns: Mapping[str, int]) -> int:
    taken = set(columns.values())
    for index, cell in enumerate(table.heading):
        if squash(cell) in _TEXTS and index not in taken:
            return index
    lengths = {
        index: sum(len(row.cell(index).split()) for row in table.rows)
        for index in range(len(table.heading))
        if index not in taken
    }
    best = max(lengths, key=lambda index: lengths[index], default=None)
    if best is None or lengths[best] < _WORDS_OF_A_TEXT * max(1, len(table.rows)):
        raise InputError("No column with texts was found. Call it “Text”.")
    return best


LONGEST_TEXT: Final = 60_000  # characters, as of what students type
MOST_TEXT: Final = 20_000_000  # characters of all texts together
_READ_APART: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_WEB_PAGES: Final = frozenset({".html", ".htm"})  # attached, whatever the platform
_PDF: Final = b"%PDF-"
_PDF_WITHIN: Final = 1024
_TOGETHER: Final = 8  # files unpacked before they are read: few enough to tell of progress

ReadApart = Callable[[bytes, str], SummaryText]
UnpackApart = Callable[[bytes], Unpacked]
ReadTableApart = Callable[[bytes, str, bool], WorkTable]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Upload:
    """As somebody chose it; ``name`` with its folders, where the browser sent them."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ReadFile:
    """``number`` tells files of one upload apart."""

    number: int
    named: NamedFile
    text: str = ""
    error: str = ""
    remark: str = ""

    @property
    def words(self) -> int:
        return Text("", self.text).word_count


@dataclass(frozen=True, slots=True)
class ReadUploads:
    """``left_out`` counts what platforms and systems put beside people's work."""

    files: tuple[ReadFile, ...]
    platform: str
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Apart:
    """How each kind of file is read in a process of its own. ``text`` is called from threads."""

    text: ReadApart
    unpack: UnpackApart
    table: ReadTableApart


def read_uploads(
    uploads: Sequence[Upload], apart: Apart, progress: Progress, *, at_once: int = 1
) -> ReadUploads:
    """Every file, whatever is wrong with others; InputError where there is none at all.

    ``at_once`` files are read at the same time.
    """
    with ThreadPoolExecutor(at_once) as pool:
        return _Reading(apart, progress, pool).read(uploads)


def files_to_json(files: Sequence[ReadFile]) -> list[dict[str, Any]]:
    return [_to_json(file) for file in files]


def files_from_json(rows: Sequence[Mapping[str, Any]]) -> list[ReadFile]:
    return [_from_json(row) for row in rows]


@dataclass(slots=True)
class _Source:
    """Named files, and where their bytes come from, in the same order."""

    named: list[NamedFile]
    packed: Iterator[PackedFile]


class _Reading:
    def __init__(self, apart: Apart, progress: Progress, pool: Executor) -> None:
        self._apart = apart
        self._progress = progress
        self._pool = pool
        self._files: list[ReadFile] = []
        self._receipts: dict[str, Receipt] = {}
        self._worksheet: dict[str, NamedFile] = {}
        self._left_out = 0
        self._characters = 0

    def read(self, uploads: Sequence[Upload]) -> ReadUploads:
        archives = [upload for upload in uploads if is_archive(upload.data, upload.name)]
        tables = [upload for upload in uploads if upload.name.lower().endswith((".csv", ".tsv"))]
        single = [upload for upload in uploads if upload not in archives and upload not in tables]
        sources = [*self._of_archives(archives), *self._of_single(single)]
        self._read_tables(tables, [file for source in sources for file in source.named])
        total, done = sum(len(source.named) for source in sources), 0
        for source in sources:
            for start in range(0, len(source.named), _TOGETHER):
                self._progress(done, total)
                together = source.named[start : start + _TOGETHER]
                packed = [_next(source.packed) for _ in together]
                self._read_together(together, packed)
                done += len(together)
        if not self._files:
            raise InputError("There is no student's file in your upload.")
        files = tuple(self._known_better(file) for file in self._files)
        return ReadUploads(files, platform_of([file.named for file in files]), self._left_out)

    def _of_archives(self, archives: Sequence[Upload]) -> Iterator[_Source]:
        for upload in archives:
            try:
                unpacked = self._apart.unpack(upload.data)
            except InputError as error:
                self._keep(NamedFile(plain_path(upload.name)), error=str(error))
            else:
                yield _Source(named_files(unpacked.paths), unpacked.files)

    def _of_single(self, uploads: Sequence[Upload]) -> Iterator[_Source]:
        kept = [upload for upload in uploads if not is_noise(plain_path(upload.name))]
        self._left_out += len(uploads) - len(kept)
        packed = [_packed(upload) for upload in kept]
        yield _Source(named_files([packed_file.path for packed_file in packed]), iter(packed))

    def _read_tables(self, tables: Sequence[Upload], files: Sequence[NamedFile]) -> None:
        has_moodle = any(file.platform == MOODLE for file in files)
        for upload in tables:
            name = PurePosixPath(plain_path(upload.name)).name
            try:
                table = self._apart.table(upload.data, name, has_moodle)
            except InputError as error:
                self._keep(NamedFile(name), error=str(error))
                continue
            self._worksheet |= table.worksheet or ()
            for row in table.rows:
                self._keep(row.named, row.text, "" if row.text else "There is no text.")

    def _read_together(self, named: Sequence[NamedFile], packed: Sequence[PackedFile]) -> None:
        for file, read in zip(named, self._pool.map(self._read, named, packed), strict=True):
            if read is None:
                self._left_out += 1
            elif isinstance(read, InputError):
                self._keep(file, error=str(read))
            else:
                self._keep_read(file, read)

    def _keep_read(self, named: NamedFile, read: SummaryText) -> None:
        receipt = read_receipt(read.text) if named.is_info else None
        if receipt is None:
            self._keep(named, read.text, remark=read.remark)
            return
        self._receipts[_attempt_of(named)] = receipt
        if receipt.text:
            self._keep(named, receipt.text)
        else:
            self._left_out += 1

    def _read(self, named: NamedFile, packed: PackedFile) -> SummaryText | InputError | None:
        """None for what is nobody's work. In a thread: nothing is changed."""
        if named.is_noise:
            return None
        try:
            return InputError(packed.error) if packed.error else self._text_of(named, packed.data)
        except InputError as error:
            return error

    def _text_of(self, named: NamedFile, data: bytes) -> SummaryText:
        ending = PurePosixPath(named.path).suffix.lower()
        if (named.is_online_text or ending in _WEB_PAGES) and data.strip():
            return self._apart.text(data, ONLINE_TEXT)
        if data.startswith(_READ_APART) or _PDF in data[:_PDF_WITHIN] or ending != ".txt":
            return self._apart.text(data, ending)
        return read_summary_file(data, ending)  # plain text needs no process of its own

    def _keep(self, named: NamedFile, text: str = "", error: str = "", remark: str = "") -> None:
        self._characters += len(text)
        if self._characters > MOST_TEXT:
            error, text = "Too much text for one upload. Send it in parts.", ""
        elif len(text) > LONGEST_TEXT:
            error = f"It has {len(text):,} characters; at most {LONGEST_TEXT:,} can be taken."
            text = ""
        self._files.append(ReadFile(len(self._files) + 1, named, text, error, remark))

    def _known_better(self, file: ReadFile) -> ReadFile:
        """With what a receipt or a worksheet says of whose it is."""
        named = file.named
        if (receipt := self._receipts.get(_attempt_of(named))) is not None:
            named = replace(named, logins=(receipt.login,), name=receipt.name)
        elif (line := self._worksheet.get(named.participant)) is not None:
            named = replace(named, logins=line.logins, name=line.name or named.name)
        return replace(file, named=named)


def _next(source: Iterator[PackedFile]) -> PackedFile:
    """The next file of an archive, or why there are no more."""
    try:
        return next(source)
    except InputError as error:
        return PackedFile("", error=str(error))
    except StopIteration:
        return PackedFile("", error="It was not read: the zip is too large.")


def _packed(upload: Upload) -> PackedFile:
    path = plain_path(upload.name)
    if path.lower().endswith(".zip"):
        return PackedFile(path, error="This isn't a zip, or it is damaged. Download it again.")
    if len(upload.data) > LARGEST_FILE:
        size = len(upload.data) / 1e6
        return PackedFile(path, error=f"The file has {size:.1f} MB; at most 5 MB can be read.")
    return PackedFile(path, upload.data)


def _attempt_of(named: NamedFile) -> str:
    """What the files of one attempt at Blackboard have in common."""
    if named.at is None:
        return ""
    stamp = f"{named.at:%Y-%m-%d-%H-%M-%S}"
    before, stamped, _ = named.path.partition(f"_attempt_{stamp}")
    return f"{before}{stamped}" if stamped else ""


def _to_json(file: ReadFile) -> dict[str, Any]:
    row = asdict(file)
    named = row["named"]
    named["at"] = named["at"].isoformat() if named["at"] else None
    return row


def _from_json(row: Mapping[str, Any]) -> ReadFile:
    named = dict(row["named"])
    named["at"] = datetime.fromisoformat(named["at"]) if named["at"] else None
    for several in ("logins", "hints"):
        named[several] = tuple(named[several])
    return ReadFile(**{**row, "named": NamedFile(**named)})
