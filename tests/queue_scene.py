"""A class in a queue, with scores that say what a test wants: for tests and timings."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from grading.models import (
    Assignment,
    Membership,
    Score,
    StoredPyramid,
    Submission,
    SubmissionFlags,
    User,
)
from grading.pyramid.flags.text_flags import Flag, FlagKind, Near, TextFlags, flags_to_json


@dataclass(frozen=True)
class Work:
    """What a student has handed in, and what came of it."""

    name: str
    score: float | None = 0.5
    doubtful: int = 0
    confidence: float | None = 0.9
    words: int = 40
    section: str = ""
    late: bool = False
    flags: tuple[FlagKind, ...] = ()
    is_final: bool = True


def handed_in(assignment: Assignment, *works: Work) -> list[Submission]:
    """One submission for each, in their order; scored by one version of a pyramid."""
    version = version_of(assignment)
    users = [
        User(username=f"student-{number}", email=f"s{number}@example.org", name=work.name)
        for number, work in enumerate(works, User.objects.count())
    ]
    users = User.objects.bulk_create(users)
    Membership.objects.bulk_create(
        Membership(course=assignment.course, user=user, role="student", section=work.section)
        for user, work in zip(users, works, strict=True)
    )
    submissions = Submission.objects.bulk_create(
        Submission(
            assignment=assignment,
            student=user,
            text=f"The text of {user.username}.",
            words=work.words,
            late=work.late,
            is_final=work.is_final,
            submitted_at=timezone.now(),
        )
        for user, work in zip(users, works, strict=True)
    )
    pairs = list(zip(submissions, works, strict=True))
    Score.objects.bulk_create(
        scored(submission, version, work.score, work.doubtful, work.confidence)
        for submission, work in pairs
        if work.score is not None
    )
    SubmissionFlags.objects.bulk_create(
        SubmissionFlags(
            submission=first, document=flags_to_json(_text_flags(work.flags, submissions))
        )
        for first, work in pairs
    )
    return submissions


def _text_flags(kinds: Sequence[FlagKind], submissions: Sequence[Submission]) -> TextFlags:
    near = [Near(submission.pk, submission.student_id, 60, 0.5) for submission in submissions[:1]]
    flags = tuple(Flag(kind, f"Because of {kind}.") for kind in kinds)
    return TextFlags(flags, tuple(near) if FlagKind.LIKE_ANOTHER in kinds else ())


def version_of(assignment: Assignment, number: int = 1) -> StoredPyramid:
    version, _ = StoredPyramid.objects.get_or_create(
        assignment=assignment,
        number=number,
        defaults={"document": {}, "content_hash": "", "signature": "made"},
    )
    return version


def scored(
    submission: Submission,
    version: StoredPyramid,
    number: float,
    doubtful: int = 0,
    confidence: float | None = 0.9,
) -> Score:
    """Not saved yet; its document is empty, as no queue reads it."""
    return Score(
        submission=submission,
        pyramid=version,
        signature="made",
        statements=5,
        raw=5,
        quality=number,
        coverage=number,
        comprehensive=number,
        confidence=confidence,
        doubtful=doubtful,
        document={},
    )
