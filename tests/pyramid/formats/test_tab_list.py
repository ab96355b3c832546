"""PyrEval's simple list."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats import tab_list
from grading.pyramid.formats.encodings import Decoded
from grading.pyramid.formats.import_report import Imported, LostWords
from grading.pyramid.formats.tab_list import read_tab_list, write_tab_list
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from tests.pyramid.formats.pyramids import EXAMPLE, curated_pyramids, refusal, worded_pyramids

ADA = Text("Ada", "Dark roofs store heat. Trees cool streets.")
BEN = Text("Ben", "Dark roofs store heat, says Ben. Cars are warm.")


def read(*lines: str, references: tuple[Text, ...] = (ADA, BEN)) -> Imported:
    return read_tab_list(Decoded("\n".join(lines)), references)


def test_the_list_is_written_as_pyreval_writes_it() -> None:
    assert write_tab_list(EXAMPLE) == (
        "SCU\t7\t2\tBees dance\nSCU\t7\t2\tdance of bees\nSCU\t3\t1\tThey show ... how far\n"
    )


def test_an_idea_without_words_is_written_by_its_label() -> None:
    scus = (Scu(4, "two\twords", (), given_weight=3), Scu(5, "", ()))

    assert write_tab_list(Pyramid((), scus)) == "SCU\t4\t3\ttwo words\nSCU\t5\t0\tIdea 5\n"


def test_lines_of_an_index_become_contributors_of_different_references() -> None:
    result = read("SCU\t7\t2\tDark roofs store heat", "SCU\t7\t2\tdark roofs store heat")

    assert result.pyramid.scus == (
        Scu(
            7,
            "Dark roofs store heat",
            (Contributor("Ada", (Span(0, 21),)), Contributor("Ben", (Span(0, 21),))),
        ),
    )
    assert not result.report.lost
    assert not result.report.remarks


def test_what_only_one_reference_has_is_placed_first() -> None:
    result = read("SCU\t7\t2\tDark roofs store heat", "SCU\t7\t2\tTrees cool streets")

    contributors = result.pyramid.scus[0].contributors
    assert [contributor.reference for contributor in contributors] == ["Ben", "Ada"]


def test_words_that_are_nowhere_leave_the_idea_its_weight() -> None:
    result = read("SCU\t1\t2\tTrees cool streets", "SCU\t1\t2\tWhales sing", "SCU\t2\t1\tNo such")

    first, second = result.pyramid.scus
    assert (first.weight, first.given_weight, len(first.contributors)) == (2, 2, 1)
    assert second == Scu(2, "No such", (), given_weight=1)
    assert result.report.lost == (LostWords(2, 1, "Whales sing"), LostWords(3, 2, "No such"))
    assert result.report.missing == ("Ben",)


def test_further_words_of_a_reference_become_parts_and_are_reported() -> None:
    result = read("SCU\t1\t2\tTrees cool streets", "SCU\t1\t2\tDark roofs", references=(ADA,))

    (idea,) = result.pyramid.scus
    assert idea.contributors == (Contributor("Ada", (Span(0, 10), Span(23, 41))),)
    assert idea.weight == 2
    assert "Line 2: “Ada” expresses idea 1 already" in result.report.remarks[0]


def test_pyrevals_index_0_becomes_1() -> None:
    result = read("SCU\t0\t2\tone", "", "SCU\t1\t1\ttwo", references=())

    assert [scu.uid for scu in result.pyramid.scus] == [1, 2]
    assert "from 0" in result.report.remarks[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SCV\t1\t2\twords", "Line 2: a line begins with “SCU”"),
        ("SCU 1 2 words", "Line 2: a line begins with “SCU”"),
        ("SCU\t1\t2", "Line 2: .* Something is missing"),
        ("SCU\t1\t2\t ", "Line 2: .* Something is missing"),
        ("SCU\tone\t2\twords", "Line 2: the number of the idea, “one”"),
        ("SCU\t-1\t2\twords", "Line 2: the number of the idea, “-1”"),
        ("SCU\t1\t2.5\twords", "Line 2: the weight, “2.5”"),
        ("SCU\t1\t101\twords", "Line 2: the weight, “101”, is not a whole number from 0 to 100"),
        ("SCU\t1\t٣\twords", "Line 2: the weight"),
        ("SCU\t9\t4\twords", "Line 2: idea 9 has the weight 4 here, and 3 in line 1"),
    ],
)
def test_a_broken_line_is_named(line: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read("SCU\t9\t3\tfirst", line)


@settings(max_examples=60)
@given(worded_pyramids())
def test_what_the_list_can_carry_comes_back(pyramid: Pyramid) -> None:
    result = read_tab_list(Decoded(write_tab_list(pyramid)), pyramid.references)

    def carried(some: Pyramid) -> list[tuple[int, int, tuple[Contributor, ...]]]:
        return [(scu.uid, scu.weight, scu.contributors) for scu in some.scus]

    assert carried(result.pyramid) == carried(pyramid)
    assert not result.report.lost


@settings(max_examples=60)
@given(curated_pyramids())
def test_weights_and_numbers_come_back_whatever_the_texts(pyramid: Pyramid) -> None:
    result = read_tab_list(Decoded(write_tab_list(pyramid)), pyramid.references)

    weights = {scu.uid: scu.weight for scu in pyramid.scus}
    assert {scu.uid: scu.weight for scu in result.pyramid.scus} == weights


@given(st.lists(st.text("SCU\t0123 ab", max_size=12), max_size=6))
def test_a_damaged_list_is_refused_with_its_line(lines: list[str]) -> None:
    said = refusal(lambda: read(*lines))

    assert not said or said.startswith("Line ")


def test_more_lines_than_can_be_worked_with_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_list, "MOST_LINES", 2)

    with pytest.raises(InputError, match="Line 4: only 2 lines"):
        read("SCU\t1\t1\ta", "SCU\t2\t1\tb", "", "SCU\t3\t1\tc")
