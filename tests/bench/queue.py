"""How long the queue of a large class takes at the server, and looking for flags in its texts."""

import random
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tests.bench.asking import asked
from tests.bench.made_texts import made_class
from tests.bench.processes import lines_of
from tests.bench.statistics import Measure
from tests.bench.table import Reach, Row, Table

if TYPE_CHECKING:
    from django.test import Client

    from grading.models import Assignment

STUDENTS, VERSIONS, WORDS = 1_000, 3, 150
ROUNDS = 10
_MOST_MS, _MOST_S = 300, 10
_QUERIES = {
    "doubtful first": "",
    "by name, the last page": "sort=name&page=20",
    "a search in the texts": "q=heat&state=todo",
}


def table() -> Table:
    rows = [row for line in lines_of("tests.bench.queue") for row in _rows(*line.split("\t"))]
    return Table(
        f"The queue of {STUDENTS} submissions, each scored by {VERSIONS} versions",
        f"At the server, rendering included; {ROUNDS} times each, after one to warm up.",
        tuple(rows),
        ("", "rounds"),
    )


def _rows(what: str, queries: str, taken: str) -> Iterator[Row]:
    numbers = [float(number) for number in taken.split()]
    spread = Measure(float(np.median(numbers)), least=min(numbers), most=max(numbers))
    if not queries:
        yield Row(what, "s", spread, Reach(_MOST_S, most=True), 1)
        return
    yield Row(what, "answer, ms", spread, Reach(_MOST_MS, most=True), 0)
    yield Row(what, "queries", Measure(float(queries)), None, 0)


# --- the process that measures ---


def _measure() -> Iterator[str]:
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    from django.test import Client  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    from grading.models import Assignment, Course, Membership, User  # noqa: PLC0415

    course = Course.objects.create(name="Bench", code="CDEFGH2")
    user = User.objects.create_user("ta", "ta@example.org", name="Tomasz Okoye")
    Membership.objects.create(course=course, user=user, role="ta")
    assignment = Assignment.objects.create(course=course, title="Bench", state="open")
    pages = _class(assignment)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    queue = reverse("queue", args=[assignment.pk])
    for what, query in _QUERIES.items():
        yield f"{what}\t{_asked(client, f'{queue}?{query}')}"
    yield f"a text with the bar\t{_asked(client, f'{pages}?queue=state%3Dtodo')}"
    yield f"flags of {STUDENTS} texts of {WORDS} words\t\t{_looking(assignment)}"


def _class(assignment: "Assignment") -> str:
    """Some flagged, some doubtful, some claimed and some done; the address of one of its texts."""
    from django.urls import reverse  # noqa: PLC0415

    from grading.models import Membership, Score, Submission  # noqa: PLC0415
    from grading.pyramid.flags.text_flags import FlagKind  # noqa: PLC0415
    from grading.queue.actions import reviews_claim, reviews_complete  # noqa: PLC0415
    from tests.queue_scene import Work, handed_in, scored, version_of  # noqa: PLC0415

    by_lot = random.Random(1)  # noqa: S311
    flags = (FlagKind.LIKE_ANOTHER, FlagKind.OFF_TOPIC)
    works = [
        Work(
            f"Student {number}",
            score=by_lot.random(),
            doubtful=by_lot.randrange(6),
            confidence=by_lot.random(),
            words=WORDS,
            section=f"Group {number % 8}",
            flags=flags[: max(0, by_lot.randrange(12) - 9)],
        )
        for number in range(STUDENTS)
    ]
    submissions = handed_in(assignment, *works)
    for row, text in zip(submissions, made_class(STUDENTS, WORDS, seed=1), strict=True):
        row.text = text.content
    Submission.objects.bulk_update(submissions, ["text"])
    for number in range(2, VERSIONS + 1):
        version = version_of(assignment, number)
        Score.objects.bulk_create(
            scored(submission, version, by_lot.random()) for submission in submissions
        )
    grader = Membership.objects.get(course=assignment.course, role="ta").user
    done = [submission.pk for submission in submissions[:200]]
    reviews_complete(assignment=assignment, submissions=done, user=grader)
    held = [submission.student_id for submission in submissions[200:230]]
    reviews_claim(assignment=assignment, students=held, user=grader)
    first = submissions[500]
    first.scores.all().delete()  # its page is measured without evidence
    return reverse("submission", args=[first.pk])


def _asked(client: "Client", address: str) -> str:
    answered = asked(lambda: client.get(address), ROUNDS)
    return f"{answered.queries}	{answered.told}"


def _looking(assignment: "Assignment") -> str:
    from grading.scoring.flags import flags_refresh  # noqa: PLC0415

    started = time.perf_counter()
    flags_refresh(assignment=assignment)
    return f"{time.perf_counter() - started:.2f}"


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write("\n".join(_measure()))
