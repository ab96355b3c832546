"""Names in the place of other names."""

import pytest

from grading.pyramid.contradictions.words_only import contradictions

OTHER = [
    ("The treaty was signed in Paris.", "the treaty was signed in London", "London", "Paris"),
    ("Anna Berg wrote the book.", "Then Bo Lund wrote the book.", "Bo Lund", "Anna Berg"),
    ("It began in May.", "it began in June", "June", "May"),
    ("It happened on Monday.", "it happened on Tuesday", "Tuesday", "Monday"),
    ("The ferry left the port of Genoa.", "a ferry near the port of Naples", "Naples", "Genoa"),
]
NO_OTHER = [
    ("Anna Berg wrote the book.", "Berg wrote it in London"),
    ("Anna Berg wrote the book.", "anna wrote the book with Bo Lund"),
    ("The Health and Safety Executive denied it.", "then the HSE denied it"),
    ("The rule of the Swedish king", "the rule of Sweden"),
    ("Anna Berg wrote the book.", "The author wrote the book in New York."),
    ("The treaty was signed in Paris.", "The Germans paid for it in London."),
    ("The treaty was signed in Paris.", "Treaty Signed In London By Kings"),
    ("The treaty was signed in Paris.", "THE TREATY WAS SIGNED IN LONDON"),
    ("Plants make sugar.", "Animals make energy."),
    ("It began in May 1945.", "I think it began on Tuesday."),
]


@pytest.mark.parametrize(("idea", "evidence", "statement", "known"), OTHER)
def test_another_name(idea: str, evidence: str, statement: str, known: str) -> None:
    (result,) = contradictions([idea], evidence)
    assert result.kind == "name"
    assert result.remark == f"The text says {statement} where the experts say {known}."


@pytest.mark.parametrize(("idea", "evidence"), NO_OTHER)
def test_no_other_name(idea: str, evidence: str) -> None:
    assert contradictions([idea], evidence) == ()
    assert contradictions([evidence], idea) == ()


def test_a_name_of_any_expert_is_enough() -> None:
    experts = ["It was signed in Paris.", "It was signed in London."]
    assert contradictions(experts, "it was signed in London") == ()
    assert [each.remark for each in contradictions(experts, "it was signed in Rome")] == [
        "The text says Rome where the experts say London."
    ]
