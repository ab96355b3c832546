"""The options of a run, frozen, and the signature by which every number names them."""

import hashlib
import json
from dataclasses import asdict, dataclass
from math import inf

from grading.pyramid.characters import WORD
from grading.pyramid.errors import InputError
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.structures import Points

# Raise it whenever a text may be read or judged differently: scores are then calculated again, and
# kept readings and facts are found anew.
CORE_VERSION = "7"

_ALLOWED = {
    "min_words": (1, inf),
    "max_segmentations": (1, inf),
    "edge_percentile": (0, 100),
    "edges_per_segment": (0, inf),
    "beta": (0, inf),
    "alpha_extra": (0, inf),
    "match_threshold": (0, 1),
    "match_probability": (0.05, 0.95),
    "candidates_per_segment": (1, inf),
    "possible_from": (0.05, 0.5),
    "contrast": (0, 1),
    "number_agreement": (0, 1),
}


@dataclass(frozen=True, slots=True)
class Config:
    """Options with the paper's symbols (sections 4.3, 4.6 and appendices A and B).

    A value that makes no sense raises an InputError that names the option.
    """

    method: str = "pyreval"
    min_words: int = 3  # shorter segments are too short to express an idea: they are not counted
    max_segmentations: int = 12  # alternatives of one sentence, the default included
    edge_percentile: float = 83.0  # t_edge: the percentile of all cosines between references
    edges_per_segment: float | None = None  # or: into each other reference, on average
    ideas_only: bool = False  # talk about the text, questions and bare fragments are no ideas
    whole_labels: bool = False  # a label is a clause that can be read on its own
    beta: float = 2.5  # exponent of the capacity y_n = alpha * (1/n) ** beta
    alpha_extra: int = 10  # alpha = number of segments + this
    match_threshold: float | None = None  # least similarity of a match; None: the pyramid's own
    candidates_per_segment: int = 3  # SCUs that a segment may be matched with
    match_probability: float | None = None  # least probability of a match; None: one half
    possible_from: float = 0.1  # least probability that earns points; a match is shown from more
    contrast: float = 0.5  # how much it counts that a sentence is about this unit, not about others
    number_agreement: float = 0.05  # how much it counts that a sentence names the unit's numbers
    checks_truth: bool = True  # whether what contradicts the experts earns nothing
    checks_order: bool = True  # whether words that are not in sentences earn nothing
    points: Points = Points.EXPECTED  # what a match earns
    learnt_curve: LearntCurve | None = None  # learnt from people's marks: learning.py

    def __post_init__(self) -> None:
        for option, (least, most) in _ALLOWED.items():
            value = getattr(self, option)
            if value is not None and not least <= value <= most:
                allowed = f"between {least} and {most}" if most < inf else f"at least {least}"
                raise InputError(f"The option {option} must be {allowed}, not {value}.")

    def counts(self, words: str) -> bool:
        """Whether a segment with these words is long enough to be counted."""
        return len(WORD.findall(words)) >= self.min_words

    def signature(self, *resources: str) -> str:
        """A short stable name of options, version and resources: ``pyreval-1-3f2a9c1e``."""
        named = json.dumps([asdict(self), sorted(resources), CORE_VERSION], sort_keys=True)
        digest = hashlib.sha256(named.encode()).hexdigest()[:8]
        return f"{self.version}-{digest}"

    @property
    def version(self) -> str:
        """The method and its version, without options and resources: ``pyreval-1``."""
        return f"{self.method}-{CORE_VERSION}"
