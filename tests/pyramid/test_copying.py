"""How much of a text is copied."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.copying import RUN, copied_passages, copied_share, runs_of, seen_words
from grading.pyramid.structures import Span

SOURCE = "Cities are warmer than the countryside around them, and the difference has a name."
WORDS = st.lists(st.sampled_from(("the", "heat", "of", "city's", "told,", "by.", "Ünd")))


@pytest.mark.parametrize(
    ("text", "share"),
    [
        (SOURCE, 1),
        (SOURCE.upper().replace(",", " —"), 1),
        ("Cities are warmer than the countryside.", 1),
        ("Cities are warmer than the land.", 0),
        ("Truly cities are warmer than the countryside around us all today, I say.", 7 / 13),
        ("The countryside around them and the name has a difference.", 0.6),
        (SOURCE.replace("e", "e\u00ad").replace("o", "\u200bo\ufe0f"), 1),
        (SOURCE.replace("e", "\u0435").replace("a", "\uff41").replace("o", "\u00f6"), 1),
    ],
)
def test_words_in_a_row_are_copied(text: str, share: float) -> None:
    assert copied_share(text, SOURCE) == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "source"), [("", SOURCE), ("…", SOURCE), (SOURCE, ""), ("a", "!")]
)
def test_without_words_to_compare_nothing_is_known(text: str, source: str) -> None:
    assert copied_share(text, source) is None


def spread(text: str, place: int) -> int:
    """Where a place is once two characters that nobody sees stand before each “e”."""
    return place + 2 * text[:place].count("e")


def test_passages_are_where_the_copied_words_stand() -> None:
    first, second = "cities are warmer than the countryside", "and the difference has a name"
    text = f"Truly “{first}”, says he; {second}."

    result = copied_passages(text, SOURCE)

    assert [text[span.start : span.end] for span in result] == [first, second]
    assert copied_passages(text.replace("e", "\u00ad\u200de"), SOURCE) == tuple(
        Span(spread(text, span.start), spread(text, span.end)) for span in result
    )
    assert copied_passages("Nothing of it.", SOURCE) == ()
    assert copied_passages("", SOURCE) == ()


@given(WORDS, WORDS)
def test_the_share_is_between_none_and_all(text: list[str], source: list[str]) -> None:
    share = copied_share(" ".join(text), " ".join(source))

    assert share is None or 0 <= share <= 1
    if share:
        assert min(len(text), len(source)) >= RUN


@given(WORDS, WORDS, WORDS)
def test_a_longer_source_never_makes_it_less(
    text: list[str], source: list[str], more: list[str]
) -> None:
    shorter = copied_share(" ".join(text), " ".join(source)) or 0

    assert (copied_share(" ".join(text), " ".join([*source, *more])) or 0) >= shorter


@given(WORDS, WORDS)
def test_passages_hold_all_that_is_counted(text: list[str], source: list[str]) -> None:
    words, against = " ".join(text), " ".join(source)

    passages = copied_passages(words, against)

    counted = sum(len(words[span.start : span.end].split()) for span in passages)
    assert counted == round((copied_share(words, against) or 0) * len(text))
    assert list(passages) == sorted(passages)
    assert all(span.start < span.end for span in passages)


ANY_TEXT = st.text(st.sampled_from("abcE é\u2019'-_ \u00ad\u0301\u0435ﬁß½\n")) | WORDS.map(" ".join)


@given(ANY_TEXT, ANY_TEXT, st.booleans())
def test_the_index_of_a_source_says_what_its_words_say(
    text: str, source: str, is_part: bool
) -> None:
    """As it was before there was an index: every run of the text looked up among the source's."""
    source = f"{source} {text} {source}" if is_part else source
    words, known = seen_words(text), seen_words(source)
    runs = set(runs_of(known))
    copied = [False] * len(words)
    for start, run in enumerate(runs_of(words)):
        if run in runs:
            copied[start : start + RUN] = [True] * RUN

    expected = sum(copied) / len(words) if words and known else None
    assert copied_share(text, source) == expected
    passages = copied_passages(text, source)
    spans = [word.span for word, is_copied in zip(words, copied, strict=True) if is_copied]
    assert all(any(p.start <= s.start and s.end <= p.end for p in passages) for s in spans)


def test_the_source_is_read_once_for_all_texts() -> None:
    """Text after text costs the same beside a source of 2.4 million characters."""
    source = " ".join(f"word{number}" for number in range(240_000))
    text = " ".join(f"word{number}" for number in range(1_000, 1_200))
    assert copied_share(text, source) == 1

    started = process_time()
    for number in range(20):
        assert copied_share(f"{text} {number}", source) == pytest.approx(200 / 201)

    assert process_time() - started < 1
