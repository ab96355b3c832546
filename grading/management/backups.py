"""Back an installation up into one file, and restore it from one.

A backup is a tar with a manifest, the database, and the secret key where DATA_DIR has it: the
pseudonyms of students are made with the key. Nothing else is needed. Messages of the broker are
hints that the sweeper sends again, static files are collected again, and metrics begin at 0.
"""

import hashlib
import json
import os
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from grading.models.append_only import drop_function_sql, rights_give_up
from grading.pyramid.errors import InputError

FORMAT = 1
MANIFEST = "manifest.json"
SECRET_KEY = "secret_key"  # noqa: S105  (the name of the file)
PATTERN = "classroom-*.tar"


@dataclass(frozen=True, slots=True)
class _Database:
    """How one kind of database is written to a file and read back."""

    file: str
    dump: Callable[[Path], None]
    load: Callable[[Path], None]


def backup_write(folder: Path) -> Path:
    """Write a backup of now; nobody needs to stop working. Only our own account can read it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = datetime.now(UTC)
    database = _database()
    with tempfile.TemporaryDirectory(dir=folder) as name:
        parts = Path(name)
        database.dump(parts / database.file)
        if (key := settings.DATA_DIR / SECRET_KEY).is_file():
            (parts / SECRET_KEY).write_bytes(key.read_bytes())
        manifest = {
            "format": FORMAT,
            "product": settings.PRODUCT_VERSION,
            "written_at": now.isoformat(timespec="seconds"),
            "database": connection.vendor,
            "migrations": sorted(MigrationRecorder(connection).applied_migrations()),
            "sha256": {part.name: _sha256(part) for part in sorted(parts.iterdir())},
        }
        (parts / MANIFEST).write_text(json.dumps(manifest, indent=1))
        target = folder / f"classroom-{now:%Y-%m-%dT%H%M%S.%f}Z.tar"
        written = parts / target.name
        with tarfile.open(written, "x") as archive:
            for part in (MANIFEST, *manifest["sha256"]):  # type: ignore[misc]
                archive.add(parts / part, arcname=part)
        written.chmod(0o600)
        with written.open("rb") as file:
            os.fsync(file.fileno())
        written.replace(target)
    return target


def backups_forget(folder: Path, *, keep: int) -> list[Path]:
    """Delete all but the newest backups of the folder."""
    old = sorted(folder.glob(PATTERN))[:-keep]
    for path in old:
        path.unlink()
    return old


def backup_restore(path: Path, *, replace: bool) -> list[str]:
    """Replace our database by that of a backup. Returns what is left to do.

    Refuses a file that is damaged, of another kind of database, or of a newer version; and, unless
    asked to replace it, a database in which there are accounts.
    """
    if not replace and _has_accounts():
        raise InputError("There are accounts in this database. To replace it, add --replace.")
    database = _database()
    with _unpacked(path) as parts:
        manifest = _checked_manifest(parts)
        database.load(parts / database.file)
        left = _restore_key(parts)
    unknown = {tuple(name) for name in manifest["migrations"]} ^ set(_known_migrations())
    return [*left, *(["Run “manage.py migrate”: the backup is older."] if unknown else [])]


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=path.resolve().parent) as name:
        try:
            with tarfile.open(path) as archive:
                archive.extractall(name, filter="data")
        except (OSError, tarfile.TarError) as error:
            raise InputError(f"“{path}” is not a backup, or is damaged: {error}") from None
        yield Path(name)


def _checked_manifest(parts: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((parts / MANIFEST).read_text("utf-8"))
        sums = {part: _sha256(parts / part) for part in manifest["sha256"]}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"The backup has no usable manifest: {error}") from None
    if manifest["format"] != FORMAT:
        raise InputError(f"The backup has format {manifest['format']}. We read {FORMAT}.")
    if manifest["database"] != connection.vendor:
        raise InputError(
            f"The backup is of {manifest['database']}, and this installation uses "
            f"{connection.vendor}. Export and import courses instead."
        )
    if sums != manifest["sha256"]:
        raise InputError("The backup is damaged: its parts have changed.")
    newer = {tuple(name) for name in manifest["migrations"]} - set(_known_migrations())
    if newer:
        raise InputError(
            f"The backup is of a newer version ({manifest['product']}). Install that version first."
        )
    return manifest


def _restore_key(parts: Path) -> list[str]:
    """A key of ours stays; who replaces it by hand knows why."""
    kept, ours = parts / SECRET_KEY, settings.DATA_DIR / SECRET_KEY
    if not kept.is_file() or kept.read_bytes().strip() == settings.SECRET_KEY.encode():
        return []
    if ours.exists():
        return [f"The backup has another secret key. To use it, write it to {ours} yourself."]
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    ours.touch(mode=0o600)
    ours.write_bytes(kept.read_bytes())
    return []


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _known_migrations() -> Iterable[tuple[str, str]]:
    return MigrationLoader(None).disk_migrations


def _has_accounts() -> bool:
    with connection.cursor() as cursor:
        if "grading_user" not in connection.introspection.table_names(cursor):
            return False
        cursor.execute("SELECT 1 FROM grading_user LIMIT 1")
        return cursor.fetchone() is not None


# --- SQLite: its own way to copy a database that others write to ---


def _dump_sqlite(target: Path) -> None:
    source = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(source)) as ours, closing(sqlite3.connect(target)) as copy:
        ours.backup(copy)
        if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise InputError(f"The database is damaged: {source}. Nothing was backed up.")


def _load_sqlite(dump: Path) -> None:
    target = Path(connection.settings_dict["NAME"])
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    connection.close()
    with closing(sqlite3.connect(dump)) as kept, closing(sqlite3.connect(target)) as ours:
        kept.backup(ours)
        ours.execute("PRAGMA journal_mode=WAL")
    target.chmod(0o600)


# --- PostgreSQL: its own programs, which must be no older than the server ---


def _dump_postgresql(target: Path) -> None:
    _run(["pg_dump", "--format", "custom", "--no-owner", "--no-privileges", "--file", str(target)])


def _load_postgresql(dump: Path) -> None:
    """In one transaction: all that is there goes, and all of the backup comes, or nothing does."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        quoted = [connection.ops.quote_name(table) for table in tables]
    connection.close()
    script = dump.with_suffix(".sql")
    _run(["pg_restore", "--no-owner", "--no-privileges", "--file", str(script), str(dump)])
    drops = dump.with_suffix(".drops.sql")
    statements = [f"DROP TABLE {table} CASCADE;" for table in quoted] + [f"{drop_function_sql()};"]
    drops.write_text("\n".join(statements))
    options = ["--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1"]
    _run(["psql", *options, "--file", str(drops), "--file", str(script)])
    rights_give_up()


def _run(command: list[str]) -> None:
    """With the connection in the environment, where no other account of the machine reads it."""
    database = connection.settings_dict
    options = database.get("OPTIONS", {})
    environment = {
        "PGHOST": database["HOST"],
        "PGPORT": str(database["PORT"]),
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
        "PGDATABASE": database["NAME"],
        "PGSSLMODE": options.get("sslmode", ""),
    }
    settings_given = {name: value for name, value in environment.items() if value}
    try:
        ended = subprocess.run(
            command, env=os.environ | settings_given, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise InputError(
            f"The program {command[0]} is not installed. Install PostgreSQL's client programs."
        ) from None
    if ended.returncode:
        raise InputError(f"{command[0]} failed: {ended.stderr.strip()[-1000:]}")


def _database() -> _Database:
    return {
        "sqlite": _Database("database.sqlite3", _dump_sqlite, _load_sqlite),
        "postgresql": _Database("database.dump", _dump_postgresql, _load_postgresql),
    }[connection.vendor]
