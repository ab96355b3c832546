"""Ideas that look like one, and ideas that look like two."""

from dataclasses import replace

import pytest

from grading.pyramid.analysis.regrouping import merges, splits
from grading.pyramid.editing.commands import MergeScus, SplitScu
from grading.pyramid.structures import Pyramid, Standing
from tests.pyramid.analysis.made import every_pair, looked_at, pyramid_of
from tests.pyramid.cutting import Pairs, cut

NAMES = "ABCDEF"
TEXTS = [cut(name, *(f"{name}{idea}" for idea in range(5))) for name in NAMES]


def contributors_of(idea: int, names: str = NAMES) -> dict[str, str]:
    return {name: f"{name}{idea}" for name in names}


def alike(similarity: float, *ideas: int) -> dict[tuple[str, str], float]:
    """The wordings of each of these ideas, among themselves."""
    return every_pair(similarity, *([f"{name}{idea}" for name in NAMES] for idea in ideas))


def merged(pyramid: Pyramid, pairs: Pairs) -> list[MergeScus]:
    _, likeness = looked_at(TEXTS, pyramid, pairs)
    commands = [merge.command for merge in merges(pyramid, likeness)]
    return [command for command in commands if isinstance(command, MergeScus)]


def parted(pyramid: Pyramid, pairs: Pairs) -> list[SplitScu]:
    _, likeness = looked_at(TEXTS, pyramid, pairs)
    commands = [split.command for split in splits(pyramid, likeness)]
    return [command for command in commands if isinstance(command, SplitScu)]


def pyramid_with_one_idea_in_two() -> Pyramid:
    """The third idea is torn apart: two experts have one half of it, four the other."""
    return pyramid_of(
        TEXTS,
        contributors_of(0),
        contributors_of(1),
        contributors_of(2, "AB"),
        contributors_of(2, "CDEF"),
    )


def test_an_idea_that_was_torn_apart_is_one_again() -> None:
    assert merged(pyramid_with_one_idea_in_two(), alike(0.8, 0, 1, 2)) == [MergeScus(3, 4)]


def test_who_tells_two_things_apart_means_two_things() -> None:
    pyramid = pyramid_of(
        TEXTS,
        contributors_of(0),
        contributors_of(1),
        {"A": "A2", "B": "B2"},
        {"B": "B3", "C": "C2"},
    )

    assert merged(pyramid, alike(0.8, 0, 1, 2) | {("B3", "A2"): 0.9, ("C2", "B3"): 0.9}) == []


def test_ideas_that_are_less_alike_than_wordings_of_one_are_left() -> None:
    halves = every_pair(0.8, ["A2", "B2"], ["C2", "D2", "E2", "F2"])
    pyramid = pyramid_with_one_idea_in_two()

    assert merged(pyramid, alike(0.8, 0, 1) | alike(0.5, 2) | halves) == []


def test_what_was_set_aside_is_not_merged() -> None:
    pyramid = pyramid_with_one_idea_in_two()
    aside = replace(pyramid.scus[2], standing=Standing.ASIDE)
    pyramid = replace(pyramid, scus=(*pyramid.scus[:2], aside, pyramid.scus[3]))

    assert merged(pyramid, alike(0.8, 0, 1, 2)) == []


def test_ideas_that_contradict_each_other_are_not_merged() -> None:
    texts = [*TEXTS, cut("X", "Heat killed 40 people"), cut("Y", "Heat killed 90 people")]
    first, other = "Heat killed 40 people", "Heat killed 90 people"
    pyramid = pyramid_of(texts, contributors_of(0), contributors_of(1), {"X": first}, {"Y": other})

    _, likeness = looked_at(texts, pyramid, alike(0.8, 0, 1) | {(first, other): 0.95})

    assert list(merges(pyramid, likeness)) == []


def test_two_ideas_that_were_thrown_together_part() -> None:
    together = contributors_of(2, "ABCD") | contributors_of(3, "EF")
    pyramid = pyramid_of(TEXTS, contributors_of(0), contributors_of(1), together)

    assert parted(pyramid, alike(0.8, 0, 1, 2, 3)) == []  # as alike as most different ideas
    different = {(f"{a}0", f"{b}1"): 0.3 for a in NAMES for b in NAMES}
    assert parted(pyramid, alike(0.8, 0, 1, 2, 3) | different) == [SplitScu(3, 0, ("E", "F"))]


def test_whoever_has_the_words_of_the_label_keeps_the_idea() -> None:
    together = contributors_of(3, "E") | contributors_of(2, "ABCD")  # the label is that of E
    pyramid = pyramid_of(TEXTS, contributors_of(0), contributors_of(1), together)
    different = {(f"{a}0", f"{b}1"): 0.3 for a in NAMES for b in NAMES}

    (command,) = parted(pyramid, alike(0.8, 0, 1, 2, 3) | different)

    assert command == SplitScu(3, 0, ("A", "B", "C", "D"))


@pytest.mark.parametrize("size", [2, 5])
def test_ideas_that_hang_together_stay(size: int) -> None:
    pyramid = pyramid_of(
        TEXTS, contributors_of(0), contributors_of(1), contributors_of(2, NAMES[:size])
    )
    different = {(f"{a}0", f"{b}1"): 0.3 for a in NAMES for b in NAMES}

    assert parted(pyramid, alike(0.8, 0, 1, 2) | different) == []


def test_an_idea_of_very_many_loses_single_wordings_only() -> None:
    names = [f"N{number:02}" for number in range(14)]
    texts = [cut(name, f"{name} same", f"{name} else") for name in names]
    pyramid = pyramid_of(
        texts,
        {name: f"{name} same" for name in names[:-1]} | {names[-1]: f"{names[-1]} else"},
        {name: f"{name} else" for name in names[:2]},
    )
    same = every_pair(
        0.8, [f"{name} same" for name in names], [f"{name} else" for name in names[:2]]
    )
    other = {(f"{a} same", f"{b} else"): 0.1 for a in names for b in names[:2]}

    _, likeness = looked_at(texts, pyramid, same | other)

    (result,) = splits(pyramid, likeness)
    assert result.command == SplitScu(1, 0, (names[-1],))


def test_keys_do_not_depend_on_labels() -> None:
    pyramid = pyramid_with_one_idea_in_two()
    renamed = replace(
        pyramid, scus=tuple(replace(scu, label=f"Idea {scu.uid}") for scu in pyramid.scus)
    )
    _, before = looked_at(TEXTS, pyramid, alike(0.8, 0, 1, 2))
    _, after = looked_at(TEXTS, renamed, alike(0.8, 0, 1, 2))

    keys = [merge.key for merge in merges(pyramid, before)]
    assert keys
    assert keys == [merge.key for merge in merges(renamed, after)]
