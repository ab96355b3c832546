"""How a line of the log looks: as JSON for machines, or as words. No student's text is in either.

The message of an error may quote what it failed on (a database names the whole row), so a trace
says which error it was and where, and leaves its message out.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType

from grading.caller import get_caller

FIELDS = ("view", "method", "status", "milliseconds")  # of the line of a request
_SERVER_ERROR = 500

ErrorInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class RefusalsInOneLine(logging.Filter):
    """A 403 or 404 is an answer, not a failure: it leaves one line, without a trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", _SERVER_ERROR) < _SERVER_ERROR:
            record.exc_info = None
            record.exc_text = None
        return True


class TraceWithoutMessages(logging.Formatter):
    """Lines in words; a trace has the places and the kinds of its errors."""

    def formatException(self, ei: ErrorInfo) -> str:  # noqa: N802  (logging's own name)
        error, lines = ei[1], list[str]()
        while error is not None:
            lines += traceback.format_tb(error.__traceback__)
            lines.append(f"{type(error).__module__}.{type(error).__qualname__}\n")
            error = error.__cause__ or error.__context__
        return "".join(lines).rstrip()

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another handler may have written it with the message
        line = super().format(record)
        record.exc_text = None
        return line


class JsonLines(TraceWithoutMessages):
    """One JSON object a line, with who asked for what the program was doing."""

    def format(self, record: logging.LogRecord) -> str:
        caller = get_caller()
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": caller.request_id,
            "user": caller.user_pk,
            "address": caller.address,
            "job": caller.job_pk,
        }
        line |= {name: getattr(record, name, None) for name in FIELDS}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps({name: value for name, value in line.items() if value not in (None, "")})
