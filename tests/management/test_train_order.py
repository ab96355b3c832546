"""The command that counts the order of words, on a dictionary of made-up synsets."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.pyramid.order.counts import START, read_counts

NOTICE = "  1 A notice.\n"
SYNSETS = (
    '00000001 03 n 01 city 0 000 | a large town; "the city was hot in summer"; "a city of '
    'trees"\n'
    '00000002 03 n 01 roof 0 000 | what covers a house; "The roofs of the houses are dark."\n'
)


def dictionary(folder: Path) -> Path:
    (folder / "data.noun").write_text(NOTICE + SYNSETS, encoding="utf-8")
    for part in ("verb", "adj", "adv"):
        (folder / f"data.{part}").write_text(NOTICE, encoding="utf-8")
    return folder


@pytest.mark.models
def test_examples_of_five_words_are_counted_as_sentences(tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"

    for out in (first, second):
        call_command("train_order", wordnet=dictionary(tmp_path), out=out)

    counts = read_counts(first)
    assert counts[START, START, "the"] == 2
    assert (START, START, "a") not in counts
    assert sum(count for (_, _, last), count in counts.items() if last == ".") == 2
    assert first.read_bytes() == second.read_bytes()


def test_a_folder_that_is_no_dictionary(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no WordNet dictionary"):
        call_command("train_order", wordnet=tmp_path, out=tmp_path / "counts.txt")

    assert not (tmp_path / "counts.txt").exists()
