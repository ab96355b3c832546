"""The command that makes the lexicon of senses."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.pyramid.word_senses.lexicon import read_lexicon
from tests.pyramid.word_senses.little_wordnet import dictionary


def test_a_lexicon_is_made_of_a_dictionary(tmp_path: Path) -> None:
    out = tmp_path / "senses.npz"
    call_command("make_senses", wordnet=dictionary(tmp_path), out=out)
    assert read_lexicon(out.read_bytes()).size == 9


def test_a_folder_that_is_no_dictionary_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no WordNet dictionary"):
        call_command("make_senses", wordnet=tmp_path, out=tmp_path / "senses.npz")
    assert list(tmp_path.iterdir()) == []
