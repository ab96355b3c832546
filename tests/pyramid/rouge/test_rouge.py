"""ROUGE here is rouge-score's; SU4, which that lacks, is worked by hand."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from grading.pyramid.content import ContentScore
from grading.pyramid.content_pipeline import build_content_model, score_content
from grading.pyramid.structures import Span, Text
from tests.fakes import fake_content_engine
from tests.pyramid.test_registry import few

DEMONSTRATION = Path(__file__).resolve().parents[3] / "grading/management/demonstration"
KINDS = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-l": "rougeL"}
kinds = pytest.mark.parametrize("method", KINDS)
_WORDS = ("the", "heat", "heats", "cities", "city", "cooling", "cooled", "a", "of", "by", "sun")
contents = st.lists(st.sampled_from(_WORDS)).map(" ".join)


def score(method: str, experts: Sequence[Text], summary: str, **options: str) -> ContentScore:
    engine = fake_content_engine(method, options)
    model = build_content_model(experts, engine)
    return next(score_content(model, [Text("summary", summary)], engine))


def texts(folder: str) -> list[Text]:
    files = sorted((DEMONSTRATION / folder).glob("*.txt"))
    return [Text(file.stem, file.read_text("utf-8")) for file in files]


@kinds
@pytest.mark.parametrize("matching", ["stem", "identity"])
def test_the_demonstration_is_scored_as_by_rouge_score(method: str, matching: str) -> None:
    kind = KINDS[method]
    scorer = RougeScorer([kind], use_stemmer=matching == "stem")
    references = texts("references")
    for summary in texts("students"):
        result = score(method, references, summary.content, matching=matching)
        known = [scorer.score(text.content, summary.content)[kind] for text in references]
        assert result.coverage == pytest.approx(fmean(score.recall for score in known), abs=1e-6)
        assert result.quality == pytest.approx(fmean(score.precision for score in known), abs=1e-6)
        assert result.comprehensive == pytest.approx(
            fmean(score.fmeasure for score in known), abs=1e-6
        )
        best = score(method, references, summary.content, matching=matching, references="best")
        target = scorer.score_multi([text.content for text in references], summary.content)[kind]
        assert best.comprehensive == pytest.approx(target.fmeasure, abs=1e-6)


@kinds
@few
@given(reference=contents, summary=contents)
def test_texts_with_repeated_words_too(method: str, reference: str, summary: str) -> None:
    result = score(method, [Text("one", reference)], summary)
    known = RougeScorer([KINDS[method]], use_stemmer=True).score(reference, summary)[KINDS[method]]
    assert result.coverage == pytest.approx(known.recall, abs=1e-6)
    assert result.quality == pytest.approx(known.precision, abs=1e-6)
    assert result.comprehensive == pytest.approx(known.fmeasure, abs=1e-6)


# --- SU4, by hand ---


@pytest.mark.parametrize(
    ("summary", "matched"),
    [
        # Lin (2004, section 5): of the 6 skip bigrams of "police killed the gunman" these have 3,
        # 1 and 2 ("killed" is not stemmed here). The single words add 3 of 4 each.
        ("police kill the gunman", 3 + 3),
        ("the gunman kill police", 1 + 3),
        ("the gunman police killed", 2 + 4),
    ],
)
def test_lin_s_own_example(summary: str, matched: int) -> None:
    result = score(
        "rouge-su4", [Text("one", "police killed the gunman")], summary, matching="identity"
    )
    assert result.units == 10
    assert result.raw == matched
    assert result.coverage == result.quality == matched / 10


def test_at_most_four_words_lie_between_the_two_of_a_pair() -> None:
    # "a … f" has four words between; "a … g" has five, and is no unit. Of 7 words: 7 single ones,
    # and 6 + 5 + 4 + 3 + 2 pairs with 0 to 4 words between.
    reference = [Text("one", "a b c d e f g")]
    assert score("rouge-su4", reference, "a b c d e f g").units == 7 + 20
    assert score("rouge-su4", reference, "a f").raw == 3
    assert score("rouge-su4", reference, "a g").raw == 2


def test_a_unit_matches_as_often_as_both_have_it() -> None:
    # Units of the reference: ice, ice, melts, ice ice, ice melts (twice): 6. Of the summary: ice
    # three times, ice ice three times. Common: ice twice, ice ice once.
    result = score("rouge-su4", [Text("one", "ice ice melts")], "ice ice ice")
    assert result.units == 6
    assert result.raw == 3
    assert result.coverage == result.quality == 0.5


def test_several_references_are_averaged() -> None:
    # Against "ice melts" 1 of 3 units, against "ice" the only one.
    result = score("rouge-su4", [Text("one", "ice melts"), Text("two", "ice")], "ice")
    assert result.coverage == pytest.approx((1 / 3 + 1) / 2)
    assert result.explanation[0] == (
        "“one”: 1 units match, recall 0.3333, precision 1.0000, F1 0.5000."
    )


# --- places ---


def test_matches_are_where_the_words_are() -> None:
    summary = "Hot cities! Parks cool hot cities."
    result = score("rouge-2", [Text("one", "Parks cool hot cities.")], summary)
    words = {Text("s", summary).words_at(match.spans) for match in result.matches}
    assert words == {"Parks cool", "cool hot", "Hot cities"}
    assert [Text("s", summary).words_at(spans) for spans in result.unmatched] == [
        "cities Parks",
        "hot cities",  # the reference has it once
    ]


def test_the_longest_common_sequence_is_marked_at_its_earliest_place() -> None:
    summary = "cool cool the air"
    result = score("rouge-l", [Text("one", "they cool air")], summary)
    assert [match.spans for match in result.matches] == [(Span(0, 4), Span(14, 17))]


# --- the demonstration course, by hand ---


@pytest.mark.parametrize(
    ("method", "units", "matched"),
    [
        # “Heat waves take many lives.” stands in Marchetti. Duarte and Okoye have “heat waves” and
        # none of the other words, Lindqvist “heat” alone. Rahman has “heat waves”, then “such heat
        # costs lives”, later “many years”. Matched by Duarte, Okoye, Lindqvist, Marchetti, Rahman:
        ("rouge-1", 5, (2, 2, 1, 5, 4)),
        ("rouge-2", 4, (1, 1, 0, 4, 1)),
        ("rouge-l", 5, (2, 2, 1, 5, 3)),  # “lives” is before “many” there: one of them
        ("rouge-su4", 5 + 10, (2 + 1, 2 + 1, 1, 15, 4 + 2)),  # “heat … lives” too
    ],
)
def test_the_demonstration_course_by_hand(
    method: str, units: int, matched: tuple[int, ...]
) -> None:
    result = score(method, texts("references"), "Heat waves take many lives.")
    assert result.units == units
    assert result.raw == pytest.approx(sum(matched) / 5)
    assert result.quality == pytest.approx(sum(matched) / units / 5)
    for line, number in zip(result.explanation, matched, strict=False):
        assert f": {number} " in line
