"""Work in bulk on its pages: sixty from Moodle's zip, and what graders may get wrong."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.jobs.runner import job_run
from grading.models import Assignment, Job, Membership, Score, Submission, User, WorkImport
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import ScoreReport
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.readings import submissions_report
from grading.web.middleware import LargestRequestMiddleware
from tests.conftest import SUMMARY, Cast
from tests.pages import flat
from tests.pyramid.formats.made_zips import ADA, BEN, packed, page

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def enrol(cast: Cast, count: int) -> list[User]:
    users = User.objects.bulk_create(
        User(username=f"s{n:03}", name=f"Student Number{n:03}", email=f"s{n}@example.edu")
        for n in range(count)
    )
    Membership.objects.bulk_create(
        Membership(
            course=cast.course, user=user, role="student", student_number=f"0{user.username}"
        )
        for user in users
    )
    return users


def send(client: Client, assignment: Assignment, **files: bytes) -> WorkImport:
    chosen = [SimpleUploadedFile(name.replace("_dot_", "."), data) for name, data in files.items()]
    address = reverse("submission_import", args=[assignment.pk])
    response = client.post(address, {"chosen": chosen})
    assert response.status_code == 302, response.text
    started = WorkImport.objects.latest("pk")
    assert started.reading is not None
    job_run(job_pk=started.reading.pk)
    started.refresh_from_db()
    return started


def look(client: Client, started: WorkImport) -> str:
    return flat(client.get(reverse("work_import", args=[started.pk])).text)


def fields(page: str) -> dict[str, object]:
    """What the form of a plan would send as it stands."""
    stamp = re.search(r'name="stamp" value="([^"]+)"', page)
    at = re.search(r'name="handed_in_at" value="([^"]+)"', page)
    assert stamp
    assert at
    ticked = re.findall(r'name="take" value="(\d+)" checked', page)
    given = re.findall(r'name="(whose-\d+)" list="students" value="([^"]*)"', page)
    return {"stamp": stamp[1], "handed_in_at": at[1], "take": ticked, **dict(given)}


def take_in(client: Client, started: WorkImport, **data: object) -> str:
    address = reverse("import_take_in", args=[started.pk])
    sent = {"do": "import", **fields(look(client, started)), **data}
    return flat(client.post(address, sent, follow=True).text)


def poisoned(**kwargs: Any) -> list[ScoreReport | None]:
    """As if one text could not be scored."""
    good = [submission for submission in kwargs["submissions"] if submission.text != "poison"]
    reports = submissions_report(**{**kwargs, "submissions": good})
    result = {first.pk: report for first, report in zip(good, reports, strict=True)}
    bad = [submission.pk for submission in kwargs["submissions"] if submission.pk not in result]
    kwargs["reasons"].update(dict.fromkeys(bad, "It is poison."))
    return [result.get(submission.pk) for submission in kwargs["submissions"]]


@pytest.fixture
def pyramid(cast: Cast, assignment: Assignment, engine: Engine) -> None:
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)


@pytest.fixture
def sixty(cast: Cast) -> bytes:
    """A zip of Moodle's, with a text that is poison and one of nobody here."""
    users = enrol(cast, 60)
    texts = ["poison" if n == 7 else f"{SUMMARY} I am {n}." for n in range(60)]
    nobodys = "Nobody Known_5_assignsubmission_onlinetext/onlinetext.html"
    files: dict[str, str | bytes] = {nobodys: page(f"<p>{ADA}</p>")}
    for n, user in enumerate(users):
        files[f"{user.name}_{1000 + n}_assignsubmission_file/essay.txt"] = texts[n]
    return packed(files)


