"""What one can take away: all of one's own work, and of results not a byte more than is shown."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    Job,
    Membership,
    Missed,
    Role,
    Score,
    SecondLook,
    StoredPyramid,
    Submission,
    User,
    Writing,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.formats.pyramid_json import (
    pyramid_to_json,
    report_to_json,
    spans_to_json,
)
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Repeat, Text
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import match_correct
from grading.submissions.actions import submission_submit
from tests.conftest import PASSWORD, SUMMARY, Cast
from tests.feedback_scene import in_one_line
from tests.grade_scene import keep_rule, say
from tests.pages import flat

ClientOf = Callable[[User | None], Client]


def work() -> None:
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)


@pytest.fixture
def scored(cast: Cast, assignment: Assignment, engine: Engine) -> Submission:
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    submission = submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    work()
    return submission


def taken(client: Client) -> bytes:
    response = client.get(reverse("own_data_file"))
    assert response.headers["Content-Disposition"] == 'attachment; filename="my-work.zip"'
    assert response.headers["Content-Type"] == "application/zip"
    return response.content


def files(client: Client) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(taken(client))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def own_work(client: Client) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(files(client)["my-work.json"])
    return document


def attempt(client: Client) -> dict[str, Any]:
    result: dict[str, Any] = own_work(client)["assignments"][0]["attempts"][0]
    return result


def scores(client: Client) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files(client)["scores.csv"])))


def test_everything_of_ones_own_is_there(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    Writing.objects.create(
        assignment=scored.assignment, student=cast.student, text="Half a thou", replaced="Old"
    )
    client = client_of(cast.student)

    document = own_work(client)
    (assignment,) = document["assignments"]
    (shown_attempt,) = assignment["attempts"]

    assert document["account"]["name"] == cast.student.name
    assert document["courses"][0]["role"] == "Student"
    assert assignment["not_submitted"]["text"] == "Half a thou"
    assert assignment["not_submitted"]["replaced_text"] == "Old"
    assert (shown_attempt["text"], shown_attempt["kind"], shown_attempt["late"]) == (
        SUMMARY,
        "final",
        False,
    )
    assert shown_attempt["result"]["found"][0]["words"] in SUMMARY
    assert shown_attempt["what_happened"][0]["what"] == "submitted the summary"
    text = files(client)["texts/why-cities-are-hotter-attempt-1.txt"]
    assert text == SUMMARY == files(client)[shown_attempt["file"]]
    assert scores(client)[0]["comprehensive"] == f"{Score.objects.get().comprehensive:.4f}"
    assert cast.student.password not in str(files(client))
    assert PASSWORD not in str(files(client))


def test_nothing_of_others_is_there(cast: Cast, scored: Submission, client_of: ClientOf) -> None:
    submission_submit(assignment=scored.assignment, student=cast.other_student, text="Quite mine.")

    assert "Quite mine" not in str(files(client_of(cast.student)))
    assert "Quite mine" in str(files(client_of(cast.other_student)))
    assert own_work(client_of(cast.ta))["assignments"] == []


def correct(cast: Cast, submission: Submission) -> None:
    score = Score.objects.filter(submission=submission).latest("pk")
    result = report_from_row(score).evidence.matches[0]
    rejected = Correction(result.scu_uid, Verdict.REMOVED)
    match_correct(score=score, correction=rejected, author=cast.ta)


def test_who_corrected_what_is_told(cast: Cast, scored: Submission, client_of: ClientOf) -> None:
    correct(cast, scored)

    shown_attempt = attempt(client_of(cast.student))

    assert shown_attempt["what_happened"][-1]["who"] == cast.ta.name
    assert shown_attempt["result"]["corrected_by_hand"]
    assert scores(client_of(cast.student))[0]["corrected_by_hand"] == "yes"


def test_what_is_said_again_is_told_with_the_idea_that_counts(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    assert attempt(client_of(cast.student))["result"]["said_again"] == []
    report = report_from_row(Score.objects.get())
    part, uid = report.evidence.unmatched[-1], report.evidence.matches[-1].scu_uid
    evidence = replace(report.evidence, repeats=(Repeat(part, uid),))
    Score.objects.update(document=report_to_json(replace(report, evidence=evidence)))

    result = attempt(client_of(cast.student))["result"]

    (again,) = result["said_again"]
    assert again["words"] == Text("", SUMMARY).words_at(part.spans)
    assert again["spans"] == spans_to_json(part.spans)
    (idea,) = (row for row in result["found"] if row["number"] == again["number"])
    assert (
        idea["idea"]
        == again["idea"]
        == pyramid_from_row(StoredPyramid.objects.get()).scu(uid).label
    )


@pytest.mark.parametrize(
    ("level", "keys"),
    [
        (Missed.NOTHING, set()),
        (Missed.COUNTS, {"by_weight"}),
        (Missed.HINTS, {"by_weight", "not_found"}),
        (Missed.LABELS, {"by_weight", "not_found"}),
        (Missed.SENTENCES, {"by_weight", "not_found"}),
    ],
)
def test_of_missed_ideas_as_much_as_the_level_says(
    cast: Cast, scored: Submission, client_of: ClientOf, level: Missed, keys: set[str]
) -> None:
    Assignment.objects.update(missed_before=level)

    result = attempt(client_of(cast.student))["result"]

    assert keys == {"by_weight", "not_found"} & set(result)
    kinds = {
        Missed.HINTS: {"number", "weight", "about"},
        Missed.LABELS: {"number", "weight", "idea"},
        Missed.SENTENCES: {"number", "weight", "idea", "experts_words"},
    }
    if level in kinds:
        assert {frozenset(fields) for fields in result["not_found"]} == {frozenset(kinds[level])}


def test_where_nothing_is_told_no_byte_depends_on_other_ideas(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    Assignment.objects.update(missed_before=Missed.NOTHING)
    client = client_of(cast.student)
    before = taken(client)

    row = StoredPyramid.objects.get()
    pyramid = pyramid_from_row(row)
    told_uids = {match.scu_uid for match in report_from_row(Score.objects.get()).evidence.matches}
    scus = tuple(scu for scu in pyramid.scus if scu.uid in told_uids)
    assert len(scus) < len(pyramid.scus)
    row.document = pyramid_to_json(replace(pyramid, scus=scus))
    row.save()

    assert taken(client) == before


@pytest.mark.parametrize(
    "hidden",
    [
        {"visibility": Submission.Visibility.HELD_BACK},
        {"assignment__release": Assignment.Release.BY_HAND},
        {"assignment__state": Assignment.State.DRAFT},
        {"left": True},
    ],
    ids=str,
)
def test_what_is_unreleased_changes_no_byte(
    cast: Cast, scored: Submission, client_of: ClientOf, hidden: dict[str, Any]
) -> None:
    SecondLook.objects.create(
        submission=scored,
        pyramid=StoredPyramid.objects.get(),
        shown_as="Xyzzy",
        answer="Xyzzy",
        reason="I said so",
        answered_at=timezone.now(),
    )
    if hidden.get("left"):
        Membership.objects.filter(user=cast.student).delete()
    elif "visibility" in hidden:
        Submission.objects.update(**hidden)
    else:
        Assignment.objects.update(**{key.split("__")[1]: value for key, value in hidden.items()})
    client = client_of(cast.student)

    with CaptureQueriesContext(connection) as captured:
        before = taken(client)
    shown_attempt = attempt(client)

    assert not [query for query in captured.captured_queries if "grading_score" in query["sql"]]
    assert shown_attempt["result"] is None
    assert shown_attempt["results"] == "not shown yet"
    assert shown_attempt["text"] == SUMMARY
    assert shown_attempt["second_looks"][0]["reason"] == "I said so"
    assert "Xyzzy" not in str(files(client))
    assert scores(client) == []
    SecondLook.objects.update(state=SecondLook.State.ACCEPTED, answer="Other")
    Score.objects.all().delete()
    assert taken(client) == before


def test_a_student_who_became_an_assistant_sees_what_students_see(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    Membership.objects.filter(user=cast.student).update(role=Role.TA)
    Assignment.objects.update(release=Assignment.Release.BY_HAND)

    assert attempt(client_of(cast.student))["result"] is None


def test_titles_in_any_script_and_titles_that_come_again_make_names(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    for title in ("なぜ都市は暑いのか", "لماذا المدن أكثر حرارة؟", "Heat", "heat!", "…", "../x"):
        other = Assignment.objects.create(course=cast.course, title=title, state="open")
        submission_submit(assignment=other, student=cast.student, text=f"{title}\r\n=1+1")

    result = files(client_of(cast.student))
    names = [name for name in result if name.startswith("texts/")]

    assert "texts/なぜ都市は暑いのか-attempt-1.txt" in names
    assert {"texts/heat-attempt-1.txt", "texts/heat-2-attempt-1.txt"} <= set(names)
    assert {"texts/assignment-attempt-1.txt", "texts/x-attempt-1.txt"} <= set(names)
    assert len(names) == 6
    assert result["texts/x-attempt-1.txt"] == "../x\r\n=1+1"


def test_a_title_cannot_be_a_formula(cast: Cast, scored: Submission, client_of: ClientOf) -> None:
    Assignment.objects.update(title='=HYPERLINK("http://x")')

    assert scores(client_of(cast.student))[0]["assignment"] == '\'=HYPERLINK("http://x")'


def test_who_has_nothing_gets_an_archive_that_says_so(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.outsider)

    assert list(files(client)) == ["README.txt", "my-work.json", "scores.csv"]
    assert own_work(client)["assignments"] == []
    page = flat(client.get(reverse("own_data")).text)
    assert "nothing yet" in page
    assert "Chemistry (instructor)" in page


def test_the_page_counts_what_is_kept_and_the_account_leads_to_it(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    client = client_of(cast.student)

    assert "1 attempt at 1 assignment," in in_one_line(client.get(reverse("own_data")).text)
    assert reverse("own_data") in client.get(reverse("account")).text


def test_queries_do_not_grow_with_the_work(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    client = client_of(cast.student)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            taken(client)
        return len(captured)

    taken(client)
    few = queries()
    for number in range(5):
        text = f"{SUMMARY} {number}."
        submission_submit(assignment=scored.assignment, student=cast.student, text=text)
    work()

    assert len(own_work(client)["assignments"][0]["attempts"]) == 6
    assert queries() == few


def test_the_page_says_who_has_corrected_what_in_as_many_queries(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    client, address = client_of(cast.student), reverse("own_data")

    def page() -> tuple[str, int]:
        with CaptureQueriesContext(connection) as captured:
            text = client.get(address).text
        return in_one_line(text), len(captured)

    assert "Nobody has corrected the results that you can see" in page()[0]
    correct(cast, scored)
    first, few = page()
    again = submission_submit(assignment=scored.assignment, student=cast.student, text=SUMMARY * 2)
    work()
    correct(cast, again)
    two, many = page()

    sentence = f"<bdi>{cast.ta.name}</bdi> removed an idea that had counted"
    assert (first.count(sentence), two.count(sentence)) == (1, 2)
    assert f"{reverse('submission', args=[scored.pk])}#events-title" in first
    assert many == few
    Submission.objects.update(visibility=Submission.Visibility.HELD_BACK)
    assert "Nobody has corrected the results that you can see" in page()[0]


def test_a_grade_is_among_it_as_far_as_the_student_sees_it(
    cast: Cast, scored: Submission, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    assert own_work(client)["assignments"][0]["grade"] is None

    keep_rule(scored.assignment)
    say(scored.assignment, cast.student, "8", "Well argued.")
    grade = own_work(client)["assignments"][0]["grade"]
    assert (grade["points"], grade["out_of"], grade["state"]) == ("8.0", "10", "graded")
    assert (grade["set_by_hand"], grade["reason"]) == (True, "Well argued.")

    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    assert own_work(client)["assignments"][0]["grade"] is None
