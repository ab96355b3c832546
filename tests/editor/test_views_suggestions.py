"""Suggestions as a page: looked for, listed, taken, dismissed, brought back."""

import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.drafts.log import draft_discard
from grading.editor.actions import analysis_start
from grading.jobs.runner import job_run
from grading.models import Assignment, Dismissal, Draft, Finding, Job, Reference, User
from grading.pyramid.editing.commands import SplitScu
from grading.pyramid.pipeline import Engine, build_pyramid
from tests.conftest import REFERENCES, Cast
from tests.drafts.drafting import Editor, begun

ClientOf = Callable[[User | None], Client]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def draft(assignment: Assignment, engine: Engine) -> Draft:
    """With one idea torn apart."""
    built = build_pyramid(REFERENCES, engine)
    scu = next(scu for scu in built.scus[::-1] if len(scu.contributors) > 1)
    return begun(assignment, SplitScu(scu.uid, 900, (scu.contributors[0].reference,)).apply(built))


@pytest.fixture
def looked_at(draft: Draft, cast: Cast) -> Draft:
    job = analysis_start(draft=draft, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)
    return draft


def address(draft: Draft) -> str:
    return reverse("draft_analysis", args=[draft.pk])


def part(client: Client, draft: Draft, query: str = "") -> str:
    return client.get(address(draft) + query, headers=HTMX).content.decode()


def merge_key(draft: Draft) -> str:
    html = Finding.objects.get(draft=draft).document["suggestions"]
    return str(next(item["key"] for item in html if item["kind"] == "merge"))


def do(client: Client, draft: Draft, what: str, **data: str) -> tuple[int, str]:
    url = reverse(f"suggestion_{what}", args=[draft.pk, merge_key(draft)])
    response = client.post(url, data, headers=HTMX)
    return response.status_code, response.content.decode()


