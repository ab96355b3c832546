"""A reference that came later is fitted in as a whole."""

from grading.pyramid.analysis.fitting import fit_in_references
from grading.pyramid.analysis.quality import CoveredText
from grading.pyramid.analysis.suggestions import Suggestion
from grading.pyramid.editing.commands import AddContributor, NewScu, Several
from grading.pyramid.structures import Pyramid
from tests.pyramid.analysis.made import looked_at, pyramid_of, span_of
from tests.pyramid.analysis.test_fitting import CHI, HOT, TEXTS
from tests.pyramid.cutting import Pairs


def whole(pyramid: Pyramid, pairs: Pairs) -> list[Suggestion]:
    clauses, likeness = looked_at(TEXTS, pyramid, pairs)
    coverages = [CoveredText(pyramid, text).coverage() for text in TEXTS]
    return list(fit_in_references(pyramid, coverages, clauses, likeness))


ALL_BUT_CHI = (
    HOT,
    {"Ada": "Trees cool them", "Ben": "and trees help"},
    {"Ada": "Old people suffer"},
    {"Ben": "Dark roofs store heat"},
)


def test_everything_of_a_later_reference_is_one_edit() -> None:
    pyramid = pyramid_of(TEXTS, *ALL_BUT_CHI)

    (result,) = whole(pyramid, {("The old fall ill", "Old people suffer"): 0.8})

    assert result.reason.startswith("Fit in everything of “Chi”: 1 addition, 1 new idea.")
    assert result.command == Several(
        "fitted in everything of “Chi”: 1 addition, 1 new idea",
        (
            AddContributor(3, "Chi", (span_of(CHI.text.content, "The old fall ill"),)),
            NewScu(0, "", "Chi", (span_of(CHI.text.content, "Roofs that are dark keep heat"),)),
        ),
    )


def test_references_that_are_in_the_pyramid_are_not_offered_as_a_whole() -> None:
    pyramid = pyramid_of(TEXTS, *ALL_BUT_CHI, {"Chi": "The old fall ill"})

    assert whole(pyramid, {}) == []


def test_a_pyramid_without_ideas_is_not_fitted_in() -> None:
    assert whole(pyramid_of(TEXTS), {}) == []
