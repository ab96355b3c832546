"""Building and looking at a pyramid."""

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from grading.actions.work import job_run
from grading.models import Assignment, Job, Reference, StoredPyramid, User
from grading.pyramid.pipeline import Engine
from tests.conftest import Cast

ClientOf = Callable[[User | None], Client]


def test_from_the_button_to_the_bands(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    response = client.post(reverse("pyramid_build", args=[assignment.pk]), follow=True)
    assert "Waiting; usually" in response.text

    assert job_run(job_pk=Job.objects.get().pk)

    seen = client.get(reverse("pyramid", args=[assignment.pk])).text
    assert "all 3 references" in seen
    assert "Who says so" in seen
    built = client.get(reverse("pyramid_file", args=[assignment.pk]))
    assert b"<pyramid>" in built.content
    assert "attachment" in built.headers["Content-Disposition"]


def test_a_double_click_builds_once(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    for _ in range(2):
        client.post(reverse("pyramid_build", args=[assignment.pk]))

    assert Job.objects.count() == 1


def test_without_references_one_is_sent_to_add_some(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    assignment.references.all().delete()

    response = client_of(cast.instructor).post(
        reverse("pyramid_build", args=[assignment.pk]), follow=True
    )

    assert "Add a reference summary first" in response.text
    assert not Job.objects.exists()


def test_building_again_keeps_the_earlier_pyramid(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    for number in (1, 2):
        client.post(reverse("pyramid_build", args=[assignment.pk]))
        assert job_run(job_pk=Job.objects.latest("pk").pk)
        Reference.objects.latest("pk").delete()
        assert StoredPyramid.objects.count() == number

    assert [row.number for row in StoredPyramid.objects.all()] == [2, 1]


def test_a_pyramid_that_is_older_than_its_references_says_so(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("pyramid_build", args=[assignment.pk]))
    assert job_run(job_pk=Job.objects.get().pk)
    said = "The references have changed since"
    places = [
        reverse(name, args=[assignment.pk]) for name in ("assignment", "references", "pyramid")
    ]
    assert [said in client.get(place).text for place in places] == [False] * 3

    assignment.references.latest("pk").delete()

    assert [said in client.get(place).text for place in places] == [True] * 3


def test_a_failed_build_says_why_and_offers_another_try(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("pyramid_build", args=[assignment.pk]))
    assignment.references.update(text="…")

    assert job_run(job_pk=Job.objects.get().pk)

    seen = client.get(reverse("pyramid", args=[assignment.pk])).text
    assert "Try again" in seen
    assert Job.objects.get().error in seen.replace("&quot;", '"').replace("&#x27;", "'")


def test_htmx_gets_the_panel_and_at_the_end_a_new_page(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("pyramid_build", args=[assignment.pk]))
    job = Job.objects.get()
    address = reverse("job", args=[job.pk])

    panel = client.get(address, headers={"HX-Request": "true"})
    assert panel.text.startswith('<div class="job job-queued"')
    assert job_run(job_pk=job.pk)

    assert client.get(address, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "<html" in client.get(address).text
