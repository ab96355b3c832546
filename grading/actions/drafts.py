"""Drafts of a pyramid: begun, edited, undone, restored, set aside. The log only ever grows."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from grading.conversion import pyramid_from_draft
from grading.models import Assignment, Draft, DraftEdit, StoredPyramid, User
from grading.pyramid.editing import (
    Command,
    command_from_json,
    command_to_json,
    patch_between,
)
from grading.pyramid.editing.errors import EditError, JoinOfferError
from grading.pyramid.formats.pyramid_json import pyramid_from_json, pyramid_to_json
from grading.pyramid.structures import Pyramid

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
    """Who sends an edit, made on which revision; the token tells an edit that is sent twice."""

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
    """Begin a draft with this pyramid, beside those that there are."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)  # one number at a time
    found = assignment.drafts.aggregate(newest=Max("number"), uid=Max("next_uid"))
    document = pyramid_to_json(pyramid)
    used = max((scu.uid for scu in pyramid.scus), default=0)
    return Draft.objects.create(
        assignment=assignment,
        number=(found["newest"] or 0) + 1,
        origin=origin,
        origin_note=origin_note[:300],
        based_on=based_on,
        first=document,
        document=document,
        next_uid=max(used + 1, found["uid"] or 1),
        created_by=author,
    )


def draft_edit(*, draft: Draft, command: Command, sender: Sender) -> Outcome:
    """Make an edit, if the draft is as the sender saw it."""
    return _change(draft, sender, lambda _: _Step(DraftEdit.Kind.EDIT, command))


def draft_undo(*, draft: Draft, sender: Sender) -> Outcome:
    """Take the last edit that still stands back, whoever made it."""
    return _change(draft, sender, _step_back)


def draft_redo(*, draft: Draft, sender: Sender) -> Outcome:
    """Make the edit that was undone last once more."""
    return _change(draft, sender, _step_forward)


def draft_restore(*, draft: Draft, revision: int, sender: Sender) -> Outcome:
    """Bring an earlier state back, as an edit that can be undone like any other."""

    def step(locked: Draft) -> _Step:
        earlier = draft_state(draft=locked, revision=revision)
        summary = f"brought the state after edit {revision} back"
        return _Step(
            DraftEdit.Kind.EDIT, patch_between(pyramid_from_draft(locked), earlier, summary)
        )

    return _change(draft, sender, step)


def draft_state(*, draft: Draft, revision: int) -> Pyramid:
    """The pyramid as it was after an earlier edit (0: before the first)."""
    pyramid = pyramid_from_json(draft.document)
    later = draft.edits.filter(revision__gt=revision, revision__lte=draft.revision)
    for edit in later.only("inverse", "revision").order_by("-revision"):
        pyramid = command_from_json(edit.inverse).apply(pyramid)
    return pyramid


def draft_discard(*, draft: Draft) -> bool:
    """Set an open draft aside; it can be brought back. False if it is not open."""
    return _change_state(draft, Draft.State.OPEN, Draft.State.DISCARDED)


def draft_bring_back(*, draft: Draft) -> bool:
    return _change_state(draft, Draft.State.DISCARDED, Draft.State.OPEN)


def _change_state(draft: Draft, old: Draft.State, new: Draft.State) -> bool:
    return bool(Draft.objects.filter(pk=draft.pk, state=old).update(state=new))


# --- how a draft changes ---


@dataclass(frozen=True, slots=True)
class _Step:
    kind: DraftEdit.Kind
    command: Command
    about: DraftEdit | None = None  # what is undone or redone


def _step_back(draft: Draft) -> _Step:
    about = draft.edits.filter(revision=draft.undo_top).first()
    if about is None:
        raise EditError("There is nothing to undo.")
    return _Step(DraftEdit.Kind.UNDO, command_from_json(about.inverse), about)


def _step_forward(draft: Draft) -> _Step:
    about = draft.edits.filter(revision=draft.redo_top).first()
    if about is None:
        raise EditError("There is nothing to redo.")
    return _Step(DraftEdit.Kind.REDO, command_from_json(about.inverse), about)


@transaction.atomic
def _change(draft: Draft, sender: Sender, make: Callable[[Draft], _Step]) -> Outcome:
    locked = Draft.objects.select_for_update().get(pk=draft.pk)
    before = pyramid_from_draft(locked)
    # Sent again because the answer was lost: it is done already.
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
        edit = _log(locked, step, before, after, sender)
    except EditError as error:
        offered = isinstance(error, JoinOfferError)
        result = Result.JOIN_OFFERED if offered else Result.REFUSED
        return Outcome(result, locked, before, before, message=str(error))
    return Outcome(Result.DONE, locked, before, after, edit)


def _log(draft: Draft, step: _Step, before: Pyramid, after: Pyramid, sender: Sender) -> DraftEdit:
    """Keep the entry, and the draft as it is after it."""
    words = _words(step, before)
    below, target = draft.undo_top, 0
    draft.revision += 1
    if step.about is None:
        draft.undo_top, draft.redo_top = draft.revision, 0
    elif step.kind is DraftEdit.Kind.UNDO:
        target, below = step.about.revision, draft.redo_top
        draft.undo_top, draft.redo_top = step.about.below, draft.revision
    else:
        target = step.about.target
        draft.undo_top, draft.redo_top = target, step.about.below
    draft.document = pyramid_to_json(after)
    draft.next_uid = max(draft.next_uid, *(scu.uid + 1 for scu in after.scus), 1)
    draft.edited_at = timezone.now()
    draft.save(
        update_fields=["revision", "undo_top", "redo_top", "document", "next_uid", "edited_at"]
    )
    return DraftEdit.objects.create(
        draft=draft,
        revision=draft.revision,
        kind=step.kind,
        command=command_to_json(step.command),
        inverse=command_to_json(patch_between(after, before, f"not: {words}"[:LONGEST_WORDS])),
        words=words,
        target=target,
        below=below,
        token=sender.token,
        author=sender.author,
    )


def _words(step: _Step, before: Pyramid) -> str:
    if step.about is None:
        return step.command.words(before)[:LONGEST_WORDS]
    about = step.about.words.removeprefix("undid: ")
    return f"{'undid' if step.kind is DraftEdit.Kind.UNDO else 'redid'}: {about}"[:LONGEST_WORDS]
