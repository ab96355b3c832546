"""The contract that every method of the registry keeps.

That of the sister systems, with models of content of their own, is in test_content_methods.py.
"""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.calibration import probability_of
from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import annotation_of, read_annotation, write_annotation
from grading.pyramid.formats.pyramid_json import (
    pyramid_from_json,
    pyramid_to_json,
    report_from_json,
    report_to_json,
)
from grading.pyramid.pipeline import (
    build_pyramid,
    prepare_matcher,
    read_summaries,
    score_read,
    score_summaries,
    score_summary,
)
from grading.pyramid.registry import (
    BUILDERS,
    DEFAULT_METHOD,
    METHODS,
    BuildSettings,
    get_method,
    settings_of,
    with_match_probability,
    with_settings,
)
from grading.pyramid.segment_graph import counted_segments
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Pyramid, ScoreReport, Scu, Segment, Text
from tests.fakes import fake_engine

_WORDS = ["matter", "has", "mass", "takes", "space", "energy", "moves", "because", "and", "that"]
_sentences = st.lists(st.sampled_from(_WORDS), min_size=3, max_size=12).map(" ".join)
_contents = st.lists(_sentences, min_size=1, max_size=4).map(lambda all_: ". ".join(all_) + ".")
references = st.lists(_contents, min_size=1, max_size=4).map(
    lambda contents: [Text(f"reference {i}", first) for i, first in enumerate(contents)]
)
summaries = st.lists(_contents | st.just(""), min_size=1, max_size=3).map(
    lambda contents: [Text(f"student {i}", first) for i, first in enumerate(contents)]
)
methods = pytest.mark.parametrize("method", sorted(METHODS))
few = settings(max_examples=25)


def built(method: str, texts: Sequence[Text]) -> Pyramid:
    return build_pyramid(texts, fake_engine(method))


def scored(method: str, pyramid: Pyramid, texts: Sequence[Text]) -> list[ScoreReport]:
    return list(score_summaries(pyramid, texts, fake_engine(method)))


def test_rows_are_found_by_their_names() -> None:
    assert DEFAULT_METHOD in METHODS
    for name, method in METHODS.items():
        assert get_method(name) is method
        assert name == method.name == method.config.method
        assert method.description.endswith(".")


@methods
def test_the_usual_settings_of_a_method_change_nothing(method: str) -> None:
    row = get_method(method)

    assert with_settings(row, settings_of(row)) == row


@methods
@pytest.mark.parametrize("builder", BUILDERS)
def test_other_settings_are_named_by_the_signature(method: str, builder: str) -> None:
    row = get_method(method)
    usual = replace(settings_of(row), builder=builder)
    others = [usual, replace(usual, beta=2.0), replace(usual, edge_percentile=70.0)]
    others.append(replace(usual, edge_percentile=None))

    changed = [with_settings(row, other) for other in others]

    assert [settings_of(variant) for variant in changed] == others
    names = {variant.config.method for variant in changed}
    same = builder == settings_of(row).builder
    assert names == ({method} if same else {f"{method}-{builder}"})
    signatures = {variant.config.signature() for variant in changed} | {row.config.signature()}
    assert len(signatures) == len({str(settings_of(engine_row)) for engine_row in [row, *changed]})


def test_an_unknown_builder_is_told_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"no builder “edua-x”.* mutual, edua-g, edua-c-shaped, edua-c"
    ):
        with_settings(get_method(DEFAULT_METHOD), BuildSettings("edua-x", None, 2.5))


def test_an_unknown_method_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no method “rouge9”.* pyreval"):
        get_method("rouge9")


@methods
@few
@given(texts=references)
def test_a_unit_has_a_contributor_a_reference(method: str, texts: list[Text]) -> None:
    pyramid = built(method, texts)
    weights = [scu.weight for scu in pyramid.scus]
    assert weights == sorted(weights, reverse=True)
    assert [scu.uid for scu in pyramid.scus] == list(range(1, len(weights) + 1))
    for scu in pyramid.scus:
        names = [contributor.reference for contributor in scu.contributors]
        assert 1 <= scu.weight <= len(texts)
        assert len(set(names)) == len(names)
        if not get_method(method).config.whole_labels:
            assert scu.label in [
                pyramid.reference(contributor.reference).words_at(contributor.spans)
                for contributor in scu.contributors
            ]


