"""Drafts of a pyramid are begun, edited, undone, restored and discarded; the log only grows."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from grading.models import Assignment, Draft, DraftEdit, StoredPyramid, User
from grading.pyramid.editing import (
    Command,
    Patch,
    command_from_json,
    command_to_json,
    patch_between,
)
from grading.pyramid.editing.changes import check_for_draft
from grading.pyramid.editing.wording import folded, shortened
from grading.pyramid.errors import EditError, JoinOfferError
from grading.pyramid.formats.pyramid_json import pyramid_to_json
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_draft

LONGEST_WORDS = 600


class Result(StrEnum):
    DONE = "done"
    STALE = "stale"  # the draft has changed since the revision that the edit was made on
    REFUSED = "refused"  # the edit does not fit; the message says why
    JOIN_OFFERED = "join offered"  # so, but the words could be joined as further parts


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an edit; ``before`` and ``after`` are the same where nothing was done."""

    result: Result
    draft: Draft
    before: Pyramid
    after: Pyramid
    edit: DraftEdit | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Sender:
    """The author of an edit, and the revision that it was made on.

    An edit that is sent twice has the same token.
    """

    author: User
    revision: int
    token: uuid.UUID


@transaction.atomic
def draft_create(
    *,
    assignment: Assignment,
    pyramid: Pyramid,
    origin: Draft.Origin,
    author: User | None,
    origin_note: str = "",
    based_on: StoredPyramid | None = None,
) -> Draft:
    """Begin a draft with this pyramid, beside those that there are.

    An EditError where it comes from a file with something that cannot be kept.
    """
    check_for_draft(pyramid)
    Assignment.objects.select_for_update().get(pk=assignment.pk)  # one number at a time
    highest = assignment.drafts.aggregate(number=Max("number"), uid=Max("next_uid"))
    document = pyramid_to_json(pyramid)
    used = max((scu.uid for scu in pyramid.scus), default=0)
    return Draft.objects.create(
        assignment=assignment,
        number=(highest["number"] or 0) + 1,
        origin=origin,
        origin_note=origin_note[:300],
        based_on=based_on,
        first=document,
        document=document,
        next_uid=max(used + 1, highest["uid"] or 1),
        created_by=author,
    )


def draft_edit(*, draft: Draft, command: Command, sender: Sender) -> Outcome:
    """Make an edit, if the draft is as the sender saw it."""
    return _change(draft, sender, lambda _: _Step(DraftEdit.Kind.EDIT, command))


def draft_undo(*, draft: Draft, sender: Sender) -> Outcome:
    """Undo the last edit that is in force, whoever made it."""
    return _change(draft, sender, lambda locked: _step_again(locked, DraftEdit.Kind.UNDO))


def draft_redo(*, draft: Draft, sender: Sender) -> Outcome:
    """Make the edit again that was undone last."""
    return _change(draft, sender, lambda locked: _step_again(locked, DraftEdit.Kind.REDO))


def draft_restore(*, draft: Draft, revision: int, sender: Sender) -> Outcome:
    """Bring an earlier state back, as an edit that can be undone like any other."""

    def step(locked: Draft) -> _Step:
        earlier = draft_state(draft=locked, revision=revision)
        back = f"the state after edit {revision}" if revision else "the first state"
        patch = patch_between(pyramid_from_draft(locked), earlier, f"brought {back} back")
        return _Step(DraftEdit.Kind.EDIT, patch)

    return _change(draft, sender, step)


def draft_state(*, draft: Draft, revision: int) -> Pyramid:
    """The pyramid as it was after an earlier edit (0: before the first).

    Looked up afresh: a document and a revision read one after the other may not belong together.
    An EditError where the draft has not come so far.
    """
    now = Draft.objects.only("document", "revision").get(pk=draft.pk)
    if not 0 <= revision <= now.revision:
        raise EditError(f"There is no edit {revision:,} in this draft.")
    later = now.edits.filter(revision__gt=revision, revision__lte=now.revision)
    pyramid = pyramid_from_draft(now)
    for inverse in later.order_by("-revision").values_list("inverse", flat=True):
        pyramid = command_from_json(inverse).apply(pyramid)
    return pyramid


def draft_discard(*, draft: Draft) -> bool:
    """Discard an open draft; it can be restored. Returns False if it is not open."""
    return _change_state(draft, Draft.State.OPEN, Draft.State.DISCARDED)


def draft_bring_back(*, draft: Draft) -> bool:
    return _change_state(draft, Draft.State.DISCARDED, Draft.State.OPEN)


