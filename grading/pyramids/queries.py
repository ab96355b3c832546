"""What an instructor should know before publishing a pyramid, and the order it is published in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from grading.models import Assignment, Draft, Finding, StoredPyramid
from grading.pyramid.editing.wording import quoted
from grading.pyramid.figures import number_of
from grading.pyramid.formats.pyramid_json import content_hash
from grading.pyramid.structures import Pyramid, Scu, Standing
from grading.scoring.conversion import differs_from_references, pyramid_from_row
from grading.scoring.corrections import Carrier, corrections_of
from grading.scoring.effects import ClassEffect

_LABELS_NAMED = 3


def heaviest_first(pyramid: Pyramid) -> Pyramid:
    """The pyramid as it is published; ideas of one weight stay in the order people gave them."""
    weights = {scu.uid: scu.weight for scu in pyramid.counted().scus}
    ordered = sorted(pyramid.scus, key=lambda scu: -weights.get(scu.uid, 0))
    return replace(pyramid, scus=tuple(ordered))


def is_same_as(version: StoredPyramid, pyramid: Pyramid) -> bool:
    """Would publishing this pyramid give the same version once more?"""
    return version.content_hash == content_hash(heaviest_first(pyramid))


def publication_warnings(pyramid: Pyramid, assignment: Assignment) -> list[str]:
    """Sentences on what somebody who publishes might have overlooked."""
    counted = {scu.uid for scu in pyramid.counted().scus}
    aside = [scu for scu in pyramid.scus if scu.standing is Standing.ASIDE]
    others = [scu for scu in pyramid.scus if scu.standing is not Standing.ASIDE]
    weightless = [scu for scu in others if scu.uid not in counted and not scu.contributors]
    zeroed = [scu for scu in others if scu.uid not in counted and scu.contributors]
    label_only = [scu for scu in others if scu.uid in counted and not scu.contributors]
    warnings = []
    if weightless:
        warnings.append(f"{_have(weightless)} no expert's words and no weight: not scored.")
    if zeroed:
        warnings.append(f"{_have(zeroed)} the weight 0, set manually: not scored.")
    if label_only:
        warnings.append(
            f"{_have(label_only)} no expert's words, so texts are compared with the label."
        )
    if aside:
        count = "1 idea is" if len(aside) == 1 else f"{len(aside)} ideas are"
        warnings.append(f"{count} set aside and not scored: {_labels(aside)}.")
    for label, times in Counter(scu.label for scu in others).items():
        if times > 1:
            warnings.append(f"{times} ideas have the same label: {quoted(label)}.")
    if differs_from_references(pyramid, assignment):
        warnings.append(
            "The references of the assignment have changed since this pyramid was built."
        )
    return warnings


def correction_warnings(draft: Draft, pyramid: Pyramid) -> list[str]:
    """A sentence on the corrections whose idea is not in this draft, if there are any."""
    corrections = corrections_of(draft.assignment.submissions.only("assignment")).values()
    lost = Carrier.to_draft(draft, pyramid).lost([row for rows in corrections for row in rows])
    if not lost:
        return []
    # Reversed, so that the first row of a version wins: its document is loaded already.
    versions = {row.pyramid_id: row.pyramid for row in reversed(lost)}
    known = {
        (pk, scu.uid): scu for pk, row in versions.items() for scu in pyramid_from_row(row).scus
    }
    keys = dict.fromkeys((row.pyramid_id, row.scu_uid) for row in lost)
    ideas = [known[key] for key in keys if key in known]
    if len(lost) == 1:
        missing = f"1 correction is about an idea that this draft does not have: {_labels(ideas)}."
    else:
        missing = (
            f"{len(lost)} corrections are about ideas that this draft does not have: "
            f"{_labels(ideas)}."
        )
    consequence = (
        "Those matches go back to what the program found. The corrections apply again if the idea "
        "is restored."
    )
    return [f"{missing} {consequence}"]


def _have(scus: Sequence[Scu]) -> str:
    verb = "has" if len(scus) == 1 else "have"
    return f"{number_of(len(scus), 'idea')} ({_labels(scus)}) {verb}"


def _labels(scus: Sequence[Scu]) -> str:
    labels = ", ".join(quoted(scu.label) for scu in scus[:_LABELS_NAMED])
    return f"{labels} …" if len(scus) > _LABELS_NAMED else labels


def changes_since_effect(
    draft: Draft, latest: set[int], finding: Finding, effect: ClassEffect
) -> list[str]:
    """Sentences on why the effect that a worker calculated may not hold any more.

    ``latest`` are the submissions that count now.
    """
    newest = StoredPyramid.objects.newest_of(draft.assignment)
    changes = []
    if finding.revision != draft.revision:
        changes.append("The draft has changed.")
    if effect.version != (newest.pk if newest else None):
        changes.append("Another version has been published.")
    if effect.submissions != latest:
        changes.append("Summaries have been submitted or deleted.")
    return changes