@methods
@few
@given(texts=references)
def test_every_sentence_is_covered_once(method: str, texts: list[Text]) -> None:
    pyramid = built(method, texts)
    config = get_method(method).config
    used = Counter(
        (contributor.reference, Segment(contributor.spans))
        for scu in pyramid.scus
        for contributor in scu.contributors
    )
    for parsed in fake_engine(method).parser.parse(texts):
        text = segment(parsed, max_segmentations=config.max_segmentations)
        for sentence in text.sentences:
            cuts = [counted_segments(cut, text.text, config) for cut in sentence.segmentations]
            inside = {spans for cut in cuts for spans in cut if used[text.text.name, spans]}
            assert inside in [set(cut) for cut in cuts]
            assert inside or not any(cuts)
    assert set(used.values()) == {1}


@methods
@few
@given(texts=references, students=summaries)
def test_scores_lie_between_0_and_1(method: str, texts: list[Text], students: list[Text]) -> None:
    pyramid = built(method, texts)
    reports = scored(method, pyramid, students)
    assert len(reports) == len(students)
    for report in reports:
        for value in (report.quality, report.coverage, report.comprehensive):
            assert 0 <= value <= 1
        weights = {scu.uid: scu.weight for scu in pyramid.scus}
        earning = (*report.evidence.matches, *report.evidence.possible)
        assert report.raw == pytest.approx(
            sum(weights[match.scu_uid] * match.credit for match in earning)
        )
        assert report.trace


@methods
@few
@given(texts=references, students=summaries, data=st.data())
def test_order_makes_no_difference(
    method: str, texts: list[Text], students: list[Text], data: st.DataObject
) -> None:
    pyramid = built(method, texts)
    other_order = data.draw(st.permutations(texts))
    assert built(method, other_order) == pyramid
    reports = dict(zip(students, scored(method, pyramid, students), strict=True))
    for text, report in zip(students[::-1], scored(method, pyramid, students[::-1]), strict=True):
        assert reports[text] == report


@methods
def test_equal_references_in_any_order(method: str) -> None:
    content = "Matter has mass and takes space. Energy moves matter because it is hot."
    texts = [Text(name, content) for name in "ABC"]
    pyramids = {built(method, order) for order in permutations(texts)}
    assert len(pyramids) == 1
    assert max(scu.weight for scu in pyramids.pop().scus) >= 2


@methods
def test_one_reference(method: str) -> None:
    texts = [Text("only", "Matter has mass and takes space. Energy moves matter.")]
    pyramid = built(method, texts)
    assert {scu.weight for scu in pyramid.scus} == {1}
    [report] = scored(method, pyramid, [Text("copy", texts[0].content)])
    # A method that knows probabilities is never quite certain of a match.
    least = 0.9 if get_method(method).knows_probabilities else 1
    assert least * len(pyramid.scus) <= report.raw <= len(pyramid.scus)
    assert least <= report.quality == report.coverage == report.comprehensive <= 1


@methods
def test_a_signature_names_method_and_models(method: str) -> None:
    engine = fake_engine(method)
    pyramid = built(method, [Text("only", "Matter has mass.")])
    assert pyramid.signature == engine.signature
    assert engine.signature.startswith(f"{method}-")
    assert engine.signature == engine.method.config.signature(
        engine.parser.name, engine.similarity.name
    )


ENGLISH = [
    Text("Ada", "Matter has mass and takes space. Energy moves matter. Ice melts slowly."),
    Text("Ben", "Matter has mass. All energy moves matter because heat flows."),
    Text("Chi", "All matter takes space. Heat flows from warm bodies and ice melts slowly."),
]

