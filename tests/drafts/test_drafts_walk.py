"""Whatever is done to a draft, in whatever order: it is what a model with two stacks says."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from grading.drafts.log import Result, Sender, draft_state, draft_undo
from grading.models import Assignment, Draft, User
from grading.pyramid.editing import Command, Patch, command_from_json
from grading.pyramid.errors import EditError, JoinOfferError
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_draft
from tests.conftest import Cast
from tests.drafts.drafting import Editor, begun
from tests.pyramid.editing.making import edits, pyramids
from tests.pyramid.editing.test_editing import as_bytes


@dataclass
class Model:
    """What a draft is to be: states by revision, and two stacks."""

    states: list[Pyramid]
    undoing: list[Pyramid] = field(default_factory=list)
    redoing: list[Pyramid] = field(default_factory=list)

    @property
    def now(self) -> Pyramid:
        return self.states[-1]

    def edited(self, after: Pyramid) -> None:
        self.undoing.append(self.now)
        self.redoing.clear()
        self.states.append(after)

    def undone(self) -> None:
        self.redoing.append(self.now)
        self.states.append(self.undoing.pop())

    def redone(self) -> None:
        self.undoing.append(self.now)
        self.states.append(self.redoing.pop())


def expected_of(command: Command, now: Pyramid, next_uid: int) -> tuple[Result, Pyramid]:
    try:
        after = command.apply(now)
    except JoinOfferError:
        return Result.JOIN_OFFERED, now
    except EditError:
        return Result.REFUSED, now
    new = {scu.uid for scu in after.scus} - {scu.uid for scu in now.scus}
    taken = not isinstance(command, Patch) and any(uid < next_uid for uid in new)
    return (Result.REFUSED, now) if taken or after == now else (Result.DONE, after)


class Walk:
    """One random walk through edits, with the model beside the database."""

    def __init__(self, data: st.DataObject, assignment: Assignment, author: User) -> None:
        self.data = data
        self.model = Model([data.draw(pyramids())])
        self.editor = Editor(begun(assignment, self.model.now), author)
        self.log: list[Any] = []

    def step(self) -> None:
        ways: list[Callable[[], None]] = [self.edit, self.edit, self.undo, self.redo]
        ways += [self.restore, self.send_again, self.send_late]
        way = self.data.draw(st.sampled_from(ways))
        event(way.__name__)
        way()
        draft = Draft.objects.get(pk=self.editor.draft.pk)
        assert as_bytes(pyramid_from_draft(draft)) == as_bytes(self.model.now)
        assert draft.revision == len(self.model.states) - 1 == self.editor.revision
        assert bool(draft.undo_top) == bool(self.model.undoing)
        assert bool(draft.redo_top) == bool(self.model.redoing)
        log = list(draft.edits.order_by("revision").values())
        assert log[: len(self.log)] == self.log  # only ever grows
        self.log = log
        self.editor.draft = draft

    def edit(self) -> None:
        next_uid = self.editor.draft.next_uid
        command = self.data.draw(edits(self.model.now, next_uid))
        result, after = expected_of(command, self.model.now, next_uid)
        assert self.editor.edit(command).result is result
        if result is Result.DONE:
            self.model.edited(after)

    def undo(self) -> None:
        done = self.editor.undo().result is Result.DONE
        assert done == bool(self.model.undoing)
        if done:
            self.model.undone()

    def redo(self) -> None:
        done = self.editor.redo().result is Result.DONE
        assert done == bool(self.model.redoing)
        if done:
            self.model.redone()

    def restore(self) -> None:
        revision = self.data.draw(st.integers(0, self.editor.revision))
        earlier = self.model.states[revision]
        done = self.editor.restore(revision).result is Result.DONE
        assert done == (earlier != self.model.now)
        if done:
            self.model.edited(earlier)

    def send_again(self) -> None:
        tokens = [entry["token"] for entry in self.log]
        if tokens:
            token = self.data.draw(st.sampled_from(tokens))
            sender = Sender(self.editor.author, self.editor.revision, token)
            outcome = draft_undo(draft=self.editor.draft, sender=sender)
            assert outcome.result is Result.DONE
            assert outcome.edit is not None
            assert outcome.edit.token == token

    def send_late(self) -> None:
        sender = replace(self.editor.sender(), revision=self.editor.revision - 1)
        assert draft_undo(draft=self.editor.draft, sender=sender).result is Result.STALE

    def check_the_whole(self) -> None:
        replayed = self.model.states[0]
        for entry, state in zip(self.log, self.model.states[1:], strict=True):
            replayed = command_from_json(entry["command"]).apply(replayed)
            assert as_bytes(replayed) == as_bytes(state)
        for revision, state in enumerate(self.model.states):
            then = draft_state(draft=self.editor.draft, revision=revision)
            assert as_bytes(then) == as_bytes(state)
        while self.model.undoing:
            self.undo()
        assert as_bytes(self.model.now) == as_bytes(self.model.states[0])


@settings(max_examples=40, suppress_health_check=list(HealthCheck), print_blob=True)
@given(data=st.data())
def test_a_draft_is_what_two_stacks_say(
    data: st.DataObject, cast: Cast, assignment: Assignment
) -> None:
    walk = Walk(data, assignment, cast.instructor)
    for _ in range(data.draw(st.integers(1, 14))):
        walk.step()
    walk.check_the_whole()
