"""The form of a course's file: what is written is read; whatever is damaged is said so."""

import io
import json
import struct
import zipfile
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import (
    ArchiveReader,
    ArchiveWriter,
    CheckedCourse,
    CourseLimits,
    Row,
    read_index,
    write_checked,
)
from grading.pyramid.formats.zip_list import bytes_of_list

LIMITS = CourseLimits(unpacked=1_000_000, parts=20, rows=100)
WHEN = datetime(2026, 5, 3, 9, 30, tzinfo=UTC)
ROWS: list[Row] = [
    {"id": 1, "text": "Zoë wrote “حر”\n\t=1+1", "score": 0.1, "none": None},
    {"id": 2, "text": "🚲" * 40, "score": -1e-9, "none": [True, {}]},
]
STORED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab"), inner, max_size=4),
    max_leaves=8,
)


def written(rows: list[Row]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        writer = ArchiveWriter(archive, WHEN)
        writer.write_table("things", rows)
        writer.write_file("01/text.txt", "Text")
        writer.finish(product_version="9", course={"name": "C", "term": ""}, readme="Read")
    return out.getvalue()


def read(content: bytes) -> list[Row]:
    reader = ArchiveReader(io.BytesIO(content), LIMITS)
    reader.check(["things"])
    rows = [row for _, row in reader.rows("things")]
    assert rows == [row for _, row in checked(reader).rows("things")]
    return rows


def checked(reader: ArchiveReader) -> CheckedCourse:
    """What the other process is told of it."""
    out = io.BytesIO()
    write_checked(reader, ["things"], out)
    return CheckedCourse(out, read_index(out))


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.text("abc", min_size=1), STORED), max_size=4))
def test_rows_come_back_as_they_went(rows: list[Row]) -> None:
    assert read(written(rows)) == rows


WHOLE = written(ROWS)


@given(st.data())
def test_a_damaged_file_is_refused_or_still_says_the_same(data: st.DataObject) -> None:
    """One byte is another, or the file ends too early."""
    place = data.draw(st.integers(0, len(WHOLE) - 1))
    byte = data.draw(st.integers(0, 255))
    damaged = WHOLE[:place] + bytes([byte]) + WHOLE[place + 1 :]
    if data.draw(st.booleans()):
        damaged = WHOLE[:place]
    try:
        rows = read(damaged)
    except InputError:
        return
    assert rows == ROWS


def test_the_manifest_says_what_is_there() -> None:
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as archive:
        document = json.loads(archive.read("manifest.json"))

    assert (document["format"], document["number"]) == ("pyreval-classroom-course", 1)
    assert document["rows"] == {"things": 2}
    assert set(document["files"]) == {"tables/things.jsonl", "files/01/text.txt", "README.txt"}


@pytest.mark.parametrize("line", ["[1]", "{", '{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}'])
def test_a_row_that_cannot_be_kept_is_named(line: str) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as old, zipfile.ZipFile(content, "w") as new:
        for name in old.namelist():
            new.writestr(name, line if name.startswith("tables/") else old.read(name))
    reader = ArchiveReader(content, LIMITS)

    with pytest.raises(InputError, match=r"^tables/things.jsonl, line 1: "):
        list(reader.rows("things"))


def test_a_file_from_before_tables_and_fields_got_other_names_is_read() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        writer = ArchiveWriter(archive, WHEN)
        writer.write_table("hand_grades", [{"id": 1, "points": "5"}])
        writer.write_table("reviews", [{"id": 2, "looked_at": "2026-05-03", "looked_by": 7}])
        writer.finish(product_version="9", course={"name": "C", "term": ""}, readme="Read")
    reader = ArchiveReader(io.BytesIO(out.getvalue()), LIMITS)

    reader.check(["manual_grades", "reviews"])

    assert [row for _, row in reader.rows("manual_grades")] == [{"id": 1, "points": "5"}]
    [review] = [row for _, row in reader.rows("reviews")]
    assert review == {"id": 2, "reviewed_at": "2026-05-03", "reviewed_by": 7}


def zipped(parts: dict[str, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out


def test_a_zip_of_too_many_parts_is_refused_by_both_counts() -> None:
    with pytest.raises(InputError, match="holds more than 20 files"):
        ArchiveReader(zipped({f"{number}": b"" for number in range(21)}), LIMITS)
    with pytest.raises(InputError, match="holds more than 20 files"):
        ArchiveReader(zipped({f"{number:0200}": b"" for number in range(60)}), LIMITS)


def test_a_list_that_only_the_form_for_large_files_tells_of_is_seen() -> None:
    """zipfile believes that form, so what the other one says is of no use."""
    whole = zipped({"a": b"x"}).getvalue()
    place = whole.rindex(b"PK\x05\x06")
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 10**9, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, place, 1)

    assert bytes_of_list(io.BytesIO(whole)) < 100
    assert bytes_of_list(io.BytesIO(whole[:place] + large + locator + whole[place:])) == 10**9
    assert bytes_of_list(io.BytesIO(b"no zip")) == 0


def test_rows_and_values_are_counted() -> None:
    many = io.BytesIO(written([{"id": number} for number in range(101)]))
    with pytest.raises(InputError, match=r"more than 100 rows.*COURSE_FILE_ROWS"):
        list(ArchiveReader(many, LIMITS).rows("things"))

    manifest = {"format": "pyreval-classroom-course", "number": 1, "course": {}, "rows": {}}
    manifest |= {"files": {}, "values": [[]] * 1_000_000}
    content = json.dumps(manifest, separators=(",", ":")).encode()
    limits = CourseLimits(unpacked=10_000_000)
    with pytest.raises(InputError, match="more than 1,000,000 values"):
        ArchiveReader(zipped({"manifest.json": content}), limits)
    with pytest.raises(InputError, match="far longer than that of a course"):
        ArchiveReader(zipped({"manifest.json": content + b" " * 9_000}), replace(limits, parts=20))
