"""Versions: a draft is published, frozen and hashed; a draft is begun from what was published."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db import transaction
from django.db.models import Max

from grading.drafts.doubts import doubts_of
from grading.drafts.log import draft_create
from grading.models import Assignment, Dismissal, Draft, StoredPyramid, User
from grading.pyramid.editing.wording import quoted
from grading.pyramid.figures import number_of
from grading.pyramid.formats.pyramid_json import content_hash
from grading.pyramid.structures import Pyramid, Scu, Standing
from grading.scoring.conversion import (
    differs_from_references,
    pyramid_fields,
    pyramid_from_draft,
    pyramid_from_row,
)
from grading.scoring.corrections import Carrier, corrections_of
from grading.scoring.learnt_curves import learnt_curve_carry
from grading.scoring.scores import submissions_start_scoring

_LABELS_NAMED = 3


class PublishResult(StrEnum):
    DONE = "done"
    STALE = "stale"  # the draft has changed since the revision that was looked at
    REFUSED = "refused"  # it cannot score anybody, or is not open; the message says so
    SAME = "same"  # as the newest version, to the letter
    DOUBTFUL = "doubtful"  # ideas may be wrong, and nobody said to publish them anyway


@dataclass(frozen=True, slots=True)
class Publication:
    """What became of the wish to publish a draft."""

    result: PublishResult
    draft: Draft
    version: StoredPyramid | None = None
    message: str = ""


@transaction.atomic
def draft_publish(
    *,
    draft: Draft,
    revision: int,
    note: str,
    author: User | None,
    even_if_same: bool = False,
    even_if_doubtful: bool = False,
) -> Publication:
    """Freeze the draft as it was looked at as the next version, and score the class with it."""
    # Who hands in right now waits for us, or we see it: nobody falls between.
    assignment = Assignment.objects.select_for_update().get(pk=draft.assignment_id)
    locked = Draft.objects.select_for_update().get(pk=draft.pk)
    newest = StoredPyramid.objects.newest_of(assignment)
    pyramid = _ordered(pyramid_from_draft(locked))
    if not locked.is_open:
        state = locked.get_state_display().lower()
        return Publication(PublishResult.REFUSED, locked, message=f"This draft is {state} already.")
    if locked.revision != revision:
        return Publication(PublishResult.STALE, locked)
    if reason := reason_against(pyramid):
        return Publication(PublishResult.REFUSED, locked, message=reason)
    if newest and newest.content_hash == content_hash(pyramid) and not even_if_same:
        message = f"Not published: nothing has changed since version {newest.number}."
        return Publication(PublishResult.SAME, locked, newest, message)
    if not even_if_doubtful and doubts_of(draft=locked, pyramid=pyramid).ideas:
        message = "Not published: some ideas may be wrong. They are listed below."
        return Publication(PublishResult.DOUBTFUL, locked, message=message)
    return Publication(PublishResult.DONE, locked, _freeze(locked, pyramid, note, author))


def _freeze(draft: Draft, pyramid: Pyramid, note: str, author: User | None) -> StoredPyramid:
    newest = StoredPyramid.objects.filter(assignment=draft.assignment_id).aggregate(n=Max("number"))
    version = StoredPyramid.objects.create(
        assignment_id=draft.assignment_id,
        number=(newest["n"] or 0) + 1,
        note=note,
        created_by=author,
        **pyramid_fields(pyramid),
    )
    draft.state, draft.published_as = Draft.State.PUBLISHED, version
    draft.save(update_fields=["state", "published_as"])
    learnt_curve_carry(version=version)
    submissions_start_scoring(assignment=version.assignment, requested_by=author)
    return version


def _ordered(pyramid: Pyramid) -> Pyramid:
    """Heaviest first; what weighs the same stays in the order that people gave it."""
    weights = {scu.uid: scu.weight for scu in pyramid.counted().scus}
    ordered = sorted(pyramid.scus, key=lambda scu: -weights.get(scu.uid, 0))
    return replace(pyramid, scus=tuple(ordered))


def is_same_as(version: StoredPyramid, pyramid: Pyramid) -> bool:
    """Would publishing this pyramid give the same version once more?"""
    return version.content_hash == content_hash(_ordered(pyramid))


@transaction.atomic
def draft_from_version(*, version: StoredPyramid, author: User) -> Draft:
    """Begin a draft as the version is, numbers and all. One that is not touched yet is used."""
    Assignment.objects.select_for_update().get(pk=version.assignment_id)  # a double click is one
    untouched = version.drafts.filter(
        origin=Draft.Origin.VERSION, state=Draft.State.OPEN, revision=0, created_by=author
    ).first()
    if untouched is not None:
        return untouched
    draft = draft_create(
        assignment=version.assignment,
        pyramid=pyramid_from_row(version),
        origin=Draft.Origin.VERSION,
        origin_note=f"version {version.number}",
        author=author,
        based_on=version,
    )
    dismissed = Dismissal.objects.filter(draft__published_as=version).order_by("pk")
    Dismissal.objects.bulk_create(
        Dismissal(draft=draft, key=one.key, author_id=one.author_id) for one in dismissed
    )
    return draft


# --- what is said before ---


def reason_against(pyramid: Pyramid) -> str:
    """Why nobody can be scored with this pyramid; empty if everybody can."""
    if pyramid.counted().scus:
        return ""
    return (
        "This draft has no idea that counts: nobody could be scored with it. Give an idea some "
        "words of an expert, or a weight."
    )


def publication_warnings(pyramid: Pyramid, assignment: Assignment) -> tuple[str, ...]:
    """What somebody who publishes might have overlooked."""
    return tuple(_warnings(pyramid, assignment))


def correction_warnings(draft: Draft, pyramid: Pyramid) -> tuple[str, ...]:
    """Which corrections by hand this draft has no idea for."""
    holding = corrections_of(draft.assignment.submissions.only("assignment")).values()
    lost = Carrier.to_draft(draft, pyramid).lost([row for rows in holding for row in rows])
    if not lost:
        return ()
    versions = {row.pyramid_id: row.pyramid for row in reversed(lost)}  # the first is read already
    known = {
        (pk, scu.uid): scu for pk, row in versions.items() for scu in pyramid_from_row(row).scus
    }
    about = dict.fromkeys((row.pyramid_id, row.scu) for row in lost)
    ideas = [known[one] for one in about if one in known]
    count = "1 correction by hand is" if len(lost) == 1 else f"{len(lost)} corrections by hand are"
    what = f"{count} about what this draft does not have: {_named(ideas)}."
    after = "Those matches fall back to what the program finds"
    return (f"{what} {after}; the corrections hold again if the idea comes back.",)


def _warnings(pyramid: Pyramid, assignment: Assignment) -> Iterator[str]:
    counted = {scu.uid for scu in pyramid.counted().scus}
    aside = [scu for scu in pyramid.scus if scu.standing is Standing.ASIDE]
    others = [scu for scu in pyramid.scus if scu.standing is not Standing.ASIDE]
    idle = [scu for scu in others if scu.uid not in counted]
    weightless = [scu for scu in idle if not scu.contributors]
    zeroed = [scu for scu in idle if scu.contributors]
    without = [scu for scu in others if scu.uid in counted and not scu.contributors]
    if weightless:
        yield f"{_ideas(weightless)} no words of an expert and no weight: not looked for."
    if zeroed:
        yield f"{_ideas(zeroed)} the weight 0, given by hand: not looked for."
    if without:
        yield (
            f"{_ideas(without)} no words of an expert: texts are compared with what the idea is "
            "called."
        )
    if aside:
        count = "1 idea is" if len(aside) == 1 else f"{len(aside)} ideas are"
        yield f"{count} set aside, and neither looked for nor counted: {_named(aside)}."
    for label, times in Counter(scu.label for scu in others).items():
        if times > 1:
            yield f"{times} ideas are called the same: {quoted(label)}."
    if differs_from_references(pyramid, assignment):
        yield "The references of the assignment have changed since this pyramid took them in."


def _ideas(scus: Sequence[Scu]) -> str:
    return f"{number_of(len(scus), 'idea')} ({_named(scus)}) {'has' if len(scus) == 1 else 'have'}"


def _named(scus: Sequence[Scu]) -> str:
    labels = ", ".join(quoted(scu.label) for scu in scus[:_LABELS_NAMED])
    return f"{labels} …" if len(scus) > _LABELS_NAMED else labels