def test_the_page_asks_for_a_look_and_a_get_starts_nothing(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    html = part(client_of(cast.instructor), draft)

    assert "This draft has not been analysed yet." in html
    assert 'hx-trigger="load, submit"' in html
    assert not Job.objects.filter(kind=Job.Kind.ANALYSE_DRAFT).exists()


def test_a_ta_sees_but_starts_takes_and_dismisses_nothing(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    assert "hx-post" not in part(client_of(cast.ta), draft)
    assert client_of(cast.ta).post(address(draft)).status_code == 403


def test_a_post_starts_a_look_and_the_panel_polls(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)

    answer = client.post(address(draft), {"progress": "suggestions"}, headers=HTMX)

    assert 'hx-trigger="every 1s"' in answer.content.decode()
    assert Job.objects.get(kind=Job.Kind.ANALYSE_DRAFT).draft == draft
    assert "?progress=suggestions" in part(client, draft)


@pytest.mark.parametrize(
    ("page", "target"), [("suggestions", "#suggestion-list"), ("quality", "#quality")]
)
def test_once_it_is_done_the_poll_fetches_what_was_found(
    looked_at: Draft, cast: Cast, client_of: ClientOf, page: str, target: str
) -> None:
    html = part(client_of(cast.instructor), looked_at, f"?progress={page}")

    assert f'hx-target="{target}"' in html
    assert 'hx-trigger="load"' in html
    assert "data-suggestion" not in html


@pytest.mark.parametrize(
    ("data", "where"), [({}, "draft_analysis"), ({"progress": "quality"}, "draft_quality")]
)
def test_without_script_a_look_is_started_by_a_button(
    draft: Draft, cast: Cast, client_of: ClientOf, data: dict[str, str], where: str
) -> None:
    response = client_of(cast.instructor).post(address(draft), data)

    assert response.status_code == 302
    assert response.headers["Location"] == reverse(where, args=[draft.pk])


def test_a_look_that_failed_says_why_and_can_be_tried_again(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    job = analysis_start(draft=draft, requested_by=cast.instructor)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, error="The model is gone.")

    html = part(client_of(cast.instructor), draft)

    assert "The model is gone." in html
    assert "Try again" in html


def test_suggestions_are_listed_with_reason_words_and_buttons(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    html = " ".join(part(client_of(cast.instructor), looked_at).split())

    key = merge_key(looked_at)
    assert "Two ideas that may be one" in html
    assert f'id="suggestion-{key}" tabindex="-1" data-suggestion' in html
    assert 'data-scu="' in html
    assert f'id="take-{key}" data-take' in html
    assert f'id="dismiss-{key}" data-dismiss' in html
    assert "<form" not in part(client_of(cast.ta), looked_at)


def test_older_suggestions_stay_in_sight_while_newer_are_looked_for(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    Finding.objects.update(revision=5)

    html = part(client_of(cast.instructor), looked_at)

    assert "This does not include the latest changes." in html
    assert 'hx-trigger="load delay:3s, submit"' in html
    assert merge_key(looked_at) in html


def test_nothing_to_suggest_is_said(looked_at: Draft, cast: Cast, client_of: ClientOf) -> None:
    finding = Finding.objects.get()
    finding.document["suggestions"] = []
    finding.save()

    assert "Nothing to suggest." in part(client_of(cast.instructor), looked_at)


def test_taking_one_answers_as_an_edit_does(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)

    status, html = do(client, looked_at, "accept", revision="0", token=str(uuid.uuid4()))

    looked_at.refresh_from_db()
    assert status == 200
    assert looked_at.revision == 1
    assert 'hx-swap-oob="' in html
    assert f'id="suggestion-{merge_key(looked_at)}"' not in part(client, looked_at)


def test_taking_without_script_leads_to_the_draft(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    url = reverse("suggestion_accept", args=[looked_at.pk, merge_key(looked_at)])

    response = client_of(cast.instructor).post(url, {"revision": "0"})

    assert response.status_code == 302
    assert response.headers["Location"] == reverse("draft", args=[looked_at.pk])


def test_taking_on_a_stale_state_is_a_conflict(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    Draft.objects.update(revision=1)
    Finding.objects.update(revision=1)

    assert do(client_of(cast.instructor), looked_at, "accept", revision="0")[0] == 409


def test_taking_without_a_revision_is_no_request(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    assert do(client_of(cast.instructor), looked_at, "accept")[0] == 400


def test_dismissed_ones_are_kept_aside_and_can_be_brought_back(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    client, key = client_of(cast.instructor), merge_key(looked_at)

    _, html = do(client, looked_at, "dismiss")

    assert Dismissal.objects.get().author == cast.instructor
    assert "Dismissed (1)" in html
    status = '<div id="editor-status" hx-swap-oob="innerHTML"> <p>Dismissed. '
    assert status in " ".join(html.split())
    assert f'id="take-{key}"' not in html
    assert f'id="bring-back-{key}"' in html

    _, html = do(client, looked_at, "restore")
    assert "Dismissed" not in html
    assert "Suggestion restored." in html
    assert f'id="take-{key}"' in html


def test_dismissing_without_script_leads_back_to_the_list(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    url = reverse("suggestion_dismiss", args=[looked_at.pk, merge_key(looked_at)])

    response = client_of(cast.instructor).post(url)

    assert response.headers["Location"] == address(looked_at)


def test_a_new_reference_is_suggested_at_once(
    draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    Reference.objects.create(
        assignment=draft.assignment, name="<b>Dee</b>", text="Heat kills old people.", words=4
    )

    html = part(client_of(cast.instructor), draft)

    assert "The references have changed" in html
    assert "<b>Dee" not in html


def test_a_discarded_draft_is_looked_at_by_nobody(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    draft_discard(draft=looked_at)

    assert "<form" not in part(client_of(cast.instructor), looked_at)

    jobs = Job.objects.count()
    client_of(cast.instructor).post(address(looked_at))
    assert Job.objects.count() == jobs


def test_without_script_the_list_is_a_page(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    html = client_of(cast.instructor).get(address(looked_at)).content.decode()

    assert "<h1>Suggestions</h1>" in html
    assert merge_key(looked_at) in html


def test_queries_do_not_grow_with_suggestions(
    looked_at: Draft, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    part(client, looked_at)
    with CaptureQueriesContext(
        connection,
    ) as few:
        part(client, looked_at)
    finding = Finding.objects.get()
    suggestion = finding.document["suggestions"][0]
    finding.document["suggestions"] = [suggestion | {"key": f"{n:032}"} for n in range(25)]
    finding.save()
    with CaptureQueriesContext(connection) as many:
        part(client, looked_at)

    assert len(many) == len(few)


@pytest.mark.parametrize("key", ["x", "0" * 31, "0" * 33, "0" * 65, "G" * 32])
def test_what_is_no_key_of_a_suggestion_is_no_address(
    key: str, draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    address = f"/drafts/{draft.pk}/suggestions/{key}/dismiss/"

    assert client_of(cast.instructor).post(address).status_code == 404
    assert not draft.dismissals.exists()


def test_what_a_person_split_is_not_suggested_to_be_merged(
    assignment: Assignment, engine: Engine, cast: Cast, client_of: ClientOf
) -> None:
    built = build_pyramid(REFERENCES, engine)
    scu = next(scu for scu in built.scus[::-1] if len(scu.contributors) > 1)
    draft = begun(assignment, built)
    split = SplitScu(scu.uid, draft.next_uid, (scu.contributors[0].reference,))
    editor = Editor(draft, cast.instructor)
    editor.edit(split)
    job = analysis_start(draft=draft, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)
    assert merge_key(draft)  # the program thinks otherwise

    client = client_of(cast.instructor)
    assert merge_key(draft) not in part(client, draft)

    editor.undo()
    editor.redo()
    assert merge_key(draft) not in part(client, draft)
