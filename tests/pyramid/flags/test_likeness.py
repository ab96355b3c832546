import random
import time
from collections.abc import Iterable, Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.flags.likeness import like_another, shared_passages
from grading.pyramid.flags.text_flags import FlagKind, Near
from grading.pyramid.flags.text_index import TextIndex, Written
from grading.pyramid.structures import Span

SOURCE = "Dark roofs store the heat of the sun all day long and give it off at night."
OWN = (
    "In my street there is a bakery that sells the best bread of the whole town, and every "
    "morning its warm smell comes through the window of my room before the clock rings at six."
)
OTHER = (
    "My grandmother keeps bees behind her house near the river; in spring she lends me the veil "
    "with a hat that is too large, and we count how many queens have lived through the winter."
)


def written(*contents: str) -> list[Written]:
    """Each of another author."""
    return [Written(key, 100 + key, content) for key, content in enumerate(contents, 1)]


def near_texts(
    texts: Sequence[Written], known: Iterable[str] = ()
) -> Mapping[int, tuple[Near, ...]]:
    index = TextIndex(known)
    index.update(texts)
    return {text.key: index.nearest(text.key) for text in texts}


def test_a_copy_is_near_in_both_directions() -> None:
    near = near_texts(written(OWN, f"{OWN} {OTHER}", OTHER))

    assert [(near_text.text, near_text.author) for near_text in near[1]] == [(2, 102)]
    assert near[1][0].share == 1.0
    assert [near_text.text for near_text in near[2]] == [1, 3]
    assert 0.4 < near[2][0].share < 0.6


def test_case_accents_and_marks_make_no_difference() -> None:
    disguised = OWN.upper().replace("BREAD", "brĕad").replace(",", " ...")

    assert near_texts(written(OWN, disguised))[1][0].share == 1.0


def test_what_all_have_read_is_nobodys() -> None:
    assert near_texts(written(f"{SOURCE} {SOURCE}", f"{SOURCE} {SOURCE}"), [SOURCE])[1] == ()


def test_ones_own_attempts_are_no_copies() -> None:
    texts = [Written(1, 7, OWN), Written(2, 7, OWN), Written(3, 8, OTHER)]

    assert set(near_texts(texts).values()) == {()}


def test_of_another_student_the_attempt_that_shares_most() -> None:
    texts = [Written(1, 7, OWN), Written(2, 8, OWN[:150]), Written(3, 8, OWN)]

    assert [near.text for near in near_texts(texts)[1]] == [3]


def test_a_few_words_in_common_are_none() -> None:
    assert near_texts(written(OWN, f"{OTHER} the window of my room before the clock"))[1] == ()


def test_the_flag_tells_how_much_and_with_how_many() -> None:
    near = near_texts(written(OWN, OWN, OWN))

    (flag,) = like_another(near[1])

    assert flag.kind == FlagKind.LIKE_ANOTHER
    assert "100\u202f%" in flag.reason
    assert "with 1 other text" in flag.reason
    assert list(like_another(())) == []


def test_side_by_side_the_shared_words_stand_in_each() -> None:
    ours, theirs = shared_passages(f"First. {OWN}", f"{OWN} {OTHER}", [SOURCE])

    assert ours == (Span(7, 7 + len(OWN) - 1),)
    assert theirs == (Span(0, len(OWN) - 1),)


@given(st.permutations(list(enumerate([OWN, OTHER, f"{OWN} {OTHER}", OWN[:120]]))))
def test_the_order_makes_no_difference(pairs: list[tuple[int, str]]) -> None:
    texts = [Written(key, key, content) for key, content in pairs]
    in_order = sorted(texts, key=lambda text: text.key)

    assert near_texts(texts) == near_texts(in_order)


def test_a_thousand_texts_take_seconds() -> None:
    by_lot = random.Random(1)  # noqa: S311
    words = f"{OWN} {OTHER} {SOURCE}".split()
    contents = [" ".join(by_lot.choices(words, k=150)) for _ in range(1_000)]

    started = time.process_time()
    near_texts(written(*contents, OWN, OWN))

    assert time.process_time() - started < 10
