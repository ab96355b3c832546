"""Edits as the log keeps them; the property tests take every kind there and back."""

import pytest

from grading.pyramid.editing import command_from_json
from grading.pyramid.editing.command_json import COMMANDS
from grading.pyramid.errors import InputError


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"type": "DropTables"},
        {"type": ["NewScu"]},
        {"type": "DeleteScu"},
        {"type": "DeleteScu", "uid": "1"},
        {"type": "DeleteScu", "uid": True},
        {"type": "SetLabel", "uid": 1, "label": None},
        {"type": "SetWeight", "uid": 1, "given_weight": 1.5},
        {"type": "SetStanding", "uid": 1, "standing": "perhaps"},
        {"type": "AddPart", "uid": 1, "reference": "Ada", "spans": [[0]]},
        {"type": "AddPart", "uid": 1, "reference": "Ada", "spans": "0-4"},
        {"type": "AddPart", "uid": 1, "reference": "Ada", "spans": [["0", 4]]},
        {"type": "SplitScu", "uid": 1, "new_uid": 2, "references": "Ada"},
        {"type": "SplitScu", "uid": 1, "new_uid": 2, "references": [1]},
        {"type": "Several", "summary": "all", "commands": [{"type": "DeleteScu"}]},
        {"type": "Patch", "summary": "", "order": [1], "scus": [{}], "references": None},
        {"type": "Patch", "summary": "", "order": "1", "scus": [], "references": None},
    ],
)
def test_a_damaged_edit_is_refused(value: object) -> None:
    with pytest.raises(InputError):
        command_from_json(value)


def test_every_command_is_known_by_its_name() -> None:
    assert all(name == kind.__name__ for name, kind in COMMANDS.items())
    assert len(COMMANDS) == 22