def _change_state(draft: Draft, old: Draft.State, new: Draft.State) -> bool:
    """Conditional, so that of two people who do it at once only one gets True."""
    return bool(Draft.objects.filter(pk=draft.pk, state=old).update(state=new))


# --- how a draft changes ---


@dataclass(frozen=True, slots=True)
class _Step:
    kind: DraftEdit.Kind
    command: Command
    about: DraftEdit | None = None  # what is undone or redone


def _step_again(draft: Draft, kind: DraftEdit.Kind) -> _Step:
    """Undo the last edit that is in force, or make the edit again that was undone last."""
    top = draft.undo_top if kind is DraftEdit.Kind.UNDO else draft.redo_top
    about = draft.edits.filter(revision=top).first()
    if about is None:
        raise EditError(f"There is nothing to {kind}.")
    # What is undone was an edit, and what is redone was an undo: its inverse is taken either way.
    return _Step(kind, command_from_json(about.inverse), about)


@transaction.atomic
def _change(draft: Draft, sender: Sender, make: Callable[[Draft], _Step]) -> Outcome:
    """Make one step under the lock of the draft, and keep it with its inverse.

    ``make`` sees the locked draft, so an undo is of the edit that is the last one now.
    """
    locked = Draft.objects.select_for_update().defer("first").get(pk=draft.pk)
    before = pyramid_from_draft(locked)
    # Before all checks: an edit that is sent again, because its answer was lost, is done already.
    if known := locked.edits.filter(token=sender.token).first():
        return Outcome(Result.DONE, locked, before, before, known)
    if not locked.is_open:
        message = f"This draft is {locked.get_state_display().lower()}: it cannot be edited."
        return Outcome(Result.REFUSED, locked, before, before, message=message)
    if locked.revision != sender.revision:
        return Outcome(Result.STALE, locked, before, before)
    try:
        step = make(locked)
        after = step.command.apply(before)
        _check_step(locked, step, before, after)
        # Keep the entry, and the draft as it is after it.
        if step.about is None:
            words = folded(step.command.words(before))
        else:
            undone = step.about.words.removeprefix("undid: ")
            words = f"{'undid' if step.kind is DraftEdit.Kind.UNDO else 'redid'}: {undone}"
        words = shortened(words, LONGEST_WORDS)
        locked.revision += 1
        target, below = _move_stacks(locked, step)
        locked.document = pyramid_to_json(after)
        locked.next_uid = max(locked.next_uid, *(scu.uid + 1 for scu in after.scus), 1)
        locked.edited_at = timezone.now()
        changed = ["revision", "undo_top", "redo_top", "document", "next_uid", "edited_at"]
        locked.save(update_fields=changed)
        edit = DraftEdit.objects.create(
            draft=locked,
            revision=locked.revision,
            kind=step.kind,
            command=command_to_json(step.command),
            inverse=command_to_json(patch_between(after, before, f"not: {words}")),
            words=words,
            target=target,
            below=below,
            token=sender.token,
            author=sender.author,
        )
    except EditError as error:
        offered = isinstance(error, JoinOfferError)
        result = Result.JOIN_OFFERED if offered else Result.REFUSED
        return Outcome(result, locked, before, before, message=str(error))
    return Outcome(Result.DONE, locked, before, after, edit)


def _check_step(draft: Draft, step: _Step, before: Pyramid, after: Pyramid) -> None:
    """An edit changes something, and the number of an idea that is gone is not given again."""
    if step.about is not None:
        return
    if after == before:
        raise EditError("This changes nothing.")
    known = {scu.uid for scu in before.scus}
    new = {scu.uid for scu in after.scus} - known
    if not isinstance(step.command, Patch) and any(uid < draft.next_uid for uid in new):
        raise EditError("Another idea had this number before.")


def _move_stacks(draft: Draft, step: _Step) -> tuple[int, int]:
    """What is undone and redone next; gives the target of the new entry, and what lies below it.

    An edit lies on the stack of undoing, an undo on that of redoing. A redo lies on neither: it
    puts the edit back where it was.
    """
    about = step.about
    if about is None:
        target, below = 0, draft.undo_top
        draft.undo_top, draft.redo_top = draft.revision, 0
    elif step.kind is DraftEdit.Kind.UNDO:
        target, below = about.revision, draft.redo_top
        draft.undo_top, draft.redo_top = about.below, draft.revision
    else:
        target, below = about.target, 0
        draft.undo_top, draft.redo_top = about.target, about.below
    return target, below
