"""The command that trains the shipped model, on a dictionary of a few made-up synsets."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.pyramid.encoders.wtmf import WtmfEncoder
from tests.pyramid.encoders.made_corpus import made_sentences, unit_of


def dictionary(folder: Path) -> Path:
    """Each made sentence as the gloss of a synset."""
    lines = [
        f"{number:08} 03 n 01 thing{number} 0 000 | {sentence}"
        for number, sentence in enumerate(made_sentences(60))
    ]
    (folder / "data.noun").write_text("\n".join(["  1 A notice.", *lines, ""]), encoding="utf-8")
    for part in ("verb", "adj", "adv"):
        (folder / f"data.{part}").write_text("  1 A notice.\n", encoding="utf-8")
    return folder


def test_a_dictionary_becomes_a_model_that_the_encoder_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made.kv"

    call_command("train_wtmf", wordnet=dictionary(tmp_path), out=out)

    vectors = WtmfEncoder(out).encode([unit_of("oven bakes bread"), unit_of("ship sails waves")])
    assert vectors.shape[0] == 2
    assert abs(vectors).sum(axis=1).all()
    assert "60 sentences" in capsys.readouterr().err


def test_a_folder_that_is_no_dictionary_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("train_wtmf", wordnet=tmp_path, out=tmp_path / "made.kv")

    assert not (tmp_path / "made.kv").exists()
