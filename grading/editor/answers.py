"""What an edit is answered with: the parts of the page that it changed, and nothing else."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import HttpResponseClientRefresh

from grading.drafts.log import Outcome, Result, draft_state
from grading.editor.page import EditorPage, author_of, layout_of, marks_of, steps_of, text_html
from grading.models import Draft, DraftEdit
from grading.pyramid.structures import Pyramid, Standing
from grading.web.rendering import CONFLICT, UNPROCESSABLE, SignedInRequest, asks_for_parts

FURTHEST_BEHIND = 40  # edits: a page that missed more is loaded again


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
    sent_with_band = {uid for key in bands for uid in new[key]}
    known = {scu.uid: scu for scu in before.scus}
    must_weight_changed = before.must_weight != after.must_weight
    old_marks, new_marks = marks_of(before), marks_of(after)
    return Changed(
        everything=old.keys() != new.keys(),
        bands=bands,
        cards=tuple(
            scu.uid
            for scu in after.scus
            if scu.uid not in sent_with_band
            and (
                known.get(scu.uid) != scu or (must_weight_changed and scu.standing is Standing.MUST)
            )
        ),
        texts=tuple(
            number
            for number, text in enumerate(after.references)
            if old_marks[text.name] != new_marks[text.name]
        ),
    )


def open_cards_in(data: Any) -> frozenset[int]:
    """The cards that are open in the browser, as it says: “3 17”."""
    return frozenset(
        int(uid) for uid in str(data.get("open", ""))[:2000].split() if uid.isdecimal()
    )


# --- edits of the reader ---


def render_outcome(request: SignedInRequest, outcome: Outcome, since: int) -> HttpResponse:
    """The answer to an edit that a browser sent which shows the revision ``since``."""
    if not asks_for_parts(request):
        return _without_script(request, outcome, since)
    if outcome.result in {Result.REFUSED, Result.JOIN_OFFERED}:
        context = _refusal(request, outcome)
        return render(request, "grading/editor/_refusal.html", context, status=UNPROCESSABLE)
    open_cards = open_cards_in(request.POST)
    page = EditorPage(request, outcome.draft, outcome.after, may_edit=True, open_cards=open_cards)
    if outcome.result is Result.STALE:
        conflict = _conflict(request, outcome.draft, since)
        return _render_parts(page, since, {"conflict": conflict}, status=CONFLICT)
    edit = outcome.edit
    undid = edit is not None and edit.kind == DraftEdit.Kind.UNDO
    # The idea that the edit was about gets the focus: what had it may be gone.
    known = {scu.uid: scu for scu in outcome.before.scus}
    changed = [scu.uid for scu in outcome.after.scus if known.get(scu.uid) != scu]
    about = {
        "sentence": _sentence(edit) if edit else "",
        "hint": "Redo with Ctrl-Shift-Z." if undid else "Undo with Ctrl-Z.",
        "focus": max(
            changed, key=lambda uid: (uid not in known, -changed.index(uid)), default=None
        ),
    }
    # The state that the browser shows is at hand, unless others edited, or this was sent twice.
    is_next = edit is not None and edit.revision == since + 1 == outcome.draft.revision
    before = outcome.before if is_next and outcome.before != outcome.after else None
    return _render_parts(page, since, about, before=before)


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
        messages.success(request, _sentence(outcome.edit) if outcome.edit else "")
    return redirect("draft", outcome.draft.pk)


def _sentence(edit: DraftEdit) -> str:
    return f"{edit.words[0].upper()}{edit.words[1:]}."


def _conflict(request: SignedInRequest, draft: Draft, since: int) -> dict[str, Any]:
    """What changed meanwhile, and the edit once more, for the current draft."""
    edits = _edits_since(draft, since)[-FURTHEST_BEHIND:]
    # Undo and redo are about another edit by now: the page names it. Others are not in steps_of.
    name = request.path.rstrip("/").rpartition("/")[2]
    return {
        "edits": [(author_of(edit, request.user), edit) for edit in edits],
        "typed": request.POST.get("label") or request.POST.get("comment"),
        "fields": _sent_fields(request, draft),
        "action": request.path,
        "step": steps_of(draft, request.user).get(name),
    }


def _refusal(request: SignedInRequest, outcome: Outcome) -> dict[str, Any]:
    offered = outcome.result is Result.JOIN_OFFERED
    fields = _sent_fields(request, outcome.draft) if offered else []
    joined = [(name, "add_part" if name == "command" else value) for name, value in fields]
    return {"message": outcome.message, "fields": joined, "draft": outcome.draft}


def _sent_fields(request: SignedInRequest, draft: Draft) -> list[tuple[str, str]]:
    """The edit once more, for the current draft."""
    kept = [
        (name, str(value))
        for name, values in request.POST.lists()
        if name not in {"csrfmiddlewaretoken", "token", "revision", "open"}
        for value in values
    ]
    return [*kept, ("revision", str(draft.revision))]


# --- edits of others ---


def render_changes(page: EditorPage, since: int) -> HttpResponse:
    """What others did since then."""
    behind = page.draft.revision - since
    if behind == 0:
        return HttpResponse(status=204)
    if not 0 < behind <= FURTHEST_BEHIND:
        return HttpResponseClientRefresh()
    newest = _edits_since(page.draft, since)[-1]
    author = author_of(newest, page.request.user)
    sentence = f"{'You' if author == 'you' else author} {newest.words}."
    more = f" ({behind - 1} more before)" if behind > 1 else ""
    return _render_parts(page, since, {"sentence": sentence + more})


def _edits_since(draft: Draft, since: int) -> list[DraftEdit]:
    later = draft.edits.filter(revision__gt=since).select_related("author").order_by("revision")
    return list(later.only("draft", "revision", "words", "created_at", "author__name"))


def _render_parts(
    page: EditorPage,
    since: int,
    about: dict[str, Any],
    *,
    before: Pyramid | None = None,
    status: int = 200,
) -> HttpResponse:
    """The parts that changed since the revision that the browser shows, and ``about`` the edit.

    A page that cannot be brought up to date by parts is loaded again; where the reader has a
    conflict to decide on, only after that.
    """
    changed = None
    if 0 <= page.draft.revision - since <= FURTHEST_BEHIND:
        before = before or draft_state(draft=page.draft, revision=since)
        changed = changed_between(before, page.pyramid)
    if changed is None and "conflict" not in about:
        return HttpResponseClientRefresh()
    context = page.frame() | about
    if changed is None:
        context["reload"] = True
    else:
        context |= {
            "all_bands": page.bands() if changed.everything else [],
            "changed_bands": []
            if changed.everything
            else [page.band(key) for key in changed.bands],
            "changed_cards": [page.card(uid, swapped=True) for uid in changed.cards],
            "changed_texts": [
                (text, text_html(text)) for text in context["texts"] if text.number in changed.texts
            ],
        }
    return render(page.request, "grading/editor/_changes.html", context, status=status)
