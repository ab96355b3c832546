"""The page is the same, byte for byte, for pyramids that differ in what a level hides."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Missed, Score, StoredPyramid, Submission, User
from grading.pyramid.structures import Candidate, Contributor, Pyramid, Scu, Span, Text
from grading.scoring.conversion import pyramid_fields, score_fields
from tests.conftest import Cast
from tests.feedback_scene import Scored, keep, made, said_again

ClientOf = Callable[[User | None], Client]
Change = Callable[[Scu], Scu]


def renumbered(scu: Scu) -> Scu:
    return replace(scu, uid=scu.uid + 500, comment="Only for graders.")


def cut_short(contributor: Contributor) -> Contributor:
    words = contributor.spans[0]
    return replace(contributor, spans=(Span(words.start, words.start + 3),))


def said_otherwise(scu: Scu) -> Scu:
    """Another label, and other words of the same experts."""
    return replace(worded_otherwise(scu), label="Secret.")


def worded_otherwise(scu: Scu) -> Scu:
    return replace(renumbered(scu), contributors=tuple(map(cut_short, scu.contributors)))


def worded_otherwise_but_for_one(scu: Scu) -> Scu:
    """The first expert has most words, and keeps them."""
    first, *others = scu.contributors
    return replace(renumbered(scu), contributors=(first, *map(cut_short, others)))


def weighing_otherwise(scu: Scu) -> Scu:
    return replace(said_otherwise(scu), given_weight=9)


def turned_round(scu: Scu) -> Scu:
    """The same words in another order: the same hints."""
    return replace(renumbered(scu), label=" ".join(reversed(scu.label.split())))


def hidden_changed(scored: Scored, change: Change) -> Scored:
    """The ideas that were not found, the names of the experts, and what came close."""
    uids = {match.scu_uid for match in scored.report.evidence.matches}
    scus = tuple(scu if scu.uid in uids else change(scu) for scu in scored.pyramid.scus)
    pyramid = replace(scored.pyramid, scus=scus, notes=("A note.",))
    matches = tuple(
        replace(match, alternatives=(Candidate(match.scu_uid + 700, 0.99),))
        for match in scored.report.evidence.matches
    )
    evidence = replace(scored.report.evidence, matches=matches)
    return Scored(scored.text, renamed(pyramid), replace(scored.report, evidence=evidence))


def renamed(pyramid: Pyramid) -> Pyramid:
    """Other experts with the same words; their names are as long, and in the same order."""
    names = {text.name: f"X{text.name[1:]}" for text in pyramid.references}
    return replace(
        pyramid,
        references=tuple(Text(names[text.name], text.content) for text in pyramid.references),
        scus=tuple(
            replace(
                scu,
                contributors=tuple(
                    replace(contributor, reference=names[contributor.reference])
                    for contributor in scu.contributors
                ),
            )
            for scu in pyramid.scus
        ),
    )


def put(scored: Scored, submission: Submission) -> None:
    """In the place of what the submission was scored by."""
    score = submission.scores.get()
    StoredPyramid.objects.filter(pk=score.pyramid_id).update(**pyramid_fields(scored.pyramid))
    Score.objects.filter(pk=score.pk).update(**score_fields(scored.report))


def bytes_of(client: Client, submission: Submission, name: str = "submission") -> bytes:
    response = client.get(reverse(name, args=[submission.pk]), {"ideas": "all"})
    kept_headers = {key: value for key, value in response.items() if key != "X-Request-ID"}
    headers = "\n".join(f"{key}: {value}" for key, value in sorted(kept_headers.items()))
    token = rb'(X-CSRFToken": "|csrfmiddlewaretoken" value=")\w+'
    return headers.encode() + re.sub(token, rb"", response.content)


@pytest.mark.parametrize(
    ("level", "change"),
    [
        (Missed.NOTHING, weighing_otherwise),
        (Missed.NOTHING, said_otherwise),
        (Missed.COUNTS, said_otherwise),
        (Missed.COUNTS, turned_round),
        (Missed.HINTS, turned_round),
        (Missed.LABELS, worded_otherwise),
        (Missed.SENTENCES, worded_otherwise_but_for_one),
    ],
)
@pytest.mark.parametrize("state", Assignment.State.values[1:])
def test_what_a_level_hides_changes_no_byte(
    cast: Cast,
    assignment: Assignment,
    client_of: ClientOf,
    level: Missed,
    change: Change,
    state: str,
) -> None:
    rules = Assignment.objects.filter(pk=assignment.pk)
    rules.update(missed_before=level, missed_after=level, state=state)
    scored = said_again(made(9))
    submission = keep(scored, assignment, cast.student)
    client = client_of(cast.student)
    before = bytes_of(client, submission)

    put(hidden_changed(scored, change), submission)

    assert bytes_of(client, submission) == before
    preview = bytes_of(client_of(cast.ta), submission, "submission_as_student")
    assert b"Secret." not in preview
    assert b"Only for graders." not in preview


@pytest.mark.parametrize("level", [Missed.NOTHING, Missed.COUNTS])
def test_with_more_parts_than_ideas_only_who_knows_how_many_is_told(
    cast: Cast, assignment: Assignment, client_of: ClientOf, level: Missed
) -> None:
    """The same scores, of a pyramid with fewer ideas than the text has parts, and of another."""
    Assignment.objects.filter(pk=assignment.pk).update(missed_before=level)
    many = said_again(made(10))
    uids = {match.scu_uid for match in many.report.evidence.matches}
    scus = tuple(scu for scu in many.pyramid.scus if scu.uid in uids)
    submission = keep(many, assignment, cast.student)
    client = client_of(cast.student)
    before = bytes_of(client, submission)

    put(replace(many, pyramid=replace(many.pyramid, scus=scus)), submission)

    after = bytes_of(client, submission)
    assert (after == before) is (level == Missed.NOTHING)
    more = b"more statements than the experts have ideas"
    assert (more in after) is (level != Missed.NOTHING)
    assert more in bytes_of(client_of(cast.ta), submission)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (Missed.NOTHING, (False, False, False, False)),
        (Missed.COUNTS, (True, False, False, False)),
        (Missed.HINTS, (True, True, False, False)),
        (Missed.LABELS, (True, False, True, False)),
        (Missed.SENTENCES, (True, False, True, True)),
    ],
)
def test_each_level_tells_what_it_promises(
    cast: Cast,
    assignment: Assignment,
    client_of: ClientOf,
    level: Missed,
    expected: tuple[bool, bool, bool, bool],
) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(missed_before=level)
    scored = made(9)
    submission = keep(scored, assignment, cast.student)
    missed = scored.pyramid.scus[-1]

    seen = bytes_of(client_of(cast.student), submission).decode()

    words = ("of 39 ideas matched", "Key word", missed.label, "An expert wrote:")
    assert tuple(word in seen for word in words) == expected
    assert not any(f"<bdi>{text.name}</bdi>" in seen for text in scored.pyramid.references)


def test_graders_see_all(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(missed_before=Missed.NOTHING)
    scored = made(9)
    submission = keep(scored, assignment, cast.student)

    seen = bytes_of(client_of(cast.ta), submission).decode()

    for evidence in (
        "of 39 ideas matched",
        scored.pyramid.scus[-1].label,
        "<bdi>Ada</bdi>",
        "Came close",
    ):
        assert evidence in seen
