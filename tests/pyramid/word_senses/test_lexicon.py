"""A dictionary becomes a lexicon, and a lexicon a file and a lexicon again."""

from pathlib import Path

import pytest

from grading.pyramid.errors import InputError, ResourceMissingError
from grading.pyramid.word_senses.dictionary import read_dictionary
from grading.pyramid.word_senses.lexicon import (
    FILE,
    Lexicon,
    load_lexicon,
    read_lexicon,
    write_lexicon,
)
from tests.pyramid.word_senses.little_wordnet import dictionary

THING, ANIMAL, DOG, CAT, STONE, BARK_OF_TREE, PURR, BARK, HARD = range(9)


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    return read_dictionary(dictionary(tmp_path))


def neighbours(lexicon: Lexicon, sense: int) -> list[int]:
    start, end = lexicon.starts[sense : sense + 2]
    result: list[int] = lexicon.neighbours[start:end].tolist()
    return result


def test_words_have_their_senses_in_whatever_form(lexicon: Lexicon) -> None:
    assert lexicon.senses("creature", "n") == (ANIMAL,)
    assert lexicon.senses("cats", "n") == (CAT,)
    assert lexicon.senses("barking", "v") == (BARK,)
    assert lexicon.senses("dogge", "n") == (DOG,)  # of the list of exceptions
    assert lexicon.senses("hard", "a") == (HARD,)
    assert lexicon.senses("goose", "n") == ()


def test_neighbours_are_relations_and_words_of_definitions_with_one_sense(lexicon: Lexicon) -> None:
    assert neighbours(lexicon, ANIMAL) == [THING, DOG, CAT]
    assert neighbours(lexicon, CAT) == [ANIMAL, PURR]  # purr has one sense, bark has two
    assert neighbours(lexicon, DOG) == [ANIMAL]
    assert neighbours(lexicon, STONE) == [THING, HARD]
    assert neighbours(lexicon, BARK_OF_TREE) == []


def test_the_file_has_the_same_bytes_and_the_same_lexicon(lexicon: Lexicon, tmp_path: Path) -> None:
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    write_lexicon(lexicon, first)
    read = read_lexicon(first.read_bytes())
    write_lexicon(read, second)

    assert first.read_bytes() == second.read_bytes()
    assert read.entries == lexicon.entries
    assert read.irregular == lexicon.irregular
    assert read.neighbours.tolist() == lexicon.neighbours.tolist()
    assert read.name.startswith("wordnet-")


def test_what_is_no_dictionary_or_lexicon_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no WordNet dictionary: there is no data\.noun"):
        read_dictionary(tmp_path)
    with pytest.raises(InputError, match="no lexicon of senses"):
        read_lexicon(b"PK nothing")
    with pytest.raises(ResourceMissingError, match=r"manage\.py make_senses"):
        load_lexicon(tmp_path / "missing.npz")
    (dictionary(tmp_path) / "index.verb").write_text("bark v one\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"Line 1 of .*index\.verb"):
        read_dictionary(tmp_path)


def test_the_shipped_lexicon_is_wordnet_with_its_licence() -> None:
    lexicon = load_lexicon()
    assert lexicon.size == 117_659
    assert len(lexicon.senses("bank", "n")) == 10
    assert FILE.stat().st_size < 2_500_000
    notice = (FILE.parent / "WORDNET-LICENSE").read_text(encoding="utf-8")
    assert "Princeton University" in notice
