"""The builder of ``classroom``, worked by hand, and its rules over many random references."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.builders import edua_greedy, mutual_links
from grading.pyramid.config import Config
from grading.pyramid.parsing import Parser
from grading.pyramid.registry import get_method
from grading.pyramid.segment_graph import SegmentGraph, link_segments
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.similarity import lexical_recall
from grading.pyramid.structures import Pyramid, SegmentedText, Standing, Text
from tests.pyramid.cutting import Pairs, by_chance, by_words, cut, random_references

ANY = Config(min_words=1, edge_percentile=0)


def linked(references: Sequence[SegmentedText], pairs: Pairs, config: Config = ANY) -> SegmentGraph:
    return link_segments(references, by_words(pairs), config)


def contents(pyramid: Pyramid) -> list[str]:
    """The contributors' words of each content unit, as ``a1+b1``."""
    return [
        "+".join(
            pyramid.reference(each.reference).words_at(each.spans) for each in scu.contributors
        )
        for scu in pyramid.scus
    ]


def built(references: Sequence[SegmentedText], pairs: Pairs, config: Config = ANY) -> list[str]:
    return contents(mutual_links.build(linked(references, pairs, config), config))


def test_segments_that_are_closest_to_each_other_are_joined() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2")]
    # a2 is close to b1 as well, but b1 is closer to a1; and b2 is closest to a1, which is not.
    pairs = {("a1", "b1"): 0.9, ("a2", "b1"): 0.8, ("a1", "b2"): 0.7}
    assert built(references, pairs) == ["a1+b1", "a2", "b2"]


def test_a_similarity_below_the_percentile_joins_nothing() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2")]
    pairs = {("a1", "b1"): 0.9, ("a2", "b2"): 0.2, ("a1", "b2"): 0.3, ("a2", "b1"): 0.3}
    config = Config(min_words=1, edge_percentile=90)
    assert built(references, pairs, config) == ["a1+b1", "a2", "b2"]


def test_groups_are_joined_over_mutual_links_although_they_are_no_clique() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2"), cut("C", "c1", "c2")]
    # c1 and b1 are each other's closest and so are a1 and b1: two of the links of b1, one of c1.
    pairs = {("a1", "b1"): 0.9, ("b1", "c1"): 0.8, ("a1", "c2"): 0.3, ("a2", "c2"): 0.2}
    assert built(references, pairs)[0] == "a1+b1+c1"


def test_groups_that_few_mutual_links_hold_are_not_joined() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1"), cut("C", "c1"), cut("D", "d1")]
    # a1, b1, c1 are joined; d1 has a mutual link with b1 only, a2 is closer to it than a1.
    pairs = {
        ("a1", "b1"): 0.9,
        ("a1", "c1"): 0.9,
        ("b1", "c1"): 0.9,
        ("a1", "d1"): 0.5,
        ("a2", "d1"): 0.6,
    }
    assert built(references, pairs) == ["a1+b1+c1", "a2+d1"]


def test_a_clause_and_its_sentence_are_no_rivals() -> None:
    graph = linked([cut("A", "a1"), cut("B", "b1|b2")], {("a1", "b1"): 0.8, ("a1", "b1 b2"): 0.9})
    words = [graph.unit(node).words for node in range(len(graph.nodes))]
    mutual = mutual_links.mutual_links(graph)

    assert mutual[words.index("a1"), words.index("b1")]
    assert mutual[words.index("a1"), words.index("b1 b2")]


def test_a_reference_has_one_segment_in_a_unit() -> None:
    references = [cut("A", "a1"), cut("B", "b1", "b2")]
    assert built(references, {("a1", "b1"): 0.9, ("a1", "b2"): 0.9}) == ["a1+b1", "b2"]


@given(
    seed=st.integers(0, 10_000), references=st.integers(1, 4), percentile=st.sampled_from([0, 70])
)
@settings(max_examples=60)
def test_rules_of_every_pyramid(seed: int, references: int, percentile: float) -> None:
    config = Config(min_words=1, edge_percentile=percentile)
    texts = random_references(seed, references, 3)
    graph = link_segments(texts, by_chance(seed), config)
    pyramid = mutual_links.build(graph, config)

    used = Counter(
        (each.reference, each.spans) for scu in pyramid.scus for each in scu.contributors
    )
    assert set(used.values()) == {1}
    for scu in pyramid.scus:
        names = [each.reference for each in scu.contributors]
        assert len(set(names)) == len(names)
    for text in texts:
        for sentence in text.sentences:
            cuts = [
                {segment.spans for segment in segmentation.segments}
                for segmentation in sentence.segmentations
            ]
            inside = {
                spans
                for name, spans in used
                if name == text.text.name
                and sentence.span.start <= spans[0].start < sentence.span.end
            }
            assert inside in cuts
    for order in (texts[::-1], texts[1:] + texts[:1]):
        assert mutual_links.build(link_segments(order, by_chance(seed), config), config) == pyramid


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30)
def test_mutual_links_are_those_without_a_closer_rival(seed: int) -> None:
    graph = link_segments(random_references(seed, 3, 2), by_chance(seed), ANY)
    spans = [node.segment.spans for node in graph.nodes]
    references = [node.reference for node in graph.nodes]

    def rivals(node: int) -> list[int]:
        return [
            other
            for other, place in enumerate(spans)
            if references[other] == references[node]
            and (place[0].end <= spans[node][0].start or spans[node][0].end <= place[0].start)
        ]

    expected = np.zeros_like(graph.cosines, dtype=np.bool_)
    for number in range(len(spans)):
        for other in range(len(spans)):
            similarity = graph.cosines[number, other]
            expected[number, other] = (
                similarity > 0
                and all(graph.cosines[number, rival] <= similarity for rival in rivals(other))
                and all(graph.cosines[rival, other] <= similarity for rival in rivals(number))
            )
    assert (mutual_links.mutual_links(graph) == expected).all()


@pytest.mark.models
def test_talk_about_the_text_is_set_aside_and_covers_its_sentence(spacy_parser: Parser) -> None:
    config = get_method("classroom").config
    contents = {
        "Ada": "The article gives several causes. Trees cool the streets.",
        "Ben": "The article gives several causes. Trees cool the streets at night.",
    }
    parsed = spacy_parser.parse([Text(name, content) for name, content in contents.items()])
    texts = [segment(text, max_segmentations=config.max_segmentations) for text in parsed]
    graph = link_segments(texts, lexical_recall().among, config)

    for build in (mutual_links.build, edua_greedy.build):
        shared, *aside = build(graph, config).scus
        assert (shared.weight, shared.label) == (2, "Trees cool the streets.")
        assert [scu.standing for scu in aside] == [Standing.ASIDE] * 2
        assert {scu.comment for scu in aside} == {"Set aside: talk about the text."}
        assert {scu.contributors[0].reference for scu in aside} == {"Ada", "Ben"}
