"""A class with scores, as many students as wanted: for tests and timings of its pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grading.models import Assignment, Membership, Role, Score, StoredPyramid, Submission, User
from grading.models.summaries import count_words
from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Candidate,
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Scu,
    Segment,
    Span,
    Text,
)
from grading.scoring.conversion import pyramid_fields, pyramid_from_row, score_fields

EXPERTS = ("Ada", "Ben", "Chi", "Dov")


@dataclass(frozen=True)
class Member:
    """A student who tells these ideas, and writes so many parts that tell none."""

    name: str
    told: tuple[int, ...]
    section: str = ""
    idle: int = 1


def pyramid_of(*weights: int) -> Pyramid:
    """Ideas 1, 2, …, each told by so many of four experts."""
    contents = dict.fromkeys(EXPERTS, "")
    scus = []
    for uid, weight in enumerate(weights, start=1):
        parts = []
        for name in EXPERTS[:weight]:
            start = len(contents[name])
            contents[name] += f"{name} on matter {uid}. "
            parts.append(Contributor(name, (Span(start, len(contents[name]) - 1),)))
        scus.append(Scu(uid, f"Matter {uid}", tuple(parts)))
    return Pyramid(tuple(Text(*pair) for pair in contents.items()), tuple(scus), "made")


def publish(assignment: Assignment, pyramid: Pyramid) -> StoredPyramid:
    """As the next version."""
    number = assignment.pyramids.count() + 1
    return StoredPyramid.objects.create(
        assignment=assignment, number=number, **pyramid_fields(pyramid)
    )


def join(assignment: Assignment, members: Sequence[Member]) -> list[User]:
    """Students of the course, who have handed in nothing."""
    first = User.objects.count()
    numbers = range(first, first + len(members))
    User.objects.bulk_create(
        User(username=f"made{number}", name=member.name)
        for number, member in zip(numbers, members, strict=True)
    )
    logins = [f"made{number}" for number in numbers]
    by_login = {user.username: user for user in User.objects.filter(username__in=logins)}
    users = [by_login[login] for login in logins]
    Membership.objects.bulk_create(
        Membership(course=assignment.course, user=user, role=Role.STUDENT, section=member.section)
        for user, member in zip(users, members, strict=True)
    )
    return users


def hand_in(
    assignment: Assignment,
    version: StoredPyramid,
    members: Sequence[Member],
    users: Sequence[User] = (),
) -> list[Submission]:
    """The next attempts of these (new) students, scored with the version."""
    pyramid = pyramid_from_row(version).counted()
    number = 1 + max(assignment.submissions.values_list("attempt", flat=True), default=0)
    made = [_written(member) for member in members]
    submissions = Submission.objects.bulk_create(
        Submission(
            assignment=assignment,
            student=user,
            attempt=number if users else 1,
            text=text.content,
            words=count_words(text.content),
        )
        for user, (text, _) in zip(users or join(assignment, members), made, strict=True)
    )
    reports = [score(pyramid, evidence, "made") for _, evidence in made]
    Score.objects.bulk_create(
        Score(submission=submission, pyramid=version, signature="made", **score_fields(report))
        for submission, report in zip(submissions, reports, strict=True)
    )
    return submissions


def _written(member: Member) -> tuple[Text, Evidence]:
    content, matches = "", []
    segments = []
    for number, uid in enumerate([*member.told, *[0] * member.idle]):
        words = f"I write of matter {uid}." if uid else f"My uncle says {number}."
        segment = Segment((Span(len(content), len(content) + len(words)),))
        content += f"{words} "
        segments.append(segment)
        if uid:
            close = tuple(Candidate(uid + step, 0.4125) for step in (1, 2, 3))
            matches.append(Match(segment, uid, 0.8125, close, 0.9125))
    return Text("", content), Evidence(tuple(segments), tuple(matches))


def alike(
    count: int, uids: Iterable[int], section: str = "", name: str = "Student"
) -> list[Member]:
    return [Member(f"{name} {number}", tuple(uids), section) for number in range(count)]
