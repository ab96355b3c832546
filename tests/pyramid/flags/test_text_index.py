"""The index of a class, against the plain rule: compare all texts of a class with each other."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.copying import RUN, runs_of, seen_words
from grading.pyramid.flags import text_index
from grading.pyramid.flags.text_flags import Near
from grading.pyramid.flags.text_index import TextIndex, Written
from tests.pyramid.flags.test_likeness import OTHER, OWN, SOURCE, near_texts

MOST_COMPARED = 12
MOST_NEAR = 5

AllNear = Mapping[int, tuple[Near, ...]]


def near_by_the_rule(texts: Sequence[Written], known: Iterable[str] = ()) -> AllNear:
    """By the key: of each other author the text that shares most, those that share most first."""
    everybodys = {run for content in known for run in runs_of(seen_words(content))}
    runs = {text.key: list(runs_of(seen_words(text.content))) for text in texts}
    holders: dict[tuple[str, ...], list[Written]] = defaultdict(list)
    for text in sorted(texts, key=lambda text: text.key):
        for run in {*runs[text.key]} - everybodys:
            holders[run].append(text)
    near: dict[int, tuple[Near, ...]] = {}
    for text in texts:
        length = len(seen_words(text.content))
        starts: dict[Written, list[int]] = defaultdict(list)
        for start, run in enumerate(runs[text.key]):
            for other in holders[run][:MOST_COMPARED]:
                if other.author != text.author:
                    starts[other].append(start)
        best: dict[int, Near] = {}
        for other, places in starts.items():
            words = RUN + sum(min(RUN, later - start) for start, later in pairwise(places))
            if words > best.get(other.author, Near(0, 0, 0, 0)).words:
                best[other.author] = Near(other.key, other.author, words, round(words / length, 4))
        ordered = sorted(best.values(), key=lambda likeness: (-likeness.words, likeness.text))
        enough = [each for each in ordered if each.share >= 0.35 and each.words >= 25]
        near[text.key] = tuple(enough[:MOST_NEAR])
    return near


def made_class(size: int, by_lot: random.Random) -> list[Written]:
    """Some copy from each other, some from the source, and some have several attempts."""
    words = f"{OWN} {OTHER} {SOURCE}".lower().split()
    passages = [" ".join(by_lot.choices(words, k=by_lot.randrange(8, 40))) for _ in range(9)]
    return [
        Written(key, by_lot.randrange(size), ". ".join(by_lot.choices([*passages, SOURCE], k=4)))
        for key in range(1, size + 1)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_a_class_is_compared_as_the_rule_says(seed: int) -> None:
    texts = made_class(60, random.Random(seed))  # noqa: S311
    near = near_by_the_rule(texts, [SOURCE])

    assert near_texts(texts, [SOURCE]) == near
    assert sum(len(of_text) > 1 for of_text in near.values()) > 30


# A run stays with the first 12 who have it: with few of them, classes of a few texts reach it.
@given(st.data())
def test_after_any_changes_the_index_is_as_if_new(data: st.DataObject) -> None:
    texts = made_class(14, random.Random(data.draw(st.integers(0, 9))))  # noqa: S311
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_index, "_MOST_COMPARED", 3)
        index = TextIndex([SOURCE])
        there: dict[int, Written] = {}
        near: dict[int, tuple[Near, ...]] = {}
        for _ in range(5):
            chosen = data.draw(st.sets(st.sampled_from(texts), max_size=4))
            removed = [text.key for text in chosen if text.key in there]
            added = [text for text in chosen if text.key not in there]
            changed = index.update(added, removed)

            there = {key: text for key, text in there.items() if key not in removed}
            there |= {text.key: text for text in added}
            near = {key: of_text for key, of_text in near.items() if key in there}
            near |= {key: index.nearest(key) for key in changed}
            assert near == near_texts([*there.values()], [SOURCE])
            assert index.size == sum(
                len({*runs_of(seen_words(text.content))} - {*runs_of(seen_words(SOURCE))})
                for text in there.values()
            )


def test_a_text_of_another_author_replaces_the_one_with_its_key() -> None:
    index = TextIndex()
    index.update([Written(1, 7, OWN), Written(2, 8, OWN)])

    assert index.update([Written(2, 7, OWN)], [2]) == {1, 2}
    assert index.nearest(1) == index.nearest(2) == ()


@pytest.mark.parametrize("size", [20, 200])
def test_one_more_text_concerns_only_those_that_share_its_words(size: int) -> None:
    """Whatever the size of the class."""
    by_lot = random.Random(1)  # noqa: S311
    index = TextIndex()
    own_words = [f"{OWN.replace('bakery', f'bakery{number}')}" for number in range(3)]
    others = [" ".join(f"w{by_lot.randrange(9999)}" for _ in range(60)) for _ in range(size)]
    index.update(Written(key, key, text) for key, text in enumerate([*others, *own_words[:2]]))

    assert index.update([Written(9999, 9999, own_words[2])]) == {size, size + 1, 9999}
