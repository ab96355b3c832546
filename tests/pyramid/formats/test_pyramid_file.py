"""Reading and writing ``.pyr`` files."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import read_pyramid, write_pyramid
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from tests.pyramid.formats.pyramids import EXAMPLE, pyramids


def pyr(lines: str, *scus: str, expression: str = "") -> bytes:
    text = "".join(f"<line>{line}</line>" for line in lines.split("\n"))
    return f"<pyramid>\n{expression}<text>{text}</text>\n{''.join(scus)}</pyramid>".encode()


def scu(uid: object, *contributors: str) -> str:
    return f'<scu uid="{uid}" label="idea {uid}">{"".join(contributors)}</scu>\n'


def contributor(*parts: tuple[str, object, object], comment: str = "") -> str:
    inside = "".join(f'<part label="{p[0]}" start="{p[1]}" end="{p[2]}"/>' for p in parts)
    return f'<contributor label="words" comment="{comment}">{inside}</contributor>'


def part(lines: str, words: str, after: int = 0) -> tuple[str, int, int]:
    start = lines.index(words, after)
    return words, start, start + len(words)


TWO = "---\nBees dance.\n---\nA bee dance."


# --- round trips ---


@settings(max_examples=60)
@given(pyramids())
def test_what_was_written_is_read_back_equal(pyramid: Pyramid) -> None:
    written = write_pyramid(pyramid)
    assert read_pyramid(written.encode()) == pyramid
    assert write_pyramid(read_pyramid(written.encode())) == written


def test_the_file_means_the_same_to_a_plain_xml_reader() -> None:
    root = ET.fromstring(write_pyramid(EXAMPLE))  # noqa: S314  (our own file)
    text = "\n".join(line.text or "" for line in root.findall("text/line"))
    for element in root.iter("part"):
        place = slice(int(element.attrib["start"]), int(element.attrib["end"]))
        assert text[place] == element.attrib["label"]
    assert [s.attrib["uid"] for s in root.findall("scu")] == ["7", "3"]
    labels = [c.attrib["label"] for c in root.iter("contributor")]
    assert labels == ["Bees dance", "dance of bees", "They show...how far"]


def test_headers_are_those_that_ducview_writes_and_the_expression_finds_them() -> None:
    root = ET.fromstring(write_pyramid(EXAMPLE))  # noqa: S314
    text = "\n".join(line.text or "" for line in root.findall("text/line"))
    expression = root.findtext("startDocumentRegEx")
    assert expression is not None
    assert re.findall(expression, text) == [
        f"{'-' * 20} < {n} > {'-' * 20}" for n in ("anna", "ben")
    ]


def test_a_single_reference_has_no_expression_for_ducview_would_refuse_the_file() -> None:
    alone = Pyramid(
        (Text("only", "a\n---\nb"),), (Scu(1, "", (Contributor("only", (Span(0, 1),)),)),)
    )
    written = write_pyramid(alone)
    assert "<startDocumentRegEx>" not in written
    assert read_pyramid(written.encode()) == alone


def test_characters_that_xml_cannot_hold_are_replaced_one_for_one() -> None:
    content = "a\x0bb\x00c\ud800d\ufffe"
    scus = (Scu(1, "l\x01", (Contributor("r", (Span(6, 7),)),)),)
    read = read_pyramid(write_pyramid(Pyramid((Text("r", content),), scus)).encode())
    assert read.references[0].content == "a b\ufffdc\ufffdd\ufffd"
    assert read.scus[0].label == "l\ufffd"
    assert read.scus[0].contributors[0].spans == (Span(6, 7),)


@pytest.mark.parametrize("name", ["", "two\nlines", "two\rlines"])
def test_a_name_that_is_no_line_of_text_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot be named"):
        write_pyramid(Pyramid((Text(name, "x"),), ()))


def test_names_that_are_equal_are_refused() -> None:
    with pytest.raises(InputError, match="Two references are named “a”"):
        write_pyramid(Pyramid((Text("a", "x"), Text("a", "y")), ()))


@pytest.mark.parametrize(
    "unit", [Scu(0, "nought", (Contributor("r", (Span(0, 1),)),)), Scu(1, "bare", ())]
)
def test_a_content_unit_that_the_format_has_no_place_for_is_refused(unit: Scu) -> None:
    with pytest.raises(InputError, match=unit.label):
        write_pyramid(Pyramid((Text("r", "x"),), (unit,)))


# --- references ---


def test_lines_of_dashes_separate_references_that_are_numbered() -> None:
    read = read_pyramid(pyr(TWO, scu(1, contributor(part(TWO, "bee dance")))))
    assert read.references == (Text("1", "Bees dance."), Text("2", "A bee dance."))
    assert read.scus[0].contributors == (Contributor("2", (Span(2, 11),)),)


@pytest.mark.parametrize(
    ("lines", "references"),
    [
        ("Bees.", [("1", "Bees.")]),
        ("Bees.\n---\nBees dance.\n---", [("1", "Bees."), ("2", "Bees dance.")]),
        ("-----\n\nBees.\n\n-----\n-----\nBye", [("1", "\nBees.\n"), ("2", "Bye")]),
        (
            "----\n A.M.1\n----\nBees.\n----\n B.M.2\n----\nBye.",
            [("A.M.1", "Bees."), ("B.M.2", "Bye.")],
        ),
        ("----- &lt; x y &gt; ---\nBees.\n---\nBye.", [("1", "Bees."), ("2", "Bye.")]),
    ],
)
def test_separators_without_an_expression(lines: str, references: list[tuple[str, str]]) -> None:
    read = read_pyramid(pyr(lines, scu(1, contributor(("Bees", 0, 0)))))
    assert [(text.name, text.content) for text in read.references] == references


def test_the_expression_tells_where_references_begin() -> None:
    lines = "#4\n\n----\n D07-A.M\n----\n\nBees dance.\n----\n D07-B.M\n----\nThe end."
    expression = r"<![CDATA[[-]*\n D[0-9]*-[A-Z]\.M\n[-]*\n]]>"
    expression = f"<startDocumentRegEx>{expression}</startDocumentRegEx>"
    read = read_pyramid(pyr(lines, scu(1, contributor(part(lines, "Bees"))), expression=expression))
    assert read.references == (Text("D07-A.M", "\nBees dance."), Text("D07-B.M", "The end."))
    assert read.scus[0].contributors == (Contributor("D07-A.M", (Span(1, 5),)),)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("nowhere", "finds no headers"),
        ("", "finds more than 1000 headers"),
        ("[-", "is wrong"),
        ("(-+)+x", "repeats too much"),
        ("(?x)(-+) +", "repeats too much"),
        (".*.*.*.*.*", "repeats too much"),
        ("-" * 201, "longer than 200"),
    ],
)
def test_an_expression_that_cannot_be_used_is_named_with_its_line(
    expression: str, message: str
) -> None:
    element = f"<startDocumentRegEx>{expression}</startDocumentRegEx>"
    lines = TWO + "\nmany words" * 200
    with pytest.raises(InputError, match=f"^Line 2: .*{message}"):
        read_pyramid(pyr(lines, scu(1, contributor(("Bees", 4, 8))), expression=element))


# --- contributors ---


def test_offsets_that_are_wrong_are_mended_by_the_nearest_occurrence_of_the_words() -> None:
    lines = "---\nA bee. A bee.\n---\nA bee."
    read = read_pyramid(
        pyr(lines, scu(1, contributor(("A  bee", 13, 19))), scu(2, contributor(("bee.", 400, 404))))
    )
    assert read.scus[0].contributors == (Contributor("1", (Span(7, 12),)),)
    assert read.scus[1].contributors == (Contributor("2", (Span(2, 6),)),)


def test_words_that_run_over_a_line_break_are_found_without_it() -> None:
    lines = "---\nTo bees.\nFar."
    read = read_pyramid(
        pyr(lines, scu(1, contributor(("bees.Far", 7, 16)), contributor(("Tobees", 0, 2))))
    )
    assert read.scus[0].contributors == (Contributor("1", (Span(0, 12),)),)


def test_offsets_that_java_counted_are_understood() -> None:
    lines = "---\n🐝🐝 dance, dance"
    second = lines.rindex("dance") + 2
    read = read_pyramid(pyr(lines, scu(1, contributor(("dance", second, second + 5)))))
    assert read.scus[0].contributors[0].spans == (Span(10, 15),)


def test_white_space_selected_behind_a_reference_is_left_out() -> None:
    read = read_pyramid(pyr(TWO, scu(1, contributor(("Bees dance.", 4, 16)))))
    assert read.scus[0].contributors == (Contributor("1", (Span(0, 11),)),)


def test_parts_are_put_in_order() -> None:
    read = read_pyramid(pyr(TWO, scu(1, contributor(part(TWO, "dance"), part(TWO, "Be")))))
    assert read.scus[0].contributors[0].spans == (Span(0, 2), Span(5, 10))


def test_two_contributors_of_one_reference_become_one() -> None:
    units = scu(
        1,
        contributor(part(TWO, "dance"), comment="late"),
        contributor(part(TWO, "bee dance")),
        contributor(part(TWO, "Bees"), comment="early"),
    )
    read = read_pyramid(pyr(TWO, units))
    assert read.scus[0].weight == 2
    assert read.scus[0].contributors[0] == Contributor(
        "1", (Span(0, 4), Span(5, 10)), "late; early"
    )


def test_content_units_come_heaviest_first_and_else_as_in_the_file() -> None:
    bees, bee = contributor(part(TWO, "Bees")), contributor(part(TWO, "bee "))
    read = read_pyramid(pyr(TWO, scu(5, bees), scu(4, bees), scu(6, bees, bee)))
    assert [unit.uid for unit in read.scus] == [6, 5, 4]


def test_a_pyramid_is_found_in_an_annotation_too() -> None:
    whole = b"<peerAnnotation>" + pyr(TWO, scu(1, contributor(part(TWO, "Bees"))))
    read = read_pyramid(whole + b"<score><totalscu>7</totalscu></score></peerAnnotation>")
    assert len(read.scus) == 1


@pytest.mark.parametrize(
    ("units", "message"),
    [
        (scu(1, contributor(("wasps", 4, 8))), "Line 3: the words “wasps” are not in the text"),
        (scu(1, contributor(("", 4, 400))), "Line 3: the words “” are not"),
        (scu(1, contributor(("Bees", "four", 8))), "Line 3: the start of a <part>, “four”"),
        (scu(1, contributor(part(TWO, "Bees"), part(TWO, "A bee"))), "Line 3: .* one reference"),
        (scu(1, contributor(("dance.---A", 9, 21))), "Line 3: .* one reference"),
        (scu(1, contributor(("", 0, 3))), "Line 3: .* one reference"),
        (scu(1, contributor()), "Line 3: a contributor has no part"),
        (scu(1), "Line 3: content unit 1 has no contributor"),
        (scu(0, contributor(part(TWO, "Bees"))), "Line 3: the uid 0 is taken"),
        (scu(1, contributor(part(TWO, "Bees"))) * 2, "Line 4: the uid 1 is taken"),
        (scu("x", contributor(part(TWO, "Bees"))), "Line 3: the uid of a <scu>, “x”"),
        ("", "holds no content unit"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(units: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pyramid(pyr(TWO, units))


def test_a_pyramid_without_text_is_refused() -> None:
    with pytest.raises(InputError, match="Line 1: the pyramid holds no text"):
        read_pyramid(pyr("", scu(1, contributor(("Bees", 0, 4)))))
