"""Files that people submit are read in a process of their own: docs/decisions/0014."""

import fcntl
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any, BinaryIO, Final, TypeVar, get_type_hints

from django.conf import settings

from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import CheckedCourse, CourseLimits, read_index
from grading.pyramid.formats.reading_child import CALL, COURSE, LONGEST_ANSWER, ZIP
from grading.pyramid.formats.reading_child import SECONDS as CHILD_SECONDS
from grading.pyramid.formats.summary_file import SummaryText
from grading.pyramid.formats.typed_json import from_json, to_json
from grading.pyramid.formats.work_archive import LARGEST_WHOLE, Unpacked, read_unpacked

CHILD: Final = "grading.pyramid.formats.reading_child"
SECONDS: Final = 15  # on the clock; the child limits its own processor time
ZIP_SECONDS: Final = 60  # of processor time, for an archive of submissions
A_BLOCK: Final = 4096  # bytes, for which a full disk has no room
LONGEST_VALUE: Final = 100_000_000  # bytes, as JSON, of what a reader of the core makes of a file
MOST_REMEMBERED: Final = 1_000  # people, of whom we know when they last had a slot

_ROOT: Final = Path(__file__).resolve().parents[2]
_TOO_LONG: Final = "The file takes too long to read. "
_ANOTHER: Final = "Another file of yours is being read. Wait a moment, then try again."
_AGAIN: Final = "Export or download it again, then try again."
logger = logging.getLogger(__name__)
T = TypeVar("T")


