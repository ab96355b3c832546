"""From texts to scores: what is told on the way, what is refused, and what nothing depends on."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import correlation

import pytest

from grading.pyramid import pipeline
from grading.pyramid.encoders import encoder_files
from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import read_annotation
from grading.pyramid.parsing import ParsedText
from grading.pyramid.pipeline import (
    build_pyramid,
    make_engine,
    score_summaries,
    score_summary,
)
from grading.pyramid.registry import METHODS, get_method
from grading.pyramid.structures import Pyramid, Text
from tests.fakes import FakeParser, fake_engine

ROOT = Path(__file__).resolve().parents[2]
WIM = ROOT.parent / "shared" / "data" / "wim"

REFERENCES = [
    Text("Ada", "Matter has mass and takes space. Energy moves matter. Ice melts slowly."),
    Text("Ben", "Matter has mass. All energy moves matter because heat flows."),
    Text("Chi", "All matter takes space. Heat flows from warm bodies and ice melts slowly."),
]
SUMMARIES = [
    Text("zoe", "Matter has mass. Ice melts slowly and my bicycle rusts in the rain."),
    Text("omar", "Energy moves matter."),
    Text("lea", ""),
]

PROGRAM = """
import json, sys
from grading.pyramid.formats.pyramid_json import pyramid_to_json, report_to_json
from grading.pyramid.pipeline import build_pyramid, score_summaries
from tests.fakes import fake_engine
from tests.pyramid.test_pipeline import REFERENCES, SUMMARIES
engine = fake_engine()
pyramid = build_pyramid(REFERENCES, engine)
reports = [report_to_json(report) for report in score_summaries(pyramid, SUMMARIES, engine)]
json.dump([pyramid_to_json(pyramid), reports], sys.stdout)
"""


@pytest.fixture(scope="module")
def pyramid() -> Pyramid:
    return build_pyramid(REFERENCES, fake_engine())


def test_shared_ideas_weigh_more(pyramid: Pyramid) -> None:
    weights = {scu.label: scu.weight for scu in pyramid.scus}
    assert weights["Matter has mass."] == 2
    assert weights["Ice melts slowly."] == 2


def test_reports_come_in_order(pyramid: Pyramid) -> None:
    zoe, omar, lea = score_summaries(pyramid, SUMMARIES, fake_engine())
    assert zoe.raw > omar.raw > lea.raw == 0
    words = [SUMMARIES[0].words_at(match.segment.spans) for match in zoe.evidence.matches]
    assert "Ice melts slowly" in words
    assert score_summary(pyramid, SUMMARIES[1], fake_engine()) == omar


def test_an_empty_summary_has_no_scores_and_says_why(pyramid: Pyramid) -> None:
    report = score_summary(pyramid, Text("lea", " \n "), fake_engine())
    assert (report.statements, report.raw, report.quality) == (0, 0, 0)
    assert report.coverage == report.comprehensive == 0
    assert "long enough" in report.trace[0]


def test_no_summaries(pyramid: Pyramid) -> None:
    assert list(score_summaries(pyramid, [], fake_engine())) == []


def test_an_empty_pyramid_scores_nothing() -> None:
    report = score_summary(Pyramid(tuple(REFERENCES), ()), SUMMARIES[0], fake_engine())
    assert (report.raw, report.quality, report.coverage) == (0, 0, 0)


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([], "no reference summary"),
        ([*REFERENCES, Text("Ben", "Another text by Ben.")], "2 references are named “Ben”"),
        ([*REFERENCES, Text("Dan", " \n ")], "“Dan” has no sentence of at least 3 words"),
        ([Text("Eve", "Yes. No.")], "“Eve” has no sentence of at least 3 words"),
    ],
)
def test_references_that_cannot_be_used(references: list[Text], message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_pyramid(references, fake_engine())


def test_progress_is_told_in_plain_words() -> None:
    progress: list[tuple[str, int, int]] = []
    engine = fake_engine()
    pyramid = build_pyramid(REFERENCES, engine, progress=lambda *stage: progress.append(stage))
    assert [stage for stage, _, _ in progress] == [
        "Reading the references",
        "Comparing ideas",
        "Building the pyramid",
    ]
    progress.clear()
    summaries = [Text(f"s{i}", "Matter has mass.") for i in range(20)]
    list(
        score_summaries(pyramid, summaries, engine, progress=lambda *stage: progress.append(stage))
    )
    assert progress[0] == ("Reading the pyramid", 0, 20)
    assert progress[1] == ("Scoring the summaries", 0, 20)
    assert [done for _, done, _ in progress] == sorted(done for _, done, _ in progress)
    assert all(done <= total == 20 for _, done, total in progress)


def test_words_are_read_further_ahead_than_texts_are_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[tuple[str, int]] = []
    engine = fake_engine()
    parse = engine.parser.parse
    pyramid = build_pyramid(REFERENCES, engine)

    def note(step: str, texts: Sequence[Text]) -> None:
        if texts and texts[0] in summaries:  # and not the references
            steps.append((step, len(texts)))

    def parsed(texts: Sequence[Text]) -> list[ParsedText]:
        note("parse", texts)
        return parse(texts)

    monkeypatch.setattr(pipeline, "read_ahead", lambda texts, _: note("read", texts))
    monkeypatch.setattr(engine.parser, "parse", parsed)
    summaries = [Text(f"s{i}", f"Matter has mass {i}.") for i in range(70)]
    assert len(list(score_summaries(pyramid, summaries, engine))) == 70
    batch = [("read", 16), ("parse", 16)]
    assert steps == [("read", 64), *4 * batch, ("read", 6), ("read", 6), ("parse", 6)]


def test_nothing_depends_on_hash_seeds() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop()


def texts_in(folder: Path) -> list[Text]:
    return [Text(path.stem, path.read_text("utf-8-sig")) for path in sorted(folder.glob("*.txt"))]


@pytest.mark.data
@pytest.mark.models
@pytest.mark.skipif(not WIM.exists(), reason="the annotated data is not beside the project")
def test_what_is_matter_from_end_to_end() -> None:
    engine = make_engine()
    references = texts_in(WIM / "reference_summaries")
    pyramid = build_pyramid(references, engine)
    assert build_pyramid(references[::-1], engine) == pyramid
    weights = Counter(scu.weight for scu in pyramid.scus)
    assert 0 < weights[5] < weights[3] < weights[1]

    summaries = texts_in(WIM / "target_summaries")
    reports = list(score_summaries(pyramid, summaries, engine))
    assert list(score_summaries(pyramid, summaries[::-1], engine)) == reports[::-1]
    by_hand = []
    for summary in summaries:
        file = WIM / "target_summaries" / "scored" / f"{summary.name}.pan"
        annotation = read_annotation(file.read_bytes(), file.name)
        uids = [expression.scu_uid for expression in annotation.expressions if expression.places]
        by_hand.append(sum(annotation.pyramid.scu(uid).weight for uid in uids))
    # docs/methods.md tells what was measured; the number of words alone gives .79.
    assert correlation([float(report.raw) for report in reports], by_hand) > 0.85


REAL_PROGRAM = """
import json, sys
from pathlib import Path
from grading.pyramid.formats.pyramid_json import pyramid_to_json, report_to_json
from grading.pyramid.pipeline import build_pyramid, make_engine, score_summaries
from grading.pyramid.registry import METHODS
from grading.pyramid.structures import Text
folder = Path("grading/management/demonstration")
def texts(of):
    files = sorted((folder / of).glob("*.txt"))
    return [Text(file.stem, file.read_text("utf-8")) for file in files]
