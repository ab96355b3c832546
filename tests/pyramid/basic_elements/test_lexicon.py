"""A lexicon out of a made-up dictionary, and back from its file."""

from pathlib import Path

import pytest

from grading.pyramid.basic_elements.lexicon import load_lexicon, read_lexicon, write_lexicon
from grading.pyramid.errors import ResourceMissingError
from tests.pyramid.encoders.test_wordnet_glosses import ADJECTIVE, NOUN, VERB, dictionary


def test_synsets_of_several_words_and_compounds_are_kept(tmp_path: Path) -> None:
    lines = read_lexicon(dictionary(tmp_path, noun=NOUN, verb=VERB, adj=ADJECTIVE))
    assert lines == ["a awake main", "c tea_pot", "n pot tea_pot", "v a b c d e f g h i j k"]
    path = tmp_path / "lexicon.txt.gz"
    write_lexicon(lines, path)
    lexicon = load_lexicon(path)
    assert lexicon.compounds == {"tea_pot"}
    assert lexicon.are_synonyms("pot", "tea pot", "NOUN", "PROPN")
    assert not lexicon.are_synonyms("pot", "tea pot", "VERB", "VERB")
    assert lexicon.name.startswith("lexicon-")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissingError, match="is missing"):
        load_lexicon(tmp_path / "none.txt.gz")
