"""Every reader with its seeds, with changed bytes of them, and with what fuzzing has found."""

import random
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

FINDS = Path(__file__).parent / "finds"
CHANGES = 150  # of each target; `make fuzz` tries a million
ALL_FINDS = sorted(path for path in FINDS.rglob("*") if path.is_file())


@pytest.mark.parametrize("find", ALL_FINDS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_is_read_or_refused(find: Path) -> None:
    TARGETS[find.parent.name].ask(find.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_changed_bytes_are_read_or_refused(name: str) -> None:
    target, chance = TARGETS[name], random.Random(name)  # noqa: S311
    seeds = [*target.seeds(), b""]
    target.read(seeds[0])  # the first is no odd one
    for seed in seeds:
        target.ask(seed)
    for _ in range(CHANGES):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data) + 1)
            length = chance.choice((0, 1, 1, 4))
            data[place : place + length] = chance.choice(
                (b"", b"\x00", b"<", b'"', b"\xff\xff\xff\xff", b"9" * 400, chance.randbytes(3))
            )
        target.ask(bytes(data))
