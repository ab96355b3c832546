"""The options of a run, frozen, and the signature by which every number names them."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from math import inf

from grading.pyramid.errors import InputError

CORE_VERSION = "2"

# A word has a letter or a digit; it goes on over apostrophes and hyphens ("object's").
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


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
}


@dataclass(frozen=True, slots=True)
class Config:
    """Options with the paper's symbols (sections 4.3, 4.6 and appendices A and B).

    A value that makes no sense raises an InputError that names the option.
    """

    method: str = "pyreval"
    min_words: int = 3  # shorter segments are too short to tell an idea: they are not counted
    max_segmentations: int = 12  # alternatives of one sentence, the default included
    edge_percentile: float = 83.0  # t_edge: the percentile of all cosines between references
    edges_per_segment: float | None = None  # or: into each other reference, on average
    beta: float = 2.5  # exponent of the capacity y_n = alpha * (1/n) ** beta
    alpha_extra: int = 10  # alpha = number of segments + this
    match_threshold: float | None = None  # least similarity of a match; None: the pyramid's own
    candidates_per_segment: int = 3  # SCUs that a segment may be matched with
    match_probability: float | None = None  # least probability of a match; None: one half

    def __post_init__(self) -> None:
        for option, (least, most) in _ALLOWED.items():
            value = getattr(self, option)
            if value is not None and not least <= value <= most:
                allowed = f"between {least} and {most}" if most < inf else f"at least {least}"
                raise InputError(f"The option {option} must be {allowed}, not {value}.")

    def counts(self, words: str) -> bool:
        """Whether a segment with these words is long enough to be counted."""
        return len(_WORD.findall(words)) >= self.min_words

    def signature(self, *resources: str) -> str:
        """A short stable name of options, version and resources: ``pyreval-1-3f2a9c1e``."""
        options = asdict(self)
        if self.match_probability is None:  # it came later: what was scored before stays the same
            del options["match_probability"]
        told = json.dumps([options, sorted(resources), CORE_VERSION], sort_keys=True)
        digest = hashlib.sha256(told.encode()).hexdigest()[:8]
        return f"{self.method}-{CORE_VERSION}-{digest}"
