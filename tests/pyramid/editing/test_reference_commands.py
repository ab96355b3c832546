"""References that come later, change, or go."""

import pytest

from grading.pyramid.editing.commands import Command
from grading.pyramid.editing.reference_commands import (
    AddReference,
    ChangeReference,
    RemoveReference,
)
from grading.pyramid.errors import EditError
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text

ADA = Text("Ada", "Cities are hotter. Dark roofs store the heat of the sun.")
CHI = Text("Chi", "Trees cool streets.")


def _contributor(text: Text, *parts: str, comment: str = "") -> Contributor:
    starts = [text.content.index(part) for part in parts]
    spans = (Span(i, i + len(part)) for i, part in zip(starts, parts, strict=True))
    return Contributor(text.name, tuple(spans), comment)


PYRAMID = Pyramid(
    (ADA, CHI),
    (
        Scu(1, "hot", (_contributor(ADA, "Cities are hotter"), _contributor(CHI, "Trees"))),
        Scu(2, "roofs", (_contributor(ADA, "ark roofs store", "sun", comment="hm"),)),
        Scu(3, "by hand", (_contributor(ADA, "heat"),), given_weight=2),
        Scu(4, "nobody", ()),
    ),
)


def parts(pyramid: Pyramid, uid: int, name: str = "Ada") -> list[str]:
    contributor = pyramid.scu(uid).contributor(name)
    content = pyramid.reference(name).content
    return [content[span.start : span.end] for span in contributor.spans] if contributor else []


def test_a_new_reference_stands_by_its_name_and_belongs_to_no_idea() -> None:
    add = AddReference("Ben  B", "  Towns are warm.\n")
    after = add.apply(PYRAMID)
    assert [text.name for text in after.references] == ["Ada", "Ben  B", "Chi"]
    assert after.reference("Ben  B").content == "  Towns are warm.\n"
    assert after.scus == PYRAMID.scus
    assert add.words(PYRAMID) == "added the reference “Ben B”"


def test_ideas_that_only_the_reference_told_go_with_it() -> None:
    remove = RemoveReference("Ada")
    after = remove.apply(PYRAMID)
    assert [(scu.uid, scu.weight) for scu in after.scus] == [(1, 1), (3, 2), (4, 0)]
    assert remove.words(PYRAMID) == "took the reference “Ada” out, with its words"


def test_words_that_are_still_there_stay_with_their_ideas() -> None:
    content = "Our cities are hotter. We know: dark roofs store all of the heat."
    change = ChangeReference("Ada", "Ada", content)
    after = change.apply(PYRAMID)
    assert after.reference("Ada").content == content
    assert parts(after, 1) == ["are hotter"]
    assert parts(after, 2) == ["roofs store"]
    assert parts(after, 3) == ["heat"]
    assert change.words(PYRAMID) == "took over the new text of the reference “Ada”"


def test_unchanged_words_keep_their_odd_ends() -> None:
    after = ChangeReference("Ada", "Ada", f"First of all: {ADA.content}").apply(PYRAMID)
    assert parts(after, 2) == ["ark roofs store", "sun"]
    assert [contributor.comment for contributor in after.scu(2).contributors] == ["hm"]


def test_words_between_which_others_came_are_two_parts() -> None:
    content = ADA.content.replace("roofs store", "roofs, and walls too, store")
    assert parts(ChangeReference("Ada", "Ada", content).apply(PYRAMID), 2) == [
        "Dark roofs",
        "store",
        "sun",
    ]


def test_other_stops_cut_nothing() -> None:
    content = ADA.content.replace("are hotter. Dark", "- are hotter - dark")
    assert parts(ChangeReference("Ada", "Ada", content).apply(PYRAMID), 1) == [
        "Cities - are hotter"
    ]


def test_another_name_changes_no_word() -> None:
    rename = ChangeReference("Ada", "Zoe", ADA.content)
    after = rename.apply(PYRAMID)
    assert [text.name for text in after.references] == ["Chi", "Zoe"]
    assert [contributor.reference for contributor in after.scu(1).contributors] == ["Chi", "Zoe"]
    assert parts(after, 2, "Zoe") == parts(PYRAMID, 2)
    assert rename.words(PYRAMID) == "renamed the reference “Ada” to “Zoe”"
    both = ChangeReference("Ada", "Zoe", "Cities only")
    assert both.words(PYRAMID) == (
        "took over the new text of the reference “Ada”, which is called “Zoe” now"
    )


def test_an_idea_without_words_that_are_left_goes() -> None:
    after = ChangeReference("Ada", "Ada", "All is new.").apply(PYRAMID)
    assert [scu.uid for scu in after.scus] == [1, 3, 4]


def test_long_texts_do_not_take_long() -> None:
    text = Text("Ada", "the heat of the city " * 1_000)
    pyramid = Pyramid((text,), (Scu(1, "heat", (Contributor("Ada", (Span(4, 8),)),)),))
    after = ChangeReference("Ada", "Ada", f"Now: {text.content}").apply(pyramid)
    assert parts(after, 1) == ["heat"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (AddReference("Ada", "Some words."), "There is a reference “Ada” in this pyramid already."),
        (AddReference(" ", "Some words."), "A reference needs a name."),
        (AddReference("x" * 101, "Words."), "A name has at most 100 characters; this one has 101."),
        (
            AddReference("B\x00n", "Words."),
            "There are characters in the name that cannot be stored.",
        ),
        (AddReference("Ben", " ... "), "This reference has no words."),
        (AddReference("Ben", "a\x00b"), "There are characters in this reference that cannot be"),
        (AddReference("Ben", "a\udc80b"), "There are characters in this reference that cannot be"),
        (RemoveReference("Ben"), "There is no reference “Ben” in this pyramid."),
        (ChangeReference("Ben", "Ben", "Words."), "There is no reference “Ben” in this pyramid."),
        (ChangeReference("Ada", "Chi", "Words."), "There is a reference “Chi” in this pyramid"),
    ],
)
def test_what_cannot_be_done(command: Command, message: str) -> None:
    with pytest.raises(EditError, match=message):
        command.apply(PYRAMID)
