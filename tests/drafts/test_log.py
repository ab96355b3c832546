"""Drafts: every edit is kept, undone and redone; a stale one is told apart from one sent twice."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from grading.drafts.log import (
    Outcome,
    Result,
    draft_bring_back,
    draft_discard,
    draft_edit,
    draft_redo,
    draft_state,
    draft_undo,
)
from grading.models import Assignment, Draft, DraftEdit
from grading.pyramid.editing import Command, command_from_json
from grading.pyramid.editing.commands import (
    AddContributor,
    DeleteScu,
    MergeScus,
    NewScu,
    SetComment,
    SetLabel,
    SetStanding,
    Several,
    SplitScu,
)
from grading.pyramid.errors import EditError
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing, Text
from grading.scoring.conversion import pyramid_from_draft
from tests.conftest import REFERENCES, Cast
from tests.drafts.drafting import PYRAMID, Editor, begun
from tests.pyramid.editing.test_editing import as_bytes


@pytest.fixture
def editor(cast: Cast, assignment: Assignment) -> Editor:
    return Editor(begun(assignment), cast.instructor)


def labels(draft: Draft) -> list[str]:
    draft.refresh_from_db()
    return [scu.label for scu in pyramid_from_draft(draft).scus]


# --- beginning ---


def test_a_draft_begins_with_its_pyramid(assignment: Assignment) -> None:
    first, second = begun(assignment), begun(assignment)
    assert (first.number, second.number) == (1, 2)
    assert as_bytes(pyramid_from_draft(first)) == as_bytes(PYRAMID)
    assert first.first == first.document
    assert first.next_uid == 4


def test_numbers_of_ideas_do_not_come_back_in_a_later_draft(editor: Editor) -> None:
    editor.edit(NewScu(4, "Trees"))
    editor.edit(DeleteScu(4))
    assert begun(editor.draft.assignment).next_uid == 5


@pytest.mark.parametrize(
    "pyramid",
    [
        replace(PYRAMID, scus=(Scu(2**40, "huge", ()),)),
        replace(PYRAMID, scus=(Scu(-1, "below", ()),)),
        replace(PYRAMID, scus=(Scu(1, "a\x00b", ()),)),
        replace(PYRAMID, references=(Text("Ada", "half \ud800"),), scus=()),
        replace(PYRAMID, notes=("\x00",)),
    ],
)
def test_what_a_database_cannot_keep_is_refused(assignment: Assignment, pyramid: Pyramid) -> None:
    with pytest.raises(EditError):
        begun(assignment, pyramid)
    assert not Draft.objects.exists()


# --- one edit ---


def test_an_edit_is_made_and_logged(editor: Editor) -> None:
    outcome = editor.edit(MergeScus(2, 1))
    assert outcome.result is Result.DONE
    assert (outcome.before, outcome.after) == (PYRAMID, MergeScus(2, 1).apply(PYRAMID))
    entry = DraftEdit.objects.get()
    assert entry == outcome.edit
    assert (entry.revision, entry.kind, entry.author) == (1, "edit", editor.author)
    assert entry.words == "merged “Towns are warmer” into “Cities are hotter”"
    assert labels(editor.draft) == ["Cities are hotter", "Trees cool"]
    assert editor.draft.revision == 1


def test_an_edit_that_does_not_fit_changes_nothing(editor: Editor) -> None:
    outcome = editor.edit(MergeScus(1, 1))
    assert (outcome.result, outcome.message) == (
        Result.REFUSED,
        "An idea cannot be merged into itself.",
    )
    offer = editor.edit(AddContributor(1, "Ada", (Span(20, 30),)))
    assert offer.result is Result.JOIN_OFFERED
    assert offer.before == offer.after == PYRAMID
    assert not DraftEdit.objects.exists()
    assert editor.revision == 0


def test_an_edit_that_changes_nothing_is_not_logged(editor: Editor) -> None:
    same = editor.edit(SetLabel(1, " Cities are  hotter"))
    assert (same.result, same.message) == (
        Result.REFUSED,
        "This changes nothing.",
    )
    assert editor.restore(0).result is Result.REFUSED


def test_the_number_of_a_deleted_idea_is_not_given_again(editor: Editor) -> None:
    editor.edit(DeleteScu(3))
    assert editor.edit(NewScu(3, "Another")).result is Result.REFUSED
    editor.edit(NewScu(4, "Another"))
    editor.undo()
    assert editor.edit(NewScu(4, "Yet another")).result is Result.REFUSED
    assert editor.edit(NewScu(5, "Yet another")).result is Result.DONE


@pytest.mark.parametrize(
    "command",
    [
        SetLabel(1, "a\x00b\ud800"),
        SetComment(1, "a\x00b\ud800"),
        NewScu(4, "a\x00b\ud800"),
        Several("a\x00b\ud800", (SetLabel(1, "\x00Hot"),)),
    ],
)
def test_what_a_database_cannot_keep_does_not_get_into_the_log(
    editor: Editor, command: Command
) -> None:
    assert editor.edit(command).result is Result.DONE
    entry = DraftEdit.objects.get()
    assert command_from_json(entry.command).apply(PYRAMID) == command.apply(PYRAMID)
    assert editor.undo().after == PYRAMID


def test_an_edit_sent_twice_counts_once(editor: Editor) -> None:
    sender = editor.sender()
    first = draft_edit(draft=editor.draft, command=SetLabel(1, "Hot"), sender=sender)
    again = draft_edit(draft=editor.draft, command=SetLabel(1, "Hot"), sender=sender)
    assert (first.result, again.result) == (Result.DONE, Result.DONE)
    assert again.edit == first.edit
    assert again.before == again.after == first.after
    assert DraftEdit.objects.count() == 1


def test_an_edit_of_what_has_changed_since_is_stale(editor: Editor) -> None:
    late = editor.sender()
    editor.edit(SetLabel(1, "Hot"))
    for change in (draft_undo, draft_redo):
        assert change(draft=editor.draft, sender=late).result is Result.STALE
    outcome = draft_edit(draft=editor.draft, command=SetLabel(1, "Cold"), sender=late)
    assert outcome.result is Result.STALE
    assert outcome.draft.revision == 1
    assert outcome.after.scu(1).label == "Hot"
    assert labels(editor.draft)[0] == "Hot"


def test_closed_drafts_are_not_edited(editor: Editor) -> None:
    editor.edit(SetLabel(1, "Hot"))
    assert draft_discard(draft=editor.draft)
    assert not draft_discard(draft=editor.draft)
    for outcome in (editor.edit(DeleteScu(1)), editor.undo(), editor.restore(0)):
        assert outcome.result is Result.REFUSED
        assert outcome.message == "This draft is discarded: it cannot be edited."
    assert draft_bring_back(draft=editor.draft)
    assert not draft_bring_back(draft=editor.draft)
    assert editor.undo().result is Result.DONE


def test_a_published_draft_is_not_edited(editor: Editor) -> None:
    Draft.objects.update(state=Draft.State.PUBLISHED)
    assert editor.edit(DeleteScu(1)).message == "This draft is published: it cannot be edited."
    assert not draft_bring_back(draft=editor.draft)


def test_long_words_are_shortened_for_the_history(assignment: Assignment, cast: Cast) -> None:
    texts = tuple(Text(f"{i} {'x' * 90}", "Some words.") for i in range(10))
    contributors = tuple(Contributor(text.name, (Span(0, 4),)) for text in texts)
    draft = begun(assignment, Pyramid(texts, (Scu(1, "some", contributors),)))
    editor = Editor(draft, cast.instructor)
    names = tuple(text.name for text in texts[:9])
    assert editor.edit(SplitScu(1, 2, names)).result is Result.DONE
    assert len(DraftEdit.objects.get().words) <= 600
    assert editor.undo().result is Result.DONE


# --- undo, redo, earlier states ---


def test_undo_and_redo_take_turns(editor: Editor) -> None:
    editor.edit(SetLabel(1, "A"))
    editor.edit(SetLabel(1, "B"))
    assert labels(editor.draft)[0] == "B"
    assert editor.undo().after.scu(1).label == "A"
    assert editor.undo().after == PYRAMID
    assert editor.undo().message == "There is nothing to undo."
    assert editor.redo().after.scu(1).label == "A"
    assert editor.redo().after.scu(1).label == "B"
    assert editor.redo().message == "There is nothing to redo."
    assert editor.undo().after.scu(1).label == "A"
    editor.edit(SetLabel(1, "C"))
    assert editor.redo().message == "There is nothing to redo."
    assert editor.undo().after.scu(1).label == "A"
    words = list(DraftEdit.objects.order_by("revision").values_list("words", flat=True))
    assert words[2] == "undid: changed the label “A” to “B”"
    assert words[5] == "redid: changed the label “A” to “B”"


def test_undo_takes_back_what_another_person_did(editor: Editor, cast: Cast) -> None:
    editor.edit(SetLabel(1, "Mine"))
    other = Editor(editor.draft, cast.ta, revision=1)
    assert other.undo().after == PYRAMID
    assert list(DraftEdit.objects.values_list("author", flat=True)) == [
        cast.ta.pk,
        cast.instructor.pk,
    ]


def test_an_earlier_state_is_brought_back_as_an_edit(editor: Editor) -> None:
    editor.edit(DeleteScu(3))
    editor.edit(SetStanding(1, Standing.MUST))
    restored = editor.restore(0)
    assert restored.after == PYRAMID
    assert restored.edit is not None
    assert restored.edit.words == "brought the first state back"
    assert editor.undo().after.scu(1).standing is Standing.MUST
    later = editor.restore(1)
    assert later.edit is not None
    assert later.edit.words == "brought the state after edit 1 back"


@pytest.mark.parametrize("revision", [-1, 2, 10**30])
def test_there_is_no_state_that_never_was(editor: Editor, revision: int) -> None:
    editor.edit(DeleteScu(3))
    with pytest.raises(EditError, match="There is no edit"):
        draft_state(draft=editor.draft, revision=revision)
    assert editor.restore(revision).result is Result.REFUSED


def test_a_state_is_that_of_the_draft_as_it_is_now(editor: Editor) -> None:
    held = Draft.objects.defer("document").get()  # read before the edits
    editor.edit(SetLabel(1, "A"))
    editor.edit(SetLabel(1, "B"))
    assert draft_state(draft=held, revision=1).scu(1).label == "A"


def test_a_draft_that_was_loaded_in_part_is_of_one_moment(
    editor: Editor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    held = Draft.objects.defer("document", "first").select_related("assignment").get()
    editor.edit(NewScu(4, "Trees"))
    with django_assert_num_queries(1):
        assert pyramid_from_draft(held).scu(4).label == "Trees"
        assert (held.revision, held.next_uid, held.undo_top) == (1, 5, 1)
        assert held.assignment == editor.draft.assignment
    editor.edit(SetLabel(4, "Other"))
    assert pyramid_from_draft(held).scu(4).label == "Trees"


# --- at what cost ---


def _queries(make: Callable[[], Outcome]) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert make().result is Result.DONE
    return len([q for q in captured if not q["sql"].startswith(("SAVEPOINT", "RELEASE"))])


@pytest.mark.parametrize("size", [1, 60])
def test_an_edit_takes_as_many_queries_whatever_the_size(
    cast: Cast, assignment: Assignment, size: int
) -> None:
    contributors = tuple(Contributor(text.name, (Span(0, 6),)) for text in REFERENCES)
    scus = tuple(Scu(uid, f"idea {uid}", contributors) for uid in range(1, size + 1))
    editor = Editor(begun(assignment, Pyramid(REFERENCES, scus)), cast.instructor)
    for number in range(size):
        editor.edit(SetLabel(1, f"label {number}"))
    # The draft, the token, the draft written, the entry.
    assert _queries(lambda: editor.edit(SetLabel(1, "last"))) == 4
    assert _queries(editor.undo) == 5  # and what is undone
    assert _queries(editor.redo) == 5
    assert _queries(lambda: editor.restore(0)) == 6  # and the draft, with its later edits
