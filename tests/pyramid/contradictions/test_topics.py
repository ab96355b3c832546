"""Our own topics: what denies the experts is not credited, and what states them is not held."""

import pytest

from grading.pyramid.pipeline import make_engine, score_summaries
from grading.pyramid.structures import HeldFor
from tests.bench.gaming import gamed_texts
from tests.bench.topics import FOLDER, Topic, load_topic, load_topics

pytestmark = pytest.mark.models

HONEST = ("excellent", "good", "medium")
CREDITED = 0.12  # of the contradicted ideas; the aim is .10, and school and containers reach .00
# Known to be wrong: one expressed idea of this topic is held ("It did not help the nobles that
# Parliament put a lid on pay").
WITH_ONE_HELD = "plague-and-labour"


@pytest.mark.parametrize("topic", load_topics(), ids=lambda topic: topic.name)
def test_what_denies_the_experts_earns_nothing(topic: Topic) -> None:
    reports = score_summaries(topic.pyramid, topic.students, make_engine("classroom"))
    credited = contradicted = held = 0
    for text, report in zip(topic.students, reports, strict=True):
        gold = topic.gold[text.name]
        earning = {match.scu_uid for match in report.evidence.matches if match.credit}
        credited += len(earning & gold.contradicted.keys())
        contradicted += len(gold.contradicted)
        against = {match.scu_uid for match in report.evidence.contradicting}
        held += len(against & gold.expressed.keys())
        if gold.category in HONEST:
            assert earning
        if gold.category == "opposite":
            assert not report.raw
    assert credited <= CREDITED * contradicted
    assert held == (1 if topic.name == WITH_ONE_HELD else 0)


def test_a_list_of_keywords_does_not_make_the_rest_doubtful() -> None:
    """A word of the list contradicts an expert ("permission"), and three honest sentences may."""
    topic, engine = load_topic(FOLDER / "beaver-rivers"), make_engine("classroom")
    honest = topic.student("good-ines")
    games = gamed_texts(honest, engine.parser, pyramid=topic.pyramid, ideas={})
    alone, with_list = score_summaries(topic.pyramid, [honest, games["keyword_tail"]], engine)
    assert with_list.evidence.held_for is HeldFor.ORDER
    assert with_list.comprehensive == pytest.approx(alone.comprehensive, abs=0.05)


def test_the_right_half_of_a_text_that_is_held_keeps_its_points() -> None:
    topic = load_topic(FOLDER / "beaver-rivers")
    [text] = (text for text in topic.students if text.name == "mixed-sonja")
    [report] = score_summaries(topic.pyramid, [text], make_engine("classroom"))
    earning = {match.scu_uid for match in report.evidence.matches if match.credit}
    gold = topic.gold[text.name]
    assert report.evidence.held_for is HeldFor.TRUTH
    assert len(earning & gold.expressed.keys()) >= 3
    assert not earning & gold.contradicted.keys()
    assert "Only sentences in words of the expert summaries earn" in report.evidence.held_reason
