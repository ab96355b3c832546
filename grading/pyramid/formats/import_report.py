"""What an import found and did, to be read before anything is done with it."""

from dataclasses import dataclass
from enum import StrEnum

from grading.pyramid.structures import Pyramid


class Kinship(StrEnum):
    """How a text of a file stands to the references of the assignment."""

    SAME = "same"  # letter for letter
    SPACED = "spaced"  # but for white space
    REWORDED = "reworded"  # alike, in other words
    OTHER = "other"  # none of them


@dataclass(frozen=True, slots=True)
class FoundReference:
    """A text of the file: its name there and in the pyramid, and what it is kin to."""

    name_in_file: str
    name: str
    kinship: Kinship
    kin: str = ""


@dataclass(frozen=True, slots=True)
class LostWords:
    """Words of a line that stand in no reference: the idea keeps its weight without them."""

    line: int
    idea: int
    words: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """``kind`` says in words what the file is; ``missing`` are references that it has not."""

    kind: str
    found: tuple[FoundReference, ...] = ()
    missing: tuple[str, ...] = ()
    lost: tuple[LostWords, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """The pyramid that a draft would begin with, and how it came about."""

    pyramid: Pyramid
    report: ImportReport

    @property
    def contributors(self) -> int:
        return sum(len(scu.contributors) for scu in self.pyramid.scus)
