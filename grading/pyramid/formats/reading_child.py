"""What runs in a process of its own to read one file: bytes in, JSON out, then it ends.

``python -m grading.pyramid.formats.reading_child .pdf < file``. A file is a stranger's: whatever it
does to its reader, it does to a process without rights, memory or time to spare. Nothing heavy is
imported here but the reader that the file needs. The parent is ``grading/web/file_reader.py``.
"""

import json
import resource
import sys
from typing import Final

from grading.pyramid.errors import InputError

MEMORY: Final = 512 * 1024 * 1024  # bytes of addresses
SECONDS: Final = 10  # of processor time
LONGEST_ANSWER: Final = 4_000_000  # bytes
ONLINE_TEXT: Final = "online-text"  # in the place of an ending: a page of a learning platform

_LIMITS: Final = (
    (resource.RLIMIT_AS, MEMORY),
    (resource.RLIMIT_CPU, SECONDS),
    (resource.RLIMIT_FSIZE, LONGEST_ANSWER),
    (resource.RLIMIT_NOFILE, 32),
    (resource.RLIMIT_CORE, 0),
)


def main() -> int:
    """Answers {"text", "remark"} or {"error"}; anything else is the parent's to explain."""
    for what, most in _LIMITS:
        resource.setrlimit(what, (most, most))
    answer = _answer(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else "")
    sys.stdout.write(json.dumps(answer))
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


if __name__ == "__main__":
    sys.exit(main())
