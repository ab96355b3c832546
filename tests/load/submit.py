"""Submits texts without a browser: ``python -m tests.load.submit FILE FIRST LAST`` (numbers)."""

import json
import sys
from pathlib import Path

import django

django.setup()

from grading.models import Assignment, User  # noqa: E402 - Django is ready only now
from grading.submissions.actions import submission_submit  # noqa: E402


def submit(file: Path, first: int, last: int) -> None:
    plan = json.loads(file.read_text())
    assignment = Assignment.objects.get(pk=plan["now"])
    for number in range(first, last):
        student = User.objects.get(username=f"student-{number}")
        submission_submit(assignment=assignment, student=student, text=plan["texts"][number])


if __name__ == "__main__":
    submit(Path(sys.argv[1]), *map(int, sys.argv[2:]))