SPANISH = """
La materia es todo lo que tiene masa y ocupa un lugar en el espacio, pero la energía no es materia,
porque no tiene masa y no se puede tocar con las manos.
"""
GERMAN = """
Die Materie hat eine Masse und sie nimmt einen Raum ein, aber die Energie ist keine Materie, weil
sie nicht aus den kleinen Teilchen besteht, die wir kennen.
"""
RUSSIAN = """
Вещество имеет массу и занимает место в пространстве. Энергия приводит вещество в движение.
"""
FOREIGN = [("Spanish", SPANISH), ("German", GERMAN), ("Russian", RUSSIAN)]


@methods
@few
@given(texts=references, students=summaries)
def test_evidence_is_of_a_piece(method: str, texts: list[Text], students: list[Text]) -> None:
    engine, pyramid = fake_engine(method), built(method, texts)
    matcher = prepare_matcher(pyramid, engine)
    for text in read_summaries(students, engine):
        evidence, strengths = matcher.match(text), matcher.strengths(text)
        units = [match.scu_uid for match in evidence.matches]
        possible = [match.scu_uid for match in evidence.possible]
        assert len({*units, *possible}) == len(units) + len(possible)
        matched = {match.segment for match in evidence.matches}
        assert matched <= set(evidence.segments)
        again = [repeat.segment for repeat in evidence.repeats]
        assert len(set(again)) == len(again)
        # Statements of their own for the paper; for `classroom` they belong to the matched one.
        if get_method(method).knows_probabilities:
            assert not set(again) & set(evidence.segments)
        else:
            assert set(again) <= set(evidence.segments) - matched
        assert {repeat.scu_uid for repeat in evidence.repeats} <= set(units)
        assert len(set(evidence.segments)) == len(evidence.segments)
        assert set(strengths) == {scu.uid for scu in pyramid.scus}
        strong = {uid for uid, value in strengths.items() if value >= matcher.threshold}
        assert set(units) <= strong
        if method == "classroom":
            assert set(units) == strong
        for match in evidence.matches:
            assert 0 <= match.similarity <= 1
            assert match.scu_uid not in {other.scu_uid for other in match.alternatives}
            assert all(text.text.words_at((span,)) for span in match.segment.spans)


@methods
@few
@given(texts=references, students=summaries)
def test_reports_and_pyramids_are_written_and_read_back(
    method: str, texts: list[Text], students: list[Text]
) -> None:
    pyramid = built(method, texts)
    assert pyramid_from_json(json.loads(json.dumps(pyramid_to_json(pyramid)))) == pyramid
    for text, report in zip(students, scored(method, pyramid, students), strict=True):
        assert report_from_json(json.loads(json.dumps(report_to_json(report)))) == report
        annotation = annotation_of(pyramid, text, report)
        again = read_annotation(write_annotation(annotation).encode(), text.name)
        assert again.expressions == annotation.expressions
        assert again.unmatched == annotation.unmatched


@methods
def test_two_identical_references(method: str) -> None:
    content = "Matter has mass and takes space. Energy moves matter. Ice melts slowly in heat."
    texts = [Text("one", content), Text("two", content)]
    pyramid = built(method, texts)
    assert pyramid.scus[0].weight == 2
    for scu in pyramid.scus:
        if scu.weight == 2:
            [contributor, other] = scu.contributors
            assert contributor.spans == other.spans
    [copy] = scored(method, pyramid, [Text("copy", content)])
    assert copy.raw > 0
    assert {match.scu_uid for match in copy.evidence.matches} >= {
        scu.uid for scu in pyramid.scus if scu.weight == 2
    }


@methods
@pytest.mark.parametrize("content", ["", " \n ", "Matter", "Ice.", "?!", "🐝", "1", "a" * 3_000])
def test_texts_that_say_next_to_nothing(method: str, content: str) -> None:
    pyramid = built(method, ENGLISH)
    [report] = scored(method, pyramid, [Text("short", content)])
    assert (report.raw, report.quality, report.coverage, report.comprehensive) == (0, 0, 0, 0)
    assert report.evidence.matches == ()
    assert report.remarks == ()


