"""How long a class's grades take to be exported, at the server."""

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.bench.asking import asked
from tests.bench.processes import lines_of
from tests.bench.statistics import Measure
from tests.bench.table import Reach, Row, Table

if TYPE_CHECKING:
    from django.test import Client

    from grading.models import Assignment, User

STUDENTS = 1_000
ASSIGNMENTS = 40  # columns of the platform's file besides ours
ROUNDS = 3
_MOST_MS = 2_000


def table() -> Table:
    rows = [row for line in lines_of("tests.bench.export") for row in _rows(*line.split("\t"))]
    return Table(
        f"Grades of {STUDENTS:,} students on their way out",
        f"At the server; the platform's file has {ASSIGNMENTS + 1} assignments. {ROUNDS} times.",
        tuple(rows),
        ("", "rounds"),
    )


def _rows(what: str, queries: str, milliseconds: str) -> Iterator[Row]:
    taken = [float(duration) for duration in milliseconds.split()]
    spread = Measure(float(np.median(taken)), least=min(taken), most=max(taken))
    yield Row(what, "answer, ms", spread, Reach(_MOST_MS, most=True), 0)
    yield Row(what, "queries", Measure(float(queries)), None, 0)


# --- the process that measures ---


def _measure() -> Iterator[str]:
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    assignment, user = _class()
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    export = reverse("gradebook_export", args=[assignment.pk])
    fresh = reverse("gradebook_fresh", args=[assignment.pk])
    data = _canvas_file()
    file = {"file": SimpleUploadedFile("grades.csv", data), "scope": "all"}
    preview = client.post(export, file, follow=True)
    sent = {"column": "5", "scope": "all", "download": "1", "stamp": _stamp(preview)}
    address = str(preview.request["PATH_INFO"])
    yield _asked("the page", lambda: client.get(export))
    yield _asked("spreadsheet, shown", lambda: client.get(fresh, {"kind": "csv", "scope": "all"}))
    yield _asked("Canvas file filled, shown", lambda: client.get(address))
    yield _asked("Canvas file filled, taken", lambda: _taken(client, address, sent))


def _taken(client: "Client", address: str, sent: dict[str, str]) -> Any:
    given = client.post(address, sent)
    if given.status_code != 302:
        raise RuntimeError(f"answered by {given.status_code}")
    return client.get(given["Location"])


def _class() -> tuple["Assignment", "User"]:
    from grading.models import (  # noqa: PLC0415
        Assignment,
        Course,
        Membership,
        Score,
        StoredPyramid,
        Submission,
        User,
    )

    course = Course.objects.create(name="Bench", code="CDEFGH2")
    assignment = Assignment.objects.create(course=course, title="Essay 1", state="open")
    ta = User.objects.create_user("ta", "ta@example.org", name="Ta")
    Membership.objects.create(course=course, user=ta, role="ta")
    pyramid = StoredPyramid.objects.create(
        assignment=assignment, number=1, document={}, content_hash="0", signature="bench"
    )
    people = [
        User(username=f"s{number}", email=f"s{number}@example.org", name=f"Student {number}")
        for number in range(STUDENTS)
    ]
    for number, user in enumerate(User.objects.bulk_create(people)):
        member = {"student_number": f"{number:07}", "lms_login": f"s{number}"}
        Membership.objects.create(course=course, user=user, role="student", **member)
        submission = Submission.objects.create(
            assignment=assignment, student=user, text="words", words=1
        )
        numbers = {"quality": 0.5, "coverage": 0.6, "comprehensive": number / STUDENTS}
        Score.objects.create(
            submission=submission, pyramid=pyramid, statements=1, raw=1, document={}, **numbers
        )
    return assignment, ta


def _canvas_file() -> bytes:
    others = ",".join(f"Homework {number} ({number})" for number in range(ASSIGNMENTS))
    lines = [f"Student,ID,SIS User ID,SIS Login ID,Section,Essay 1 (4410),{others}"]
    lines += [f"    Points Possible,,,,,100,{','.join(['10.00'] * ASSIGNMENTS)}"]
    lines += [
        f'"{number}, Student",{number},{number:07},s{number},A,,{",".join(["8.50"] * ASSIGNMENTS)}'
        for number in range(STUDENTS)
    ]
    return ("\n".join(lines) + "\n").encode()


def _stamp(page: Any) -> str:
    content: bytes = page.content
    return content.decode().partition('name="stamp" value="')[2].partition('"')[0]


def _asked(what: str, ask: Callable[[], Any]) -> str:
    answered = asked(ask, ROUNDS)
    return f"{what}	{answered.queries}	{answered.told}"


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write("\n".join(_measure()))
