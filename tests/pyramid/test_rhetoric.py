"""Talk about the text, questions and fragments are no ideas; short statements are.

Words that frame an idea are told from those that say it.
"""

import pytest

from grading.pyramid.parsing import Parser
from grading.pyramid.rhetoric import NoIdea, framing_words, reason_no_idea
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Sentence, Span, Text

pytestmark = pytest.mark.models

TALK = (
    "He was right.",
    "The article gives several causes.",
    "The author ends with advice.",
    "It is important to know this.",
    "There are several reasons for this.",
    "The consequences are serious.",
    "The passage mainly focuses on shipping and its costs.",
    "The article tells the history of the container.",
)
STATEMENTS = (
    "It has mass.",
    "All matter has energy.",
    "No single remedy is enough.",
    "The author says that ports closed.",
    "London's docks became a ghost town.",
    "Plant trees and open parks.",
    "Energy is essential.",
    "Climate change makes the problem worse.",
    "The greenhouse effect is serious.",
    "Heat kills people.",
    "Examples that the text gives of large animals are whales and elephants.",
)


def reason(parser: Parser, content: str, words: str = "") -> NoIdea | None:
    """Of the first sentence, or of some of its words."""
    (parsed,) = parser.parse([Text("text", content)])
    sentence = segment(parsed, max_segmentations=1).sentences[0]
    start = content.index(words) if words else sentence.span.start
    end = start + len(words) if words else sentence.span.end
    return reason_no_idea(sentence, (Span(start, end),))


@pytest.mark.parametrize("content", TALK)
def test_talk_about_the_text_is_no_idea(spacy_parser: Parser, content: str) -> None:
    assert reason(spacy_parser, content) is NoIdea.TALK


@pytest.mark.parametrize("content", STATEMENTS)
def test_a_statement_may_be_short(spacy_parser: Parser, content: str) -> None:
    assert reason(spacy_parser, content) is None


@pytest.mark.parametrize("content", ["Who pays?", "Why should this be?", "What is matter?"])
def test_a_question_is_no_idea(spacy_parser: Parser, content: str) -> None:
    assert reason(spacy_parser, content) is NoIdea.QUESTION


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Cities plant trees, which may help.", "which may help"),
        ("Cars give off more heat than people do.", "than people do"),
        ("The rain is gone as soon as it has fallen.", "as it has fallen"),
        ("If present trends continue, cities become hotter.", "If present trends continue"),
    ],
)
def test_a_part_of_a_statement_is_no_idea(spacy_parser: Parser, content: str, words: str) -> None:
    assert reason(spacy_parser, content, words) is not None


def test_what_introduces_a_statement_is_no_idea_and_the_statement_is(spacy_parser: Parser) -> None:
    content = "In conclusion, the author explains that trees cool cities."

    assert reason(spacy_parser, content, "In conclusion, the author explains") is NoIdea.TALK
    assert reason(spacy_parser, content, "that trees cool cities") is None


def test_without_a_parse_nothing_is_said() -> None:
    assert reason_no_idea(Sentence(Span(0, 9), ()), (Span(0, 9),)) is None


@pytest.mark.parametrize(
    ("content", "framing"),
    [
        ("In fact, dockers carried all goods by hand.", "In fact,"),
        ("In this article, beavers build dams.", "In this article,"),
        ("I think that dockers carried all goods by hand.", "I think that"),
        ("We think dockers carried all goods by hand.", "We think"),
        ("The author explains that matter has mass.", "The author explains that"),
        ("Dockers carried all goods by hand as the article says.", "as the article says"),
        ("According to the text, matter has mass.", "According to the text"),
        ("People think that the earth is flat.", ""),  # this may be the idea
        ("I do not think that matter has mass.", ""),
        ("The passage, What is Matter, focused on matter.", ""),
        ("The writer of these laws said that the poor must work.", ""),
        ("The article gives several causes.", ""),  # all of it is talk about the text
        ("Dockers carried all goods by hand.", ""),
    ],
)
def test_words_that_frame_an_idea(spacy_parser: Parser, content: str, framing: str) -> None:
    (parsed,) = spacy_parser.parse([Text("text", content)])
    sentence = segment(parsed, max_segmentations=1).sentences[0]
    assert Text("text", content).words_at(framing_words(sentence)) == framing


def test_a_sentence_without_end_frames_little_and_is_read_at_once(
    spacy_parser: Parser,
) -> None:
    content = "I think that " * 2_000 + "matter has mass."
    (parsed,) = spacy_parser.parse([Text("text", content)])
    for sentence in segment(parsed, max_segmentations=1).sentences:
        assert len(Text("text", content).words_at(framing_words(sentence)).split()) < 40
