"""Keys that last, and no more suggestions than somebody reads."""

from grading.pyramid.analysis.suggestions import MOST, Kind, Suggestion, best_of, key_of
from grading.pyramid.editing.commands import DeleteScu


def suggestion(kind: Kind, strength: float, uid: int = 1) -> Suggestion:
    return Suggestion(key_of(kind, uid, strength), kind, "Because.", DeleteScu(uid), strength)


def test_a_key_names_what_it_is_about() -> None:
    assert key_of(Kind.MERGE, 1, 2) == key_of(Kind.MERGE, 1, 2)
    assert key_of(Kind.MERGE, 1, 2) != key_of(Kind.SPLIT, 1, 2)
    assert key_of(Kind.MERGE, 1, 2) != key_of(Kind.MERGE, 12)
    assert len(key_of(Kind.ADD, "Zoë", 1)) == 32


def test_the_strongest_of_a_kind_come_first_and_kinds_in_their_order() -> None:
    weak, strong = suggestion(Kind.MERGE, 0.1), suggestion(Kind.MERGE, 0.9)
    label = suggestion(Kind.LABEL, 1.0)

    assert best_of([label, weak, strong]) == (strong, weak, label)


def test_there_are_never_too_many() -> None:
    result = best_of(suggestion(kind, n / 100, n) for kind in Kind for n in range(30))

    assert len(result) == MOST
    assert all(sum(1 for suggestion in result if suggestion.kind is kind) <= 10 for kind in Kind)
