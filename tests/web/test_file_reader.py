"""Files are read in a process of their own, which is poor, short-lived and cannot be kept busy."""

import ast
import errno
import io
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from grading.pyramid.errors import InputError
from grading.pyramid.formats import reading_child
from grading.pyramid.formats.file_import import read_file
from grading.pyramid.formats.roster_csv import read_roster
from grading.web import file_reader as reader
from grading.web.file_reader import read_apart, read_file_apart, unpacked_apart
from tests.pyramid.formats.made_files import CITIES, paragraph, pdf_file, word_file
from tests.workers import wait_until

Misbehave = Callable[[str], None]
ROOT = Path(__file__).resolve().parents[2]

# In the place of the child: modules that misbehave as a broken file could make a reader do.
SETS_LIMITS = (
    "import resource\nfrom grading.pyramid.formats import reading_child\n"
    "for what, most in reading_child._LIMITS:\n    resource.setrlimit(what, (most, most))\n"
)


@pytest.fixture
def misbehave(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Misbehave:
    """Puts a program in the place of the child."""

    def put(program: str) -> None:
        (tmp_path / "misbehaving.py").write_text(SETS_LIMITS + program)
        monkeypatch.setattr(reader, "CHILD", "misbehaving")
        (tmp_path / "grading").symlink_to(ROOT / "grading")
        monkeypatch.setattr(reader, "_ROOT", tmp_path)

    return put


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (CITIES.encode(), ".txt"),
        (word_file(paragraph(CITIES)), ".docx"),
        (pdf_file([[CITIES]]), ".pdf"),
    ],
)
def test_files_are_read(data: bytes, ending: str) -> None:
    assert read_file_apart(data, ending, owner=1).text == CITIES


def test_the_childs_refusal_is_ours() -> None:
    with pytest.raises(InputError, match="This PDF has pictures of pages"):
        read_file_apart(pdf_file([[]], image=True), ".pdf", owner=1)


@pytest.mark.parametrize(
    "program",
    [
        "x = bytearray(600_000_000)",
        "import os\nos.abort()",
        "print('x' * 5_000_000)",
        "print('no json')",
    ],
    ids=["memory", "abort", "words", "nonsense"],
)
def test_a_child_that_dies_is_told_in_words(misbehave: Misbehave, program: str) -> None:
    misbehave(program)

    with pytest.raises(InputError, match="The file takes too long to read"):
        read_file_apart(b"x", ".txt", owner=1)


