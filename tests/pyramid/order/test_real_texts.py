"""The real parser's texts: an honest one, and what can be made of its words without writing."""

import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from grading.pyramid.order.held_words import HeldWords, held_words
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import SegmentedText, Text

pytestmark = pytest.mark.models

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
HONEST = (
    "Cities are hotter than the country around them, because dark roofs and roads store the heat "
    "of the sun during the day and give it off at night. Trees cool the streets, since their "
    "leaves give off water. Old people suffer most in the hot nights, and many of them live in "
    "the poorest parts of the town, where hardly anything grows. Some mayors therefore paint the "
    "roofs of schools white. Metals such as copper, iron, gold, silver and zinc get even hotter "
    "than stone does. The more trees a street has, the less its people need machines that cool "
    "their rooms and heat the air outside."
)
LEARNERS = (
    "so basicly the artical is about how citys are hoter then the country side and its becuase the "
    "rofs are blak and the tress is cuted down, and i think that peple shud plant more tress and "
    "the goverment dont do nothing about it and in the nigt it dont get cold so old peple get sick"
)
KEYWORDS = (
    "heat island urban city roofs roads asphalt trees leaves water shade sun night temperature "
    "degrees poor neighbourhoods mayors schools white paint electricity machines summer"
)
SPANISH = (
    "Las ciudades son más calientes que el campo porque los techos oscuros guardan el calor del "
    "sol durante el día y lo devuelven por la noche. Los árboles enfrían las calles."
)
NOTES = (
    "Main points\n\n- Cities are hotter than the country\n- Dark roofs store heat\n"
    "- Trees cool the streets\n- Old people suffer most\n- Mayors paint roofs white"
)


@lru_cache(maxsize=1)
def parser() -> SpacyParser:
    return SpacyParser()


def read(content: str) -> SegmentedText:
    (parsed,) = parser().parse([Text("text", content)])
    return segment(parsed, max_segmentations=8)


def held(content: str) -> HeldWords:
    return held_words(read(content))


def held_share(content: str, start: int = 0, end: int | None = None) -> float:
    end = len(content) if end is None else end
    spans = held(content).spans
    return sum(max(0, min(s.end, end) - max(s.start, start)) for s in spans) / (end - start)


def sentences() -> list[list[str]]:
    return [re.findall(r"[\w']+", sentence) for sentence in HONEST.split(". ")]


def shuffled_within() -> Iterator[str]:
    draw = random.Random(3)  # noqa: S311
    for words in sentences():
        yield " ".join(draw.sample(words, len(words))).capitalize() + "."


def heap() -> str:
    words = [word.lower() for of_sentence in sentences() for word in of_sentence]
    return " ".join(random.Random(5).sample(words, len(words)))  # noqa: S311


def moved() -> str:
    draw = random.Random(7)  # noqa: S311
    moved_sentences = []
    for words in sentences():
        keys = [place + draw.uniform(0, 3.99) for place in range(len(words))]
        moved_sentences.append(" ".join(word for _, word in sorted(zip(keys, words, strict=True))))
    return ". ".join(moved_sentences) + "."


@pytest.mark.parametrize(
    "content",
    [HONEST, LEARNERS, f"Heat, roads and trees\n\n{HONEST}", HONEST.upper(), NOTES, SPANISH],
    ids=["honest", "learner", "with a title", "capitals", "notes", "Spanish"],
)
def test_what_was_written_is_not_held(content: str) -> None:
    assert held(content) == HeldWords((), False, "")


@pytest.mark.parametrize(
    "make",
    [lambda: " ".join(shuffled_within()), heap, moved, lambda: KEYWORDS,
     lambda: KEYWORDS.replace(" ", ", "), lambda: KEYWORDS.replace(" ", "\n")],
    ids=["within sentences", "heap", "moved", "keywords", "keywords and commas", "lines"],
)  # fmt: skip
def test_what_was_not_written_is_held_whole(make: Callable[[], str]) -> None:
    assert held(make()).whole_text


@pytest.mark.parametrize("glue", [" ", ". ", ", ", "\n", " and "])
@pytest.mark.parametrize("between", [" ", ", "])
def test_a_tail_of_keywords_is_held_and_the_text_before_it_is_not(glue: str, between: str) -> None:
    content = HONEST.removesuffix(".") + glue + KEYWORDS.replace(" ", between) + "."

    assert held_share(content, start=len(HONEST)) > 0.85
    assert held_share(content, end=len(HONEST)) < 0.05
    assert not held(content).whole_text


def test_a_shuffled_sentence_among_honest_ones_is_held_alone() -> None:
    content = f"{HONEST} {next(shuffled_within())}"

    assert held_share(content, start=len(HONEST) + 1) == 1
    assert held_share(content, end=len(HONEST)) == 0


def test_the_same_text_is_always_held_alike() -> None:
    text = read(heap())

    assert len({held_words(text) for _ in range(3)}) == 1


@pytest.mark.data
@pytest.mark.parametrize(
    "folder", ["wim/target_summaries", "wim/reference_summaries", "veras_essay1/summaries"]
)
def test_no_students_text_is_held(folder: str) -> None:
    if not (DATA / folder).is_dir():
        pytest.skip("the annotated data is not beside the project")
    files = sorted((DATA / folder).glob("*.txt"))[:25]
    contents = {file.name: file.read_text("utf-8-sig") for file in files}

    assert [name for name, content in contents.items() if held(content).spans] == []
