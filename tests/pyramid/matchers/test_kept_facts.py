"""Facts about a text come back from bytes as they were, and make the same report."""

import json
import zlib
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid import pipeline
from grading.pyramid.contradictions.judgement import NOTHING, Judgement
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import Json, report_to_json
from grading.pyramid.matchers import judged_text, kept_facts, text_facts
from grading.pyramid.matchers.kept_facts import give_back_facts, has_news, keep_facts
from grading.pyramid.matchers.text_facts import TextFacts
from grading.pyramid.order.held_words import HeldWords
from grading.pyramid.pipeline import Engine, build_pyramid, make_engine, read_summaries
from grading.pyramid.structures import Pyramid, SegmentedText, Span, Text

DEMONSTRATION = Path(pipeline.__file__).parents[1] / "management/demonstration"
CONTENT = "Ice melts. Heat flows."

numbers = st.integers(0, 20)
ideas = st.sampled_from(["a1", "b2", "c3"])
spans = st.tuples(numbers, numbers).map(lambda ends: Span(*sorted(ends)))
judgements = st.builds(
    Judgement,
    st.sampled_from(["", "denial", "number"]),
    st.booleans(),
    st.text(max_size=20),
    st.none() | numbers,
)
kept = st.one_of(
    st.tuples(st.just("held"), st.builds(HeldWords, st.tuples(spans), st.booleans(), st.text())),
    st.tuples(st.tuples(numbers, ideas), st.just(NOTHING) | judgements),
    st.tuples(
        st.tuples(st.sampled_from(["said", "denies alone", "doubtful"]), numbers, ideas),
        st.booleans(),
    ),
)
others = st.tuples(st.sampled_from([("stretches", (), 3), ("meanings", ())]), st.just("large"))


def found(facts: dict[object, object]) -> TextFacts:
    known = TextFacts()
    for key, fact in facts.items():
        known.get(key, lambda fact=fact: fact)  # type: ignore[misc]
    return known


@given(st.lists(kept | others))
def test_they_come_back_as_they_were(pairs: list[tuple[object, object]]) -> None:
    facts, back = found(dict(pairs)), TextFacts()
    give_back_facts(back, CONTENT, keep_facts(facts, CONTENT))
    expected = {key: fact for key, fact in dict(pairs).items() if fact != "large"}
    assert dict(back.known()) == expected
    assert not has_news(facts)
    assert not has_news(back)


@given(st.binary(max_size=40), st.integers(0, 80))
def test_what_is_damaged_or_of_another_text_is_refused(noise: bytes, at: int) -> None:
    sound = keep_facts(found({(0, "a1"): NOTHING, (1, "a1"): Judgement("denial")}), CONTENT)
    damaged = sound[:at] + noise + sound[at + len(noise) :]
    for content, document in ((CONTENT, damaged), (CONTENT + " ", sound), (CONTENT, b"")):
        if (content, document) != (CONTENT, sound):
            with pytest.raises(InputError):
                give_back_facts(TextFacts(), content, document)


def test_what_has_the_right_sum_and_another_form_is_refused() -> None:
    document = json.dumps({"held": [], "agreeing": 7}).encode()
    proof = zlib.crc32(document, zlib.crc32(CONTENT.encode())).to_bytes(4, "little")
    with pytest.raises(InputError):
        give_back_facts(TextFacts(), CONTENT, proof + document)


def test_a_few_facts_are_no_news() -> None:
    facts = found({("stretches", (), 3): "large"})
    assert not has_news(facts)
    for sentence in range(kept_facts.WORTH_KEEPING):
        assert not has_news(facts)
        facts.get((sentence, "a1"), Judgement)
    assert has_news(facts)
    assert has_news(found({"held": HeldWords((), False, "")}))


def test_what_is_known_stays_and_the_latest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = found({(0, "a1"): Judgement("denial")})
    facts.add({(0, "a1"): NOTHING, (1, "a1"): NOTHING})
    assert facts.get((0, "a1"), Judgement) == Judgement("denial")
    monkeypatch.setattr(kept_facts, "MOST_KEPT", 1)
    back = TextFacts()
    give_back_facts(back, CONTENT, keep_facts(facts, CONTENT))
    assert dict(back.known()) == {(0, "a1"): Judgement("denial")}


# --- the same report ---


def texts_in(folder: str) -> list[Text]:
    files = sorted((DEMONSTRATION / folder).glob("*.txt"))
    return [Text(file.stem, file.read_text("utf-8-sig")) for file in files]


def reports_from_kept_facts(
    pyramid: Pyramid, texts: list[SegmentedText], engine: Engine, patched: pytest.MonkeyPatch
) -> tuple[list[Json], list[Json]]:
    """With facts found anew, and with facts from bytes in a process that knows nothing."""
    patched.setattr(text_facts, "_facts_of_texts", OrderedDict())
    scorer = pipeline.prepare_scorer(pyramid, engine)
    anew = [report_to_json(scorer(text)) for text in texts]
    documents = [pipeline.keep_text_facts(text, engine) for text in texts]
    patched.setattr(text_facts, "_facts_of_texts", OrderedDict())
    for text, document in zip(texts, documents, strict=True):
        pipeline.take_text_facts(text, document, engine)

    def judged_again(*_: object) -> Judgement:
        raise AssertionError("this was judged before")

    with patched.context() as without:
        for rule in ("judge", "denies_alone", "is_doubtful", "says_what_an_expert_says"):
            without.setattr(judged_text, rule, judged_again)
        scorer = pipeline.prepare_scorer(pyramid, engine)
        return anew, [report_to_json(scorer(text)) for text in texts]


@pytest.fixture(scope="module")
def lexical() -> tuple[Pyramid, Engine]:
    engine = make_engine("classroom", minilm=False)
    return build_pyramid(texts_in("references"), engine), engine


@pytest.mark.models
@pytest.mark.parametrize("minilm", [True, False])
def test_reports_are_the_same_with_facts_from_another_process(
    minilm: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make_engine("classroom", minilm=minilm, remembered=20)
    pyramid = build_pyramid(texts_in("references"), engine)
    texts = read_summaries(texts_in("students"), engine)
    anew, again = reports_from_kept_facts(pyramid, texts, engine, monkeypatch)
    assert again == anew


SENTENCES = (
    "Dark roofs store heat and warm the city at night.",
    "Dark roofs never store heat.",
    "Trees do not cool the streets.",
    "Trees cool the streets by shade and evaporation.",
    "Cities are cooler than the country around them.",
    "heat roofs night trees asphalt concrete city warm shade",
    "Asphalt is said to lose no heat, and nobody knows why.",
    "The heat decreases where there are fewer trees.",
    "In 1833 it was 30 degrees warmer.",
)


@pytest.mark.models
@settings(max_examples=15)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=8).map(" ".join))
def test_so_are_those_of_any_text(lexical: tuple[Pyramid, Engine], content: str) -> None:
    pyramid, engine = lexical
    [text] = read_summaries([Text("any", content)], engine)
    with pytest.MonkeyPatch.context() as patched:
        anew, again = reports_from_kept_facts(pyramid, [text], engine, patched)
    assert again == anew


@pytest.mark.models
def test_a_judge_is_named_by_the_similarity_too() -> None:
    engine = make_engine("classroom", minilm=False)
    other = replace(engine, similarity=make_engine("classroom").similarity)
    assert engine.judge != other.judge
    assert engine.judge != engine.reader
