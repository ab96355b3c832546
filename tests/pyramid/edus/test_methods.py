"""The three methods on the demonstration, with the real parser and segmenter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grading.pyramid.content import ContentModel, PluggedFile, PlugIn
from grading.pyramid.content_pipeline import (
    build_content_model,
    make_content_engine,
    score_content,
    units_of,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.content_json import units_to_json, write_model
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "grading" / "management" / "demonstration"
NAMES = ("edu-alignment", "edu-oracle-rouge", "edu-oracle-be")
methods = pytest.mark.parametrize("name", NAMES)

_BUILD = """
import sys
from pathlib import Path
from grading.pyramid.content_pipeline import build_content_model
from grading.pyramid.formats.content_json import write_model
from grading.pyramid.structures import Text
from tests.fakes import fake_content_engine
folder = Path(sys.argv[1])
texts = [Text(one.stem, one.read_text()) for one in sorted((folder / "references").glob("*.txt"))]
source = Text("source", (folder / "source.txt").read_text())
for name in ("edu-alignment", "edu-oracle-rouge", "edu-oracle-be"):
    print(write_model(build_content_model(texts, fake_content_engine(name), source=source)))
"""


def texts(folder: str) -> list[Text]:
    files = sorted((FOLDER / folder).glob("*.txt"))
    return [Text(file.stem, file.read_text(encoding="utf-8")) for file in files]


def source() -> Text:
    return Text("source", (FOLDER / "source.txt").read_text(encoding="utf-8"))


def model_of(name: str, parser: SpacyParser) -> ContentModel:
    engine = make_content_engine(name, parser=parser)
    return build_content_model(texts("references"), engine, source=source())


@methods
@pytest.mark.models
def test_the_demonstration_is_scored(name: str, spacy_parser: SpacyParser) -> None:
    model, engine = model_of(name, spacy_parser), make_content_engine(name, parser=spacy_parser)
    content = model.source.content if model.source else ""

    assert len(model.elements) > 10
    assert model.elements[0].weight >= 2
    for element in model.elements:
        place = element.places[0]
        assert place.in_source
        assert " ".join(content[place.spans[0].start : place.spans[0].end].split()) == element.label
        assert element.weight == len(set(element.fields["references"]))  # type: ignore[call-overload]
    assert all(extract["proven"] for extract in model.fields["extracts"])  # type: ignore[attr-defined]
    copied = Text("copy", content)
    [copy, *students] = score_content(model, [copied, *texts("students")], engine)
    assert copy.coverage == 1.0
    assert copy.raw == sum(element.weight for element in model.elements)
    assert max(student.raw or 0 for student in students) < copy.raw


@methods
@pytest.mark.models
def test_without_a_source_the_method_says_that_it_needs_one(
    name: str, spacy_parser: SpacyParser
) -> None:
    with pytest.raises(InputError, match=f"“{name}” needs the source text.*--source"):
        build_content_model(texts("references"), make_content_engine(name, parser=spacy_parser))


@methods
@pytest.mark.models
def test_units_that_were_written_are_read_again(name: str, spacy_parser: SpacyParser) -> None:
    engine = make_content_engine(name, parser=spacy_parser)
    all_texts = [*texts("references"), source()]
    lines = [
        json.dumps(units_to_json(units_of(parsed, engine.measure.read_units)))
        for parsed in spacy_parser.parse(all_texts)
    ]
    file = PluggedFile("edus.jsonl", "\n".join(lines).encode())
    plugged = make_content_engine(name, parser=spacy_parser, plug_ins={PlugIn.EDUS: file})
    model = build_content_model(texts("references"), plugged, source=source())

    assert model.elements == model_of(name, spacy_parser).elements
    assert model.signature != model_of(name, spacy_parser).signature


def test_no_hash_seed_makes_a_difference() -> None:
    written = {
        subprocess.run(
            [sys.executable, "-c", _BUILD, str(FOLDER)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "77")
    }

    assert len(written) == 1
    assert b"HighsMip" not in written.pop()


@pytest.mark.models
def test_the_order_of_references_makes_no_difference(spacy_parser: SpacyParser) -> None:
    engine = make_content_engine("edu-alignment", parser=spacy_parser)
    references = texts("references")[:3]
    models = {
        write_model(build_content_model(order, engine, source=source()))
        for order in (references, references[::-1], [references[1], references[0], references[2]])
    }

    assert len(models) == 1
