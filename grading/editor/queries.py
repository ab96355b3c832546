"""What a worker found out about a draft, the suggestions that fit it, and its history."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from grading.models import Draft, DraftEdit, Finding, Job
from grading.pyramid.analysis.analysing import ANALYSIS_FORMAT, Analysis, analysis_from_json
from grading.pyramid.analysis.decided import Decisions, decisions_of
from grading.pyramid.analysis.suggestions import Kind, Suggestion, key_of, with_new_uids
from grading.pyramid.editing import Command, command_from_json
from grading.pyramid.editing.reference_commands import (
    AddReference,
    ChangeReference,
    RemoveReference,
)
from grading.pyramid.editing.wording import quoted
from grading.pyramid.errors import EditError
from grading.pyramid.figures import number_of
from grading.pyramid.structures import Pyramid, Text
from grading.scoring.conversion import pyramid_from_draft, reference_to_text


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """What was found out last; perhaps of an earlier state of the draft or of the class."""

    analysis: Analysis
    revision: int  # of the draft that was analysed
    is_current: bool


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Suggestions that can be accepted now, and those that somebody dismissed."""

    open: tuple[Suggestion, ...]
    dismissed: tuple[Suggestion, ...]


def latest_analysis(*, draft: Draft) -> StoredAnalysis | None:
    row = draft.findings.filter(
        kind=Finding.Kind.ANALYSIS, document__format=ANALYSIS_FORMAT
    ).first()
    if row is None:
        return None
    same_class = row.document["submitted"] == draft.assignment.submissions.count()
    is_current = row.revision == draft.revision and same_class
    return StoredAnalysis(analysis_from_json(row.document), row.revision, is_current)


def analysis_job(*, draft: Draft) -> Job | None:
    """The newest job, if it is unfinished or has failed."""
    newest = draft.jobs.filter(kind=Job.Kind.ANALYSE_DRAFT).first()
    return None if newest is None or newest.is_done else newest


def draft_suggestions(*, draft: Draft, stored: StoredAnalysis | None) -> Suggestions:
    """What fits the current draft; changes of the assignment's references come first."""
    pyramid = pyramid_from_draft(draft)
    decisions = _decisions(draft, pyramid)
    suggestions = [
        *reference_suggestions(draft=draft, pyramid=pyramid),
        *(stored.analysis.suggestions if stored else ()),
    ]
    fitting = [
        suggestion
        for suggestion in suggestions
        if _still_fits(suggestion, pyramid, draft.next_uid, decisions)
    ]
    dismissed = set(draft.dismissals.values_list("key", flat=True))
    return Suggestions(
        open=tuple(suggestion for suggestion in fitting if suggestion.key not in dismissed),
        dismissed=tuple(suggestion for suggestion in fitting if suggestion.key in dismissed),
    )


def _decisions(draft: Draft, pyramid: Pyramid) -> Decisions:
    """What people split, moved and removed in the draft, as far as it is not undone."""
    in_force = revisions_in_force(draft)
    if not in_force:
        return Decisions()
    edits = draft.edits.filter(revision__lte=draft.revision).order_by("-revision")
    inverses = edits.values_list("revision", "inverse")
    undoing = ((command_from_json(inverse), row in in_force) for row, inverse in inverses)
    return decisions_of(pyramid, undoing)


def _still_fits(
    suggestion: Suggestion, pyramid: Pyramid, next_uid: int, decisions: Decisions
) -> bool:
    """Can it be made, does it change anything that nobody decided otherwise, and are the ideas it
    makes not there already?
    """
    try:
        after = with_new_uids(suggestion.command, next_uid).apply(pyramid)
    except EditError:
        return False
    known = {scu.uid for scu in pyramid.scus}
    new_labels = {scu.label for scu in after.scus if scu.uid not in known}
    is_there = new_labels.intersection(scu.label for scu in pyramid.scus)
    if after == pyramid or decisions.forbid(pyramid, after):
        return False
    return suggestion.kind is Kind.SPLIT or not is_there


# --- references that changed since the draft was begun ---


def reference_suggestions(*, draft: Draft, pyramid: Pyramid) -> Iterator[Suggestion]:
    """Suggest to take over references that were added, changed or deleted since.

    None where the draft was never made of the assignment's references: a rubric has no references,
    and those of a file may be quite others.
    """
    current = [reference_to_text(row) for row in draft.assignment.references.all()]
    old = {text.name: text for text in pyramid.references}
    names = {text.content: text.name for text in pyramid.references}
    if not any(text.name in old or text.content in names for text in current):
        return
    kept = set()
    for text in sorted(current, key=lambda text: text.name):
        before = old.get(text.name) or old.get(names.get(text.content, ""))
        if before is None:
            reason = (
                f"The reference {quoted(text.name)} is not in this draft yet. Accept to "
                "add it. New suggestions then add its words to the pyramid."
            )
            yield _suggestion("added", text, reason, AddReference(text.name, text.content))
            continue
        kept.add(before.name)
        if before != text:
            reason = (
                f"The reference {quoted(text.name)} has a different text in this draft. Accept to "
                "use the new text. Ideas keep the words that are still there."
            )
            if before.name != text.name:
                reason = f"The reference {quoted(before.name)} is now named {quoted(text.name)}."
            changing = ChangeReference(before.name, text.name, text.content)
            yield _suggestion("changed", text, reason, changing)
    for name in sorted(old.keys() - kept):
        removing = RemoveReference(name)
        lost = len(pyramid.scus) - len(removing.apply(pyramid).scus)
        reason = (
            f"The reference {quoted(name)} was deleted from the assignment. Accept to remove "
            f"it here as well, with {number_of(lost, 'idea')} that only it expresses."
        )
        yield _suggestion("gone", Text(name, ""), reason, removing)


def _suggestion(change: str, text: Text, reason: str, command: Command) -> Suggestion:
    # The text is part of the key, so that a dismissal ends with the next change of the text.
    content = hashlib.sha256(text.content.encode("utf-8", "surrogatepass")).hexdigest()
    key = key_of(Kind.REFERENCE, change, text.name, content)
    return Suggestion(key=key, kind=Kind.REFERENCE, reason=reason, command=command, strength=1.0)


# --- history ---


def revisions_in_force(draft: Draft) -> set[int]:
    """The edits that are not undone: the stack of undoing, from its top down."""
    edits = draft.edits.filter(kind=DraftEdit.Kind.EDIT)
    below = dict(edits.values_list("revision", "below"))
    revisions, top = set(), draft.undo_top
    while top:
        revisions.add(top)
        top = below[top]
    return revisions
