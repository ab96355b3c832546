"""Uploads of work: each platform's zip, tables, single files; one bad file keeps none out."""

from datetime import datetime
from io import BytesIO

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.formats import work_archive
from grading.pyramid.formats.bulk_files import (
    Apart,
    ReadFile,
    ReadUploads,
    Upload,
    files_from_json,
    files_to_json,
    read_uploads,
    read_work_table,
)
from grading.pyramid.formats.course_archive import read_index
from grading.pyramid.formats.online_text import read_online_text
from grading.pyramid.formats.reading_child import ONLINE_TEXT
from grading.pyramid.formats.summary_file import SummaryText, read_summary_file
from grading.pyramid.formats.work_archive import Unpacked, read_unpacked, write_unpacked
from tests.pyramid.formats.made_zips import (
    ADA,
    BEN,
    BLACKBOARD,
    BRIGHTSPACE,
    CANVAS,
    CHI,
    MOODLE,
    PLAIN,
    SAKAI,
    packed,
)


def here(data: bytes, ending: str) -> SummaryText:
    """What the child does, in this process."""
    if ending == ONLINE_TEXT:
        return SummaryText(read_online_text(data))
    return read_summary_file(data, ending)


def unpack_here(data: bytes) -> Unpacked:
    out = BytesIO()
    write_unpacked(BytesIO(data), out)
    return read_unpacked(out, read_index(out))


HERE = Apart(here, unpack_here, read_work_table)


def untold(*progress: int) -> None:
    """Nobody waits for it."""


def read(*uploads: tuple[str, bytes]) -> ReadUploads:
    return read_uploads([Upload(*upload) for upload in uploads], HERE, untold)


def texts(uploads: ReadUploads) -> dict[str, str]:
    return {file.named.path.split("/")[-1]: file.text for file in uploads.files}


def by_person(uploads: ReadUploads) -> dict[str, ReadFile]:
    return {file.named.name: file for file in uploads.files}


def test_moodles_files_and_online_texts_in_all_three_shapes() -> None:
    result = read(("essays.zip", MOODLE))

    assert result.platform == "Moodle"
    people = by_person(result)
    assert {name: file.text for name, file in people.items()} == {
        "Ada Okoro": ADA,
        "Ben van Dyk": BEN,
        "Zoë Brânză": CHI,
        "عمر حداد": CHI,
    }
    assert people["Zoë Brânză"].named.participant == "123458"
    assert result.left_out == 1  # the picture of an online text


def test_moodles_worksheet_beside_its_zip_says_who_is_who() -> None:
    sheet = (
        '\ufeffIdentifier,"Full name","ID number","Email address",Grade\n'
        '"Participant 123456","Ada Okoro",0007,ada@example.edu,\n'
    )

    result = read(("essays.zip", MOODLE), ("Grades-x.csv", sheet.encode()))

    assert by_person(result)["Ada Okoro"].named.logins == ("0007", "ada@example.edu")


def test_canvass_ids_lateness_and_pages() -> None:
    result = read(("submissions.zip", CANVAS))

    assert result.platform == "Canvas"
    rows = [(file.named.lms_id, file.named.late, file.text) for file in result.files]
    assert rows == [("901", False, ADA), ("902", True, BEN), ("903", False, CHI)]
    assert result.left_out == 1  # a link


@pytest.mark.parametrize(
    "path",
    [
        "okoroada_901_5001_essay.html",
        "x_aokoro_attempt_2026-01-31-12-00-00_essay.htm",
        "Ada Okoro_12_assignsubmission_file/essay.html",
    ],
)
def test_web_pages_are_read_that_were_attached(path: str) -> None:
    result = read(("submissions.zip", packed({path: f"<html><body><p>{ADA}</p></body></html>"})))

    assert [(file.text, file.error) for file in result.files] == [(ADA, "")]


def test_blackboards_receipts_say_whose_a_file_is_and_hold_texts() -> None:
    result = read(("gradebook_x.zip", BLACKBOARD))

    assert result.platform == "Blackboard"
    rows = [(file.named.logins, file.named.at, file.text) for file in result.files]
    assert rows == [
        (("aokoro",), datetime(2026, 1, 31, 12, 0, 0), ADA),  # noqa: DTZ001
        (("b_dyk",), datetime(2026, 1, 30, 9, 0, 0), BEN),  # noqa: DTZ001
        (("b_dyk",), datetime(2026, 1, 31, 9, 0, 0), f"{BEN}\n\nAnd more."),  # noqa: DTZ001
    ]


