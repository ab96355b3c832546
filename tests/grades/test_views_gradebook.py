"""The class and its CSV."""

import csv
import io
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.access.hidden_names import person_key
from grading.jobs.runner import job_run
from grading.models import Assignment, Job, Membership, Score, Submission, User
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.grade_scene import hand_in, say
from tests.grades.test_gradebook_files import taken
from tests.pages import flat

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def scored(cast: Cast, assignment: Assignment, engine: Engine) -> Assignment:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)
    return assignment


def rows(client: Client, assignment: Assignment) -> list[dict[str, str]]:
    answer = taken(client, assignment, kind="csv", scope="all")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_file_has_every_student_and_no_zero_for_what_is_not_there(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    first, second = rows(client_of(cast.ta), scored)

    assert (first["name"], first["state"], first["attempt"]) == ("Zoë Brânză", "scored", "1")
    assert 0 < float(first["quality"]) <= 1
    assert first["signature"].startswith("classroom-")
    assert (second["name"], second["state"]) == ("عمر حداد", "not submitted")
    assert {second[key] for key in ("raw", "quality", "comprehensive", "grade")} == {""}
    assert (first["grade_state"], second["grade_state"]) == ("graded", "ungraded")
    assert 0 < float(first["grade"]) <= float(first["points_possible"])


def test_a_name_cannot_be_a_formula(cast: Cast, scored: Assignment, client_of: ClientOf) -> None:
    User.objects.filter(pk=cast.student.pk).update(name='=HYPERLINK("http://x")')

    assert rows(client_of(cast.ta), scored)[0]["name"] == '\'=HYPERLINK("http://x")'


def test_queries_do_not_grow_with_the_class(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    address = reverse("gradebook", args=[scored.pk])

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            client.get(address)
        return len(captured)

    queries()
    few = queries()
    for number in range(30):
        student = User.objects.create_user(f"s{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role="student")
        submission_submit(assignment=scored, student=student, text=SUMMARY)
    Job.objects.filter(state=Job.State.QUEUED).delete()

    assert queries() == few


def test_the_file_tells_drafts_and_what_is_shown_and_new_columns_come_last(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    Submission.objects.update(is_final=False)

    first, second = rows(client_of(cast.ta), scored)
    assert list(first)[-20:] == [
        *("signature", "final", "shown", "copied"),
        *("grade", "points_possible", "grade_state", "by_hand", "reason"),
        *("section", "student_number", "lms_id", "lms_login"),
        *("grade_label", "grade_attempt"),
        *("contradicted", "held", "ideas_matched"),
        *("flags", "reviewed"),
    ]
    assert int(first["ideas_matched"]) <= int(first["statements"])
    assert (first["final"], first["shown"]) == ("no", "yes")
    assert (second["final"], second["shown"]) == ("", "")

    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    assert rows(client_of(cast.ta), scored)[0]["shown"] == "no"


@pytest.mark.parametrize(
    ("visibility", "release", "badge"),
    [
        ("", Assignment.Release.AT_ONCE, "Shown<"),
        ("", Assignment.Release.BY_HAND, "Not released<"),
        ("", Assignment.Release.AFTER_DUE, "When closed<"),
        ("held", Assignment.Release.AT_ONCE, "Held back<"),
        ("shown", Assignment.Release.BY_HAND, "Shown<"),
    ],
)
def test_the_page_tells_what_the_student_sees(
    cast: Cast,
    scored: Assignment,
    client_of: ClientOf,
    visibility: str,
    release: str,
    badge: str,
) -> None:
    Assignment.objects.update(release=release)
    Submission.objects.update(visibility=visibility, is_final=False)
    Score.objects.update(revision=1, corrections=1)

    text = flat(client_of(cast.ta).get(reverse("gradebook", args=[scored.pk])).text)

    assert badge in text
    assert "Draft only" in text
    assert "corrected manually" in text
    assert reverse("release", args=[scored.pk]) in text


@pytest.mark.parametrize(("copied", "is_told"), [(None, False), (0.49, False), (0.5, True)])
def test_graders_are_told_of_a_text_that_is_mostly_copied_and_the_student_is_not(
    cast: Cast,
    scored: Assignment,
    client_of: ClientOf,
    copied: float | None,
    is_told: bool,
) -> None:
    Submission.objects.update(copied=copied)
    submission = Submission.objects.get()
    page = reverse("submission", args=[submission.pk])
    notice = b"<strong>Mostly copied.</strong>"

    gradebook = client_of(cast.ta).get(reverse("gradebook", args=[scored.pk])).content
    assert (b"Mostly copied</span>" in gradebook) is is_told
    assert (notice in client_of(cast.ta).get(page).content) is is_told
    assert notice not in client_of(cast.student).get(page).content


def test_the_share_that_is_copied_is_told_to_graders_only(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    page = reverse("submission", args=[Submission.objects.get().pk])
    notice = "% of its words are taken from the source word for"
    assert notice not in flat(client_of(cast.ta).get(page).text)  # without a source
    assert rows(client_of(cast.ta), scored)[0]["copied"] == ""

    Submission.objects.update(copied=0.1234)

    assert f"12&#8239;{notice}" in flat(client_of(cast.ta).get(page).text)
    assert notice not in flat(client_of(cast.student).get(page).text)
    assert rows(client_of(cast.ta), scored)[0]["copied"] == "0.1234"


def test_release_is_a_page_beside_the_gradebook(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    address = reverse("release", args=[scored.pk])

    text = flat(client_of(cast.ta).get(address).text)

    assert f'<a href="{address}" aria-current="page"> Release </a>' in text


def names(text: str) -> list[str]:
    return re.findall(r"<bdi>(Zo\u00eb[^<]*|\u0639[^<]*)</bdi></(?:a|th)", text.split("<tbody>")[1])


def test_grades_can_be_sorted_and_who_has_none_stands_last(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    address = reverse("gradebook", args=[assignment.pk])
    hand_in(assignment, cast.student, 0.3)
    hand_in(assignment, cast.other_student, 0.9)
    zoe, omar = cast.student.name, cast.other_student.name

    assert names(flat(client.get(address).text)) == [zoe, omar]
    assert names(flat(client.get(f"{address}?sort=-name").text)) == [omar, zoe]
    assert names(flat(client.get(f"{address}?sort=grade").text)) == [zoe, omar]
    text = flat(client.get(f"{address}?sort=-grade").text)
    assert names(text) == [omar, zoe]
    assert 'aria-sort="descending"><a class="sort-link" href="?sort=grade"' in text

    Score.objects.filter(submission__student=cast.other_student).delete()
    for order in ("grade", "-grade", "-comprehensive", "quality", "no-such-order"):
        assert names(flat(client.get(f"{address}?sort={order}").text)) == [zoe, omar]


def test_a_section_alone(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    client = client_of(cast.ta)
    address = reverse("gradebook", args=[assignment.pk])
    assert "Section" not in flat(client.get(address).text)
    Membership.objects.filter(user=cast.student).update(section="Mon & Wed")

    text = flat(client.get(f"{address}?section=Mon+%26+Wed&sort=-grade").text)

    assert names(text) == [cast.student.name]
    assert "<dt>Students</dt><dd>1</dd>" in text
    assert 'href="?sort=name&amp;section=Mon+%26+Wed"' in text
    assert len(names(flat(client.get(f"{address}?section=None").text))) == 2
    assert names(flat(client.get(f"{address}?sort=section").text))[0] == cast.student.name


def test_the_page_tells_how_a_grade_was_reckoned_and_what_was_said_by_hand(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    hand_in(assignment, cast.student, 0.3)
    text = flat(client_of(cast.ta).get(reverse("gradebook", args=[assignment.pk])).text)
    assert re.search(r"the default: comprehensive\s+\u00d7 100\.", text)
    assert "0.3 \u00d7 100 = 30 of 100 points." in text
    assert "Nothing was submitted." in text

    say(assignment, cast.student, "8", "<b>Well</b> argued.")
    text = flat(client_of(cast.ta).get(reverse("gradebook", args=[assignment.pk])).text)
    assert "manual, 8 of 10" in text  # out of other points than the rule has
    assert "&lt;b&gt;Well&lt;/b&gt; argued." in text
    assert (
        reverse("manual_grade", args=[assignment.pk, person_key(assignment, cast.student.pk)])
        in text
    )
