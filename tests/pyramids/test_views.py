"""The pyramid of an assignment: building, what to do next, and what is said of it."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Job, StoredPyramid, User
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing
from grading.pyramids.actions import pyramid_start_build
from grading.pyramids.actions_versions import draft_from_version
from grading.scoring.conversion import pyramid_fields, reference_to_text
from grading.submissions.actions_summaries import submission_submit
from tests.conftest import SUMMARY, Cast

ClientOf = Callable[[User | None], Client]

SETTINGS = {"builder": "edua-g", "edges": "percentile", "edge_percentile": "80", "beta": "2"}


def build(cast: Cast, assignment: Assignment, *, publish: bool = False) -> None:
    job = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=publish)
    assert job_run(job_pk=job.pk)


def page(client: Client, assignment: Assignment) -> str:
    return client.get(reverse("pyramid", args=[assignment.pk])).text


def test_from_the_button_to_the_bands(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    response = client.post(reverse("pyramid_build", args=[assignment.pk]), follow=True)
    assert "Waiting; usually" in response.text
    assert "Nothing changes for students" in response.text

    assert job_run(job_pk=Job.objects.get().pk)

    seen = page(client, assignment)
    assert "Draft 1 waits to be published" in seen
    assert "all 3 references" not in seen
    draft = Draft.objects.get()
    client.post(reverse("draft_publish", args=[draft.pk]), {"revision": "0"})
    seen = page(client, assignment)
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


def test_the_settings_go_along(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    client_of(cast.instructor).post(reverse("pyramid_build", args=[assignment.pk]), SETTINGS)

    assert Job.objects.get().options == {"builder": "edua-g", "edge_percentile": 80.0, "beta": 2.0}


def test_other_settings_wait_until_the_running_build_is_done(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("pyramid_build", args=[assignment.pk]))

    response = client.post(reverse("pyramid_build", args=[assignment.pk]), SETTINGS, follow=True)

    assert "Another draft is being built" in response.text
    assert Job.objects.get().options == {}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"edge_percentile": ""}, "Type a percentile from 0 to 100"),
        ({"edge_percentile": "101"}, "less than or equal to 100"),
        ({"beta": "many"}, "Enter a number"),
        ({"builder": "edua-x"}, "Select a valid choice"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(
    cast: Cast, assignment: Assignment, client_of: ClientOf, changed: dict[str, str], said: str
) -> None:
    address = reverse("pyramid_build", args=[assignment.pk])

    response = client_of(cast.instructor).post(address, SETTINGS | changed)

    assert response.status_code == 422
    assert said in response.text
    assert not Job.objects.exists()


def test_each_state_has_one_clear_next_step(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)

    def primary() -> str:
        """The words of the only primary button of the page."""
        (after,) = page(client, assignment).split("button-primary")[1:]
        return after.split(">")[1].split("<")[0]

    texts = [reference_to_text(one) for one in assignment.references.all()]
    assignment.references.all().delete()
    assert primary() == "Add references"
    for text in texts:
        assignment.references.create(name=text.name, text=text.content, words=20)
    assert primary() == "Build the pyramid"
    build(cast, assignment)
    assert primary() == "Open draft 1"
    client.post(reverse("draft_publish", args=[Draft.objects.get().pk]), {"revision": "0"})
    assert primary() == "Edit"
    assignment.references.latest("pk").delete()
    assert primary() == "Edit version 1"
    draft_from_version(version=StoredPyramid.objects.get(), author=cast.instructor)
    assert primary() == "Open draft 2"


def test_after_publishing_one_is_led_to_opening_the_assignment(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    Assignment.objects.update(state=Assignment.State.DRAFT)
    build(cast, assignment)
    assert "Students do not see the assignment yet" not in page(client, assignment)

    address = reverse("draft_publish", args=[Draft.objects.get().pk])
    seen = client.post(address, {"revision": "0"}, follow=True).text

    assert "Now open the assignment to students." in seen
    assert "Students do not see the assignment yet" in seen
    assert "Students do not see the assignment yet" not in page(client_of(cast.ta), assignment)
    Assignment.objects.update(state=Assignment.State.OPEN)
    assert "Students do not see the assignment yet" not in page(client, assignment)


def test_changed_references_are_told_while_a_draft_lies_there(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    build(cast, assignment, publish=True)
    build(cast, assignment)
    assert "have changed since" not in page(client_of(cast.instructor), assignment)

    assignment.references.latest("pk").delete()

    assert "begin a new draft" in page(client_of(cast.instructor), assignment)
    assert "An instructor can take the change" in page(client_of(cast.ta), assignment)


def test_assistants_look_and_have_no_button(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    seen = [page(client, assignment)]
    build(cast, assignment)
    seen.append(page(client, assignment))
    build(cast, assignment, publish=True)
    seen.append(page(client, assignment))
    Draft.objects.update(state=Draft.State.DISCARDED)
    seen.append(page(client, assignment))

    for one in seen:
        inside = one.split("<main")[1]
        assert "<form" not in inside
        assert "button-primary" not in inside


def test_a_version_from_before_there_were_drafts_is_shown_and_can_be_edited(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    text = reference_to_text(assignment.references.earliest("pk"))
    pyramid = Pyramid((text,), (Scu(1, "Hot", (Contributor(text.name, (Span(0, 6),)),)),))
    version = StoredPyramid.objects.create(
        assignment=assignment, number=1, **pyramid_fields(pyramid)
    )
    client = client_of(cast.instructor)
    assert "Published: version 1" in page(client, assignment)

    client.post(reverse("draft_from_version", args=[version.pk]))

    assert Draft.objects.get().based_on == version


def test_what_was_set_by_hand_is_said_to_be(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    text = reference_to_text(assignment.references.earliest("pk"))
    told = (Contributor(text.name, (Span(0, 6),)),)
    scus = (
        Scu(1, "Cities", told, given_weight=3),
        Scu(2, "Trees", (), given_weight=2),
        Scu(3, "Roofs", told, standing=Standing.MUST),
        Scu(4, "Uncle", told, standing=Standing.ASIDE),
        Scu(5, "Bicycle", ()),
    )
    StoredPyramid.objects.create(
        assignment=assignment, number=1, **pyramid_fields(Pyramid((text,), scus))
    )

    seen = page(client_of(cast.ta), assignment)

    for said in (
        "Weight given by hand; in 1 of 1 expert summaries.",
        "From the list of ideas asked for.",
        "Must count; in 1 of 1 expert summaries.",
        "Set aside, so not looked for",
        "Without words or weight, so not looked for",
    ):
        assert said in seen


def test_a_discarded_draft_is_listed_apart(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    build(cast, assignment)
    client = client_of(cast.instructor)
    client.post(reverse("draft_discard", args=[Draft.objects.get().pk]))

    seen = page(client, assignment)

    assert "Discarded drafts" in seen
    assert "Bring back" in seen
    assert "waits to be published" not in seen


def test_a_pyramid_that_is_older_than_its_references_says_so(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    build(cast, assignment, publish=True)
    assert job_run(job_pk=Job.objects.get(kind=Job.Kind.SCORE_SUBMISSIONS).pk)  # the experts
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

    seen = page(client, assignment)
    assert "The pyramid was not built" in seen
    assert "Try again" in seen
    assert "Other ways to begin" in seen
    assert "It becomes a draft" not in seen
    assert Job.objects.get().error in seen.replace("&quot;", '"').replace("&#x27;", "'")


def test_a_failed_build_hides_nothing_of_what_there_is(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    build(cast, assignment, publish=True)
    assignment.references.update(text="…")
    build(cast, assignment)

    seen = page(client_of(cast.instructor), assignment)

    assert seen.count("button-primary") == 1
    for said in ("Try again", "Edit version 1", "Published: version 1"):
        assert said in seen


def test_htmx_gets_the_panel_and_at_the_end_a_new_page(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("pyramid_build", args=[assignment.pk]))
    job = Job.objects.get()
    address = reverse("job", args=[job.pk])

    panel = client.get(address, headers={"HX-Request": "true"})
    assert panel.text.startswith('<div class="job job-queued"')
    assert "It becomes a draft" in panel.text  # and goes with the panel when the build fails
    assert job_run(job_pk=job.pk)

    assert client.get(address, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "<html" in client.get(address).text


def test_the_end_of_scoring_a_class_is_told(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    build(cast, assignment, publish=True)
    job = Job.objects.get(kind=Job.Kind.SCORE_SUBMISSIONS)
    client = client_of(cast.instructor)
    assert job_run(job_pk=job.pk)

    client.get(reverse("job", args=[job.pk]), headers={"HX-Request": "true"})

    assert "Everyone who has handed in is scored." in page(client, assignment)


def test_the_number_of_queries_does_not_grow_with_drafts_and_versions(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    build(cast, assignment, publish=True)
    build(cast, assignment)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page(client, assignment)
        return len(captured)

    before = queries()
    for _ in range(2):
        build(cast, assignment)
        build(cast, assignment, publish=True)

    assert queries() == before
