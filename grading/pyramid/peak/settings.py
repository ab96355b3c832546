"""How PEAK compares, and from where on two things count as similar: one setting.

The paper's slides name the thresholds T and T1 and give no values, and say neither when a node is
salient nor how a triple is compared with a content unit. docs/methods.md says how the values were
chosen: the thresholds on the project's own topics; T1 and the length of signatures were changed
after wim had been measured, for the number of units and for speed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from grading.pyramid.word_senses.adw import Phrase
from grading.pyramid.word_senses.signatures import Numbers


class Comparison(Protocol):
    """How similar phrases are, 0 to 1."""

    @property
    def name(self) -> str:
        """With its version and data, for signatures."""

    def against(self, columns: Sequence[Phrase]) -> Callable[[Sequence[Phrase]], Numbers]:
        """What compares any phrases with these, which are prepared once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Thresholds on similarities."""

    similar: float  # two elements are of one similarity class from here on
    merge: float  # T1: two anchors are the same content unit
    match: float  # T: a triple of a summary expresses a content unit


ADW = "adw"
LEMMAS = "lemmas"
SETTINGS = {
    ADW: Settings(similar=0.6, merge=0.8, match=0.4),
    LEMMAS: Settings(similar=0.5, merge=0.8, match=0.1),
}
