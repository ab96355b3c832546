"""Backup and restore: row by row the same, on whichever database the tests run."""

import io
import json
import stat
import tarfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from pytest_django import Settings

from grading.models import AuditKind, AuditRecord, Course, User, record
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, make_assignment, make_cast
from tests.rows import all_rows

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def filled() -> None:
    """A class with a submission, and a record in the audit log."""
    cast = make_cast()
    submission_submit(assignment=make_assignment(cast), student=cast.student, text=SUMMARY)
    record(AuditKind.CODE_CHANGED, "Replaced the join code.", course=cast.course)


def backed_up(folder: Path) -> Path:
    out = io.StringIO()
    call_command("backup", str(folder), stdout=out)
    return Path(out.getvalue().strip())


def restored(path: Path) -> str:
    out = io.StringIO()
    call_command("restore", str(path), "--replace", stdout=out)
    return out.getvalue()


def test_a_restored_database_is_the_same_row_by_row(filled: None, tmp_path: Path) -> None:
    before = all_rows()
    path = backed_up(tmp_path / "backups")
    Course.objects.all().delete()
    User.objects.create_user("late", name="After the backup")
    record(AuditKind.LOGGED_IN, "Logged in.")

    assert restored(path) == "Restored.\n"

    assert all_rows() == before
    assert AuditRecord.objects.count() == 1


def test_a_restored_database_goes_on(filled: None, tmp_path: Path) -> None:
    """New rows get new numbers, and the audit log can still only be added to."""
    path = backed_up(tmp_path)
    restored(path)

    assert User.objects.create_user("next", name="Next").pk > 0
    record(AuditKind.LOGGED_IN, "Logged in.")
    with pytest.raises(DatabaseError):
        AuditRecord.objects.update(sentence="Nothing happened.")
    call_command("migrate", "--check", verbosity=0)
    second = backed_up(tmp_path)
    before = all_rows()
    restored(second)
    assert all_rows() == before


def test_nobody_else_reads_a_backup(filled: None, tmp_path: Path) -> None:
    path = backed_up(tmp_path / "backups")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_secret_key_goes_along(filled: None, tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    (settings.DATA_DIR / "secret_key").write_text("the key of the old machine")
    path = backed_up(tmp_path)

    assert "another secret key" in restored(path)
    (settings.DATA_DIR / "secret_key").unlink()
    restored(path)

    assert (settings.DATA_DIR / "secret_key").read_text() == "the key of the old machine"
    assert stat.S_IMODE((settings.DATA_DIR / "secret_key").stat().st_mode) == 0o600


def test_old_backups_are_deleted(filled: None, tmp_path: Path) -> None:
    paths = [backed_up(tmp_path) for _ in range(3)]
    (tmp_path / "notes.txt").touch()

    call_command("backup", str(tmp_path), "--keep", "2", stdout=io.StringIO())

    left = sorted(path.name for path in tmp_path.iterdir())
    assert len(left) == 3
    assert paths[2].name in left
    assert "notes.txt" in left


def test_accounts_are_not_replaced_by_mistake(filled: None, tmp_path: Path) -> None:
    path = backed_up(tmp_path)

    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", str(path))


def _changed(path: Path, name: str, content: bytes) -> Path:
    """The same backup with another content of one part."""
    changed = path.with_name("changed.tar")
    with tarfile.open(path) as old, tarfile.open(changed, "w") as new:
        for member in old.getmembers():
            taken = old.extractfile(member)
            assert taken is not None
            data = content if member.name == name else taken.read()
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return changed


def _manifest(path: Path) -> dict[str, object]:
    with tarfile.open(path) as archive:
        part = archive.extractfile("manifest.json")
        assert part is not None
        return dict(json.load(part))


def test_a_damaged_backup_changes_nothing(filled: None, tmp_path: Path) -> None:
    path = backed_up(tmp_path)
    before = all_rows()
    part = "database.sqlite3" if connection.vendor == "sqlite" else "database.dump"
    manifest = _manifest(path)
    newer = manifest | {"migrations": [["grading", "9999_later"]], "product": "9.9"}
    other = manifest | {"database": "oracle"}
    (tmp_path / "empty.tar").touch()

    for damaged, said in (
        (_changed(path, part, b"nothing"), "is damaged"),
        (tmp_path / "empty.tar", "not a backup, or is damaged"),
        (tmp_path / "no-such.tar", "not a backup, or is damaged"),
    ):
        with pytest.raises(CommandError, match=said):
            call_command("restore", str(damaged), "--replace")
    for document, said in ((newer, "newer version"), (other, "is of oracle")):
        changed = _changed(path, "manifest.json", json.dumps(document).encode())
        with pytest.raises(CommandError, match=said):
            call_command("restore", str(changed), "--replace")

    assert all_rows() == before


def test_what_the_program_writes_is_its_own(filled: None) -> None:
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        assert stat.S_IMODE(database.stat().st_mode) == 0o600
    new = settings.DATA_DIR / "new"
    new.touch()
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
