"""A learnt curve in every method of the registry: what it changes, and what it leaves alone."""

from dataclasses import replace

from hypothesis import given

from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.pipeline import (
    prepare_matcher,
    prepare_probabilities,
    read_summaries,
    score_read,
)
from grading.pyramid.registry import DEFAULT_METHOD, get_method, with_learnt_curve
from grading.pyramid.structures import Text
from tests.fakes import fake_engine
from tests.pyramid.test_registry import built, few, methods, references, summaries


@methods
@given(texts=references, students=summaries)
@few
def test_a_learnt_curve_moves_probabilities_and_what_is_matched(
    method: str, texts: list[Text], students: list[Text]
) -> None:
    engine = fake_engine(method)
    pyramid, read = built(method, texts), read_summaries(students, engine)
    uid = min(scu.uid for scu in pyramid.scus)
    curve = LearntCurve(slope=0.8, shift=0.7, idea_shifts=((uid, 0.5),), cut=0.35)
    learnt = replace(engine, method=with_learnt_curve(engine.method, curve))
    if not engine.method.knows_probabilities:
        assert learnt == engine
        return
    assert learnt.signature != engine.signature
    assert learnt.reader == engine.reader
    base, matcher = prepare_probabilities(pyramid, engine), prepare_matcher(pyramid, learnt)
    assert matcher.threshold == curve.cut
    for text, report in zip(read, score_read(pyramid, read, learnt), strict=True):
        matched = {match.scu_uid: match.probability for match in report.evidence.matches}
        for idea, probability in matcher.strengths(text).items():
            assert (probability >= curve.cut) == (idea in matched)
            assert matched.get(idea, probability) == probability
            assert abs(probability - curve.probability(idea, base(text)[idea])) < 0.002


@methods
@given(texts=references, students=summaries)
@few
def test_a_text_is_scored_the_same_whatever_others_are(
    method: str, texts: list[Text], students: list[Text]
) -> None:
    engine, pyramid = fake_engine(method), built(method, texts)
    curve = LearntCurve(shift=0.4, cut=0.45)
    learnt = replace(engine, method=with_learnt_curve(engine.method, curve))
    read = read_summaries(students, learnt)

    together = list(score_read(pyramid, read, learnt))

    assert together == [next(score_read(pyramid, [text], learnt)) for text in read]


def test_with_nothing_learnt_a_method_is_what_it_was() -> None:
    method = get_method(DEFAULT_METHOD)

    assert with_learnt_curve(method, None) is method
    assert with_learnt_curve(method, LearntCurve()).config.learnt_curve == LearntCurve()
