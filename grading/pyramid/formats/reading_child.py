"""What runs in a process of its own to read one file: bytes in, an answer out, then it ends.

``python -m grading.pyramid.formats.reading_child .pdf < file``. A file is a stranger's: whatever it
does to its reader, it does to a process without rights, memory or time to spare. Nothing heavy is
imported here but the reader that the file needs. The parent is ``grading/web/file_reader.py``.

Instead of an ending there is ``ONLINE_TEXT`` for a page of a learning platform, ``ZIP`` for an
archive of submissions, or ``COURSE`` for an exported course. What these two hold may be large: the
parts come first, then an index of them (``write_index``). Their options are JSON, after the name.

With ``CALL`` the options name a reader of the core. It is called with the file and what the first
line of the input says, and its value is the answer (``typed_json``).
"""

import importlib
import json
import resource
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO, Final, get_type_hints

from grading.pyramid.errors import InputError

MEMORY: Final = 512 * 1024 * 1024  # bytes of addresses
SECONDS: Final = 10  # of processor time
LONGEST_ANSWER: Final = 4_000_000  # bytes
ONLINE_TEXT: Final = "online-text"
ZIP: Final = "zip"
COURSE: Final = "course"
CALL: Final = "call"

_LIMITS: Final = (
    (resource.RLIMIT_AS, MEMORY),
    (resource.RLIMIT_CPU, SECONDS),
    (resource.RLIMIT_FSIZE, LONGEST_ANSWER),
    (resource.RLIMIT_NOFILE, 32),
    (resource.RLIMIT_CORE, 0),
)


def main() -> int:
    """Answers {"text", "remark"} or {"error"}, or an index; anything else is the parent's."""
    what, options = sys.argv[1], json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    own = {
        resource.RLIMIT_CPU: options.get("seconds", SECONDS),
        resource.RLIMIT_FSIZE: options.get("longest_answer", LONGEST_ANSWER),
    }
    for limit, most in _LIMITS:
        most = own.get(limit, most)  # noqa: PLW2901
        resource.setrlimit(limit, (most, most))
    if what in {ZIP, COURSE}:
        _unpack(what, options, sys.stdin.buffer, sys.stdout.buffer)
    elif what == CALL:
        sys.stdout.write(_value(options["module"], options["function"], sys.stdin.buffer))
    else:
        sys.stdout.write(json.dumps(_answer(sys.stdin.buffer.read(), what)))
    return 0


def _answer(data: bytes, ending: str) -> dict[str, str]:
    # Imported here: limits first.
    from grading.pyramid.formats.online_text import read_online_text  # noqa: PLC0415
    from grading.pyramid.formats.summary_file import SummaryText, read_summary_file  # noqa: PLC0415

    try:
        if ending == ONLINE_TEXT:
            read = SummaryText(read_online_text(data))
        else:
            read = read_summary_file(data, ending)
    except InputError as error:
        return {"error": str(error)}
    return {"text": read.text, "remark": read.remark}


def _value(module: str, name: str, file: BinaryIO) -> str:
    """What the reader makes of the file: {"value"} or {"error"}."""
    from grading.pyramid.formats.typed_json import from_json, to_json  # noqa: PLC0415

    reader = getattr(importlib.import_module(module), name)
    kinds = list(get_type_hints(reader).values())[1:-1]
    given = zip(json.loads(file.readline()), kinds, strict=True)
    arguments = [from_json(argument, kind) for argument, kind in given]
    try:
        return to_json({"value": reader(file.read(), *arguments)})
    except InputError as error:
        return json.dumps({"error": str(error)})


def _unpack(what: str, options: Mapping[str, Any], file: BinaryIO, out: BinaryIO) -> None:
    from grading.pyramid.formats import course_archive, work_archive  # noqa: PLC0415

    try:
        if what == ZIP:
            work_archive.write_unpacked(file, out)
            return
        limits = course_archive.CourseLimits(**options["limits"])
        reader = course_archive.ArchiveReader(file, limits)
        reader.check(options["known"])
        course_archive.write_checked(reader, options["tables"], out)
    except InputError as error:
        course_archive.write_index({"error": str(error)}, out)


if __name__ == "__main__":
    sys.exit(main())
