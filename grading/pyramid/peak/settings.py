"""The one setting of PEAK, chosen before the method was measured with people (docs/methods.md).

The paper's slides name the thresholds T and T1 and give no values, and say neither when a node is
salient nor how a triple is compared with a content unit.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Thresholds on similarities of ADW, 0 to 1."""

    similar: float = 0.6  # two elements are of one similarity class from here on
    merge: float = 0.7  # T1: two anchors are the same content unit
    match: float = 0.4  # T: a triple of a summary expresses a content unit


SETTINGS = Settings()
