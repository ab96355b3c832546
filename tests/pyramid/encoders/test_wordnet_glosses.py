"""A dictionary becomes sentences. The synsets here are made up, in WordNet's format."""

from pathlib import Path

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.word_senses.dictionary import read_examples, read_sentences

NOTICE = "  1 This is where the notice of the licence stands.  \n"
NOUN = (
    "00001740 03 n 02 tea_pot 0 pot 2 001 @ 00001930 n 0000 | a vessel (also "
    'called "pot") to make tea in; has a spout; "the pot was hot; she waited"; '
    '"two pots"- Anon.  \n'
)
# The number of words is hexadecimal: these are eleven.
VERB = "00002000 29 v 0b a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 k 0 000 01 + 02 00 | go on  \n"
ADJECTIVE = '00003000 00 a 02 awake(p) 0 main(a) 0 000 | not asleep;"an awake child"\n'


def dictionary(folder: Path, **files: str) -> Path:
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"data.{part}").write_text(NOTICE + files.get(part, ""), encoding="utf-8")
    return folder


def test_definitions_with_their_words_then_examples(tmp_path: Path) -> None:
    folder = dictionary(tmp_path, noun=NOUN, verb=VERB, adj=ADJECTIVE)

    assert read_sentences(folder) == [
        'tea pot pot a vessel (also called "pot") to make tea in; has a spout',
        "the pot was hot; she waited",
        "two pots",
        "a b c d e f g h i j k go on",
        "awake main not asleep",
        "an awake child",
    ]


def test_a_folder_that_is_no_dictionary(tmp_path: Path) -> None:
    (tmp_path / "data.noun").touch()

    with pytest.raises(InputError, match=r"no data\.verb, no data\.adj, no data\.adv"):
        read_sentences(tmp_path)


@pytest.mark.parametrize("line", ["nonsense\n", "00001740 03 n xx tea 0 000 | a drink\n"])
def test_a_line_that_is_no_synset_is_named(tmp_path: Path, line: str) -> None:
    folder = dictionary(tmp_path, verb=VERB + line)

    with pytest.raises(InputError, match=r"Line 3 of .*data\.verb"):
        read_sentences(folder)


def test_examples_alone(tmp_path: Path) -> None:
    folder = dictionary(tmp_path, noun=NOUN, verb=VERB, adj=ADJECTIVE)

    assert read_examples(folder) == ["the pot was hot; she waited", "two pots", "an awake child"]
