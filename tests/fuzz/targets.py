"""What is fuzzed: a reader of each kind of file, and the files that a run begins with.

A reader may refuse a file with ``InputError``. Anything else that it raises is a find.
"""

import hashlib
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from grading.pyramid.amr.penman_files import read_penman
from grading.pyramid.content import ContentModel, Element, Place, PluggedFile
from grading.pyramid.edus.units import read_units_file
from grading.pyramid.errors import InputError
from grading.pyramid.formats.annotation_files import read_annotation_files
from grading.pyramid.formats.bulk_files import read_worksheet, read_written_table
from grading.pyramid.formats.content_json import read_model, write_model
from grading.pyramid.formats.course_archive import (
    FORMAT,
    MANIFEST,
    ArchiveReader,
    CourseLimits,
    write_checked,
)
from grading.pyramid.formats.ducview import (
    read_annotation,
    read_marked_ideas,
    read_pyramid,
    write_annotation,
    write_pyramid,
)
from grading.pyramid.formats.encodings import decode
from grading.pyramid.formats.file_import import read_file
from grading.pyramid.formats.learnt_curve_json import read_curve, write_curve
from grading.pyramid.formats.lms.reading import read_grade_file
from grading.pyramid.formats.online_text import read_online_text
from grading.pyramid.formats.pyramid_json import write_pyramid_json
from grading.pyramid.formats.roster_csv import read_roster
from grading.pyramid.formats.rubric_list import read_rubric
from grading.pyramid.formats.tab_list import write_tab_list
from grading.pyramid.formats.word_file import word_text
from grading.pyramid.formats.work_archive import write_unpacked
from grading.pyramid.structures import Span, Text
from grading.pyramid.triples.triple import read_table
from tests.pyramid.amr.test_penman_files import GRAPH
from tests.pyramid.formats import made_zips, test_learnt_curve_json, test_roster_csv
from tests.pyramid.formats.made_files import paragraph, word_document, word_file
from tests.pyramid.formats.pyramids import EXAMPLE
from tests.pyramid.formats.test_annotation_file import EXPECTED

