"""How long the pages of a class take at the server, and that queries do not grow with it."""

import random
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tests.bench.asking import asked
from tests.bench.processes import lines_of
from tests.bench.statistics import Measure
from tests.bench.table import Reach, Row, Table

if TYPE_CHECKING:
    from grading.models import Assignment, User
    from tests.class_scene import Member

IDEAS, SIZES, SECTIONS = 60, (100, 1_000), 8
ROUNDS = 10
_MOST_MS = 1_000
_PAGES = (
    "class_figures", "class_ideas", "class_ideas_file", "class_missed", "class_help",
    "class_sections",
)  # fmt: skip


def table() -> Table:
    rows = [row for line in lines_of("tests.bench.class_pages") for row in _rows(*line.split("\t"))]
    return Table(
        f"The class in figures: {IDEAS} ideas, {SECTIONS} sections",
        f"At the server, rendering included; {ROUNDS} times each, after one to warm up.",
        tuple(rows),
        ("", "rounds"),
    )


def _rows(what: str, queries: str, kilobytes: str, milliseconds: str) -> Iterator[Row]:
    taken = [float(duration) for duration in milliseconds.split()]
    spread = Measure(float(np.median(taken)), least=min(taken), most=max(taken))
    yield Row(what, "answer, ms", spread, Reach(_MOST_MS, most=True), 0)
    yield Row(what, "queries", Measure(float(queries)), None, 0)
    yield Row(what, "answer, kB", Measure(float(kilobytes)), None, 0)


# --- the process that measures ---


def _measure() -> Iterator[str]:
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    from grading.models import Assignment, Course, Membership, User  # noqa: PLC0415
    from tests.class_scene import hand_in, publish, pyramid_of  # noqa: PLC0415

    teacher = User.objects.create_user("teacher", "teacher@example.org", name="Teacher")
    draw = random.Random(0)  # noqa: S311 - the same class each time
    for size in SIZES:
        course = Course.objects.create(name=f"Class of {size}")
        Membership.objects.create(course=course, user=teacher, role="instructor")
        assignment = Assignment.objects.create(course=course, title="Bench", state="open")
        version = publish(assignment, pyramid_of(*sorted([1, 1, 2, 3, 4] * 12, reverse=True)))
        hand_in(assignment, version, [_member(draw, number) for number in range(size)])
        for page in _PAGES:
            yield f"{page}, {size} students\t{_asked(teacher, page, assignment)}"


def _member(draw: random.Random, number: int) -> "Member":
    """As strong or weak as it comes: what is important is told more often."""
    from tests.class_scene import Member  # noqa: PLC0415

    strength = draw.betavariate(3, 2)
    chances = (strength * (1 - uid / (1.5 * IDEAS)) for uid in range(1, IDEAS + 1))
    uids = [uid for uid, chance in enumerate(chances, start=1) if draw.random() < chance]
    return Member(f"Student {number}", tuple(uids), f"Section {number % SECTIONS}", idle=4)


def _asked(user: "User", page: str, assignment: "Assignment") -> str:
    from django.test import Client  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse(page, args=[assignment.pk])
    answered = asked(lambda: client.get(address), ROUNDS)
    return f"{answered.queries}	{answered.kilobytes:.0f}	{answered.told}"


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write("\n".join(_measure()))
