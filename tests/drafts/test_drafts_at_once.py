"""Two people at the same moment, each on a connection of their own."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection

from grading.drafts.log import (
    Outcome,
    Result,
    Sender,
    draft_discard,
    draft_edit,
    draft_state,
    draft_undo,
)
from grading.models import Assignment, Draft, DraftEdit, User
from grading.pyramid.editing.commands import SetLabel
from grading.scoring.conversion import pyramid_from_draft
from tests.conftest import Cast
from tests.drafts.drafting import PYRAMID, begun
from tests.pyramid.editing.test_editing import as_bytes

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 12

T = TypeVar("T")


def at_once(*makers: Callable[[], T]) -> list[T]:
    """What they give when all start together."""
    start = Barrier(len(makers))

    def run(make: Callable[[], T]) -> T:
        try:
            start.wait(timeout=20)
            return make()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(makers)) as pool:
        return [item.result(timeout=60) for item in [pool.submit(run, make) for make in makers]]


def labelling(draft: Draft, revision: int, author: User, uid: int) -> Callable[[], Outcome]:
    sender = Sender(author, revision, uuid.uuid4())
    command = SetLabel(uid, f"edit {revision + 1} by {author.name}")
    return lambda: draft_edit(draft=draft, command=command, sender=sender)


def test_of_two_edits_one_is_done_and_the_other_told(cast: Cast, assignment: Assignment) -> None:
    draft, people = begun(assignment), (cast.instructor, cast.ta)
    for revision in range(ROUNDS):
        outcomes = at_once(
            *(labelling(draft, revision, author, uid) for uid, author in enumerate(people, 1))
        )
        assert sorted(outcome.result for outcome in outcomes) == [Result.DONE, Result.STALE]
        done = next(i for i in (0, 1) if outcomes[i].result is Result.DONE)
        draft.refresh_from_db()
        expected = f"edit {revision + 1} by {people[done].name}"
        assert pyramid_from_draft(draft).scu(done + 1).label == expected
        # Whoever was told sees the other's edit.
        assert outcomes[1 - done].after == outcomes[done].after
    assert draft.revision == DraftEdit.objects.count() == ROUNDS
    assert as_bytes(draft_state(draft=draft, revision=0)) == as_bytes(PYRAMID)


def test_an_undo_and_an_edit_do_not_mix(cast: Cast, assignment: Assignment) -> None:
    draft = begun(assignment)
    for revision in range(0, 2 * ROUNDS, 2):
        labelling(draft, revision, cast.ta, 1)()
        sender = Sender(cast.instructor, revision + 1, uuid.uuid4())
        outcomes = at_once(
            partial(draft_undo, draft=draft, sender=sender),
            labelling(draft, revision + 1, cast.ta, 2),
        )
        assert sorted(outcome.result for outcome in outcomes) == [Result.DONE, Result.STALE]


def test_an_edit_sent_twice_counts_once(cast: Cast, assignment: Assignment) -> None:
    send = labelling(begun(assignment), 0, cast.instructor, 1)
    outcomes = at_once(send, send, send)
    assert {outcome.result for outcome in outcomes} == {Result.DONE}
    assert {outcome.edit for outcome in outcomes} == {DraftEdit.objects.get()}


def test_an_edit_and_the_end_of_the_draft_do_not_mix(cast: Cast, assignment: Assignment) -> None:
    draft = begun(assignment)
    edit = labelling(draft, 0, cast.instructor, 1)
    edited, discarded = at_once(
        lambda: edit().result is Result.DONE, lambda: draft_discard(draft=draft)
    )
    draft.refresh_from_db()
    assert discarded
    assert draft.state == Draft.State.DISCARDED
    assert draft.revision == DraftEdit.objects.count() == edited


def test_drafts_begun_together_have_numbers_of_their_own(assignment: Assignment) -> None:
    def begin() -> list[int]:
        return [begun(assignment).number for _ in range(ROUNDS)]

    numbers = [number for some in at_once(begin, begin) for number in some]
    assert sorted(numbers) == list(range(1, 2 * ROUNDS + 1))
