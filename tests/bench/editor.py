"""How long an edit takes at the server, with all that it is answered with, on a large pyramid.

``python -m tests.bench.editor`` is the process that measures, in a database of its own.
"""

import random
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from grading.pyramid.editing.changes import WORD
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text, join_spans
from tests.bench.processes import lines_of
from tests.bench.statistics import Measure
from tests.bench.table import Reach, Row, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

REFERENCES, WORDS, IDEAS = 12, 250, 150
ROUNDS = 40
_MEDIAN_MS, _P95_MS = 100, 250


def table() -> Table:
    lines = lines_of("tests.bench.editor")
    rows = [row for line in lines for row in _rows(*line.split("\t"))]
    return Table(
        f"The editor: {REFERENCES} references of {WORDS} words, {IDEAS} ideas, two of them open",
        f"At the server, rendering included; {ROUNDS} edits of each kind.",
        tuple(rows),
        ("", "rounds"),
    )


def _rows(name: str, queries: str, kilobytes: str, milliseconds: str) -> Iterator[Row]:
    taken = [float(duration) for duration in milliseconds.split()]
    p95 = float(np.percentile(taken, 95))
    spread = Measure(float(np.median(taken)), least=min(taken), most=max(taken))
    if name == "the page":
        yield Row(name, "answer, ms", spread, None, 0)
    else:
        yield Row(name, "answer, ms", spread, Reach(_MEDIAN_MS, most=True), 0)
        yield Row(name, "answer, 95th percentile, ms", Measure(p95), Reach(_P95_MS, most=True), 0)
    yield Row(name, "queries", Measure(float(queries)), None, 0)
    yield Row(name, "answer, kB at most", Measure(float(kilobytes)), None, 0)


# --- the process that measures ---


def made_pyramid() -> Pyramid:
    """Ideas of every weight, most of them light, some of their words in parts or shared."""
    from tests.bench.made_texts import made_references  # noqa: PLC0415

    draw = random.Random(4)  # noqa: S311
    texts = tuple(sorted(made_references(REFERENCES, WORDS), key=lambda text: text.name))
    scus = [_made_idea(uid, texts, draw) for uid in range(1, IDEAS + 1)]
    return Pyramid(texts, tuple(scus))


def _made_idea(uid: int, texts: tuple[Text, ...], draw: random.Random) -> Scu:
    weight = min(len(texts), 1 + int(draw.expovariate(0.4)))
    chosen = sorted(draw.sample(texts, weight), key=lambda text: text.name)
    contributors = tuple(_made_contributor(text, draw) for text in chosen)
    return Scu(uid, f"Idea {uid}: {chosen[0].words_at(contributors[0].spans)}"[:200], contributors)


def _made_contributor(text: Text, draw: random.Random) -> Contributor:
    """One part or two, of four to eight words."""
    words = list(WORD.finditer(text.content))
    parts = [draw.randrange(len(words) - 8) for _ in range(draw.choice((1, 1, 1, 2)))]
    spans = [Span(words[n].start(), words[n + draw.randrange(3, 8)].end()) for n in parts]
    return Contributor(text.name, join_spans(spans))


class Measured:
    """A browser of an instructor who edits one draft."""

    def __init__(self, client: "Client", draft_pk: int) -> None:
        self.client = client
        self.draft_pk = draft_pk
        self.revision = 0
        self.taken: dict[str, list[float]] = {}
        self.asked: dict[str, int] = {}
        self.bytes: dict[str, int] = {}

    def send(self, kind: str, what: str, **fields: object) -> None:
        from django.urls import reverse  # noqa: PLC0415

        url = reverse(what, args=[self.draft_pk])
        fields |= {"revision": self.revision, "open": "3 40"}
        self._time(kind, lambda: self.client.post(url, fields, headers={"HX-Request": "true"}))
        self.revision += 1

    def look(self) -> None:
        from django.urls import reverse  # noqa: PLC0415

        url = reverse("draft", args=[self.draft_pk])
        self._time("the page", lambda: self.client.get(url))

    def _time(self, kind: str, ask: "Callable[[], Answer]") -> None:
        from django.db import connection  # noqa: PLC0415
        from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

        with CaptureQueriesContext(connection) as queries:
            started = time.perf_counter()
            response = ask()
            took = 1000 * (time.perf_counter() - started)
        if response.status_code != 200:
            raise RuntimeError(f"{kind}: answered by {response.status_code}")
        self.taken.setdefault(kind, []).append(took)
        self.asked[kind] = max(self.asked.get(kind, 0), len(queries))
        self.bytes[kind] = max(self.bytes.get(kind, 0), len(response.content))

    def lines(self) -> Iterator[str]:
        for kind, taken in self.taken.items():
            text = " ".join(f"{seconds:.2f}" for seconds in taken)
            yield f"{kind}\t{self.asked[kind]}\t{self.bytes[kind] / 1000:.0f}\t{text}"


def _begun() -> Measured:
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    from django.test import Client  # noqa: PLC0415

    from grading.drafts.log import draft_create  # noqa: PLC0415
    from grading.models import Assignment, Course, Draft, Membership, Role, User  # noqa: PLC0415

    course = Course.objects.create(name="Bench", code="CDEFGH2")
    author = User.objects.create_user("bench", "bench@example.org", name="Bench")
    Membership.objects.create(course=course, user=author, role=Role.INSTRUCTOR)
    assignment = Assignment.objects.create(course=course, title="Bench", state="open")
    draft = draft_create(
        assignment=assignment, pyramid=made_pyramid(), origin=Draft.Origin.EMPTY, author=author
    )
    client = Client(SERVER_NAME="localhost")
    client.force_login(author, backend="django.contrib.auth.backends.ModelBackend")
    return Measured(client, draft.pk)


def _measure() -> Iterator[str]:
    measured = _begun()
    reference = made_pyramid().references[0].name
    draw = random.Random(5)  # noqa: S311
    for number in range(ROUNDS):
        first, other = draw.sample(range(1, IDEAS + 1), 2)
        measured.send("merge", "draft_edit", command="merge_scus", uid=first, into=other)
        measured.send("undo", "draft_undo")
        measured.send("redo", "draft_redo")
        measured.send("undo", "draft_undo")
        label = f"Idea {number}, said better"
        measured.send("label", "draft_edit", command="set_label", uid=first, label=label)
        measured.send("new idea", "draft_edit", command="new_scu", reference=reference, spans="0-9")
        measured.send("delete", "draft_edit", command="delete_scu", uid=first)
        measured.send("undo", "draft_undo")
        measured.look()
    yield from measured.lines()


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write("\n".join(_measure()))