def test_brightspaces_folders() -> None:
    result = read(("Essay 1 Download.zip", BRIGHTSPACE))

    assert result.platform == "Brightspace"
    rows = [(file.named.name, file.named.at, file.text) for file in result.files]
    assert rows == [
        ("Ada Okoro", datetime(2026, 1, 31, 12, 0), ADA),  # noqa: DTZ001
        ("Ben van Dyk", datetime(2026, 9, 2, 9, 30), BEN),  # noqa: DTZ001
    ]
    assert result.left_out == 1


def test_sakais_folders_with_and_without_attachments() -> None:
    result = read(("bulk.zip", SAKAI))

    assert result.platform == "Sakai"
    by_login = {file.named.logins: file.text for file in result.files}
    assert by_login == {("aokoro",): ADA, ("bdyk",): BEN, ("cchi",): CHI}
    assert result.left_out == 3


def test_a_zip_of_ones_own_files_and_several_files_at_once() -> None:
    assert texts(read(("mine.zip", PLAIN)))["aokoro.txt"] == ADA

    result = read(
        ("aokoro.txt", ADA.encode()), ("class/Ben van Dyk/essay.html", f"<p>{BEN}".encode())
    )

    assert [file.text for file in result.files] == [ADA, BEN]
    assert "Ben van Dyk" in result.files[1].named.hints


def test_a_table_with_texts() -> None:
    table = "Login;Summary\naokoro;" + f'"{ADA}"\nbdyk;"<p>{BEN}</p>"\ncchi;\n'

    result = read(("texts.csv", table.encode("utf-16")))

    rows = [(file.named.path, file.named.logins, file.text, file.error) for file in result.files]
    assert rows == [
        ("texts.csv, line 2", ("aokoro",), ADA, ""),
        ("texts.csv, line 3", ("bdyk",), BEN, ""),
        ("texts.csv, line 4", ("cchi",), "", "There is no text."),
    ]


def test_what_cannot_be_read_is_named_and_the_others_go_on() -> None:
    result = read(
        (
            "mine.zip",
            packed(
                {
                    "a.txt": ADA,
                    "b.jpg": b"\xff\xd8\xff",
                    "c.docx": b"PK\x03\x04 broken",
                    "d.zip": packed({"inner.txt": BEN}),
                    "e.txt": "",
                    "f.txt": "x" * 60_001,
                }
            ),
        ),
        ("broken.zip", b"PK\x03\x04 and no more"),
        ("named.zip", b"no zip"),
    )

    errors = {file.named.path: file.error for file in result.files}
    assert errors.pop("a.txt") == ""
    assert "picture" in errors["b.jpg"]
    assert "damaged" in errors["c.docx"]
    assert "not opened" in errors["d.zip"]
    assert "empty" in errors["e.txt"]
    assert "60,001" in errors["f.txt"]
    assert "damaged" in errors["broken.zip"]
    assert "isn't a zip" in errors["named.zip"]


def test_nothing_at_all_is_said() -> None:
    with pytest.raises(InputError, match=r"student.s file in your upload"):
        read(("empty.zip", packed({"__MACOSX/x": "", ".DS_Store": ""})))


def test_paths_lead_nowhere_and_show_nothing_unseen() -> None:
    result = read(("x.zip", packed({"../../etc/aokoro.txt": ADA, "a\u202eb/..\\c.txt": BEN})))

    assert [file.named.path for file in result.files] == ["etc/aokoro.txt", "ab/c.txt"]


def test_a_bomb_is_stopped_while_it_unpacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_archive, "LARGEST_FILE", 1_000)
    monkeypatch.setattr(work_archive, "LARGEST_WHOLE", 1_500)

    large = read(("x.zip", packed({"bomb.txt": b"a" * 50_000, "a.txt": ADA})))
    assert "at most" in large.files[0].error
    assert large.files[1].text == ADA

    many = read(("x.zip", packed({f"{number}.txt": "ab " * 300 for number in range(3)})))
    assert [bool(file.error) for file in many.files] == [False, True, True]


def test_too_many_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_archive, "MOST_FILES", 2)

    result = read(("x.zip", packed({f"{number}.txt": ADA for number in range(3)})))

    assert "at most 2" in result.files[0].error


def test_a_name_without_the_mark_of_utf8_is_read_as_utf8() -> None:
    data = packed({"Zoë.txt": ADA})
    unmarked = data.replace(b"\x00\x08", b"\x00\x00", 2)

    assert read(("x.zip", unmarked)).files[0].named.path == "Zoë.txt"


def test_files_survive_being_kept() -> None:
    files = list(read(("x.zip", BLACKBOARD)).files)

    assert files_from_json(files_to_json(files)) == files
