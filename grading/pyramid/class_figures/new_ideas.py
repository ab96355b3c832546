"""Ideas that many students wrote and the pyramid lacks, as they were found in a class."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

from grading.pyramid.intervals import Interval, share_interval
from grading.pyramid.structures import Spans


@dataclass(frozen=True, slots=True)
class NewIdea:
    """In words of a student; ``told`` has the words of each text that tells it, by its key."""

    label: str
    told: Mapping[int, Spans]


@dataclass(frozen=True, slots=True)
class NewIdeas:
    """What was found, and the keys of the texts that were looked at."""

    texts: frozenset[int]
    ideas: tuple[NewIdea, ...]

    def among(self, texts: Container[int]) -> "NewIdeas":
        """The same of some of the texts, the most told first; what none of them tells is left."""
        fewer = (
            NewIdea(idea.label, {key: spans for key, spans in idea.told.items() if key in texts})
            for idea in self.ideas
        )
        there = sorted((one for one in fewer if one.told), key=lambda one: -len(one.told))
        return NewIdeas(frozenset(key for key in self.texts if key in texts), tuple(there))

    def share(self, idea: NewIdea) -> float:
        return len(idea.told) / len(self.texts) if self.texts else 0.0

    def interval(self, idea: NewIdea) -> Interval:
        """Of that share."""
        return share_interval(len(idea.told), len(self.texts))
