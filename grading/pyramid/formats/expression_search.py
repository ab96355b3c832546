"""Searching with an expression that came with a file, in a process that can be ended.

Python's engine has no limit of time and lets nobody else of its process work meanwhile. No look at
an expression tells the slow from the quick: ``[ab]*[ab]*c`` needs a moment for most texts, and days
for some.
"""

import json
import subprocess
import sys
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.structures import Span, Spans

MOST_SECONDS: Final = 5.0
_PROGRAM: Final = """
import itertools, json, re, sys
expression, text, most = json.load(sys.stdin)
found = itertools.islice(re.finditer(expression, text), most)
json.dump([match.span() for match in found], sys.stdout)
"""


def search(expression: str, text: str, *, most: int) -> Spans:
    """The places that a sound expression finds, at most so many; InputError if it is too costly."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            input=json.dumps([expression, text, most]),
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise InputError(
            f"Looking for headers with the expression “{expression}” takes too long."
        ) from None
    return tuple(Span(start, end) for start, end in json.loads(done.stdout))
