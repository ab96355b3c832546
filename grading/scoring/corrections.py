"""Graders' corrections: kept one by one, and carried over to every score of the submission."""

from collections.abc import Container, Iterable, Sequence
from functools import cached_property

from django.db import transaction

from grading.models import (
    Comment,
    Draft,
    MarkingStep,
    MatchCorrection,
    Score,
    SecondLook,
    StoredPyramid,
    Submission,
    SubmissionEvent,
    User,
)
from grading.pyramid.corrections import (
    Correction,
    Step,
    Verdict,
    correct_report,
    correction_count,
    step_history,
)
from grading.pyramid.effects import pair_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import spans_from_json, spans_to_json
from grading.pyramid.structures import Pyramid, ScoreReport
from grading.scoring.conversion import pyramid_from_row, report_from_row, score_fields


class Carrier:
    """Finds the ideas that corrections are about in one version, whatever version they come from.

    In a version that was made of the earlier one a number stays with its idea; in any other the
    idea is the one that shares its words. Ready for a class: each earlier version is read once, and
    nothing is read as long as all corrections are of this version.
    """

    def __init__(
        self, pyramid: Pyramid, based_on: StoredPyramid | None, *, is_version: bool = False
    ) -> None:
        self._pyramid = pyramid
        self._based_on = based_on
        self._uids: dict[int, dict[int, int]] = {}
        if based_on is not None and is_version:
            self._uids[based_on.pk] = {scu.uid: scu.uid for scu in pyramid.scus}

    @classmethod
    def to_version(cls, version: StoredPyramid) -> "Carrier":
        return cls(pyramid_from_row(version), version, is_version=True)

    @classmethod
    def to_draft(cls, draft: Draft, pyramid: Pyramid) -> "Carrier":
        return cls(pyramid, draft.based_on)

    @cached_property
    def _ancestors(self) -> frozenset[int]:
        """The version that this one is based on, and those that it was made of in turn."""
        version = self._based_on
        if version is None:
            return frozenset()
        made_of = dict(
            Draft.objects.filter(assignment=version.assignment_id, published_as__isnull=False)
            .exclude(based_on=None)
            .values_list("published_as", "based_on")
        )
        versions, current = {version.pk}, version.pk
        while current in made_of and made_of[current] not in versions:
            current = made_of[current]
            versions.add(current)
        return frozenset(versions)

    def carried(self, rows: Sequence[MatchCorrection]) -> list[Correction]:
        """Corrections of words, and of ideas that the version has, by the idea's number there."""
        pairs = ((row, self.uid_of(row)) for row in rows)
        return [
            Correction(uid, Verdict(row.verdict), spans_from_json(row.spans) if row.spans else ())
            for row, uid in pairs
            if uid is not None or row.scu_uid is None
        ]

    def lost(self, rows: Sequence[MatchCorrection]) -> list[MatchCorrection]:
        """Corrections of ideas that the version does not have."""
        return [row for row in rows if row.scu_uid is not None and self.uid_of(row) is None]

    def uid_of(self, row: MatchCorrection | SecondLook | Comment) -> int | None:
        """The number that its idea has in this version; None where it is not there."""
        version = row.pyramid_id  # the row itself is fetched once for all that are about it
        if row.scu_uid is None or version is None:
            return None
        if version not in self._uids and row.pyramid:
            self.uids_from(row.pyramid)
        return self._uids.get(version, {}).get(row.scu_uid)

    def uids_from(self, version: StoredPyramid) -> dict[int, int]:
        """The numbers here of the ideas of another version that are here, by theirs."""
        if version.pk not in self._uids:
            same = version.pk in self._ancestors
            pairs = pair_ideas(pyramid_from_row(version), self._pyramid, same_numbers=same)
            self._uids[version.pk] = {
                before.uid: after.uid for before, after in pairs if before and after
            }
        return self._uids[version.pk]

    def has(self, uid: int) -> bool:
        """Does this version have an idea of this number?"""
        return any(scu.uid == uid for scu in self._pyramid.scus)

    def label(self, uid: int) -> str:
        """For people to read."""
        return " ".join(self._pyramid.scu(uid).label.split())

    def number(self, uid: int) -> int:
        """For people to read, as all pages of this version number it."""
        return self._pyramid.numbers()[uid]


def corrections_of(submissions: Iterable[Submission]) -> dict[int, list[MatchCorrection]]:
    """All corrections in force, by submission, in their order, in at most two queries."""
    rows = correction_rows(submission.pk for submission in submissions)
    marked = {row.submission_id for row in rows if row.step_id is not None}
    steps: dict[int, list[Step]] = {}
    if marked:
        for step in MarkingStep.objects.filter(submission__in=marked).order_by("pk"):
            steps.setdefault(step.submission_id, []).append(Step(step.pk, step.undoes_id))
    in_force = frozenset[int]().union(*(step_history(taken).in_force for taken in steps.values()))
    by_submission: dict[int, list[MatchCorrection]] = {}
    for row in rows_in_force(rows, in_force):
        by_submission.setdefault(row.submission_id, []).append(row)
    return by_submission


