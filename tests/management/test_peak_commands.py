"""The commands with PEAK: another extractor's triples, and words that are cut already."""

import csv
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.models
TEXTS = {"ada": "The trees cooled the air.", "ben": "By trees the air is cooled."}
TABLE = (
    "The trees cooled the air .\t0.9\tcooled\tThe trees\tthe air\n"
    "By trees the air is cooled .\t0.8\tis cooled by\tthe air\ttrees\n"
)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, content in TEXTS.items():
        (folder / f"{name}.txt").write_text(content, encoding="utf-8")
    return folder


def test_triples_of_another_extractor_go_through_all_commands(texts: Path, tmp_path: Path) -> None:
    triples, model, scores = tmp_path / "t.tsv", tmp_path / "m.json", tmp_path / "s.csv"
    triples.write_text(TABLE, encoding="utf-8")
    explained = tmp_path / "explained"

    call_command("build_pyramid", texts, out=model, method="peak", triples=triples)
    call_command(
        "score_summaries", model, texts, out=scores, method="peak", triples=triples,
        explain_dir=explained,
    )  # fmt: skip

    [element] = json.loads(model.read_text(encoding="utf-8"))["elements"]
    assert (element["label"], element["weight"]) == ("The trees cooled the air", 2)
    rows = list(csv.DictReader(scores.read_text(encoding="utf-8").splitlines()))
    assert [(row["summary"], row["scus"], float(row["raw"])) for row in rows] == [
        ("ada", "1", 2),
        ("ben", "1", 2),
    ]
    assert {row["quality"] for row in rows} == {""}
    document = json.loads((explained / "ben.json").read_text(encoding="utf-8"))
    assert document["explanation"][0].startswith("“the air is cooled by trees” expresses unit 1")


def test_a_wrong_line_of_triples_ends_the_command_and_writes_nothing(
    texts: Path, tmp_path: Path
) -> None:
    triples, out = tmp_path / "t.tsv", tmp_path / "m.json"
    triples.write_text(f"{TABLE}The trees cooled the air .\thigh\ta\tb\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"t\.tsv”, line 3: the confidence “high”"):
        call_command("build_pyramid", texts, out=out, method="peak", triples=triples)
    assert not out.exists()


def test_units_of_words_that_are_cut_already(tmp_path: Path) -> None:
    folder, out = tmp_path / "texts", tmp_path / "units.jsonl"
    folder.mkdir()
    content = "Dark roofs ca n't store heat .\n`` Trees '' cool the street .\n"
    (folder / "a.txt").write_text(content, encoding="utf-8")

    call_command("read_units", folder, out=out, method="peak", tokenised=True)

    line = json.loads(out.read_text(encoding="utf-8"))
    assert [content[start:end] for start, end in line["sentences"]] == content.splitlines()
    first, *_ = line["units"]
    assert (first["subject"], first["predicate"], first["objects"]) == (
        "Dark roofs",
        "ca n't store",
        ["heat"],
    )
    assert [unit["sentence"] for unit in line["units"]] == [0, 1]
    assert all(0 < unit["confidence"] < 1 for unit in line["units"])
