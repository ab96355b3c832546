"""``calibrate`` and ``score_summaries --calibration``, with a tiny engine."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.pyramid.formats.ducview import read_pyramid
from tests.conftest import SUMMARY
from tests.management.test_commands import (
    _tiny_engine,
    directory_of,
    names_in,
    pyramid,
    references,
)

__all__ = ["_tiny_engine", "pyramid", "references"]

TEXTS = 6


def pan(*uids: int) -> str:
    """The least that a file of annotations holds."""
    scus = "\n".join(f'<peerscu uid="{uid}" label=""><contributor/></peerscu>' for uid in uids)
    return f"<peerAnnotation>\n<annotation>\n{scus}\n</annotation>\n</peerAnnotation>\n"


@pytest.fixture
def uids(pyramid: Path) -> list[int]:
    return [scu.uid for scu in read_pyramid(pyramid.read_bytes()).counted().scus]


@pytest.fixture
def summaries(tmp_path: Path) -> Path:
    texts = {f"s{number}": f"{SUMMARY} Number {number}." for number in range(TEXTS)}
    return directory_of(tmp_path / "summaries", texts | {"other": "Trees cool streets."})


@pytest.fixture
def annotations(tmp_path: Path, uids: list[int]) -> Path:
    """People find every idea in every text."""
    folder = tmp_path / "annotations"
    folder.mkdir()
    for number in range(TEXTS):
        (folder / f"s{number}.pan").write_text(pan(0, *uids))
    return folder


@pytest.fixture
def curve(pyramid: Path, summaries: Path, annotations: Path, tmp_path: Path) -> Path:
    out = tmp_path / "curve.json"
    call_command("calibrate", pyramid, summaries, annotations, out=out)
    return out


def scus_of(pyramid: Path, summaries: Path, out: Path, **options: object) -> dict[str, float]:
    call_command("score_summaries", pyramid, summaries, out=out, **options)
    rows = csv.DictReader(io.StringIO(out.read_text()))
    return {row["summary"]: float(row["comprehensive"]) for row in rows}


def test_what_was_learnt_is_written_and_said(
    pyramid: Path,
    summaries: Path,
    annotations: Path,
    uids: list[int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "curve.json"

    call_command("calibrate", pyramid, summaries, annotations, out=out)

    said = capsys.readouterr().out
    assert f"Learnt from {TEXTS * len(uids)} marks on {TEXTS} texts." in said
    assert "A match counts from a probability of 0." in said
    assert "with learning" in said
    content = json.loads(out.read_text())
    assert [idea["uid"] for idea in content["ideas"]] == sorted(uids)
    assert content["texts"] == TEXTS
    assert "annotations" in names_in(tmp_path)


def test_the_same_files_give_the_same_bytes(
    curve: Path, pyramid: Path, summaries: Path, annotations: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.json"
    call_command("calibrate", pyramid, summaries, annotations, out=again)

    assert again.read_bytes() == curve.read_bytes()


def test_scores_follow_what_was_learnt(
    curve: Path, pyramid: Path, summaries: Path, tmp_path: Path
) -> None:
    before = scus_of(pyramid, summaries, tmp_path / "before.csv")
    after = scus_of(pyramid, summaries, tmp_path / "after.csv", calibration=curve)

    assert all(after[name] >= before[name] for name in before)
    assert after["s0"] > before["s0"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("no such idea", r"s1\.pan”: Line 3: the pyramid has no content unit 77"),
        ("twice", r"s1\.pan”: Line 4: content unit 1 comes twice"),
        ("no xml", r"s1\.pan”: Line 1: this is not well-formed XML"),
        ("no summary", r"zoe\.pan”: .* holds no “zoe.txt”"),
        ("none", "holds no .pan file"),
        ("no folder", "There is no directory"),
    ],
)
def test_annotations_that_cannot_be_used_are_named(
    pyramid: Path, summaries: Path, annotations: Path, tmp_path: Path, change: str, message: str
) -> None:
    broken = {"no such idea": pan(77), "twice": pan(1, 1), "no xml": "scores"}
    if change in broken:
        (annotations / "s1.pan").write_text(broken[change])
    elif change == "no summary":
        (annotations / "zoe.pan").write_text(pan())
    elif change == "none":
        annotations = directory_of(tmp_path / "nothing", {})
    else:
        annotations = tmp_path / "elsewhere"

    with pytest.raises(CommandError, match=message):
        call_command("calibrate", pyramid, summaries, annotations, out=tmp_path / "out.json")

    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("{\n  not json", r"curve\.json”: Line 2: this is not JSON"),
        ("[]", r"curve\.json”: curve: this is not an object"),
        ({"signature": "pyreval-2-00000000"}, "it was learnt with pyreval-2-00000000"),
        ({"pyramid": "another"}, "it was learnt with another pyramid"),
        ({"slope": "steep"}, r"curve\.slope: this is not a number"),
        ({"cut": 7}, "The cut of a learnt curve must be between 0 and 1, not 7"),
        ({"format": 2}, "only format 1 can be read"),
    ],
)
def test_a_curve_that_cannot_be_used_is_named(
    curve: Path,
    pyramid: Path,
    summaries: Path,
    tmp_path: Path,
    change: str | dict[str, object],
    message: str,
) -> None:
    content = json.loads(curve.read_text())
    curve.write_text(change if isinstance(change, str) else json.dumps(content | change))

    with pytest.raises(CommandError, match=message):
        call_command(
            "score_summaries", pyramid, summaries, out=tmp_path / "out.csv", calibration=curve
        )

    assert not (tmp_path / "out.csv").exists()


def test_few_texts_prove_nothing(
    pyramid: Path,
    summaries: Path,
    annotations: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for number in range(2, TEXTS):
        (annotations / f"s{number}.pan").unlink()

    call_command("calibrate", pyramid, summaries, annotations, out=tmp_path / "out.json")

    assert "Fewer than 5 texts can't show how good it is." in capsys.readouterr().out
