"""Texts of a file beside the references of an assignment."""

from hypothesis import given, settings

from grading.pyramid.formats.import_report import FoundReference, Kinship, anchored
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from tests.pyramid.formats.pyramids import curated_pyramids

HEAT = "Dark roofs store heat. Trees cool streets."


def pyramid(*texts: Text, spans: tuple[Span, ...] = (Span(0, 4),)) -> Pyramid:
    scus = (Scu(1, "label", (Contributor(texts[0].name, spans, "why"),), "comment"),)
    return Pyramid(texts, scus)


def test_the_same_text_takes_the_name_that_it_has_here() -> None:
    own = Text("Ada", HEAT)

    result = anchored(pyramid(Text("1", HEAT)), [Text("Zed", "Another."), own])

    assert result.pyramid == pyramid(own)
    assert result.found == (FoundReference("1", "Ada", Kinship.SAME, "Ada"),)
    assert result.missing == ("Zed",)


def test_other_white_space_moves_the_words_over() -> None:
    spaced = Text("1", "\n " + HEAT.replace(". ", ".\n\n") + "\n")
    words = (Span(2, 12), Span(26, 31))
    own = Text("Ada", HEAT)

    result = anchored(pyramid(spaced, spans=words), [own])

    (contributor,) = result.pyramid.scus[0].contributors
    assert own.words_at(contributor.spans) == spaced.words_at(words) == "Dark roofs Trees"
    assert (contributor.reference, contributor.comment) == ("Ada", "why")
    assert result.pyramid.references == (own,)
    assert result.found[0].kinship is Kinship.SPACED


def test_blank_words_have_no_place_in_other_white_space() -> None:
    spaced = Text("1", f"  {HEAT}")

    result = anchored(pyramid(spaced, spans=(Span(0, 2),)), [Text("Ada", HEAT)])

    assert result.pyramid.references == (spaced,)
    assert result.found[0].kinship is Kinship.REWORDED


def test_a_text_in_other_words_stays_what_it_is_in_the_file() -> None:
    revised = Text("Ada", HEAT.replace("store", "keep"))

    result = anchored(pyramid(revised), [Text("Ada", HEAT)])

    assert result.pyramid == pyramid(revised)
    assert result.found == (FoundReference("Ada", "Ada", Kinship.REWORDED, "Ada"),)
    assert result.missing == ()


def test_a_stranger_with_a_taken_name_gets_another() -> None:
    texts = (Text("1", HEAT), Text("Ada", "Whales sing in the sea."))

    result = anchored(pyramid(*texts), [Text("Ada", HEAT)])

    assert [text.name for text in result.pyramid.references] == ["Ada", "Ada (2)"]
    assert result.found[1] == FoundReference("Ada", "Ada (2)", Kinship.OTHER)


def test_names_are_one_line_and_not_too_long() -> None:
    texts = (Text("x" * 200, "One."), Text("x" * 200 + "y", "Two."), Text(" \n", "Three."))

    names = [text.name for text in anchored(pyramid(*texts), []).pyramid.references]

    assert [len(name) for name in names[:2]] == [100, 100]
    assert names[1].endswith(" (2)")
    assert names[2] == "Text 3"


def test_each_of_our_references_serves_once() -> None:
    texts = (Text("1", HEAT), Text("2", HEAT))

    result = anchored(pyramid(*texts), [Text("Ada", HEAT)])

    assert [text.name for text in result.pyramid.references] == ["Ada", "2"]


@settings(max_examples=40)
@given(curated_pyramids())
def test_words_stay_the_same_whatever_the_white_space(drawn: Pyramid) -> None:
    own = [Text(f"own {i}", " ".join(t.content.split())) for i, t in enumerate(drawn.references)]

    moved = anchored(drawn, own).pyramid

    def words(some: Pyramid) -> list[list[str]]:
        return [
            [
                "".join(some.reference(c.reference).words_at(c.spans).split())
                for c in scu.contributors
            ]
            for scu in some.scus
        ]

    assert words(moved) == words(drawn)
    names = [text.name for text in moved.references]
    assert len(set(names)) == len(names)
