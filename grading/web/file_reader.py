"""Files that people hand in are read in a process of their own: docs/decisions/0014."""

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.summary_file import SummaryText

CHILD: Final = "grading.pyramid.formats.reading_child"
SECONDS: Final = 15  # on the clock; the child limits its own processor time
AT_ONCE: Final = 2  # of this process; a child may take half a gigabyte
PATIENCE: Final = 1  # seconds that one waits for a place

_ROOT: Final = Path(__file__).resolve().parents[2]
_places = threading.BoundedSemaphore(AT_ONCE)
_owners: set[int] = set()
_owners_lock = threading.Lock()
logger = logging.getLogger(__name__)


def read_file_apart(data: bytes, ending: str, *, owner: int) -> SummaryText:
    """The text of a file whose name ends so; InputError says why there is none.

    Of each owner one at a time: nobody keeps others out.
    """
    with _turn_of(owner):
        if not _places.acquire(timeout=PATIENCE):
            raise InputError("Many files are being read. Try again in a minute.")
        try:
            answer = _answer_of_reader(data, ending)
        finally:
            _places.release()
    if "error" in answer:
        raise InputError(answer["error"])
    return SummaryText(answer["text"], answer["remark"])


@contextmanager
def _turn_of(owner: int) -> Iterator[None]:
    with _owners_lock:
        if owner in _owners:
            raise InputError("Another file of yours is being read. Wait a moment, then try again.")
        _owners.add(owner)
    try:
        yield
    finally:
        _owners.discard(owner)


def _answer_of_reader(data: bytes, ending: str) -> dict[str, str]:
    """Files instead of pipes: the answer's size is limited, and nobody waits for the other."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as answer_file:
        given.write(data)
        given.seek(0)
        code = _run(given, answer_file, ending)
        answer_file.seek(0)
        try:
            answer: dict[str, str] = json.loads(answer_file.read())
        except ValueError:
            logger.warning("A file (%s, %d bytes) ended its reader: %s", ending, len(data), code)
            raise InputError(
                "The file takes too long to read. Save it again in another program, or paste the "
                "text."
            ) from None
    return answer


def _run(given: IO[bytes], answer_file: IO[bytes], ending: str) -> int:
    """The child gets no environment: no key of ours is in it."""
    child = subprocess.Popen(
        [sys.executable, "-m", CHILD, ending],
        stdin=given,
        stdout=answer_file,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        env={"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"},
        start_new_session=True,
    )
    try:
        return child.wait(SECONDS)
    except subprocess.TimeoutExpired:
        return -signal.SIGKILL
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
