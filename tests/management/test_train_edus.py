"""The command that trains the segmenter, on documents that are made."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.pyramid.edus.segmenter import read_segmenter


def document(name: str, subject: str) -> str:
    lines = []
    for line in (
        f"{subject} are hot because they are dark .",
        f"{subject} store the heat , which makes the nights warm .",
    ):
        words = line.split()
        starter = next(index for index, word in enumerate(words) if word in {"because", "which"})
        spaces = [1] * (len(words) - 2) + [0, 1]
        lines.append(
            {
                "words": [list(pair) for pair in zip(words, spaces, strict=True)],
                "edu_starts": [0, starter],
            }
        )
    return json.dumps({"document": name, "sentences": lines})


def data(folder: Path) -> Path:
    subjects = ("Roofs", "Roads", "Walls", "Cars", "Stones")
    lines = [document(name.lower(), name) for name in subjects]
    (folder / "train.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "dev.jsonl").write_text(document("dev", "Bricks"), encoding="utf-8")
    return folder


@pytest.mark.models
def test_a_segmenter_is_trained_and_measured(tmp_path: Path) -> None:
    out, output = tmp_path / "segmenter.npz", StringIO()

    call_command("train_edus", data=data(tmp_path), out=out, stderr=output)

    assert read_segmenter(out).name.startswith("edus-")
    assert "5 documents, 20 sentences in two forms" in output.getvalue()
    assert "F1 on dev.jsonl, given sentences: 1.000" in output.getvalue()
    assert "F1 on dev.jsonl, own sentences: 1.000" in output.getvalue()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    out = tmp_path / "segmenter.npz"
    with pytest.raises(CommandError, match=r"There is no file .*train\.jsonl"):
        call_command("train_edus", data=tmp_path, out=out)
    data(tmp_path)
    (tmp_path / "dev.jsonl").write_text('{"document": "a"}', encoding="utf-8")
    with pytest.raises(CommandError, match=r"dev\.jsonl”, line 1: no document"):
        call_command("train_edus", data=tmp_path, out=out)

    assert not out.exists()
