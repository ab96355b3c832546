"""Triples of another extractor."""

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Span, Text
from grading.pyramid.triples.triple import read_table, triples_of
from tests.fakes import FakeParser


def parsed(content: str) -> ParsedText:
    [text] = FakeParser().parse([Text("t", content)])
    return text


def test_rows_find_their_sentence_and_their_words() -> None:
    table = read_table(
        b"Dark roofs store  heat .\t0.75\tstore\tDark roofs\theat\n"
        b"Nobody wrote this .\t1\ta\tb\tc\n",
        "triples.tsv",
    )
    text = parsed("Trees grow. Dark roofs store heat.")

    [triple] = triples_of(text, table)
    assert triple.sentence == 1
    assert triple.confidence == 0.75
    assert triple.subject.spans == (Span(12, 22),)
    assert [text.text.words_at(element.spans) for element in triple.elements] == [
        "Dark roofs",
        "store",
        "heat",
    ]


def test_words_apart_or_unknown_keep_what_place_they_have() -> None:
    table = read_table(b"Dark roofs store heat.\t1\tis stored by\troofs Dark heat\n", "t.tsv")
    [triple] = triples_of(parsed("Dark roofs store heat."), table)

    assert triple.objects == ()
    assert triple.predicate.words == "is stored by"
    assert triple.predicate.spans == ()
    assert triple.subject.spans == (Span(5, 10), Span(17, 21))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("A b.\t1\tis", "a triple needs a sentence"),
        ("A b.\thigh\tis\tA\tb", "“high” is not a number"),
        ("A b.\t1.5\tis\tA\tb", "not between 0 and 1"),
        ("A b.\tnan\tis\tA\tb", "not between 0 and 1"),
        ("A b.\t1\t \tA\tb", "the predicate is empty"),
    ],
)
def test_a_wrong_line_is_named(line: str, problem: str) -> None:
    with pytest.raises(InputError, match=rf"“t.tsv”, line 3: .*{problem}"):
        read_table(f"A b.\t1\tis\tA\tb\n\n{line}\n".encode(), "t.tsv")


def test_a_file_that_is_not_utf_8() -> None:
    with pytest.raises(InputError, match=r"“t.tsv” is not UTF-8 \(byte 1\)"):
        read_table(b"A\xff", "t.tsv")
