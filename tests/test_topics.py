"""Our own topics load, their annotations fit their texts, and the games are what they say."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text
from tests.bench.gaming import every_idea_denied, gamed_texts, main_clauses_denied
from tests.bench.topics import CATEGORIES, FOLDER, Topic, load_topic, load_topics

TOPICS = load_topics()
each_topic = pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    return SpacyParser()


# How many texts there are of each category.
FIRST = (3, 3, 3, 2, 2, 1)
PLAGUE = (3, 3, 3, 2, 2, 2)
LATER = (2, 2, 2, 2, 2, 0)
KINDS = {
    "beaver-rivers": LATER,
    "container-shipping": FIRST,
    "plague-and-labour": PLAGUE,
    "potato-europe": LATER,
    "school-start-times": FIRST,
}


def test_there_are_five_topics() -> None:
    assert [topic.name for topic in TOPICS] == list(KINDS)


@pytest.mark.parametrize("name", ["light-at-night", "night-trains", "vultures-india"])
def test_a_blind_topic_is_annotated_and_no_bound_reads_it(name: str) -> None:
    topic = load_topic(FOLDER / "blind" / name)
    kinds = Counter(gold.category for gold in topic.gold.values())
    assert tuple(kinds[category] for category in CATEGORIES) == FIRST
    assert len(topic.references) == 5
    assert topic.name not in KINDS


@each_topic
def test_a_pyramid_has_ideas_of_every_weight(topic: Topic) -> None:
    weights = Counter(scu.weight for scu in topic.pyramid.scus)
    assert set(weights) == {1, 2, 3, 4, 5}
    assert sum(number for weight, number in weights.items() if weight > 1) >= 14


@each_topic
def test_every_word_of_a_reference_is_of_an_idea_or_rhetoric(topic: Topic) -> None:
    joining = {"and", "but", "so", "for", "since", "that", "while", "yet", "although"}
    for reference in topic.references:
        places = [
            contributor.spans
            for scu in topic.pyramid.scus
            for contributor in scu.contributors
            if contributor.reference == reference.name
        ]
        left = list(reference.content)
        for spans in [*places, *topic.rhetoric[reference.name]]:
            for span in spans:
                left[span.start : span.end] = " " * (span.end - span.start)
        words = {word.strip(".,;:").lower() for word in "".join(left).split()} - {""}
        assert words <= joining | {"bad", "news"}


@each_topic
def test_the_class_is_of_every_kind(topic: Topic) -> None:
    kinds = Counter(gold.category for gold in topic.gold.values())
    assert [kinds[category] for category in CATEGORIES] == list(KINDS[topic.name])


@each_topic
def test_annotations_point_to_words_of_their_texts(topic: Topic) -> None:
    for student in topic.students:
        gold = topic.gold[student.name]
        assert 70 <= student.word_count <= 170
        assert not set(gold.expressed) & set(gold.contradicted)
        ideas = len(gold.expressed) + len(gold.contradicted)
        assert gold.statements == ideas + len(gold.other)
        for spans in [*gold.expressed.values(), *gold.contradicted.values(), *gold.other]:
            assert student.words_at(spans).strip()


@each_topic
def test_categories_say_what_a_text_does(topic: Topic) -> None:
    for name, gold in topic.gold.items():
        right, wrong = len(gold.expressed), len(gold.contradicted)
        assert name.startswith(gold.category)
        if gold.category == "opposite":
            assert not right
            assert wrong >= 10
        elif gold.category == "mixed":
            assert min(right, wrong) >= 5
        else:
            assert not wrong


@each_topic
def test_the_manual_denial_is_of_an_honest_text(topic: Topic) -> None:
    gold = topic.gold[topic.denial.student]
    assert gold.category == "good"
    assert topic.denial.text != topic.student(topic.denial.student)


def test_words_that_are_not_in_a_text_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "topic"
    shutil.copytree(FOLDER / "container-shipping", folder)
    data = json.loads((folder / "gold.json").read_text("utf-8"))
    data["students"]["good-ben"]["ideas"][0]["words"] = "dockers flew to the moon"
    (folder / "gold.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(ValueError, match=r"good-ben\.txt.*dockers flew to the moon"):
        load_topic(folder)


def test_a_text_without_an_annotation_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "topic"
    shutil.copytree(FOLDER / "container-shipping", folder)
    (folder / "students" / "good-zoe.txt").write_text("Nobody read this.", "utf-8")
    with pytest.raises(ValueError, match="good-zoe"):
        load_topic(folder)


@pytest.mark.models
@each_topic
def test_games_are_deterministic_and_differ(topic: Topic, parser: SpacyParser) -> None:
    honest = next(text for text in topic.students if topic.gold[text.name].category == "good")
    ideas = topic.gold[honest.name].expressed

    def games() -> dict[str, Text]:
        return gamed_texts(honest, parser, pyramid=topic.pyramid, ideas=ideas)

    first, again = games(), games()
    assert first == again
    assert len({honest.content, *(text.content for text in first.values())}) == 9
    words = sorted(honest.content.split())
    assert sorted(first["shuffled"].content.split()) == words
    assert first["keyword_tail"].content.startswith(honest.content.rstrip())
    assert not any(word.endswith((".", ",", "!", "?")) for word in first["heap"].content.split())


@pytest.mark.models
@pytest.mark.parametrize(
    ("claim", "denial"),
    [
        ("Dockers lost their jobs.", "Dockers did not lose their jobs."),
        ("The ships are huge.", "The ships are not huge."),
        ("It can carry many boxes.", "It can not carry many boxes."),
        ("Tired students can't learn.", "Tired students can learn."),
        ("Nobody works there.", "It is not true that nobody works there."),
        (
            "Ships grew and old ports closed.",
            "Ships did not grow and old ports did not close.",
        ),
        ("Do teenagers sleep?", "Do teenagers sleep?"),
    ],
)
def test_sentences_are_denied(claim: str, denial: str, parser: SpacyParser) -> None:
    (parsed,) = parser.parse([Text("claim", claim)])
    assert every_idea_denied(parsed) == denial


@pytest.mark.models
def test_only_main_clauses_are_denied(parser: SpacyParser) -> None:
    (parsed,) = parser.parse([Text("claim", "Ships grew and old ports closed.")])
    assert main_clauses_denied(parsed) == "Ships did not grow and old ports closed."
