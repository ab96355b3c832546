"""Odd values for every field of every form: nothing fails, and nothing invalid is written.

The fields of a form are those that its view asks for while the request runs, so no list of them has
to be kept. Bodies are drawn with a seed: the same ones in each run. On PostgreSQL the same test
shows what a stricter database refuses.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import quote_from_bytes, quote_plus

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models, transaction
from django.db.models.signals import post_save
from django.http import QueryDict
from django.test import Client
from django.utils.datastructures import MultiValueDict

from grading.models import User
from tests.scenes import Scene
from tests.url_table import ROWS, WHO, Row

SEED = 17
# In every field at once, in the first rounds; the later rounds mix.
WORST = (b"", b"9" * 5_000, b"a\x00b\xed\xa0\x80", "²".encode(), b"%d" % 2**63)
ROUNDS = range(len(WORST) + 3)
FAILED = 500
NOT_HERE = frozenset({403, 404, 405})
# Fields whose names have a number, which no view asks for by name.
NUMBERED = ("whose-", "line-", "grade-", "idea-", "weight-", "band-", "points-")
KNOWN = ("take", "leaving", "shown", "students", "uid", "revision", "text", "do", "next")
# What chooses between forms that share an address: without it, nothing else would be read.
KINDS = frozenset({"do", "what", "kind", "command"})
ODD = (
    b"9" * 5_000,
    b"-1",
    b"0",
    b"1",
    b"%d" % 2**31,
    b"%d" % 2**63,
    b"1e999",
    b"NaN",
    b"-Infinity",
    b"1.0000000000000000000000001",
    b"",
    b" ",
    b"on",
    b"\x00",
    b"a\x00b",
    b"\xed\xa0\x80",  # half of a pair, as no UTF-8 has it
    b"\xff\xfe",
    "٣".encode(),
    "²".encode(),
    "①".encode(),
    "\u202e\u200b\ufeff".encode(),
    "🚲".encode() * 300,
    b"x" * 70_000,
    b"<script>alert(1)</script>",
    b"../../etc/passwd",
    b"0001-01-01T00:00",
    b"9999-12-31T23:59",
    b"2026-02-30T25:61",
    b"[1, [2, {}]]",
    b'{"a": "\\ud800", "b": 1e999}',
    b"[" * 5_000,
    b"0-5,3-9",
    b"5-0",
    b"1:2 3:4",
    b"a,b;c|d\te\nf",
    b"{0} %s %(a)s {{ x }}",
)


Pair = tuple[str, bytes]


class _Asked:
    """Which fields the views ask for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: set[str] = set()
        for kind, method in (
            (MultiValueDict, "get"),
            (MultiValueDict, "getlist"),
            (MultiValueDict, "__getitem__"),
            (MultiValueDict, "__contains__"),
        ):
            monkeypatch.setattr(kind, method, self._noting(getattr(kind, method)), raising=False)

    def _noting(self, of_django: Callable[..., object]) -> Callable[..., object]:
        def noting(data: MultiValueDict[str, object], key: str, *args: object) -> object:
            if isinstance(data, QueryDict) or type(data) is MultiValueDict:
                self.names.add(str(key))
            return of_django(data, key, *args)

        return noting


@contextmanager
def _nothing_stays() -> Iterator[list[models.Model]]:
    """What was saved meanwhile; afterwards all is as it was."""
    saved: list[models.Model] = []

    def note(instance: models.Model, **_: object) -> None:
        saved.append(instance)

    post_save.connect(note)
    try:
        with transaction.atomic():
            yield saved
            transaction.set_rollback(True)
    finally:
        post_save.disconnect(note)


def _problem_of(row: models.Model) -> str:
    """Why a row of ours should not have been saved; SQLite itself would take nearly everything."""
    if row._meta.app_label != "grading":
        return ""
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if isinstance(value, str):
            if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
                return f"{field.name} has characters that no database keeps"
            if field.max_length is not None and len(value) > field.max_length:
                return f"{field.name} is longer than {field.max_length}"
        if isinstance(value, int) and isinstance(field, models.IntegerField):
            try:
                field.run_validators(value)
            except ValidationError as error:
                return f"{field.name}: {error.messages}"
    return ""


def _pairs(names: set[str], row: Row, number: int, chance: random.Random) -> Iterator[Pair]:
    """The fields of a form, with what is to be sent in them."""
    every = sorted(names | set(row.data))
    numbered = [f"{prefix}{digits}" for prefix in NUMBERED for digits in ("1", "9" * 5_000, "²")]
    if number < len(WORST):
        for name in [*every, *numbered]:
            value = WORST[number]
            yield name, row.data.get(name, "").encode() if name in KINDS else value
        return
    for name in every:
        if chance.random() < 0.1:
            continue
        value = row.data.get(name, "").encode()
        if name not in row.data or chance.random() < 0.5:
            value = chance.choice(ODD)
        yield name, value
        if chance.random() < 0.1:
            yield name, chance.choice(ODD)
    yield chance.choice(numbered), chance.choice(ODD)


def _body(pairs: Sequence[Pair], chance: random.Random) -> tuple[bytes, dict[str, object]]:
    """A form as browsers write it, and the same as parts with a file in the place of a text."""
    body = b"&".join(
        quote_plus(name).encode() + b"=" + quote_from_bytes(value).encode() for name, value in pairs
    )
    parts: dict[str, object] = {
        name: SimpleUploadedFile("x.txt", value[:1_000])
        if chance.random() < 0.5
        else value.decode("utf-8", "replace")
        for name, value in pairs
    }
    return body, parts


def _who_may(row: Row) -> str:
    """Whoever gets farthest at this address."""
    return min(zip(row.statuses, WHO, strict=True), key=lambda each: (each[0] in {403, 404}, 0))[1]


def _addresses() -> list[Row]:
    """Every address once, the form that is sent to it before the page that has it."""
    rows: dict[tuple[str, str], Row] = {}
    for row in sorted(ROWS, key=lambda row: row.method != "post"):
        rows.setdefault((row.name, row.about), row)
    return list(rows.values())


def test_no_form_fails(
    scene: Scene,
    client_of: Callable[[User | None], Client],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(SEED)  # noqa: S311
    asked = _Asked(monkeypatch)
    finds: list[str] = []
    sent = 0
    for row in _addresses():
        client = client_of(scene.user(_who_may(row)))
        names = set(KNOWN)
        for number in ROUNDS:
            asked.names.clear()
            body, parts = _body([*_pairs(names, row, number, chance)], chance)
            with _nothing_stays() as saved:
                try:
                    if number == ROUNDS[-1]:
                        response = client.post(scene.url(row), parts)
                    else:
                        kind = "application/x-www-form-urlencoded"
                        response = client.post(scene.url(row), body, content_type=kind)
                except Exception as error:  # noqa: BLE001
                    finds.append(f"{row.name}: {type(error).__name__}: {str(error)[:200]}")
                    continue
                sent += 1
                problems = filter(None, map(_problem_of, saved))
                finds.extend(f"{row.name} saved {problem}" for problem in problems)
            if response.status_code >= FAILED:
                finds.append(f"{row.name}: {response.status_code}")
            if response.status_code in NOT_HERE:
                break
            names |= {name for name in asked.names if name.isprintable() and len(name) < 60}

    assert sent > len(_addresses())
    assert not finds, "\n".join(sorted(set(finds)))
