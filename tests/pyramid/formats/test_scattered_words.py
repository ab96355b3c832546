"""Words of a sentence with others between them."""

import pytest

from grading.pyramid.formats.word_search import fold, scattered

CONTENT = (
    "Christopher Shake, the director of the gallery, suggests that people aren't able to spend. "
    "In 1993, Lopez's friend, who left GM, joined VW and took papers along."
)


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        ("Christopher Shake suggests people aren t", "Christopher Shake|suggests|people aren't"),
        ("In , Lopezs friend joined VW", "In 1993, Lopez's friend|joined VW"),
        ("friend left joined took", ""),  # more runs than one would leave out
        ("people able to spend joined VW", ""),  # not of one sentence
        ("friend joined Lopez VW", ""),  # not in this order
        ("friend joined VW", ""),  # too few
        ("friend joined VW and tooks", ""),
        ("the director of the gall", ""),  # half a word
    ],
)  # fmt: skip
def test_runs_of_a_sentence_are_found(words: str, runs: str) -> None:
    spans = scattered(words, CONTENT, fold(CONTENT, with_digits=False))

    assert "|".join(CONTENT[span.start : span.end] for span in spans) == runs
