"""The contract that every method of the registry keeps."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import build_pyramid, score_summaries
from grading.pyramid.registry import DEFAULT_METHOD, METHODS, get_method
from grading.pyramid.segment_graph import counted_segments
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Pyramid, ScoreReport, Segment, Text
from tests.fakes import fake_engine

_WORDS = ["matter", "has", "mass", "takes", "space", "energy", "moves", "because", "and", "that"]
_sentences = st.lists(st.sampled_from(_WORDS), min_size=3, max_size=12).map(" ".join)
_contents = st.lists(_sentences, min_size=1, max_size=4).map(lambda all_: ". ".join(all_) + ".")
references = st.lists(_contents, min_size=1, max_size=4).map(
    lambda contents: [Text(f"reference {i}", one) for i, one in enumerate(contents)]
)
summaries = st.lists(_contents | st.just(""), min_size=1, max_size=3).map(
    lambda contents: [Text(f"student {i}", one) for i, one in enumerate(contents)]
)
methods = pytest.mark.parametrize("method", sorted(METHODS))
few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


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
        names = [one.reference for one in scu.contributors]
        assert 1 <= scu.weight <= len(texts)
        assert len(set(names)) == len(names)
        assert scu.label in [
            pyramid.reference(one.reference).words_at(one.spans) for one in scu.contributors
        ]


@methods
@few
@given(texts=references)
def test_every_sentence_is_covered_once(method: str, texts: list[Text]) -> None:
    pyramid = built(method, texts)
    config = get_method(method).config
    used = Counter(
        (one.reference, Segment(one.spans)) for scu in pyramid.scus for one in scu.contributors
    )
    for parsed in fake_engine(method).parser.parse(texts):
        text = segment(parsed, max_segmentations=config.max_segmentations)
        for sentence in text.sentences:
            cuts = [counted_segments(cut, text.text, config) for cut in sentence.segmentations]
            inside = {one for cut in cuts for one in cut if used[text.text.name, one]}
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
        told = {match.scu for match in report.evidence.matches}
        assert report.raw == sum(weights[uid] for uid in told)
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
    assert report.raw == len(pyramid.scus)
    assert report.quality == report.coverage == report.comprehensive == 1


@methods
def test_a_signature_names_method_and_models(method: str) -> None:
    engine = fake_engine(method)
    pyramid = built(method, [Text("only", "Matter has mass.")])
    assert pyramid.signature == engine.signature
    assert engine.signature.startswith(f"{method}-")
    assert engine.signature == get_method(method).config.signature(
        engine.parser.name, engine.encoder.name
    )
