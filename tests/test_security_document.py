"""docs/security.md has each requirement of ASVS 5.0, levels 1 and 2, once, with what is done."""

import re
from collections import Counter

from tests.test_docs import ROOT

# By section: how many requirements it has of these levels; those of level 3 come after them.
HOW_MANY = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2,
    "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1,
    "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2,
    "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4,
    "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4,
    "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2,
    "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1,
    "9.1": 3, "9.2": 4,
    "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3,
    "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4,
    "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5,
    "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7,
    "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
    "17.1": 1, "17.2": 4, "17.3": 2,
}  # fmt: skip
STATES = {"met", "partly", "not met", "not shown", "proxy", "operator", "n/a"}
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([^|]+) \| (.+) \|$", re.MULTILINE)


def test_every_requirement_is_there_once() -> None:
    document = (ROOT / "docs" / "security.md").read_text()
    rows = ROW.findall(document)
    expected = [
        f"{section}.{number}"
        for section, count in HOW_MANY.items()
        for number in range(1, count + 1)
    ]

    assert sum(HOW_MANY.values()) == 253  # as the standard says itself
    assert [number for number, _, _ in rows] == expected
    assert {state for _, state, _ in rows} <= STATES
    assert all(how.strip() for _, _, how in rows)


def test_the_table_of_states_counts_them() -> None:
    document = (ROOT / "docs" / "security.md").read_text()
    counted = Counter(state for _, state, _ in ROW.findall(document))
    counts = dict(re.findall(r"^\| ([a-z/ ,]+) \| (\d+) \| ", document, re.MULTILINE))

    assert int(counts.pop("not met, not shown")) == counted.pop("not met") + counted.pop(
        "not shown"
    )
    assert {state: int(count) for state, count in counts.items()} == counted