class ReadingSlots:
    """So many files are read at once in this process, and of each owner one on this machine.

    A free slot goes to the one of those who wait who had one the longest time ago: however many
    files somebody sends, others come before their next.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._reading: set[int] = set()
        self._waiting: list[int] = []
        self._served: OrderedDict[int, float] = OrderedDict()

    @contextmanager
    def slot_of(self, owner: int, *, waits: bool = False) -> Iterator[None]:
        """With ``waits`` one more file of an owner waits for the one before, within the limit."""
        until = monotonic() + settings.FILE_WAIT_SECONDS
        while True:
            with self._slot_here(owner, waits=waits), own_turn(owner) as got:
                if got:
                    yield
                    return
            if not waits or monotonic() > until:
                raise InputError(_ANOTHER)
            sleep(0.05)

    @contextmanager
    def _slot_here(self, owner: int, *, waits: bool) -> Iterator[None]:
        with self._changed:
            if owner in self._waiting or (owner in self._reading and not waits):
                raise InputError(_ANOTHER)
            self._waiting.append(owner)
            try:
                got = self._changed.wait_for(
                    lambda: self._is_next(owner), settings.FILE_WAIT_SECONDS
                )
            finally:
                self._waiting.remove(owner)
                self._changed.notify_all()
            if not got:
                raise InputError("Many files are being read. Try again in a minute.")
            self._reading.add(owner)
            self._served[owner] = monotonic()
            self._served.move_to_end(owner)
            if len(self._served) > MOST_REMEMBERED:
                self._served.popitem(last=False)
        try:
            yield
        finally:
            with self._changed:
                self._reading.discard(owner)
                self._changed.notify_all()

    def _is_next(self, owner: int) -> bool:
        if len(self._reading) >= settings.FILES_READ_AT_ONCE or owner in self._reading:
            return False
        others = (waiting for waiting in self._waiting if waiting not in self._reading)
        return min(others, key=lambda waiting: self._served.get(waiting, 0.0)) == owner


@cache
def _locks(path: Path, pid: int) -> int:
    """The file in which processes of this machine lock a byte for each owner; never closed."""
    del pid  # a process that was forked opens the file for itself
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextmanager
def own_turn(owner: int) -> Iterator[bool]:
    """Does no other process of this machine read a file of this person? Then none begins to.

    The lock goes with its process, however that ends. Owners below 0 are nobody.
    """
    if owner < 0:
        yield True
        return
    file = _locks(settings.DATA_DIR / "files-being-read", os.getpid())
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, owner)
    except BlockingIOError:
        yield False
        return
    try:
        yield True
    finally:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, owner)


slots = ReadingSlots()


def read_file_apart(data: bytes, ending: str, *, owner: int) -> SummaryText:
    """The text of a file whose name ends so; InputError says why there is none."""
    with (
        slots.slot_of(owner),
        tempfile.TemporaryFile() as uploaded,
        tempfile.TemporaryFile() as answer_file,
    ):
        uploaded.write(data)
        uploaded.seek(0)
        code = _run(uploaded, answer_file, [ending], SECONDS)
        answer_file.seek(0)
        try:
            answer: dict[str, str] = json.loads(answer_file.read())
        except ValueError:
            _look_into_death(ending, code, answer_file)
            advice = "Save it again in another program, or paste the text."
            raise InputError(_TOO_LONG + advice) from None
    if "error" in answer:
        raise InputError(answer["error"])
    return SummaryText(answer["text"], answer["remark"])


def read_apart(
    reader: Callable[..., T],
    data: bytes,
    *arguments: object,
    owner: int,
    seconds: int = CHILD_SECONDS,
) -> T:
    """What a reader of the core makes of a file and further arguments; it raises InputError.

    These files are read in a moment, so that a second click on a page waits for the first.
    """
    options = {
        "seconds": seconds,
        "longest_answer": LONGEST_VALUE,
        "module": reader.__module__,
        "function": reader.__name__,
    }
    with (
        slots.slot_of(owner, waits=True),
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as answer_file,
    ):
        given.write(f"{to_json(arguments)}\n".encode())
        given.write(data)
        given.seek(0)
        code = _run(given, answer_file, [CALL, json.dumps(options)], seconds + SECONDS)
        answer_file.seek(0)
        try:
            answer = json.loads(answer_file.read())
            value: T | None = None
            if "error" not in answer:
                value = from_json(answer["value"], get_type_hints(reader)["return"])
        except (ValueError, KeyError, TypeError, RecursionError):
            _look_into_death(reader.__name__, code, answer_file)
            raise InputError(_TOO_LONG + _AGAIN) from None
    if value is None:
        raise InputError(answer["error"])
    return value


@contextmanager
def unpacked_apart(data: bytes, *, owner: int) -> Iterator[Unpacked]:
    """An archive of submissions; InputError says why it is none."""
    with tempfile.TemporaryFile() as uploaded, tempfile.TemporaryFile() as answer_file:
        uploaded.write(data)
        options = {"seconds": ZIP_SECONDS, "longest_answer": LARGEST_WHOLE + LONGEST_ANSWER}
        yield read_unpacked(answer_file, _index_of(ZIP, options, uploaded, answer_file, owner))


@contextmanager
def course_read_apart(
    content: BinaryIO, *, known: Sequence[str], tables: Sequence[str], owner: int
) -> Iterator[CheckedCourse]:
    """A course in a file, with the rows of ``tables``; InputError says what is wrong with it.

    The whole file is checked; ``known`` are the tables that it may have.
    """
    limits = CourseLimits(
        unpacked=settings.LARGEST_COURSE_UNPACKED,
        parts=settings.COURSE_FILE_PARTS,
        rows=settings.COURSE_FILE_ROWS,
    )
    with tempfile.TemporaryFile() as uploaded, tempfile.TemporaryFile() as answer_file:
        content.seek(0)
        shutil.copyfileobj(content, uploaded)
        options = {
            "seconds": settings.COURSE_FILE_SECONDS,
            "longest_answer": 2 * limits.unpacked,  # in ASCII, so that it may be longer
            "limits": asdict(limits),
            "known": list(known),
            "tables": list(tables),
        }
        yield CheckedCourse(answer_file, _index_of(COURSE, options, uploaded, answer_file, owner))


def _index_of(
    kind: str, options: dict[str, Any], uploaded: IO[bytes], answer_file: IO[bytes], owner: int
) -> dict[str, Any]:
    uploaded.seek(0)
    with slots.slot_of(owner):
        code = _run(uploaded, answer_file, [kind, json.dumps(options)], 2 * options["seconds"])
    try:
        index = read_index(answer_file)
    except (ValueError, OSError):
        _look_into_death(kind, code, answer_file)
        raise InputError(_TOO_LONG + _AGAIN) from None
    if "error" in index:
        raise InputError(index["error"])
    return index


def _look_into_death(kind: str, code: int, answer_file: IO[bytes]) -> None:
    """Raise the OSError of a full disk, on which no reader can answer; else it was the file."""
    logger.warning("A file (%s) ended its reader: %s", kind, code)
    answer_file.seek(0, os.SEEK_END)
    answer_file.write(bytes(A_BLOCK))
    answer_file.flush()


def _run(
    uploaded: IO[bytes], answer_file: IO[bytes], arguments: Sequence[str], seconds: float
) -> int:
    """The child gets no environment: no key of ours is in it.

    Files instead of pipes: the answer's size is limited, and nobody waits for the other.
    """
    child = subprocess.Popen(
        [sys.executable, "-m", CHILD, *arguments],
        stdin=uploaded,
        stdout=answer_file,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        env={"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"},
        start_new_session=True,
    )
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        return -signal.SIGKILL
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
