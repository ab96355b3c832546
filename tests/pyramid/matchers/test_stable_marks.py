"""A mark is stable: words elsewhere never take a match away, words beside it hardly move it."""

import pytest

from grading.pyramid.matchers.classroom import ClassroomMatcher
from grading.pyramid.pipeline import Engine, make_engine, prepare_matcher, read_summaries
from grading.pyramid.structures import Text, is_mostly_in
from tests.bench.topics import Topic, load_topics

pytestmark = pytest.mark.models

NOISE = 0.0005  # the last bits of a batch of sentences
MOST = 0.15  # that a probability may change by, with words added to the sentence
ELSEWHERE = (
    " I liked the article very much. My dog is called Rex, and he likes to swim in the lake."
)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return make_engine()


@pytest.fixture(scope="module", params=load_topics(), ids=lambda topic: topic.name)
def topic(request: pytest.FixtureRequest) -> Topic:
    topic: Topic = request.param
    return topic


@pytest.fixture(scope="module")
def matcher(engine: Engine, topic: Topic) -> ClassroomMatcher:
    matcher = prepare_matcher(topic.pyramid, engine)
    assert isinstance(matcher, ClassroomMatcher)
    return matcher


def probabilities(matcher: ClassroomMatcher, engine: Engine, content: str) -> dict[int, float]:
    [text] = read_summaries([Text("changed", content)], engine)
    return matcher.strengths(text)


def test_sentences_elsewhere_take_no_match_away(
    matcher: ClassroomMatcher, engine: Engine, topic: Topic
) -> None:
    for student in topic.students:
        before = probabilities(matcher, engine, student.content)
        for content in (student.content + ELSEWHERE, f"{ELSEWHERE.strip()} {student.content}"):
            after = probabilities(matcher, engine, content)
            assert all(after[uid] >= before[uid] - NOISE for uid in before), student.name


@pytest.mark.parametrize(
    ("before", "after"), [("In fact, ", ""), ("", " as the article says"), ("I think that ", "")]
)
def test_words_added_to_the_sentence_hardly_move_it(
    matcher: ClassroomMatcher, engine: Engine, topic: Topic, before: str, after: str
) -> None:
    for student in topic.students[:6]:
        [text] = read_summaries([student], engine)
        matches = matcher.match(text).matches
        for sentence in text.sentences:
            words = student.content[sentence.span.start : sentence.span.end].rstrip(".!?")
            start = words[0].lower() + words[1:] if before else words
            content = (
                student.content[: sentence.span.start]
                + f"{before}{start}{after}"
                + student.content[sentence.span.start + len(words) :]
            )
            changed = probabilities(matcher, engine, content)
            for match in matches:
                if match.probability and is_mostly_in(match.spans, (sentence.span,)):
                    assert changed[match.scu_uid] == pytest.approx(match.probability, abs=MOST)