def correction_rows(submission_pks: Iterable[int]) -> list[MatchCorrection]:
    """Every correction that was ever made of these, in order, without the versions' documents."""
    rows = MatchCorrection.objects.filter(submission__in=list(submission_pks))
    return list(rows.select_related("pyramid", "second_look", "author").defer("pyramid__document"))


def rows_in_force(
    rows: Sequence[MatchCorrection], steps_in_force: Container[int]
) -> list[MatchCorrection]:
    """Corrections that are not undone. ``steps_in_force`` are those of ``step_history``.

    A correction by the answer to a second look is in force until the answer is changed: what the
    program finds then counts again, in this version and in every other. A correction on the review
    desk is in force until it is undone.
    """
    last = {row.second_look_id: row.pk for row in rows}

    def is_in_force(row: MatchCorrection) -> bool:
        look = row.second_look
        if look is not None and not (look.is_accepted and last[look.pk] == row.pk):
            return False
        return row.step_id is None or row.step_id in steps_in_force

    return [row for row in rows if is_in_force(row)]


def correction_row(
    correction: Correction, submission: Submission, version: StoredPyramid, author: User
) -> MatchCorrection:
    """A correction as a row, not saved yet."""
    return MatchCorrection(
        submission=submission,
        pyramid=version,
        scu_uid=correction.scu_uid,
        verdict=correction.verdict,
        spans=spans_to_json(correction.spans),
        author=author,
    )


@transaction.atomic
def match_correct(
    *,
    score: Score,
    correction: Correction,
    author: User,
    second_look: SecondLook | None = None,
) -> Score:
    """Store a grader's correction, and score the submission again with it."""
    submission = Submission.objects.select_for_update().get(pk=score.submission_id)
    version = score.pyramid
    pyramid = pyramid_from_row(version)
    label = next((scu.label for scu in pyramid.scus if scu.uid == correction.scu_uid), None)
    if label is None:
        raise InputError("This idea is not in the pyramid that scored the text.")
    row = correction_row(correction, submission, version, author)
    row.second_look = second_look
    row.save()
    before = _newest(score)
    after = rescore(score=before)
    SubmissionEvent.objects.create(
        submission=submission,
        kind=SubmissionEvent.Kind.CORRECTED,
        author=author,
        document={
            "correction": row.pk,
            **({"second_look": second_look.pk} if second_look else {}),
            "label": label,
            "verdict": correction.verdict,
            "before": score_numbers(before),
            "after": score_numbers(after),
        },
    )
    return after


def score_correct(
    *,
    machine: Score,
    carrier: Carrier,
    rows: Sequence[MatchCorrection],
    newest: Score | None = None,
    again: bool = False,
) -> Score:
    """The score with corrections; the program's own where there are none (now).

    Call it inside the transaction that keeps the program's own score. ``newest`` is its last
    revision, where the caller has it under the submission's lock. ``again``: as a row of its own in
    any case, where another configuration's score came in between.
    """
    corrections = carrier.carried(rows)
    report = report_from_row(machine)
    count = correction_count(report.evidence, corrections)
    newest = newest or _newest(machine)
    if not count and newest == machine and not again:
        return machine
    pyramid = pyramid_from_row(machine.pyramid)
    report = correct_report(report, pyramid, corrections)
    return Score.objects.create(
        submission_id=machine.submission_id,
        pyramid=machine.pyramid,
        signature=machine.signature,
        revision=newest.revision + 1,
        corrections=count,
        **score_fields(report),
    )


def report_correct(
    report: ScoreReport, pyramid: Pyramid, carrier: Carrier, rows: Sequence[MatchCorrection]
) -> ScoreReport:
    """The same of a report that is not kept, as when an effect is predicted."""
    corrections = carrier.carried(rows)
    return correct_report(report, pyramid, corrections) if corrections else report


def rescore(*, score: Score) -> Score:
    """Score a submission with the corrections in force, in the transaction that changed them.

    ``score`` is its newest by this version: the next revision follows it.
    """
    rows = corrections_of([score.submission]).get(score.submission_id, [])
    return score_correct(
        machine=score_by_program(score),
        carrier=Carrier.to_version(score.pyramid),
        rows=rows,
        newest=score,
    )


def score_by_program(score: Score) -> Score:
    """The program's own score that this one corrects; the same object where it corrects nothing."""
    if score.revision == 0:
        return score
    machine = Score.objects.get(
        submission=score.submission_id,
        pyramid=score.pyramid_id,
        signature=score.signature,
        revision=0,
    )
    machine.pyramid = score.pyramid  # this object is parsed already
    return machine


def _newest(score: Score) -> Score:
    """The last revision of a score, with the same object of its version."""
    newest = Score.objects.filter(
        submission=score.submission_id, pyramid=score.pyramid_id, signature=score.signature
    ).latest("revision")
    newest.pyramid = score.pyramid
    return newest


def score_numbers(score: Score) -> dict[str, float] | None:
    """What an event keeps of a score; nothing of a text that is held, which has none."""
    if score.held:
        return None
    return {
        "comprehensive": score.comprehensive,
        "quality": score.quality,
        "coverage": score.coverage,
    }
