"""Ideas gained, lost and kept from one attempt to the next."""

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.feedback.progress import Progress, compare_reports
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from tests.pyramid.feedback.made import plain_pyramid, report_of, spans_of

PYRAMID = plain_pyramid(3, 1, 3, 2, 3)
BEFORE = Text("mine-1", "Heat rises. Roofs are dark. Trees help.")
AFTER = Text("mine-2", "Listen: Heat rises. Parks with trees help. Wind cools.")


def test_heaviest_ideas_come_first() -> None:
    before = report_of(BEFORE, PYRAMID, ("Heat rises", 2), ("Roofs are dark", 1), ("Trees help", 3))
    matched = [("Heat rises", 2), ("Parks with trees help", 3), ("Wind", 1), ("cools", 4)]
    after = report_of(AFTER, PYRAMID, *matched)

    progress = compare_reports(before, after, PYRAMID)

    assert (progress.gained, progress.lost) == ((4,), ())
    assert [kept.scu_uid for kept in progress.kept] == [2, 3, 1]
    same, other, *_ = progress.kept
    assert (same.before, same.after) == (
        spans_of(BEFORE, "Heat rises"),
        spans_of(AFTER, "Heat rises"),
    )
    assert not same.is_reworded(BEFORE, AFTER)
    assert other.is_reworded(BEFORE, AFTER)


def test_what_is_not_found_again_is_lost() -> None:
    before = report_of(BEFORE, PYRAMID, ("Heat rises", 1), ("Trees help", 4))

    progress = compare_reports(before, report_of(AFTER, PYRAMID), PYRAMID)

    assert progress == Progress(gained=(), lost=(4, 1), kept=())


def test_an_idea_that_is_told_twice_is_kept_once_with_its_first_words() -> None:
    report = report_of(BEFORE, PYRAMID, ("Trees help", 1), ("Heat rises", 1))

    (kept,) = compare_reports(report, report, PYRAMID).kept

    assert kept.before == spans_of(BEFORE, "Heat rises")


@given(was=st.sets(st.integers(1, 4)), now=st.sets(st.integers(1, 4)))
def test_every_idea_found_is_gained_lost_or_kept(was: set[int], now: set[int]) -> None:
    progress = compare_reports(_report(was, PYRAMID), _report(now, PYRAMID), PYRAMID)

    assert set(progress.gained) == now - was
    assert set(progress.lost) == was - now
    assert {kept.scu_uid for kept in progress.kept} == was & now


def _report(uids: set[int], pyramid: Pyramid) -> ScoreReport:
    return report_of(BEFORE, pyramid, *(("Heat rises", uid) for uid in sorted(uids)))