@pytest.mark.usefixtures("pyramid")
def test_sixty_from_moodles_zip_end_to_end(
    assignment: Assignment, client: Client, sixty: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = send(client, assignment, essays_dot_zip=sixty)
    seen = look(client, started)
    assert "from Moodle" in seen
    assert "Ready to import: 60" in seen
    assert "No student found: 1" in seen
    assert "Students without a file: 2" in seen
    assert not Submission.objects.exists()

    seen = take_in(client, started)

    assert "60 attempts are imported." in seen
    assert Submission.objects.count() == 60
    job = Job.objects.get(kind=Job.Kind.SCORE_SUBMISSIONS)  # one, not sixty
    assert f'id="job-{job.pk}"' in seen

    with monkeypatch.context() as patch:
        patch.setattr("grading.scoring.scores.submissions_report", poisoned)
        assert job_run(job_pk=job.pk)
    seen = look(client, started)
    assert "1 of 60 summaries could not be scored" in seen
    assert "Try failed texts again" in seen
    job_page = client.get(reverse("job", args=[job.pk])).text
    assert "Student Number007" in job_page
    assert "It is poison." in job_page
    assert Score.objects.count() == 59

    client.post(reverse("job_try_again", args=[job.pk]))
    assert job_run(job_pk=job.pk)
    job.refresh_from_db()
    assert (job.state, job.failures) == (Job.State.DONE, [])
    assert Score.objects.count() == 60
    assert "All are scored." in look(client, started)


@pytest.mark.parametrize("said", ["Zoë Brânză (zoe)", "zoe", "007"])
def test_a_file_is_given_to_a_student_and_shown_before_it_is_taken_in(
    said: str, cast: Cast, assignment: Assignment, client: Client
) -> None:
    cast.course.memberships.filter(user=cast.student).update(student_number="007")
    started = send(client, assignment, mine_dot_txt=ADA.encode())
    whose = {"whose-1": said}

    seen = take_in(client, started, **whose)
    assert "Preview updated with your choices." in seen
    assert "Ready to import: 1" in seen
    assert not Submission.objects.exists()

    assert "1 attempt is imported." in take_in(client, started)
    assert Submission.objects.get().student == cast.student


def test_a_name_that_is_no_students_is_refused(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    started = send(client, assignment, mine_dot_txt=ADA.encode())

    seen = take_in(client, started, **{"whose-1": "Zoë"})

    assert "“Zoë” is not a student of this course." in seen


CLASS_LIST = f"Name,Email,Text\nAna Ruiz,ana@example.edu,{SUMMARY.replace(',', '')}\n".encode()


def test_a_class_list_without_a_roster_leads_to_the_roster_and_back(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    started = send(client, assignment, class_dot_csv=CLASS_LIST)
    here = reverse("work_import", args=[started.pk])
    seen = look(client, started)
    assert "<bdi>Ana Ruiz (ana@example.edu)</bdi>" in seen
    assert "belong to anybody in this course." in seen
    link = re.search(r'href="([^"]+)">Import the roster</a>', seen)
    assert link
    assert link[1] == f"{reverse('roster', args=[cast.course.pk])}?next={here}"

    roster = client.get(link[1]).text
    assert f'name="next" value="{here}"' in roster
    sent = {"file": SimpleUploadedFile("class.csv", CLASS_LIST), "next": here}
    shown = client.post(reverse("roster", args=[cast.course.pk]), sent).text
    assert f'name="next" value="{here}"' in shown
    sealed = re.search(r'name="shown" value="([^"]+)"', shown)
    assert sealed
    back = client.post(
        reverse("roster_apply", args=[cast.course.pk]),
        {"shown": sealed[1], "next": here},
        follow=True,
    )

    assert back.redirect_chain == [(here, 302)]
    assert "1 new account" in back.text
    assert "Ready to import: 1" in flat(back.text)
    assert "1 attempt is imported." in take_in(client, started)
    assert Submission.objects.get().student.roster_account.email == "ana@example.edu"


def test_a_grader_who_cannot_import_a_roster_is_told_whom_to_ask(
    assignment: Assignment, client: Client
) -> None:
    seen = look(client, send(client, assignment, class_dot_csv=CLASS_LIST))

    assert "<bdi>Ana Ruiz (ana@example.edu)</bdi>" in seen
    assert "Ask an instructor to import the roster" in seen
    assert "?next=" not in seen


def test_who_a_file_names_is_hidden_with_the_names(assignment: Assignment, client: Client) -> None:
    assignment.names_hidden = True
    assignment.save()

    seen = look(client, send(client, assignment, class_dot_csv=CLASS_LIST))

    assert "No student found: 1" in seen
    assert "Ana Ruiz" not in seen


def test_a_name_alone_will_do_where_one_student_has_it(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    started = send(client, assignment, mine_dot_txt=ADA.encode())
    assert "Ready to import: 1" in take_in(client, started, **{"whose-1": "zoë  brânză"})

    cast.other_student.name = cast.student.name
    cast.other_student.save()
    seen = take_in(client, started, **{"whose-1": "Zoë Brânză"})
    assert "2 students are called “Zoë Brânză”: choose one from the list." in seen


def test_two_ticks_for_one_student_are_refused(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    started = send(client, assignment, zoe_dot_txt=ADA.encode(), zoe_b_dot_txt=BEN.encode())

    seen = take_in(client, started, take=["1", "2"])

    assert "More than one file is ticked for <bdi>Zoë Brânză</bdi>" in seen
    assert not Submission.objects.exists()


def test_another_time_is_shown_before_it_counts(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    Assignment.objects.update(due_at="2026-01-31T12:00Z")
    started = send(client, assignment, zoe_dot_txt=ADA.encode(), omar_dot_txt=BEN.encode())
    assert "badge-late" not in look(client, started)
    late = {"handed_in_at": "2026-02-01T09:30"}

    seen = take_in(client, started, take=["1"], **late)

    assert seen.count("badge-late") == 2
    assert "Ticked</dt><dd>1<" in seen  # what was ticked stays so
    take_in(client, started)
    made = Submission.objects.get()
    assert (made.student, made.late) == (cast.student, True)
    assert made.submitted_at.isoformat() == "2026-02-01T09:30:00+00:00"


def test_what_changed_meanwhile_is_shown_again(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    started = send(client, assignment, zoe_dot_txt=ADA.encode())
    before = fields(look(client, started))
    Submission.objects.create(assignment=assignment, student=cast.student, text=BEN, words=3)

    address = reverse("import_take_in", args=[started.pk])
    seen = client.post(address, {"do": "import", **before}, follow=True).text

    assert "Nothing was imported, because the class has changed. Check the new preview." in seen
    assert "attempt 2" in seen
    assert Submission.objects.count() == 1


def test_a_discarded_upload_keeps_nothing(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    started = send(client, assignment, zoe_dot_txt=ADA.encode())

    seen = client.post(reverse("import_discard", args=[started.pk]), follow=True).text

    assert "was discarded. No files are kept." in seen
    assert "Discarded" in seen
    started.refresh_from_db()
    assert "files" not in started.document
    assert "Discarded by" in look(client, started)


def test_hidden_names_are_hidden_with_the_names_of_files(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    Assignment.objects.update(names_hidden=True)
    data = packed({"Zoë Brânză_1_assignsubmission_file/x.txt": ADA, "omar.txt": "", "q.txt": BEN})

    started = send(client, assignment, essays_dot_zip=data)
    seen = look(client, started)

    assert "Names are hidden" in seen
    for name in ("Zoë", "Brânză", "zoe", "omar", "عمر"):
        assert name not in seen
    assert "q.txt" in seen
    assert 'name="whose-' not in seen
    assert "1 attempt is imported." in take_in(client, started)


def test_a_folder_keeps_its_ways(cast: Cast, assignment: Assignment, client: Client) -> None:
    files = [SimpleUploadedFile("essay.txt", ADA.encode()), SimpleUploadedFile("essay.txt", b"x y")]
    ways = "work/Zoë Brânză/essay.txt\nwork/omar/essay.txt"

    address = reverse("submission_import", args=[assignment.pk])
    client.post(address, {"folder": files, "paths": ways})

    started = WorkImport.objects.get()
    assert started.name == "2 files of “work”"
    assert [upload.name for upload in started.uploads.all()] == ways.split("\n")


@pytest.mark.parametrize(
    ("chosen", "words"),
    [([], "Choose a zip, some files, or a folder."), (["x"] * 501, "at most 500 can be sent")],
)
def test_what_cannot_be_sent_is_said(
    chosen: list[str], words: str, assignment: Assignment, client: Client
) -> None:
    files = [SimpleUploadedFile(f"{n}.txt", first.encode()) for n, first in enumerate(chosen)]

    address = reverse("submission_import", args=[assignment.pk])
    response = client.post(address, {"chosen": files})

    assert response.status_code == 422
    assert words in response.text


@pytest.mark.parametrize(
    ("name", "size", "status"),
    [
        ("submission_import", 40_000_000, 200),
        ("submission_import", 60_000_000, 413),
        ("draft_import", 40_000_000, 413),
        ("", 40_000_000, 413),
    ],
)
def test_more_may_be_sent_here_than_elsewhere(name: str, size: int, status: int) -> None:
    address = reverse(name, args=[1]) if name else "/nowhere/"
    request = RequestFactory().post(address, CONTENT_LENGTH=str(size))

    answer = LargestRequestMiddleware(lambda _: HttpResponse("in"))(request)

    assert answer.status_code == status


def queries(client: Client, started: WorkImport) -> tuple[int, int]:
    with CaptureQueriesContext(connection) as looking:
        look(client, started)
    with CaptureQueriesContext(connection) as taking:
        take_in(client, started)
    return len(looking), len(taking)


def test_the_number_of_queries_does_not_grow(
    cast: Cast, assignment: Assignment, client: Client
) -> None:
    users = enrol(cast, 62)
    few, many = (
        send(client, assignment, x_dot_zip=packed({f"{u.username}.txt": ADA for u in some}))
        for some in (users[:2], users[2:])
    )

    assert queries(client, few) == queries(client, many)
