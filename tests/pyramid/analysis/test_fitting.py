"""Text that belongs to no idea: where it could go."""

from grading.pyramid.analysis.fitting import Fitting
from grading.pyramid.analysis.suggestions import Suggestion
from grading.pyramid.editing.commands import AddContributor, AddPart, NewScu, Several
from grading.pyramid.structures import Pyramid, SegmentedText
from tests.pyramid.analysis.made import cut, looked_at, pyramid_of, span_of
from tests.pyramid.cutting import Pairs

ADA = cut("Ada", "Cities are hot", "Trees cool them", "Old people suffer")
BEN = cut("Ben", "Towns are warm", "Dark roofs store heat|and trees help")
CHI = cut("Chi", "The old fall ill", "Roofs that are dark keep heat")
TEXTS = [ADA, BEN, CHI]
HOT = {"Ada": "Cities are hot", "Ben": "Towns are warm"}


def suggested(
    pyramid: Pyramid, pairs: Pairs, texts: list[SegmentedText] = TEXTS, least: float = 0.5
) -> list[Suggestion]:
    clauses, likeness = looked_at(texts, pyramid, pairs)
    return list(Fitting(pyramid, clauses, likeness, least).suggestions())


def test_a_clause_is_added_to_the_idea_that_it_resembles() -> None:
    pyramid = pyramid_of(TEXTS, HOT, {"Ada": "Trees cool them"})

    (result,) = suggested(pyramid, {("and trees help", "Trees cool them"): 0.8})

    spans = (span_of(BEN.text.content, "and trees help"),)
    assert result.command == AddContributor(2, "Ben", spans)
    assert result.scus == (2,)
    assert result.command.apply(pyramid).scu(2).weight == 2


def test_what_is_not_similar_enough_is_left() -> None:
    pyramid = pyramid_of(TEXTS, HOT, {"Ada": "Trees cool them"})

    assert suggested(pyramid, {("and trees help", "Trees cool them"): 0.45}) == []


def test_a_reference_that_contributes_already_is_offered_a_part_only_if_very_similar() -> None:
    pyramid = pyramid_of(TEXTS, HOT, {"Ada": "Trees cool them", "Ben": "and trees help"})

    assert suggested(pyramid, {("Old people suffer", "Trees cool them"): 0.7}) == []
    twice = {("Old people suffer", "Trees cool them"): 0.9} | {
        ("Old people suffer", "and trees help"): 0.9
    }
    (result,) = suggested(pyramid, twice)
    assert isinstance(result.command, AddPart)


def test_clauses_of_several_references_make_a_new_idea_with_the_most_central_first() -> None:
    pyramid = pyramid_of(TEXTS, HOT)
    pairs = {("Old people suffer", "The old fall ill"): 0.8}

    (result,) = suggested(pyramid, pairs)

    new = Several(
        "made an idea of words of “Ada” and “Chi”",
        (
            NewScu(0, "", "Ada", (span_of(ADA.text.content, "Old people suffer"),)),
            AddContributor(0, "Chi", (span_of(CHI.text.content, "The old fall ill"),)),
        ),
    )
    assert result.command == new
    assert [quote.source for quote in result.quotes] == ["Ada", "Chi"]


def test_no_word_is_offered_twice() -> None:
    pyramid = pyramid_of(TEXTS, HOT, {"Ada": "Trees cool them"})
    whole = "Dark roofs store heat and trees help"
    pairs = {(whole, "Trees cool them"): 0.6, ("and trees help", "Trees cool them"): 0.8}

    (result,) = suggested(pyramid, pairs)

    assert [quote.words for quote in result.quotes] == ["and trees help"]


def test_what_contradicts_an_idea_does_not_fit_it() -> None:
    texts = [cut("Ada", "Heat killed 40 people"), cut("Ben", "Heat killed 90 people", "So it is")]
    pyramid = pyramid_of(texts, {"Ada": "Heat killed 40 people"})

    assert (
        suggested(pyramid, {("Heat killed 40 people", "Heat killed 90 people"): 0.9}, texts) == []
    )


def test_keys_stay_when_labels_change_and_differ_by_what_they_are_about() -> None:
    pyramid = pyramid_of(TEXTS, HOT, {"Ada": "Trees cool them"})
    pairs = {
        ("and trees help", "Trees cool them"): 0.8,
        ("Old people suffer", "The old fall ill"): 0.8,
    }

    keys = [suggestion.key for suggestion in suggested(pyramid, pairs)]

    assert len(set(keys)) == 2
    assert keys == [suggestion.key for suggestion in suggested(pyramid, pairs)]
