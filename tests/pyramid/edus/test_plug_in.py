"""EDUs out of a file: what is read, and what is wrong with a line."""

import json
from collections.abc import Sequence

import pytest

from grading.pyramid.content import PluggedFile
from grading.pyramid.edus.units import edus_of, read_units_file
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Span, Text
from tests.fakes import FakeParser

TEXT = Text("Ada", "Roofs store heat because the sun warms roofs.")


def file(*lines: object) -> PluggedFile:
    written = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return PluggedFile("edus.jsonl", written.encode())


def line(*spans: Sequence[Sequence[object]], summary: str = "Ada") -> dict[str, object]:
    return {"summary": summary, "units": [{"kind": "edu", "spans": span} for span in spans]}


def test_units_are_cut_as_the_file_says() -> None:
    [parsed] = FakeParser().parse([TEXT])
    units = read_units_file(file(line([[17, 45]], [[0, 16]]), "", line(summary="Ben")))

    assert units.spans_of(parsed) == [(Span(0, 16),), (Span(17, 45),)]
    assert [edu.words for edu in edus_of(parsed, units, stemmed=False)] == [
        ("roofs", "store", "heat"),
        ("because", "the", "sun", "warms", "roofs"),
    ]


def test_units_in_parts_and_words_of_no_unit() -> None:
    [parsed] = FakeParser().parse([TEXT])
    units = read_units_file(file(line([[39, 45], [0, 5]])))

    assert units.spans_of(parsed) == [(Span(0, 5), Span(39, 45))]
    [edu] = edus_of(parsed, units, stemmed=True)
    assert edu.words == ("roof", "roof")


def test_units_of_other_kinds_are_left_aside() -> None:
    given = line([[0, 5]])
    given["units"] += [{"kind": "pair", "spans": [[0, 5]]}]  # type: ignore[operator]

    assert len(read_units_file(file(given)).units["Ada"][1]) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("?", "line 2: not the units of a text"),
        ({"units": []}, "line 2: not the units of a text .*summary"),
        ([], "line 2: .*must be an object"),
        ({"summary": "Ada"}, "line 2: .*“units” is missing"),
        ({"summary": "Ada", "units": {}}, "line 2: .*“units” must be a list"),
        ({"summary": "Ada", "units": ["a"]}, r"line 2: .*“units\[0\]” must be an object"),
        ({"summary": "Ada", "units": [{}]}, r"line 2: .*“units\[0\].kind” is missing"),
        (
            {"summary": "Ada", "units": [{"kind": "pair"}, {"kind": "edu"}]},
            r"line 2: .*“units\[1\].spans” is missing",
        ),
        (line([]), r"line 2: .*“units\[0\].spans” must be a list"),
        (line([[0, 5]], [[7, 9], [5, 5]]), r"line 2: .*units\[1\].spans\[1\]”: .*5\] is no span"),
        (line([["a", 5]]), r"line 2: .*“units\[0\].spans\[0\]”: \[\"a\", 5\] is no span"),
        (line([[0, 5]], [[4, 9]]), r"line 2: .*two spans overlap, \[0, 5\] and \[4, 9\]"),
        (line(summary="Ben"), "line 2: the text “Ben” is in line 1 too"),
        ({"summary": 3, "units": []}, "line 2: .*name of a text"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(wrong: object, message: str) -> None:
    with pytest.raises(InputError, match=f"“edus.jsonl”, {message}"):
        read_units_file(file(line(summary="Ben"), wrong))


def test_a_file_must_fit_the_texts() -> None:
    [parsed] = FakeParser().parse([TEXT])

    with pytest.raises(InputError, match="has no units of the text “Ada”"):
        read_units_file(file(line(summary="Ben"))).spans_of(parsed)
    with pytest.raises(InputError, match=r"line 1: the unit that ends at 99 .* 45 characters"):
        read_units_file(file(line([[0, 99]]))).spans_of(parsed)
    with pytest.raises(InputError, match="not UTF-8"):
        read_units_file(PluggedFile("edus.jsonl", b"\xff"))
