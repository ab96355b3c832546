"""The assignment's references beside those that a draft was made of: what to take over, and how."""

import hashlib
from collections.abc import Iterator

from grading.models import Draft
from grading.pyramid.analysis.suggestions import Kind, Suggestion, key_of
from grading.pyramid.editing import Command
from grading.pyramid.editing.reference_commands import (
    AddReference,
    ChangeReference,
    RemoveReference,
)
from grading.pyramid.editing.wording import quoted
from grading.pyramid.figures import number_of
from grading.pyramid.structures import Pyramid, Text
from grading.scoring.conversion import reference_to_text


def reference_changes(*, draft: Draft, pyramid: Pyramid) -> Iterator[Suggestion]:
    """References added, changed and taken away since; none where the draft was never made of them.

    A rubric has no references, and those of a file may be quite others.
    """
    now = [reference_to_text(row) for row in draft.assignment.references.all()]
    old = {text.name: text for text in pyramid.references}
    names = {text.content: text.name for text in pyramid.references}
    if not any(text.name in old or text.content in names for text in now):
        return
    kept = set()
    for text in sorted(now, key=lambda one: one.name):
        before = old.get(text.name) or old.get(names.get(text.content, ""))
        if before is None:
            yield _added(text)
        else:
            kept.add(before.name)
            if before != text:
                yield _changed(before, text)
    for name in sorted(old.keys() - kept):
        yield _gone(name, pyramid)


def _added(text: Text) -> Suggestion:
    reason = (
        f"The reference {quoted(text.name)} is not in this draft yet. Take it in; "
        "what it says is then fitted into the pyramid as suggestions."
    )
    return _suggestion("added", text, reason, AddReference(text.name, text.content))


def _changed(before: Text, text: Text) -> Suggestion:
    reason = (
        f"The reference {quoted(text.name)} is not the same in this draft. Take over the "
        "new text; ideas keep the words that are still there."
    )
    if before.name != text.name:
        reason = f"The reference {quoted(before.name)} is named {quoted(text.name)} now."
    command = ChangeReference(before.name, text.name, text.content)
    return _suggestion("changed", text, reason, command)


def _gone(name: str, pyramid: Pyramid) -> Suggestion:
    command = RemoveReference(name)
    lost = len(pyramid.scus) - len(command.apply(pyramid).scus)
    ideas = number_of(lost, "idea")
    reason = (
        f"The reference {quoted(name)} was deleted from the assignment. Take it out of the "
        f"pyramid as well: {ideas} that only it tells would go."
    )
    return _suggestion("gone", Text(name, ""), reason, command)


def _suggestion(what: str, text: Text, reason: str, command: Command) -> Suggestion:
    content = hashlib.sha256(text.content.encode("utf-8", "surrogatepass")).hexdigest()
    key = key_of(Kind.REFERENCE, what, text.name, content)
    return Suggestion(key=key, kind=Kind.REFERENCE, reason=reason, command=command, strength=1.0)
