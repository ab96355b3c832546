"""The overview: steps from references to released results, and the one that is next."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.assignments.page import SetupStep, progress_of
from grading.drafts.log import draft_create, draft_discard
from grading.models import Assignment, Draft, Membership, Review, StoredPyramid, User
from grading.scoring.conversion import pyramid_fields
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.feedback_scene import made
from tests.pages import flat

ClientOf = Callable[[User | None], Client]

STEPS = ["references", "build", "publish", "share", "review", "release"]


def current(assignment: Assignment) -> str:
    """Name of the current step; empty when all are done."""
    names = [step.name for step in steps(assignment) if step.is_current]
    assert len(names) <= 1
    return "".join(names)


def steps(assignment: Assignment) -> list[SetupStep]:
    return progress_of(assignment).steps()


def page(client: Client, assignment: Assignment) -> str:
    return flat(client.get(reverse("assignment", args=[assignment.pk])).text)


def publish(assignment: Assignment) -> None:
    fields = pyramid_fields(made(3).pyramid)
    StoredPyramid.objects.create(assignment=assignment, number=1, **fields)


def test_the_current_step_moves_from_references_to_release(
    cast: Cast, assignment: Assignment
) -> None:
    Assignment.objects.update(release="by_hand", state="draft")
    assignment.refresh_from_db()
    texts = list(assignment.references.all())
    assignment.references.all().delete()
    assert [step.name for step in steps(assignment)] == STEPS
    assert current(assignment) == "references"

    for text in texts:
        text.save()
    assert current(assignment) == "build"

    draft = draft_create(
        assignment=assignment,
        pyramid=made(3).pyramid,
        origin=Draft.Origin.BUILT,
        author=cast.instructor,
    )
    assert current(assignment) == "publish"

    draft_discard(draft=draft)
    publish(assignment)
    assert current(assignment) == "share"

    assignment.state = Assignment.State.OPEN
    assignment.save()
    assert current(assignment) == "review"

    submission = submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    assert current(assignment) == "review"
    Review.objects.create(
        assignment=assignment,
        student=cast.student,
        submission=submission,
        reviewed_at=timezone.now(),
    )
    assert current(assignment) == "release"

    assignment.submissions.update(visibility="shown")
    assert current(assignment) == ""


def test_an_open_assignment_without_students_shows_the_join_link(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    publish(assignment)
    Membership.objects.filter(role="student").delete()

    text = page(client_of(cast.instructor), assignment)

    assert current(assignment) == "share"
    assert f"/courses/join/?code={cast.course.code}" in text


def test_imported_work_needs_no_join_link(cast: Cast, assignment: Assignment) -> None:
    publish(assignment)
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    Assignment.objects.update(state="draft")

    assert current(Assignment.objects.get()) == "review"


def test_results_shown_at_once_need_no_release(cast: Cast, assignment: Assignment) -> None:
    publish(assignment)
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)

    assert next(step for step in steps(assignment) if step.name == "release").is_done


def test_nothing_is_above_the_steps_and_one_is_current(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    text = page(client_of(cast.instructor), assignment)

    content = text.partition('class="page-actions"')[2].partition("</main>")[0]
    above = content.partition('<ol class="checklist">')[0]
    assert re.sub("<[^>]+>|What to do next", "", above).strip(" >") == ""
    assert content.count('aria-current="step"') == 1
    assert content.count("button-primary") == 1


@pytest.mark.parametrize("state", ["references", "build", "share"])
def test_assistants_get_no_buttons_that_only_instructors_may_press(
    cast: Cast, assignment: Assignment, client_of: ClientOf, state: str
) -> None:
    if state == "references":
        assignment.references.all().delete()
    if state == "share":
        publish(assignment)
        Assignment.objects.update(state="draft")

    text = page(client_of(cast.ta), assignment)

    assert current(Assignment.objects.get()) == state
    content = text.partition('<ol class="checklist">')[2].partition("</ol>")[0]
    assert "<form" not in content
    assert "button-primary" not in content
