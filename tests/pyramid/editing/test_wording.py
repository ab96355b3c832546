"""Words as the history and the suggestions quote them."""

import pytest

from grading.pyramid.editing.wording import quoted


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("Cities are\n hot", "“Cities are hot”", id="on one line"),
        pytest.param("", "“…”", id="nothing"),
        pytest.param("Cities are hot.", "“Cities are hot”", id="no full stop in a sentence"),
        pytest.param("Cities are...", "“Cities are...”", id="an ellipsis stays"),
        pytest.param("x" * 60, f"“{'x' * 60}”", id="as long as may be"),
        pytest.param("x" * 61, f"“{'x' * 59}…”", id="one word that is too long"),
        pytest.param(f"{'x' * 50} heated streets", f"“{'x' * 50} heated…”", id="after a word"),
        pytest.param(f"{'x' * 52} heated streets", f"“{'x' * 52} heated…”", id="just after a word"),
        pytest.param(f"{'x' * 53} heated streets", f"“{'x' * 53}…”", id="no word is cut in two"),
    ],
)
def test_a_quotation_fits_a_line_and_cuts_no_word(words: str, expected: str) -> None:
    assert quoted(words) == expected
