"""References that were added, changed or deleted since a draft was begun."""

import pytest

from grading.editor.queries import reference_suggestions
from grading.models import Assignment, Draft, Reference
from grading.pyramid.editing.reference_commands import (
    AddReference,
    ChangeReference,
    RemoveReference,
)
from grading.pyramid.structures import Pyramid, Scu, Text
from grading.scoring.conversion import pyramid_from_draft
from tests.drafts.drafting import begun

NEW = "Heat kills old people."


@pytest.fixture
def draft(assignment: Assignment) -> Draft:
    return begun(assignment)


def commands(draft: Draft) -> list[object]:
    result = reference_suggestions(draft=draft, pyramid=pyramid_from_draft(draft))
    return [item.command for item in result]


def test_the_same_references_need_nothing(draft: Draft) -> None:
    assert commands(draft) == []


def test_a_new_reference_can_be_taken_in(draft: Draft) -> None:
    Reference.objects.create(assignment=draft.assignment, name="Dee", text=NEW, words=4)

    assert commands(draft) == [AddReference("Dee", NEW)]


def test_a_changed_text_can_be_taken_over(draft: Draft) -> None:
    Reference.objects.filter(name="Ada").update(text=NEW)

    assert commands(draft) == [ChangeReference("Ada", "Ada", NEW)]


def test_another_name_of_the_same_text_is_told_as_such(draft: Draft) -> None:
    Reference.objects.filter(name="Ada").update(name="Zoe")
    text = Reference.objects.get(name="Zoe").text

    (result,) = reference_suggestions(draft=draft, pyramid=pyramid_from_draft(draft))

    assert result.command == ChangeReference("Ada", "Zoe", text)
    assert result.reason == "The reference “Ada” is now named “Zoe”."


def test_a_deleted_reference_can_be_taken_out_and_what_goes_with_it_is_told(draft: Draft) -> None:
    Reference.objects.filter(name="Chi").delete()

    (result,) = reference_suggestions(draft=draft, pyramid=pyramid_from_draft(draft))

    assert result.command == RemoveReference("Chi")
    assert "1 idea that only it expresses" in result.reason


def test_a_text_that_changes_again_is_another_suggestion(draft: Draft) -> None:
    keys = set()
    for text in (NEW, f"{NEW} Again."):
        Reference.objects.filter(name="Ada").update(text=text)
        (result,) = reference_suggestions(draft=draft, pyramid=pyramid_from_draft(draft))
        keys.add(result.key)

    assert len(keys) == 2


@pytest.mark.parametrize("texts", [(), (Text("Expert 1", "Some other text."),)])
def test_a_draft_of_no_or_quite_other_references_is_left_alone(
    assignment: Assignment, texts: tuple[Text, ...]
) -> None:
    draft = begun(assignment, Pyramid(texts, (Scu(1, "Heat", (), given_weight=2),)))

    assert commands(draft) == []