GOLDEN = Path(__file__).parents[1] / "pyramid" / "formats" / "lms" / "golden"
LIMITS = CourseLimits(unpacked=2_000_000, parts=100, rows=10_000)
TABLE = "tables/members.jsonl"


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, and files that it reads or nearly reads."""

    read: Callable[[bytes], object]
    seeds: Callable[[], Sequence[bytes]]

    def ask(self, data: bytes) -> None:
        try:
            self.read(data)
        except InputError:
            return


def _course(data: bytes) -> None:
    reader = ArchiveReader(BytesIO(data), LIMITS)
    reader.check(["members"])
    write_checked(reader, ["members"], BytesIO())


def _zipped(parts: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def _course_of_rows(rows: bytes) -> bytes:
    manifest = {
        "format": FORMAT,
        "number": 1,
        "product_version": "1",
        "written_at": "2026-11-19",
        "course": {"name": "Bees", "term": ""},
        "rows": {"members": 1},
        "files": {TABLE: hashlib.sha256(rows).hexdigest()},
    }
    return _zipped({TABLE: rows, MANIFEST: json.dumps(manifest).encode()})


def _manifest_alone(manifest: bytes) -> None:
    _course(_zipped({MANIFEST: manifest}))


def _word_xml(document: bytes) -> None:
    """Inside of the zip: a changed byte there would only break its checksum."""
    with zipfile.ZipFile(BytesIO(word_file(""))) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    word_text(_zipped(parts | {"word/document.xml": document}))


def _lms(data: bytes) -> None:
    read_grade_file(data)


def _rosters() -> list[bytes]:
    names = ("CANVAS", "MOODLE", "BLACKBOARD", "BRIGHTSPACE", "SAKAI")
    return [str(getattr(test_roster_csv, name)).encode() for name in names]


def _gradebooks() -> list[bytes]:
    return [path.read_bytes() for path in sorted(GOLDEN.glob("*/input.*"))]


def _zips() -> list[bytes]:
    return [made_zips.MOODLE, made_zips.CANVAS, made_zips.BLACKBOARD, made_zips.SAKAI]


PYR = write_pyramid(EXAMPLE).encode()
PAN = write_annotation(EXPECTED).encode()
MEMBER = b'{"id": 1, "role": "student", "user": 1, "score": 1.5, "ids": [1, null, "\\u00e9"]}\n'
EDUS = [{"kind": "edu", "spans": [[0, 4]]}, {"kind": "edu", "spans": [[5, 9], [10, 12]]}]
UNITS = json.dumps({"summary": "Ada", "units": EDUS}).encode()
CURVE = write_curve(test_learnt_curve_json.CURVE, signature="s", pyramid="p", texts=9).encode()
ADA = Text("Ada", "Bees dance.")
BEES = Element(1, "Bees", 1.0, (Place("Ada", (Span(0, 4),)),), {"head": "bee"})
MODEL = write_model(ContentModel("be-hm", {"links": "hm"}, (ADA,), (BEES,), ADA)).encode()
AMR = f"# ::snt The boy doesn't want to go.\n{GRAPH}\n".encode()
IDEAS = {scu.uid for scu in EXAMPLE.scus}
EMPTY_MANIFEST = json.dumps(
    {"format": FORMAT, "number": 1, "course": {"name": "a"}, "rows": {"members": 0}, "files": {}}
).encode()
TRIPLES = b"Bees dance in the dark .\t0.9\tdance\tBees\tin the dark\n"
WORK = b'Login,Text\naokoro,"Dark roofs store the heat, and trees cool the streets."\n'
SHEET = b'Identifier,"Full name","Email address",Grade\n"Participant 12",Ada,ada@example.edu,\n'
PAGE = b"<!DOCTYPE html><html><head><title>x</title></head><body><p>Bees &amp; dance</p></body>"

TARGETS = {
    "pyr": Target(read_pyramid, lambda: [PYR]),
    "pan": Target(lambda data: read_annotation(data, "a"), lambda: [PAN, PYR]),
    "pan-ideas": Target(lambda data: read_marked_ideas(data, IDEAS), lambda: [PAN]),
    "pan-files": Target(
        lambda data: read_annotation_files(data, "a.zip"),
        lambda: [_zipped({"class/ada-1.pan": PAN, "__MACOSX/._ada-1.pan": b"x"}), PAN],
    ),
    "pyramid-file": Target(
        lambda data: read_file(data, EXAMPLE.references),
        lambda: [PYR, write_pyramid_json(EXAMPLE).encode(), write_tab_list(EXAMPLE).encode()],
    ),
    "rubric": Target(
        lambda data: read_rubric(decode(data).text), lambda: [b"4\tBees dance\n2  Roofs (3)\n- x"]
    ),
    "docx": Target(word_text, lambda: [word_file(paragraph("Bees dance."))]),
    "docx-xml": Target(_word_xml, lambda: [word_document(paragraph("Bees dance.")).encode()]),
    "online-text": Target(read_online_text, lambda: [PAGE]),
    "roster": Target(read_roster, _rosters),
    "lms": Target(_lms, _gradebooks),
    "work-table": Target(lambda data: read_written_table(data, "x.csv"), lambda: [WORK]),
    "worksheet": Target(read_worksheet, lambda: [SHEET]),
    "work-zip": Target(lambda data: write_unpacked(BytesIO(data), BytesIO()), _zips),
    "course": Target(_course, lambda: [_course_of_rows(MEMBER)]),
    "course-rows": Target(lambda rows: _course(_course_of_rows(rows)), lambda: [MEMBER * 2]),
    "course-manifest": Target(_manifest_alone, lambda: [EMPTY_MANIFEST]),
    "amr": Target(lambda data: read_penman("a", decode(data).text), lambda: [AMR]),
    "triples": Target(lambda data: read_table(data, "t.tsv"), lambda: [TRIPLES]),
    "units": Target(lambda data: read_units_file(PluggedFile("u", data)), lambda: [UNITS]),
    "content-model": Target(lambda data: read_model(decode(data).text), lambda: [MODEL]),
    "learnt-curve": Target(
        lambda data: read_curve(data, signature="s", pyramid="p"), lambda: [CURVE]
    ),
}
