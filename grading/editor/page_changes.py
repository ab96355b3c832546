"""What an edit is answered with: the parts of the page that it changed, and nothing else."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import HttpResponseClientRefresh

from grading.drafts.log import Outcome, Result, draft_state
from grading.editor.page import Layout, layout_of, marks_of
from grading.editor.page_html import BandPart, Parts, Screen, Step, steps_of, text_html, who
from grading.models import Draft, DraftEdit
from grading.pyramid.structures import Pyramid, Standing
from grading.web.rendering import UNPROCESSABLE, SignedInRequest, asks_for_parts

FURTHEST_BEHIND = 40  # edits: a page that missed more is loaded again
CONFLICT = 409


@dataclass(frozen=True, slots=True)
class Changed:
    """The bands with other members or another order, the cards changed in place, the texts."""

    everything: bool  # there is another heaviest weight: all bands
    bands: tuple[str, ...]
    cards: tuple[int, ...]
    texts: tuple[int, ...]


def changed_between(before: Pyramid, after: Pyramid) -> Changed | None:
    """None where the references are others: nothing of the page stays as it is."""
    if before.references != after.references:
        return None
    old, new = layout_of(before), layout_of(after)
    bands = tuple(key for key in new if old.get(key) != new[key])
    return Changed(
        everything=old.keys() != new.keys(),
        bands=bands,
        cards=_changed_in_place(before, after, new, bands),
        texts=_changed_texts(before, after),
    )


def _changed_in_place(
    before: Pyramid, after: Pyramid, layout: Layout, bands: tuple[str, ...]
) -> tuple[int, ...]:
    known = {scu.uid: scu for scu in before.scus}
    sent = {uid for key in bands for uid in layout[key]}
    weighs_otherwise = before.must_weight != after.must_weight
    return tuple(
        scu.uid
        for scu in after.scus
        if scu.uid not in sent
        and (known.get(scu.uid) != scu or (weighs_otherwise and scu.standing is Standing.MUST))
    )


def _changed_texts(before: Pyramid, after: Pyramid) -> tuple[int, ...]:
    old, new = marks_of(before), marks_of(after)
    names = [text.name for text in after.references]
    return tuple(number for number, name in enumerate(names) if old[name] != new[name])


# --- answers ---


def render_outcome(request: SignedInRequest, outcome: Outcome, since: int) -> HttpResponse:
    """The answer to an edit that a browser sent which shows the revision ``since``."""
    if not asks_for_parts(request):
        return _without_script(request, outcome, since)
    if outcome.result in {Result.REFUSED, Result.JOIN_OFFERED}:
        context = _refusal(request, outcome)
        return render(request, "grading/editor/_refusal.html", context, status=UNPROCESSABLE)
    screen = Screen(request, outcome.draft, may_edit=True, opened=opened_in(request.POST))
    if outcome.result is Result.STALE:
        conflict = _conflict(request, outcome.draft, since)
        return _parts(screen, outcome.after, since, {"conflict": conflict}, status=CONFLICT)
    undid = outcome.edit is not None and outcome.edit.kind == DraftEdit.Kind.UNDO
    about = {
        "sentence": _sentence(outcome.edit, ""),
        "hint": "Redo with Ctrl-Shift-Z." if undid else "Undo with Ctrl-Z.",
        "focus": _focus(outcome),
    }
    return _parts(screen, outcome.after, since, about, before=_before(outcome, since))


def render_changes(screen: Screen, after: Pyramid, since: int) -> HttpResponse:
    """What others did since then."""
    behind = screen.draft.revision - since
    if behind == 0:
        return HttpResponse(status=204)
    if not 0 < behind <= FURTHEST_BEHIND:
        return HttpResponseClientRefresh()
    newest = _edits_since(screen.draft, since)[-1]
    name = who(newest, screen.request.user)
    sentence = _sentence(newest, name.capitalize() if name == "you" else name)
    more = f" ({behind - 1} more before)" if behind > 1 else ""
    return _parts(screen, after, since, {"sentence": sentence + more})


def opened_in(data: Any) -> frozenset[int]:
    """The cards that are open in the browser, as it says: “3 17”."""
    return frozenset(
        int(uid) for uid in str(data.get("open", ""))[:2000].split() if uid.isdecimal()
    )


def _parts(
    screen: Screen,
    after: Pyramid,
    since: int,
    about: dict[str, Any],
    *,
    before: Pyramid | None = None,
    status: int = 200,
) -> HttpResponse:
    """A page that cannot be brought up to date by parts is loaded again; after a choice, if any."""
    changed = _changed_since(screen, after, since, before)
    if changed is None and "conflict" not in about:
        return HttpResponseClientRefresh()
    parts = Parts(screen, after)
    news = {"reload": True} | parts.frame() if changed is None else _changed_parts(parts, changed)
    return render(screen.request, "grading/editor/_changes.html", about | news, status=status)


def _changed_since(
    screen: Screen, after: Pyramid, since: int, before: Pyramid | None
) -> Changed | None:
    if not 0 <= screen.draft.revision - since <= FURTHEST_BEHIND:
        return None
    return changed_between(before or draft_state(draft=screen.draft, revision=since), after)


def _changed_parts(parts: Parts, changed: Changed) -> dict[str, Any]:
    frame = parts.frame()
    bands: list[BandPart] = [] if changed.everything else [parts.band(key) for key in changed.bands]
    return frame | {
        "all_bands": parts.bands() if changed.everything else [],
        "changed_bands": bands,
        "changed_cards": [parts.card(uid, swapped=True) for uid in changed.cards],
        "changed_texts": [
            (text, text_html(text)) for text in frame["texts"] if text.number in changed.texts
        ],
    }


def _before(outcome: Outcome, since: int) -> Pyramid | None:
    """The state that the browser shows, if the outcome has it at hand."""
    is_next = outcome.edit is not None and outcome.edit.revision == since + 1
    fresh = is_next and outcome.draft.revision == since + 1 and outcome.before != outcome.after
    return outcome.before if fresh else None


def _sentence(edit: DraftEdit | None, author: str) -> str:
    if edit is None:
        return ""
    if author:
        return f"{author} {edit.words}."
    return f"{edit.words[0].upper()}{edit.words[1:]}."


def _focus(outcome: Outcome) -> int | None:
    """The idea that the edit was about, for the place where the focus was may be gone."""
    before = {scu.uid: scu for scu in outcome.before.scus}
    changed = [scu.uid for scu in outcome.after.scus if before.get(scu.uid) != scu]
    return max(changed, key=lambda uid: (uid not in before, -changed.index(uid)), default=None)


def _edits_since(draft: Draft, since: int) -> list[DraftEdit]:
    later = draft.edits.filter(revision__gt=since).select_related("author").order_by("revision")
    return list(later.only("draft", "revision", "words", "created_at", "author__name"))


def _step_now(request: SignedInRequest, draft: Draft) -> Step | None:
    """Undoing and redoing are about another edit by now: which one."""
    what = request.path.rstrip("/").rpartition("/")[2]
    return steps_of(draft, request.user).get(what)


def _conflict(request: SignedInRequest, draft: Draft, since: int) -> dict[str, Any]:
    edits = _edits_since(draft, since)[-FURTHEST_BEHIND:]
    return {
        "edits": [(who(edit, request.user), edit) for edit in edits],
        "typed": request.POST.get("label") or request.POST.get("comment"),
        "fields": _sent_fields(request, draft),
        "action": request.path,
        "step": _step_now(request, draft),
    }


def _refusal(request: SignedInRequest, outcome: Outcome) -> dict[str, Any]:
    offered = outcome.result is Result.JOIN_OFFERED
    fields = _sent_fields(request, outcome.draft) if offered else []
    joined = [(name, "add_part" if name == "command" else sent) for name, sent in fields]
    return {"message": outcome.message, "fields": joined, "draft": outcome.draft}


def _sent_fields(request: SignedInRequest, draft: Draft) -> list[tuple[str, str]]:
    """The edit once more, for the draft as it is now."""
    kept = [
        (name, str(value))
        for name, values in request.POST.lists()
        if name not in {"csrfmiddlewaretoken", "token", "revision", "open"}
        for value in values
    ]
    return [*kept, ("revision", str(draft.revision))]


def _without_script(request: SignedInRequest, outcome: Outcome, since: int) -> HttpResponse:
    """A page for what needs an answer; otherwise the editor with a message."""
    if outcome.result is Result.STALE:
        context = {"conflict": _conflict(request, outcome.draft, since), "draft": outcome.draft}
        return render(request, "grading/editor/conflict.html", context, status=CONFLICT)
    if outcome.result is Result.JOIN_OFFERED:
        context = _refusal(request, outcome)
        return render(request, "grading/editor/offer.html", context, status=UNPROCESSABLE)
    if outcome.result is Result.REFUSED:
        messages.error(request, outcome.message)
    else:
        messages.success(request, _sentence(outcome.edit, ""))
    return redirect("draft", outcome.draft.pk)