@methods
def test_a_pyramid_without_units_scores_nothing(method: str) -> None:
    empty = Pyramid(tuple(ENGLISH), ())
    for report in scored(method, empty, [*ENGLISH, Text("none", "")]):
        assert (report.raw, report.quality, report.coverage) == (0, 0, 0)


@methods
def test_a_unit_that_nobody_contributed_to_is_scored_as_well(method: str) -> None:
    # An instructor may add one while editing; it weighs nothing.
    pyramid = built(method, ENGLISH)
    drafted = replace(pyramid, scus=(*pyramid.scus, Scu(99, "Bicycles rust in rain", ())))
    plain, with_it = scored(method, pyramid, ENGLISH), scored(method, drafted, ENGLISH)
    assert [plain_score.raw for plain_score in plain] == [score.raw for score in with_it]
    assert scored(method, drafted, [Text("short", "Bicycles rust in the rain.")])[0].raw == 0


@methods
@pytest.mark.parametrize(("language", "content"), FOREIGN)
def test_another_language_is_refused_in_references_and_told_in_summaries(
    method: str, language: str, content: str
) -> None:
    with pytest.raises(InputError, match=rf"“Eva” seems to be in {language}"):
        built(method, [*ENGLISH, Text("Eva", content)])
    pyramid = built(method, ENGLISH)
    foreign, english = scored(method, pyramid, [Text("Eva", content), ENGLISH[0]])
    assert len(foreign.remarks) == 1
    assert f"in {language}." in foreign.remarks[0]
    assert english.remarks == ()


@methods
def test_a_long_summary_is_no_trouble(method: str) -> None:
    pyramid = built(method, ENGLISH)
    sentences = [f"Matter{i} has mass and moves because heat{i} flows slowly." for i in range(560)]
    content = " ".join([*sentences, "Ice melts slowly."])
    assert len(content.split()) >= 5_000
    before = time.process_time()
    [report] = scored(method, pyramid, [Text("long", content)])
    assert time.process_time() - before < 30
    assert "ice melts slowly" in [
        pyramid.scu(match.scu_uid).label.lower().rstrip(".") for match in report.evidence.matches
    ]


@methods
def test_texts_that_were_read_before_are_scored_the_same(method: str) -> None:
    engine, pyramid = fake_engine(method), built(method, ENGLISH)
    read = read_summaries(ENGLISH, engine)
    assert list(score_read(pyramid, read, engine)) == scored(method, pyramid, ENGLISH)
    assert score_summary(pyramid, ENGLISH[0], engine) == scored(method, pyramid, ENGLISH)[0]


@methods
@given(texts=references, students=summaries)
@few
def test_a_threshold_moves_what_is_matched_and_nothing_else(
    method: str, texts: list[Text], students: list[Text]
) -> None:
    """What is as probable as the threshold by the lowest of all is matched by it, and no more."""
    engine, least = fake_engine(method), 0.1
    pyramid, read = built(method, texts), read_summaries(students, engine)
    lowest = replace(engine, method=with_match_probability(engine.method, least))
    matcher = prepare_matcher(pyramid, lowest)
    for cut in (0.3, 0.5, 0.8) if engine.method.knows_probabilities else ():
        tuned = replace(engine, method=with_match_probability(engine.method, cut))
        assert tuned.signature != engine.signature
        assert tuned.reader == engine.reader
        for text, report in zip(read, score_read(pyramid, read, tuned), strict=True):
            probabilities = matcher.strengths(text)
            uids = {match.scu_uid for match in report.evidence.matches}
            for uid, moved in probabilities.items():
                probability = probability_of(moved, least)
                assert abs(probability - cut) < 0.002 or (probability >= cut) == (uid in uids)
    if not engine.method.knows_probabilities:
        assert lowest == engine


def test_without_a_threshold_a_method_is_what_it_was() -> None:
    method = get_method(DEFAULT_METHOD)

    assert with_match_probability(method, None) is method
    assert with_match_probability(method, 0.4).config.match_probability == 0.4
