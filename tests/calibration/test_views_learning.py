"""The page on which an instructor looks at what marks teach, applies it, or undoes it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from grading.calibration.actions import annotation_save, round_draw
from grading.models import Assignment, CalibrationText, Job, Score, ThresholdChange, ThresholdTrial
from tests.calibration.test_actions import STUDENTS, handed_in
from tests.calibration.test_actions_learning import marked
from tests.conftest import Cast
from tests.feedback.test_views import ClientOf
from tests.scoring.test_corrections import work

__all__ = ["handed_in", "marked"]

CORRECTIONS = f"Learn from the {STUDENTS} corrections made so far"


@pytest.fixture
def instructor(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


def words(page: str) -> str:
    """The text of a page, with single spaces."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.replace("&#8239;", "")).split())


def page_of(client: Client, assignment: Assignment) -> str:
    return client.get(reverse("calibration_learning", args=[assignment.pk])).text


def try_it(client: Client, assignment: Assignment, **data: str) -> str:
    address = reverse("calibration_learning", args=[assignment.pk])
    client.post(address, data or {"which": "other", "percent": "30"})
    work()
    return page_of(client, assignment)


def stamp() -> str:
    trial = ThresholdTrial.objects.first()
    return trial.created_at.isoformat() if trial else "none"


def set_it(client: Client, assignment: Assignment, **data: str) -> str:
    address = reverse("calibration_learning_set", args=[assignment.pk])
    return client.post(address, data or {"trial": stamp()}, follow=True).text


def undo_it(client: Client, assignment: Assignment, change: object) -> str:
    address = reverse("calibration_learning_undo", args=[assignment.pk])
    return client.post(address, {"change": str(change)}, follow=True).text


def test_before_anybody_has_marked_a_text(instructor: Client, handed_in: Assignment) -> None:
    page = words(page_of(instructor, handed_in))

    assert "own rule. A match counts from 50%." in page
    assert "Nothing yet. Review some texts" in page
    samples = instructor.get(reverse("calibration", args=[handed_in.pk])).text
    assert "Nobody has marked a text yet." in words(samples)


def test_corrections_are_offered_to_instructors(
    cast: Cast, client_of: ClientOf, instructor: Client, marked: Assignment
) -> None:
    address = reverse("calibration", args=[marked.pk])

    page = words(instructor.get(address).text)

    assert CORRECTIONS in page
    assert f"{STUDENTS} corrections in {STUDENTS} texts by 1 grader" in page
    assert f"{STUDENTS} texts marked as reviewed" in page
    assert CORRECTIONS not in words(client_of(cast.ta).get(address).text)


def test_from_the_offer_to_applying_and_undoing(instructor: Client, marked: Assignment) -> None:
    before = Score.objects.count()
    assert CORRECTIONS in words(page_of(instructor, marked))

    page = words(try_it(instructor, marked, which="marks"))

    assert "What learning would do" in page
    assert f"on {STUDENTS} texts. A match counts from" in page
    assert "Alpha without learning" in page
    assert "Matches gained" in page
    assert "Mean change of the comprehensive score" in page
    assert "Ideas counted more readily" in page
    assert Score.objects.count() == before

    assert "Set. The class is being scored again." in set_it(instructor, marked)
    work()
    page = words(page_of(instructor, marked))
    assert "In use: learnt from" in page
    assert "Ines Duarte : learnt from" in page
    assert "This is in use already." in words(try_it(instructor, marked, which="marks"))

    change = ThresholdChange.objects.get()
    assert "Undone. The class is being scored again." in undo_it(instructor, marked, change.pk)
    work()
    marked.refresh_from_db()
    assert marked.learnt_curve is None
    assert "something else has been set since" in undo_it(instructor, marked, change.pk)


def test_not_now_forgets_it(instructor: Client, marked: Assignment) -> None:
    try_it(instructor, marked, which="marks")

    page = set_it(instructor, marked, trial=stamp(), not_now="yes")

    assert "Nothing was changed." in page
    assert "What learning would do" not in page
    marked.refresh_from_db()
    assert marked.learnt_curve is None


