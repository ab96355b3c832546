"""How long the page of a submission takes at the server, for its student and for a grader."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tests.bench.asking import asked
from tests.bench.processes import lines_of
from tests.bench.statistics import Measure
from tests.bench.table import Reach, Row, Table

if TYPE_CHECKING:
    from grading.models import User

MATCHES, FEW = 60, 5
ROUNDS = 20
_MOST_MS, _MOST_KB = 150, 100


def table() -> Table:
    rows = [row for line in lines_of("tests.bench.feedback") for row in _rows(*line.split("\t"))]
    return Table(
        f"The feedback page: {MATCHES} matched parts, {MATCHES // 2} ideas that the text lacks",
        f"At the server, rendering included; {ROUNDS} times each, after one to warm up.",
        tuple(rows),
        ("", "rounds"),
    )


def _rows(who: str, queries: str, kilobytes: str, milliseconds: str) -> Iterator[Row]:
    taken = [float(duration) for duration in milliseconds.split()]
    spread = Measure(float(np.median(taken)), least=min(taken), most=max(taken))
    yield Row(who, "answer, ms", spread, Reach(_MOST_MS, most=True), 0)
    yield Row(who, "queries", Measure(float(queries)), None, 0)
    yield Row(who, "answer, kB", Measure(float(kilobytes)), Reach(_MOST_KB, most=True), 0)


# --- the process that measures ---


def _measure() -> Iterator[str]:
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    from grading.models import Assignment, Course, Membership, Missed, User  # noqa: PLC0415
    from tests.feedback_scene import keep, made  # noqa: PLC0415

    course = Course.objects.create(name="Bench", code="CDEFGH2")
    people = {}
    for role in ("student", "instructor"):
        people[role] = User.objects.create_user(role, f"{role}@example.org", name=role)
        Membership.objects.create(course=course, user=people[role], role=role)
    assignment = Assignment.objects.create(
        course=course, title="Bench", state="open", missed_before=Missed.SENTENCES
    )
    for matches in (FEW, MATCHES):
        submission = keep(made(matches), assignment, people["student"])
        for role, user in people.items():
            yield f"{role}, {matches} matches\t{_asked(user, submission.pk)}"


def _asked(user: "User", submission_pk: int) -> str:
    from django.test import Client  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("submission", args=[submission_pk])
    answered = asked(lambda: client.get(address), ROUNDS)
    return f"{answered.queries}	{answered.kilobytes:.0f}	{answered.told}"


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write("\n".join(_measure()))
