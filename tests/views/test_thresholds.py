"""The page of the threshold: what is suggested, what it would do, and setting it."""

import pytest
from django.test import Client
from django.urls import reverse

from grading.actions.calibration import annotation_save, round_draw
from grading.models import Assignment, CalibrationText, Job, Score, ThresholdTrial
from tests.actions.test_calibration import STUDENTS, handed_in
from tests.actions.test_corrections import work
from tests.conftest import Cast
from tests.views.test_submissions import ClientOf

__all__ = ["handed_in"]


@pytest.fixture
def instructor(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


def page_of(client: Client, assignment: Assignment) -> str:
    return client.get(reverse("calibration_threshold", args=[assignment.pk])).text


def try_it(client: Client, assignment: Assignment, **data: str) -> str:
    address = reverse("calibration_threshold", args=[assignment.pk])
    client.post(address, data or {"which": "other", "percent": "30"})
    work()
    return page_of(client, assignment)


def set_it(client: Client, assignment: Assignment, percent: str = "30") -> str:
    address = reverse("calibration_threshold_set", args=[assignment.pk])
    return client.post(address, {"percent": percent}, follow=True).text


def test_without_a_sample_a_threshold_is_a_guess(instructor: Client, handed_in: Assignment) -> None:
    page = page_of(instructor, handed_in)

    assert "In use: 50" in page
    assert "without it a threshold is a guess" in page


def test_what_people_find_at_a_lower_threshold_is_suggested(
    cast: Cast, instructor: Client, handed_in: Assignment
) -> None:
    sample = round_draw(assignment=handed_in, texts=STUDENTS, author=cast.ta)
    # As if each idea were found by people from 30 percent on.
    for number, text in enumerate(sample.texts.all()):
        known = {str(uid): 0.1 * ((uid + number) % 10) + 0.02 for uid in range(1, 6)}
        CalibrationText.objects.filter(pk=text.pk).update(probabilities=known)
        told = {int(uid): () for uid, probability in known.items() if probability > 0.3}
        annotation_save(text=text, annotator=cast.ta, told=told, is_done=True)

    page = page_of(instructor, handed_in)

    assert "is suggested</strong> in the place of 50" in page
    assert "the suggested one" in page
    assert "Agreement by threshold" in page


def test_from_looking_to_setting_and_back(instructor: Client, handed_in: Assignment) -> None:
    before = Score.objects.count()
    page = try_it(instructor, handed_in)
    assert "What 30" in page
    assert "would do to the class" in page
    assert "of 6 students" in page or "Nobody&#x27;s score moves" in page
    assert Score.objects.count() == before

    assert "It is set. The class is scored by it now." in set_it(instructor, handed_in)
    work()
    assert Score.objects.count() == 2 * before
    page = page_of(instructor, handed_in)
    assert "In use: 30" in page
    assert "<bdi>Ines Duarte</bdi>" in page

    page = try_it(instructor, handed_in, which="usual")
    assert "s own threshold (50" in page
    assert "It is set." in set_it(instructor, handed_in, "")
    handed_in.refresh_from_db()
    assert handed_in.match_probability is None


def test_nothing_is_set_whose_effect_nobody_saw(instructor: Client, handed_in: Assignment) -> None:
    assert "Nothing was changed" in set_it(instructor, handed_in)
    try_it(instructor, handed_in)
    assert "Nothing was changed" in set_it(instructor, handed_in, "31")
    assert "Nothing was changed" in set_it(instructor, handed_in, "no number")
    Assignment.objects.update(match_probability=0.7)
    assert "Another threshold has been set since." in page_of(instructor, handed_in)
    assert "Nothing was changed" in set_it(instructor, handed_in)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "Choose a threshold to try."),
        ({"which": "other"}, "Give the threshold to try."),
        ({"which": "other", "percent": "5"}, "10 percent is the least."),
        ({"which": "other", "percent": "95"}, "90 percent is the most."),
        ({"which": "suggested"}, "Nothing is suggested any more."),
    ],
)
def test_what_cannot_be_tried_is_told(
    instructor: Client, handed_in: Assignment, sent: dict[str, str], told: str
) -> None:
    address = reverse("calibration_threshold", args=[handed_in.pk])

    response = instructor.post(address, {"nothing": ""} | sent)

    assert response.status_code == 422
    assert told in response.text
    assert not ThresholdTrial.objects.exists()


def test_htmx_asks_for_the_part_while_it_is_worked_out(
    instructor: Client, handed_in: Assignment
) -> None:
    address = reverse("calibration_threshold", args=[handed_in.pk])
    instructor.post(address, {"which": "other", "percent": "40"})

    waiting = instructor.get(address, headers={"HX-Request": "true"}).text
    work()
    done = instructor.get(address, headers={"HX-Request": "true"}).text

    assert 'hx-trigger="every 1s"' in waiting
    assert done.startswith('<div class="stack" id="trial">')
    assert "every 1s" not in done


def test_names_are_hidden_where_the_assignment_hides_them(
    instructor: Client, handed_in: Assignment
) -> None:
    Assignment.objects.update(names_hidden=True)

    page = try_it(instructor, handed_in, which="other", percent="10")

    assert "Student 1" not in page


def test_a_failed_job_is_told_and_tried_again_from_the_samples(
    cast: Cast, instructor: Client, handed_in: Assignment
) -> None:
    round_draw(assignment=handed_in, texts=2, author=cast.ta)
    job = Job.objects.latest("pk")
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, error="No memory was left.")

    samples = reverse("calibration", args=[handed_in.pk])
    assert "No memory was left." in instructor.get(samples).text
    assert "No memory was left." in page_of(instructor, handed_in)
    response = instructor.post(reverse("job_try_again", args=[job.pk]))

    assert response.headers["Location"] == samples
    work()
    assert "No memory was left." not in instructor.get(samples).text
