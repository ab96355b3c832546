"""Files that people hand in are read in a process of their own: docs/decisions/0014."""

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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import IO, Any, BinaryIO, Final

from django.conf import settings

from grading.pyramid.errors import InputError
from grading.pyramid.formats.course_archive import CheckedCourse, CourseLimits, read_index
from grading.pyramid.formats.reading_child import COURSE, LONGEST_ANSWER, ZIP
from grading.pyramid.formats.summary_file import SummaryText
from grading.pyramid.formats.work_archive import LARGEST_WHOLE, Unpacked, read_unpacked

CHILD: Final = "grading.pyramid.formats.reading_child"
SECONDS: Final = 15  # on the clock; the child limits its own processor time
ZIP_SECONDS: Final = 60  # of processor time, for an archive of submissions
MOST_REMEMBERED: Final = 1_000  # people, of whom we know when they last had a place

_ROOT: Final = Path(__file__).resolve().parents[2]
_TOO_LONG: Final = "The file takes too long to read. "
logger = logging.getLogger(__name__)


class Places:
    """So many files are read at once in this process, of each owner one.

    A free place goes to the one of those who wait who had one the longest time ago: however many
    files somebody sends, others come before their next.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._reading: set[int] = set()
        self._waiting: list[int] = []
        self._served: OrderedDict[int, float] = OrderedDict()

    @contextmanager
    def place_of(self, owner: int) -> Iterator[None]:
        with self._changed:
            if owner in self._reading or owner in self._waiting:
                raise InputError(
                    "Another file of yours is being read. Wait a moment, then try again."
                )
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
        if len(self._reading) >= settings.FILES_READ_AT_ONCE:
            return False
        return (
            min(self._waiting, key=lambda waiting_owner: self._served.get(waiting_owner, 0.0))
            == owner
        )


places = Places()


def read_file_apart(data: bytes, ending: str, *, owner: int) -> SummaryText:
    """The text of a file whose name ends so; InputError says why there is none."""
    with (
        places.place_of(owner),
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
            _log_death(ending, code)
            advice = "Save it again in another program, or paste the text."
            raise InputError(_TOO_LONG + advice) from None
    if "error" in answer:
        raise InputError(answer["error"])
    return SummaryText(answer["text"], answer["remark"])


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
    with places.place_of(owner):
        code = _run(uploaded, answer_file, [kind, json.dumps(options)], 2 * options["seconds"])
    try:
        index = read_index(answer_file)
    except (ValueError, OSError):
        _log_death(kind, code)
        raise InputError(_TOO_LONG + "Export or download it again, then try again.") from None
    if "error" in index:
        raise InputError(index["error"])
    return index


def _log_death(kind: str, code: int) -> None:
    logger.warning("A file (%s) ended its reader: %s", kind, code)


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
