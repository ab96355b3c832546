"""The page of the pyramid, the ways to begin a draft, and the references."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Job, StoredPyramid, User
from grading.models.summaries import MOST_REFERENCES
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing, Text
from grading.pyramids.actions import (
    draft_from_version,
    pyramid_start_build,
    reference_change,
    reference_stamp,
    references_add,
)
from grading.pyramids.forms import ReferenceForm, ReferencesForm
from grading.scoring.conversion import pyramid_fields, reference_to_text
from grading.submissions.actions import submission_submit
from grading.web.texts_in_forms import LONGEST_TEXT
from grading.web.uploads import LARGEST_DOCUMENT
from tests.conftest import REFERENCES, SUMMARY, Cast
from tests.pyramid.formats.made_files import paragraph, pdf_file, word_file

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


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
    assert "Waiting, usually" in response.text
    assert "Nothing changes for students" in response.text

    assert job_run(job_pk=Job.objects.get().pk)

    html = page(client, assignment)
    assert "Draft 1 is waiting to be published" in html
    assert "all 3 references" not in html
    draft = Draft.objects.get()
    client.post(reverse("draft_publish", args=[draft.pk]), {"revision": "0"})
    html = page(client, assignment)
    assert "all 3 references" in html
    assert "Experts who say it" in html
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
        return after.split(">")[1].split("<")[0].strip()

    texts = [reference_to_text(reference) for reference in assignment.references.all()]
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
    assert "Students can't see the assignment yet" not in page(client, assignment)

    address = reverse("draft_publish", args=[Draft.objects.get().pk])
    html = client.post(address, {"revision": "0"}, follow=True).text

    assert "Now open the assignment to students." in html
    assert "Students can't see the assignment yet" in html
    assert "Students can't see the assignment yet" not in page(client_of(cast.ta), assignment)
    Assignment.objects.update(state=Assignment.State.OPEN)
    assert "Students can't see the assignment yet" not in page(client, assignment)


def test_changed_references_are_told_while_a_draft_lies_there(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    build(cast, assignment, publish=True)
    build(cast, assignment)
    assert "have changed since" not in page(client_of(cast.instructor), assignment)

    assignment.references.latest("pk").delete()

    assert "start a new draft" in page(client_of(cast.instructor), assignment)
    assert "An instructor can update a draft" in page(client_of(cast.ta), assignment)


def test_assistants_look_and_have_no_button(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    pages = [page(client, assignment)]
    build(cast, assignment)
    pages.append(page(client, assignment))
    build(cast, assignment, publish=True)
    pages.append(page(client, assignment))
    Draft.objects.update(state=Draft.State.DISCARDED)
    pages.append(page(client, assignment))

    for shown_page in pages:
        inside = shown_page.split("<main")[1]
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
    contributors = (Contributor(text.name, (Span(0, 6),)),)
    scus = (
        Scu(1, "Cities", contributors, given_weight=3),
        Scu(2, "Trees", (), given_weight=2),
        Scu(3, "Roofs", contributors, standing=Standing.MUST),
        Scu(4, "Uncle", contributors, standing=Standing.ASIDE),
        Scu(5, "Bicycle", ()),
    )
    StoredPyramid.objects.create(
        assignment=assignment, number=1, **pyramid_fields(Pyramid((text,), scus))
    )

    page_html = page(client_of(cast.ta), assignment)

    for message in (
        "Weight set manually; in 1 of 1 expert summaries.",
        "From the list of ideas asked for.",
        "Must count; in 1 of 1 expert summaries.",
        "Not scored: set aside",
        "Not scored: no words or weight",
    ):
        assert message in page_html


def test_a_discarded_draft_is_listed_apart(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    build(cast, assignment)
    client = client_of(cast.instructor)
    client.post(reverse("draft_discard", args=[Draft.objects.get().pk]))

    html = page(client, assignment)

    assert "Discarded drafts" in html
    assert "Restore" in html
    assert "waiting to be published" not in html


def test_a_pyramid_that_is_older_than_its_references_says_so(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    build(cast, assignment, publish=True)
    assert job_run(job_pk=Job.objects.get(kind=Job.Kind.SCORE_SUBMISSIONS).pk)  # the experts
    text = "The references have changed since"
    places = [
        reverse(name, args=[assignment.pk]) for name in ("assignment", "references", "pyramid")
    ]
    assert [text in client.get(place).text for place in places] == [False] * 3

    assignment.references.latest("pk").delete()

    assert [text in client.get(place).text for place in places] == [True] * 3


def test_a_failed_build_says_why_and_offers_another_try(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("pyramid_build", args=[assignment.pk]))
    assignment.references.update(text="…")

    assert job_run(job_pk=Job.objects.get().pk)

    html = page(client, assignment)
    assert "The pyramid was not built" in html
    assert "Try again" in html
    assert "Other ways to start" in html
    assert "get a draft" not in html
    assert Job.objects.get().error in html.replace("&quot;", '"').replace("&#x27;", "'")


def test_a_failed_build_hides_nothing_of_what_there_is(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    build(cast, assignment, publish=True)
    assignment.references.update(text="…")
    build(cast, assignment)

    html = page(client_of(cast.instructor), assignment)

    assert html.count("button-primary") == 1
    for text in ("Try again", "Edit version 1", "Published: version 1"):
        assert text in html


def test_htmx_gets_the_panel_and_at_the_end_a_new_page(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(reverse("pyramid_build", args=[assignment.pk]))
    job = Job.objects.get()
    address = reverse("job", args=[job.pk])

    panel = client.get(address, headers={"HX-Request": "true"})
    assert panel.text.strip().startswith('<div class="job job-queued"')
    assert "get a draft" in panel.text  # and goes with the panel when the build fails
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

    assert "Every submission is scored." in page(client, assignment)


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


def add(
    client: Client, assignment: Assignment, *files: SimpleUploadedFile, **fields: str
) -> "Answer":
    address = reverse("references", args=[assignment.pk])
    return client.post(address, {"name": "", "text": "", **fields, "text_files": list(files)})


def names(assignment: Assignment) -> list[str]:
    return list(assignment.references.values_list("name", flat=True))


def test_paste_and_files_in_one_go(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    files = [
        SimpleUploadedFile("Zoë.txt", "\ufeffBäume kühlen.\r\nSehr.".encode()),
        SimpleUploadedFile("Ada.txt", b"A second one by Ada."),
    ]

    add(client_of(cast.instructor), assignment, *files, text="Pasted words.", name="Ona")

    assert names(assignment) == ["Ada", "Ben", "Chi", "Ona", "Zoë", "Ada 2"]
    assert assignment.references.get(name="Zoë").text == "Bäume kühlen.\nSehr."
    assert assignment.references.get(name="Zoë").words == 3


def test_a_file_that_is_no_text_is_named_and_nothing_is_added(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    files = [
        SimpleUploadedFile("good.txt", b"Good words."),
        SimpleUploadedFile("bad.txt", b"caf\x81"),
        SimpleUploadedFile("empty.txt", b"  \n"),
        SimpleUploadedFile("big.txt", b"x" * (LARGEST_DOCUMENT + 1)),
    ]

    response = add(client_of(cast.instructor), assignment, *files, text="Kept words")

    assert response.status_code == 422
    for text in (
        "“bad.txt”: Line 1: the text is neither UTF-8",
        "“big.txt” has 5.0 MB. The limit is 5 MB.",
        "empty.txt",
    ):
        assert text in response.text
    assert "Kept words" in response.text
    assert len(names(assignment)) == 3


def test_word_and_pdf_files_are_read_beside_plain_text(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    files = [
        SimpleUploadedFile("Dee.docx", word_file(paragraph("Trees cool the city."))),
        SimpleUploadedFile("Eva.pdf", pdf_file([["Roofs store heat."]])),
        SimpleUploadedFile("Fay.txt", b"Water cools."),
    ]

    add(client_of(cast.instructor), assignment, *files)

    texts = dict(assignment.references.values_list("name", "text"))
    assert texts["Dee"] == "Trees cool the city."
    assert texts["Eva"] == "Roofs store heat."
    assert texts["Fay"] == "Water cools."


def test_each_file_that_cannot_be_read_is_named(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    files = [
        SimpleUploadedFile("Dee.docx", word_file(paragraph("Trees cool the city."))),
        SimpleUploadedFile("torn.docx", word_file(paragraph("Trees."))[:60]),
        SimpleUploadedFile("old.doc", b"\xd0\xcf\x11\xe0 WordDocument"),
        SimpleUploadedFile("fake.pdf", b"No PDF at all."),
    ]

    response = add(client_of(cast.instructor), assignment, *files)

    assert response.status_code == 422
    assert all(f"“{name}”: " in response.text for name in ("torn.docx", "old.doc", "fake.pdf"))
    assert "“Dee.docx”" not in response.text
    assert len(names(assignment)) == 3


def test_too_many_files_are_refused_before_any_is_read(
    cast: Cast, assignment: Assignment, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grading.web.uploads.read_file_apart", None)
    files = [SimpleUploadedFile(f"{n}.pdf", b"%PDF-") for n in range(MOST_REFERENCES + 1)]

    response = add(client_of(cast.instructor), assignment, *files)

    assert "You chose 13 files. The limit is 12 at once." in response.text


def test_an_old_encoding_is_read_with_a_remark(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)

    add(client, assignment, SimpleUploadedFile("Eva.txt", b"Caf\xe9s are warm."))

    assert assignment.references.get(name="Eva").text == "Cafés are warm."
    assert "“Eva.txt”: The file is not in UTF-8" in (
        client.get(reverse("references", args=[assignment.pk])).text
    )


def test_nothing_at_all_is_said_so(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    response = add(client_of(cast.instructor), assignment)

    assert "Choose a file or paste a summary." in response.text


def stamp_on(client: Client, address: str) -> str:
    """What the form sends along to say what its author saw."""
    result = re.search(r'name="stamp" value="(\w+)"', client.get(address).text)
    assert result
    return result[1]


def test_there_is_a_limit(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    files = [SimpleUploadedFile(f"{n}.txt", b"Word %d." % n) for n in range(MOST_REFERENCES - 2)]
    client = client_of(cast.instructor)

    assert "at most 12 references" in add(client, assignment, *files).text
    assert "characters" in add(client, assignment, text="x" * (LONGEST_TEXT + 1)).text


def test_the_same_text_twice_is_refused(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    files = [SimpleUploadedFile("Dee.txt", REFERENCES[0].content.encode())]

    response = add(client_of(cast.instructor), assignment, *files)

    assert "“Dee” is the same text as “Ada”" in response.text
    assert len(names(assignment)) == 3


def test_a_reference_is_changed_and_deleted(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    reference = assignment.references.get(name="Ada")
    client = client_of(cast.instructor)

    edit = reverse("reference_edit", args=[reference.pk])
    stamp = stamp_on(client, edit)
    assert client.post(edit, {"name": "Ben", "text": "Two", "stamp": stamp}).status_code == 422
    client.post(edit, {"name": "Eve", "text": "Two words", "stamp": stamp})
    reference.refresh_from_db()
    assert (reference.name, reference.words) == ("Eve", 2)
    client.post(reverse("reference_delete", args=[reference.pk]))
    assert names(assignment) == ["Ben", "Chi"]


def test_references_that_are_added_between_check_and_write_count(assignment: Assignment) -> None:
    """As when two people, or two clicks, add at the same time."""
    data = {"name": "Dee", "text": "Dee's own words."}
    form = ReferencesForm(data, assignment=assignment, owner=0)
    assert form.is_valid()
    others = [Text("", f"Word {number}.") for number in range(MOST_REFERENCES - 3)]
    references_add(assignment=assignment, texts=others)

    assert form.add() is None
    assert "at most 12 references; there are 12 already" in str(form.errors)
    assert assignment.references.count() == MOST_REFERENCES


def test_the_same_reference_sent_twice_is_added_once(assignment: Assignment) -> None:
    texts = [Text("Dee", "Dee's own words.")]
    references_add(assignment=assignment, texts=texts)

    with pytest.raises(InputError, match="“Dee” is the same text as “Dee”"):
        references_add(assignment=assignment, texts=texts)


def test_of_two_who_edit_a_reference_the_later_is_shown_what_changed(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    reference = assignment.references.get(name="Ada")
    edit = reverse("reference_edit", args=[reference.pk])
    client = client_of(cast.instructor)
    stamp = stamp_on(client, edit)
    client.post(edit, {"name": "Ada", "text": "What the first wrote.", "stamp": stamp})

    late = {"name": "Ada", "text": "What the second wrote."}
    answer = client.post(edit, late | {"stamp": stamp})

    assert answer.status_code == 409
    assert "Somebody changed this reference while you were editing it." in answer.text
    assert "What the first wrote." in answer.text
    assert "What the second wrote." in answer.text
    reference.refresh_from_db()
    assert reference.text == "What the first wrote."
    assert client.post(edit, late).status_code == 409  # nothing says what its author saw

    fresh = re.search(r'name="stamp" value="(\w+)"', answer.text)
    assert fresh
    assert client.post(edit, late | {"stamp": fresh[1]}).status_code == 302
    reference.refresh_from_db()
    assert reference.text == "What the second wrote."


def test_a_name_that_was_taken_a_moment_ago_is_refused_in_the_form(
    cast: Cast, assignment: Assignment, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = assignment.references.get(name="Ada"), assignment.references.get(name="Ben")
    edit = reverse("reference_edit", args=[ada.pk])
    client = client_of(cast.instructor)
    stamp = stamp_on(client, edit)
    # The form's own look at the names, a moment before the other one is saved.
    monkeypatch.setattr(ReferenceForm, "clean_name", lambda form: form.cleaned_data["name"])
    reference_change(reference=ben, name="Eve", text=ben.text, stamp=reference_stamp(ben))

    answer = client.post(edit, {"name": "Eve", "text": ada.text, "stamp": stamp})

    assert answer.status_code == 422
    assert "Another reference is named “Eve” already." in answer.text
    assert names(assignment) == ["Ada", "Eve", "Chi"]


def test_builds_of_an_hour_have_a_limit(
    cast: Cast, assignment: Assignment, settings: Any, client_of: ClientOf
) -> None:
    settings.BUILDS_AN_HOUR = 2
    client, address = client_of(cast.instructor), reverse("pyramid_build", args=[assignment.pk])
    for _ in range(2):
        client.post(address, SETTINGS)
        Job.objects.update(state=Job.State.DONE, finished_at=timezone.now())

    refused = client.post(address, SETTINGS)

    assert refused.status_code == 422
    assert "You have started 2 builds in an hour; that is the limit" in refused.content.decode()
    builds = Job.objects.filter(kind=Job.Kind.BUILD_PYRAMID)
    assert builds.count() == 2
    builds.update(created_at=timezone.now() - timedelta(minutes=61))
    assert client.post(address, SETTINGS).status_code == 302