def test_a_child_that_does_not_end_is_killed_with_all_that_it_began(
    misbehave: Misbehave, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pid_file = tmp_path / "pid"
    misbehave(
        "import subprocess, sys, time\n"
        "other = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(pid_file)!r}, 'w').write(str(other.pid))\n"
        "time.sleep(60)\n"
    )
    monkeypatch.setattr(reader, "SECONDS", 2)

    with pytest.raises(InputError, match="The file takes too long to read"):
        read_file_apart(b"x", ".txt", owner=1)

    wait_until(lambda: _is_dead(pid_file.read_text()), "the other process to die")


def _is_dead(pid: str) -> bool:
    """Nobody may be left to reap it, and a busy machine takes its time to end it."""
    try:
        return Path("/proc", pid, "stat").read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_the_processor_time_is_limited() -> None:
    limits = dict(reading_child._LIMITS)

    assert reading_child.SECONDS in limits.values()
    assert reader.SECONDS > reading_child.SECONDS


def test_the_child_knows_no_secret_and_imports_nothing_heavy(
    misbehave: Misbehave, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "told-to-nobody")
    misbehave("import json, os\nprint(json.dumps({'text': str(dict(os.environ)), 'remark': ''}))\n")
    assert "told-to-nobody" not in read_file_apart(b"x", ".txt", owner=1).text

    listing = (
        "import sys, grading.pyramid.formats.summary_file\n"
        "print({name.split('.')[0] for name in sys.modules})"
    )
    answer = subprocess.run(
        [sys.executable, "-c", listing], cwd=ROOT, capture_output=True, text=True, check=True
    )
    heavy = {"django", "spacy", "numpy", "pypdfium2"}
    assert not any(f"'{name}'" in answer.stdout for name in heavy)


def test_more_than_can_be_read_at_once_are_asked_to_wait(settings: Any) -> None:
    settings.FILE_WAIT_SECONDS = 0.01
    settings.FILES_READ_AT_ONCE = 1

    with reader.slots.slot_of(2), pytest.raises(InputError, match="Try again in a minute"):
        read_file_apart(CITIES.encode(), ".txt", owner=1)

    assert read_file_apart(CITIES.encode(), ".txt", owner=1).text == CITIES


def test_of_one_owner_one_file_at_a_time() -> None:
    with reader.slots.slot_of(1):
        with pytest.raises(InputError, match="Another file of yours"):
            read_file_apart(CITIES.encode(), ".txt", owner=1)
        assert read_file_apart(CITIES.encode(), ".txt", owner=2).text == CITIES

    assert read_file_apart(CITIES.encode(), ".txt", owner=1).text == CITIES


def test_many_files_of_one_person_hold_up_nobody(settings: Any) -> None:
    """Somebody has 50 files read, one after the other; others come before the next of them."""
    settings.FILES_READ_AT_ONCE = 1
    settings.FILE_WAIT_SECONDS = 10
    slots = reader.ReadingSlots()
    order: list[int] = []
    begun = threading.Event()

    def send(owner: int, files: int) -> None:
        for _ in range(files):
            with slots.slot_of(owner):
                order.append(owner)
                begun.set()
                threading.Event().wait(0.02)

    eager = threading.Thread(target=send, args=(1, 50))
    eager.start()
    begun.wait(5)
    others = [threading.Thread(target=send, args=(owner, 1)) for owner in (2, 3, 4)]
    for other in others:
        other.start()
    for thread in [*others, eager]:
        thread.join(20)

    assert order.count(1) == 50
    # While all four wait, 2, 3 and 4 have had no slot yet, and 1 has.
    assert max(order.index(owner) for owner in (2, 3, 4)) <= 8


def test_fifty_files_at_once_are_refused_but_for_one(settings: Any) -> None:
    settings.FILE_WAIT_SECONDS = 10
    slots = reader.ReadingSlots()
    done = threading.Event()
    refused: list[str] = []
    held = threading.Semaphore(0)

    def send() -> None:
        try:
            with slots.slot_of(1):
                held.release()
                done.wait(10)
        except InputError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=send) for _ in range(50)]
    for thread in threads:
        thread.start()
    assert held.acquire(timeout=10)
    with slots.slot_of(2):  # the other slot is free
        pass
    done.set()
    for thread in threads:
        thread.join(10)

    assert len(refused) == 49
    assert set(refused) == {"Another file of yours is being read. Wait a moment, then try again."}


class _OnFullDisk(io.BytesIO):
    """A file that has no room for anything more."""

    def write(self, _: object, /) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_is_not_at_fault_where_its_reader_finds_the_disk_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def the_reader_dies(*_: object) -> int:
        return 1

    monkeypatch.setattr(reader, "_run", the_reader_dies)
    for read in (
        lambda: read_file_apart(b"text", ".txt", owner=1),
        lambda: unpacked_apart(b"zip", owner=1).__enter__(),
    ):
        files = iter([io.BytesIO(), _OnFullDisk()])  # what it is given, and for its answer
        monkeypatch.setattr("tempfile.TemporaryFile", lambda files=files: next(files))
        with pytest.raises(OSError, match="No space left"):
            read()


ROSTER = b"Name,Login\nAda Okoro,aokoro\n"
# The core's readers of uploaded files, which work where they are called.
READERS = {
    "read_annotation",
    "read_annotation_files",
    "read_file",
    "read_grade_file",
    "read_online_text",
    "read_pyramid",
    "read_roster",
    "read_summary_file",
    "read_table",
    "read_work_table",
    "read_worksheet",
    "read_written_table",
}


