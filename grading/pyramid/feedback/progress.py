"""What became of the ideas from one attempt to the next, both scored by the same version."""

from dataclasses import dataclass

from grading.pyramid.structures import Match, Pyramid, ScoreReport, Spans, Text


@dataclass(frozen=True, slots=True)
class KeptIdea:
    """An idea that both attempts tell, with the words of each that tell it."""

    scu_uid: int
    before: Spans
    after: Spans

    def is_reworded(self, before: Text, after: Text) -> bool:
        """Is it expressed in other words? Where in the text makes no difference."""
        return before.words_at(self.before) != after.words_at(self.after)


@dataclass(frozen=True, slots=True)
class Progress:
    """Ideas by their uids, heaviest first; equally heavy ones in the order of the pyramid."""

    gained: tuple[int, ...]
    lost: tuple[int, ...]
    kept: tuple[KeptIdea, ...]


def compare_reports(before: ScoreReport, after: ScoreReport, pyramid: Pyramid) -> Progress:
    """What the later report has found, and what it has not found again."""
    was, now = _matches(before), _matches(after)
    heaviest_first = sorted(pyramid.counted().scus, key=lambda scu: -scu.weight)
    order = [scu.uid for scu in heaviest_first]
    return Progress(
        gained=tuple(uid for uid in order if uid in now and uid not in was),
        lost=tuple(uid for uid in order if uid in was and uid not in now),
        kept=tuple(
            KeptIdea(uid, was[uid].spans, now[uid].spans)
            for uid in order
            if uid in was and uid in now
        ),
    )


def _matches(report: ScoreReport) -> dict[int, Match]:
    """The first match of each idea, in the order of the text."""
    in_order = sorted(report.evidence.credited, key=lambda match: match.spans, reverse=True)
    return {match.scu_uid: match for match in in_order}