def annotate(cast: Cast, assignment: Assignment) -> None:
    """As if people found each idea from 30 percent on."""
    sample = round_draw(assignment=assignment, texts=STUDENTS, author=cast.ta)
    work()
    for number, text in enumerate(sample.texts.all()):
        known = {str(uid): 0.1 * ((uid + number) % 10) + 0.02 for uid in range(1, 6)}
        CalibrationText.objects.filter(pk=text.pk).update(probabilities=known)
        told = {int(uid): () for uid, probability in known.items() if probability > 0.3}
        annotation_save(text=text, annotator=cast.ta, told=told, is_done=True)


def test_what_the_samples_alone_say_is_there_at_once(
    cast: Cast, instructor: Client, handed_in: Assignment
) -> None:
    annotate(cast, handed_in)

    page = words(page_of(instructor, handed_in))

    assert f"{STUDENTS} texts annotated blind in samples" in page
    assert "What the samples alone say Learning is suggested." in page
    assert "Learn from all reviewed and annotated texts" in page
    assert "Learn only from" not in page  # there is nothing else


def test_blind_annotations_alone_can_be_chosen(
    cast: Cast, instructor: Client, marked: Assignment
) -> None:
    annotate(cast, marked)
    assert f"Learn only from the {STUDENTS} texts annotated blind" in words(
        page_of(instructor, marked)
    )

    try_it(instructor, marked, which="samples")

    assert ThresholdTrial.objects.get().source == ThresholdTrial.Source.SAMPLES


def test_a_probability_is_set_manually(instructor: Client, handed_in: Assignment) -> None:
    before = Score.objects.count()
    page = words(try_it(instructor, handed_in))
    assert "Set manually. A match counts from 30%." in page
    assert "of 6 students" in page or "Nobody&#x27;s score moves" in page
    assert Score.objects.count() == before

    set_it(instructor, handed_in)
    work()

    assert Score.objects.count() == 2 * before
    page = words(page_of(instructor, handed_in))
    assert "In use: set manually. A match counts from 30%." in page
    try_it(instructor, handed_in, which="usual")
    set_it(instructor, handed_in)
    handed_in.refresh_from_db()
    assert handed_in.match_probability is None


def test_nothing_is_set_whose_effect_nobody_saw(instructor: Client, handed_in: Assignment) -> None:
    assert "Nothing was changed" in set_it(instructor, handed_in)
    try_it(instructor, handed_in)
    earlier = stamp()
    try_it(instructor, handed_in, which="other", percent="31")
    assert "Nothing was changed" in set_it(instructor, handed_in, trial=earlier)
    Assignment.objects.update(match_probability=0.7)
    assert "Something else has been set since." in page_of(instructor, handed_in)
    assert "Nothing was changed" in set_it(instructor, handed_in)


@pytest.mark.parametrize("change", ["0", "x", "", "999", "9" * 30])
def test_a_change_that_is_not_there_cannot_be_undone(
    instructor: Client, handed_in: Assignment, change: str
) -> None:
    assert "Nothing was changed" in undo_it(instructor, handed_in, change)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "Choose what to try."),
        ({"which": "other"}, "Give the probability to try."),
        ({"which": "other", "percent": "5"}, "10 percent is the least."),
        ({"which": "other", "percent": "95"}, "90 percent is the most."),
        ({"which": "marks"}, "There is nothing to learn from any more."),
        ({"which": "samples"}, "There is nothing to learn from any more."),
    ],
)
def test_what_cannot_be_tried_is_told(
    instructor: Client, handed_in: Assignment, sent: dict[str, str], told: str
) -> None:
    address = reverse("calibration_learning", args=[handed_in.pk])

    response = instructor.post(address, {"nothing": ""} | sent)

    assert response.status_code == 422
    assert told in response.text
    assert not ThresholdTrial.objects.exists()


def test_htmx_asks_for_the_part_while_it_is_worked_out(
    instructor: Client, handed_in: Assignment
) -> None:
    address = reverse("calibration_learning", args=[handed_in.pk])
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