def test_readers_of_the_core_are_called_apart() -> None:
    assert read_apart(read_roster, ROSTER, owner=1) == read_roster(ROSTER)
    with pytest.raises(InputError, match="this kind of file can't be read"):
        read_apart(read_file, b"words", (), owner=1)


@pytest.mark.parametrize(
    "program",
    [
        "x = bytearray(600_000_000)",
        "import os\nos.abort()",
        "print('x' * 5_000_000)",
        """print('{"value": "no roster"}')""",
        """print('{"words": "no value"}')""",
        "print(12)",
        "print('[' * 100_000)",
    ],
    ids=["memory", "abort", "words", "another value", "no value", "a number", "depth"],
)
def test_a_reader_that_dies_or_lies_is_told_in_words(misbehave: Misbehave, program: str) -> None:
    misbehave(program)

    with pytest.raises(InputError, match="The file takes too long to read"):
        read_apart(read_roster, ROSTER, owner=1)


def test_nothing_else_reads_what_people_upload() -> None:
    """Outside the core its readers are only handed on, never called."""
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "grading").rglob("*.py"))
        if not path.is_relative_to(ROOT / "grading" / "pyramid")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in READERS
    ]

    assert calls == []


def test_a_second_click_waits_for_the_first(settings: Any) -> None:
    settings.FILE_WAIT_SECONDS = 10
    slots = reader.ReadingSlots()
    order: list[str] = []
    reading, may_end = threading.Event(), threading.Event()

    def first() -> None:
        with slots.slot_of(1):
            reading.set()
            may_end.wait(10)
            order.append("first")

    def second() -> None:
        with slots.slot_of(1, waits=True):
            order.append("second")

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert reading.wait(10)
    threads[1].start()
    wait_until(lambda: bool(slots._waiting), "the second to wait")
    with pytest.raises(InputError, match="Another file of yours"), slots.slot_of(1, waits=True):
        pass
    may_end.set()
    for thread in threads:
        thread.join(10)

    assert order == ["first", "second"]


# Another process of the same machine, in which somebody has a file read.
OTHER = (
    "import fcntl, os, sys\n"
    "file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)\n"
    "fcntl.lockf(file, fcntl.LOCK_EX, 1, 7)\n"
    "print('locked', flush=True)\n"
    "sys.stdin.read()\n"
)


@contextmanager
def reading_elsewhere(owner: int) -> Iterator[None]:
    """Another process of the machine reads a file of this person, until it is killed."""
    program = OTHER.replace("1, 7)", f"1, {owner})")
    command = [sys.executable, "-c", program, str(settings.DATA_DIR / "files-being-read")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        try:
            yield
        finally:
            other.kill()  # nothing of it is left to be cleared away


def test_a_person_reads_one_file_in_all_processes(settings: Any) -> None:
    settings.FILE_WAIT_SECONDS = 0.01
    with reading_elsewhere(7):
        for read in (
            lambda: read_file_apart(CITIES.encode(), ".txt", owner=7),
            lambda: read_apart(read_roster, ROSTER, owner=7),
        ):
            with pytest.raises(InputError, match="Another file of yours"):
                read()
        assert read_file_apart(CITIES.encode(), ".txt", owner=8).text == CITIES
    assert read_file_apart(CITIES.encode(), ".txt", owner=7).text == CITIES


def test_the_lock_is_the_one_that_other_processes_see(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    program = OTHER.replace("LOCK_EX", "LOCK_EX | fcntl.LOCK_NB")
    command = [sys.executable, "-c", program, str(tmp_path / "files-being-read")]

    with reader.slots.slot_of(7):
        refused = subprocess.run(command, input=b"", capture_output=True, check=False)
    taken = subprocess.run(command, input=b"", capture_output=True, check=False)

    assert b"BlockingIOError" in refused.stderr
    assert taken.stdout == b"locked\n"