references, summaries = texts("references"), texts("students")[::3]
if sys.argv[1] == "turned":
    references, summaries = references[::-1], summaries[::-1]
told = {}
for engine in [*map(make_engine, METHODS), make_engine(minilm=False)]:
    pyramid = build_pyramid(references, engine)
    reports = zip(summaries, score_summaries(pyramid, summaries, engine))
    by_name = {text.name: report_to_json(report) for text, report in reports}
    told[engine.signature] = [pyramid_to_json(pyramid), by_name]
json.dump(told, sys.stdout, sort_keys=True)
"""


@pytest.mark.models
def test_neither_seeds_nor_threads_nor_order_change_what_the_real_models_say() -> None:
    runs = (("1", "1", "straight"), ("2", "2", "turned"))  # nothing is the same in both
    outputs = {
        subprocess.run(
            [sys.executable, "-c", REAL_PROGRAM, order],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "OMP_NUM_THREADS": threads,
                "OPENBLAS_NUM_THREADS": threads,
            },
            check=True,
            capture_output=True,
            timeout=300,
        ).stdout
        for seed, threads, order in runs
    }
    assert len(outputs) == 1
    document = json.loads(outputs.pop())
    assert len(document) == len(METHODS) + 1
    for pyramid, reports in document.values():
        assert {scu["uid"] for scu in pyramid["scus"]}
        assert sum(report["raw"] > 0 for report in reports.values()) >= len(reports) / 2


def test_classroom_does_without_minilm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_files, "is_installed", lambda: False)
    without = get_method("classroom").similarity(0, None)
    assert without.name == "stems-1"
    monkeypatch.setattr("grading.pyramid.pipeline.SpacyParser", FakeParser)
    assert make_engine().signature == make_engine(minilm=False).signature
    assert (
        make_engine("pyreval").similarity.name
        == make_engine("pyreval", minilm=False).similarity.name
    )


def test_the_reader_is_named_by_all_that_a_reading_depends_on() -> None:
    engine = fake_engine()
    parser = FakeParser()
    parser.name = "fake-2"
    config = engine.method.config
    others = [
        replace(engine, parser=parser),
        replace(engine, method=replace(engine.method, config=replace(config, max_segmentations=3))),
    ]
    assert len({other.reader for other in (engine, *others)}) == 3
    # What is only matched in another way is read the same.
    stricter = replace(engine.method, config=replace(config, match_threshold=0.9))
    assert replace(engine, method=stricter).reader == engine.reader
    assert len(engine.reader) <= 100


@pytest.mark.models
def test_readings_of_methods_with_and_without_vectors_are_told_apart() -> None:
    readers = [make_engine("classroom").reader, make_engine("classroom", minilm=False).reader]
    assert len(set(readers)) == 2
    assert make_engine("classroom-blend").reader == readers[0]
    assert make_engine("pyreval").reader == readers[1]
