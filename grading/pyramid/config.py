"""The options of a run, frozen, and the signature by which every number names them."""

import hashlib
import json
from dataclasses import asdict, dataclass

CORE_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Config:
    """Options with the paper's symbols (sections 4.3, 4.6 and appendices A and B)."""

    method: str = "pyreval"
    edge_percentile: float = 83.0  # t_edge: the percentile of all cosines between references
    beta: float = 2.5  # exponent of the capacity y_n = alpha * (1/n) ** beta
    alpha_extra: int = 10  # alpha = number of segments + this
    match_threshold: float = 0.5  # least mean cosine of a segment with an SCU's contributors
    candidates_per_segment: int = 3  # SCUs that a segment may be matched with
    max_segmentations: int = 12  # alternatives of one sentence, the default included

    def signature(self, *resources: str) -> str:
        """A short stable name of options, core version and resources, such as ``pyreval-1-3f2a9c1e``."""
        told = json.dumps([asdict(self), sorted(resources), CORE_VERSION], sort_keys=True)
        digest = hashlib.sha256(told.encode()).hexdigest()[:8]
        return f"{self.method}-{CORE_VERSION}-{digest}"
