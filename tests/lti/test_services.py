"""Deep linking, grades that arrive in the LMS, and its roster."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from grading.assignments.actions import submissions_release
from grading.jobs.runner import job_run
from grading.lti.actions import context_link, link_choose
from grading.lti.grades import TRIED_AGAIN_AFTER, grades_find, grades_look
from grading.lti.rosters import context_sync, contexts_due
from grading.marking.actions import comment_write
from grading.models import (
    Assignment,
    AuditKind,
    AuditRecord,
    Comment,
    Extension,
    Job,
    LtiContext,
    LtiEnrolment,
    LtiGrade,
    LtiLink,
    LtiPerson,
    LtiPlatform,
    ManualGrade,
    Membership,
    Role,
    StoredGradeRule,
    Submission,
    User,
)
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.grade_rules import DEFAULT_RULE, Attempt
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.lti.lms import INSTRUCTOR, OBSERVER, STUDENT, TA, Lms, Person
from tests.lti.visitor import Visitor
from tests.query_count import QueryCount

LogIn = Callable[[User | None], Client]


@pytest.fixture
def linked(lms: Lms, platform: LtiPlatform, cast: Cast, assignment: Assignment) -> LtiLink:
    """Sam is in; results are hidden until somebody releases them."""
    context = LtiContext.objects.create(
        deployment=platform.deployments.get(), context_id="course-1", title="Biology"
    )
    context_link(context=context, course=cast.course, instructor=cast.instructor)
    link = LtiLink.objects.create(context=context, resource_link_id="link-0")
    link_choose(link=link, assignment=assignment, sends_grades=True, author=cast.instructor)
    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    assignment.refresh_from_db()
    Visitor(lms, "s-1").launch()
    link.refresh_from_db()
    return link


@pytest.fixture
def submission(linked: LtiLink, engine: Engine, cast: Cast) -> Submission:
    """Sam's, scored and not released."""
    assignment = linked.assignment
    assert assignment is not None
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)
    sam = User.objects.get(lti_people__subject="s-1")
    submission = submission_submit(assignment=assignment, student=sam, text=SUMMARY)
    _work(Job.Kind.SCORE_SUBMISSIONS)
    return submission


def _work(kind: Job.Kind) -> None:
    for job in Job.objects.unfinished().filter(kind=kind):
        assert job_run(job_pk=job.pk)


def _send() -> None:
    """What the beat starts every five minutes, and a worker then does."""
    grades_look()
    _work(Job.Kind.SEND_GRADES)


def _release(submission: Submission) -> None:
    Submission.objects.filter(pk=submission.pk).update(visibility=Submission.Visibility.SHOWN)


# --- grades ---


def test_a_grade_is_sent_once_it_is_released(lms: Lms, submission: Submission) -> None:
    _send()
    first = lms.grades()["s-1"]
    assert "scoreGiven" not in first
    assert (first["activityProgress"], first["gradingProgress"]) == ("Submitted", "Pending")

    _release(submission)
    _send()
    grade = lms.grades()["s-1"]
    assert 0 < grade["scoreGiven"] < grade["scoreMaximum"] == 100
    assert (grade["activityProgress"], grade["gradingProgress"]) == ("Completed", "FullyGraded")
    assert grade["timestamp"] > first["timestamp"]
    (item,) = lms.line_items
    assert item["label"] == "Why cities are hotter"
    assert item["resourceId"].endswith(str(submission.assignment_id))


def test_sending_twice_is_harmless(lms: Lms, submission: Submission) -> None:
    _release(submission)
    _send()
    _send()
    assert len(lms.scores) == 1

    # A worker that died after the LMS had it: it is sent once more, and nothing else comes of it.
    LtiGrade.objects.update(state=LtiGrade.State.WAITING, sent=None)
    _send()
    assert len(lms.scores) == 2
    assert len(lms.line_items) == 1
    assert lms.scores[0][1]["scoreGiven"] == lms.scores[1][1]["scoreGiven"]


def test_a_grade_is_sent_again_after_a_correction(
    lms: Lms, submission: Submission, cast: Cast
) -> None:
    _release(submission)
    _send()
    ManualGrade.objects.create(
        assignment=submission.assignment,
        student=submission.student,
        kind=ManualGrade.Kind.POINTS,
        points=Decimal("87.5"),
        possible=Decimal(100),
        reason="Well read.",
        author=cast.ta,
    )
    _send()

    assert lms.grades()["s-1"]["scoreGiven"] == 87.5


def test_what_is_held_back_or_excused_is_taken_back_and_no_zero(
    lms: Lms, submission: Submission, cast: Cast
) -> None:
    _release(submission)
    _send()
    Submission.objects.update(visibility=Submission.Visibility.HELD_BACK)
    _send()
    assert lms.grades()["s-1"]["gradingProgress"] == "Pending"
    assert "scoreGiven" not in lms.grades()["s-1"]

    _release(submission)
    ManualGrade.objects.create(
        assignment=submission.assignment,
        student=submission.student,
        kind=ManualGrade.Kind.EXCUSED,
        possible=Decimal(100),
        reason="Ill.",
    )
    _send()
    assert "scoreGiven" not in lms.grades()["s-1"]


def test_nothing_is_sent_of_whom_there_is_nothing_to_say(lms: Lms, linked: LtiLink) -> None:
    _send()

    assert lms.scores == []
    assert lms.line_items == []


@pytest.mark.parametrize("what", ["off", "platform", "deployment", "archived"])
def test_nothing_is_sent_where_it_is_switched_off(
    what: str, lms: Lms, submission: Submission, platform: LtiPlatform
) -> None:
    _release(submission)
    if what == "off":
        LtiLink.objects.update(sends_grades=False)
    elif what == "platform":
        LtiPlatform.objects.update(is_active=False)
    elif what == "deployment":
        platform.deployments.update(is_allowed=False)
    else:
        Assignment.objects.update(archived_at=timezone.now())
    _send()

    assert lms.scores == []


def test_a_failed_send_is_tried_again_and_listed(
    lms: Lms, submission: Submission, cast: Cast, client_of: LogIn
) -> None:
    _release(submission)
    lms.refuse_scores = 503
    for wait in TRIED_AGAIN_AFTER:
        _send()
        grade = LtiGrade.objects.get()
        assert grade.state == LtiGrade.State.WAITING
        assert wait - timedelta(minutes=1) < grade.send_after - timezone.now() <= wait
        _send()  # too early: nothing is tried
        assert LtiGrade.objects.get().tries == grade.tries
        LtiGrade.objects.update(send_after=timezone.now())
    _send()
    assert LtiGrade.objects.get().state == LtiGrade.State.FAILED

    page = client_of(cast.instructor).get(f"/courses/{cast.course.pk}/lms/").content.decode()
    assert "Sam Student" in page
    assert "answered 503" in page

    lms.refuse_scores = 0
    address = f"/assignments/{submission.assignment_id}/lms/send/"
    assert client_of(cast.instructor).post(address).status_code == 302
    _work(Job.Kind.SEND_GRADES)
    assert lms.grades()["s-1"]["gradingProgress"] == "FullyGraded"
    assert LtiGrade.objects.get().problem == ""


def test_the_list_of_failed_grades_hides_hidden_names(
    lms: Lms, submission: Submission, cast: Cast, client_of: LogIn
) -> None:
    Assignment.objects.update(names_hidden=True)
    lms.refuse_scores = 400
    _send()

    page = client_of(cast.instructor).get(f"/courses/{cast.course.pk}/lms/").content.decode()

    assert "answered 400" in page
    assert "Sam Student" not in page


def test_a_column_that_somebody_deleted_is_made_again(lms: Lms, submission: Submission) -> None:
    _send()
    lms.line_items.clear()
    lms.refuse_scores = 404
    _release(submission)
    _send()
    lms.refuse_scores = 0
    LtiGrade.objects.update(send_after=timezone.now())
    _send()

    assert lms.grades()["s-1"]["gradingProgress"] == "FullyGraded"
    assert len(lms.line_items) == 1


# --- comments ---


def _comment(submission: Submission, text: str, *, is_private: bool = False) -> None:
    comment_write(
        submission=submission, text=text, is_private=is_private, author=submission.student
    )


def test_comments_are_sent_only_where_somebody_chose_it(
    lms: Lms, submission: Submission, cast: Cast, client_of: LogIn
) -> None:
    _comment(submission, "Well read.")
    _comment(submission, "Is this his own?", is_private=True)
    _release(submission)
    _send()
    assert "comment" not in lms.grades()["s-1"]

    link = LtiLink.objects.get()
    form = {"assignment": submission.assignment_id, "sends_grades": "on", "sends_comments": "on"}
    assert client_of(cast.instructor).post(f"/lti/links/{link.pk}/", form).status_code == 302
    _send()
    assert lms.grades()["s-1"]["comment"] == "Well read."
    assert "Is this his own?" not in str(lms.scores)

    Comment.objects.update(deleted_at=timezone.now())
    _comment(submission, "A note.", is_private=True)
    _send()
    assert lms.grades()["s-1"]["comment"] == ""


def test_no_comment_is_sent_before_its_result_is_shown(
    lms: Lms, submission: Submission, cast: Cast
) -> None:
    LtiLink.objects.update(sends_comments=True)
    _comment(submission, "Well read.")
    _send()
    Submission.objects.update(visibility=Submission.Visibility.HELD_BACK)
    _send()
    assert "Well read." not in str(lms.scores)

    Submission.objects.update(visibility=Submission.Visibility.SHOWN)
    _send()
    assert lms.grades()["s-1"]["comment"] == "Well read."


@pytest.mark.parametrize("attempt", ["last", "best"])
def test_a_comment_on_a_held_attempt_stays_here(
    attempt: str, lms: Lms, submission: Submission, cast: Cast
) -> None:
    """Whichever attempt the grade rests on: it is sent once all of them are shown."""
    rule = replace(DEFAULT_RULE, attempt=Attempt(attempt))
    StoredGradeRule.objects.create(
        assignment=submission.assignment, document=grade_rule_to_json(rule)
    )
    LtiLink.objects.update(sends_comments=True)
    _release(submission)
    second = Submission.objects.create(
        assignment=submission.assignment,
        student=submission.student,
        attempt=2,
        text=SUMMARY,
        words=9,
        visibility=Submission.Visibility.HELD_BACK,
    )
    _comment(second, "Not for him yet.")
    ManualGrade.objects.create(
        assignment=submission.assignment,
        student=submission.student,
        kind=ManualGrade.Kind.POINTS,
        points=Decimal(80),
        possible=Decimal(100),
        reason="Oral.",
    )
    _send()

    assert "scoreGiven" not in lms.grades()["s-1"]
    assert "Not for him yet." not in str(lms.scores)


# --- what is looked at ---


class _Looks:
    """Counts for which assignments grades are calculated."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calculated: list[int] = []
        monkeypatch.setattr("grading.lti.grades.grades_find", self._find)

    def _find(self, *, assignment: Assignment) -> None:
        self.calculated.append(assignment.pk)
        grades_find(assignment=assignment)

    def next(self) -> list[int]:
        self.calculated = []
        grades_look()
        return self.calculated


def test_grades_are_calculated_only_where_something_changed(
    submission: Submission, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    assignment = submission.assignment
    other = Assignment.objects.create(course=cast.course, title="Another")
    context = LtiContext.objects.get()
    LtiLink.objects.create(context=context, resource_link_id="link-9", assignment=other)
    looks, own = _Looks(monkeypatch), [assignment.pk]

    assert sorted(looks.next()) == sorted([assignment.pk, other.pk])
    assert looks.next() == []
    submissions_release(
        assignment=assignment,
        students=[submission.student_id],
        visibility=Submission.Visibility.SHOWN,
        author=cast.ta,
    )
    assert looks.next() == own
    assert looks.next() == []
    ManualGrade.objects.create(
        assignment=assignment,
        student=submission.student,
        kind=ManualGrade.Kind.EXCUSED,
        possible=Decimal(100),
        reason="Ill.",
    )
    assert looks.next() == own
    StoredGradeRule.objects.create(assignment=assignment, document=grade_rule_to_json(DEFAULT_RULE))
    assert looks.next() == own
    _comment(submission, "Well read.")
    assert looks.next() == own
    Extension.objects.create(assignment=assignment, student=submission.student, max_attempts=5)
    assert looks.next() == own
    Submission.objects.update(late=True)
    assert looks.next() == own
    Assignment.objects.filter(pk=assignment.pk).update(release=Assignment.Release.AFTER_DUE)
    assert looks.next() == own
    Assignment.objects.filter(pk=assignment.pk).update(due_at=timezone.now() + timedelta(hours=1))
    assert looks.next() == own
    assert looks.next() == []


def test_a_due_date_that_passes_is_a_change(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, lms: Lms
) -> None:
    """Nobody does anything then, and results are shown all the same."""
    due = timezone.now() + timedelta(hours=1)
    Assignment.objects.update(release=Assignment.Release.AFTER_DUE, due_at=due)
    looks = _Looks(monkeypatch)
    assert len(looks.next()) == 1
    assert looks.next() == []

    with monkeypatch.context() as later:
        later.setattr("django.utils.timezone.now", lambda: due + timedelta(minutes=1))
        assert len(looks.next()) == 1
        _work(Job.Kind.SEND_GRADES)
    assert lms.grades()["s-1"]["gradingProgress"] == "FullyGraded"


def test_everything_is_looked_at_once_a_day(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = _Looks(monkeypatch)
    assert len(looks.next()) == 1
    LtiLink.objects.update(grades_looked_at=timezone.now() - timedelta(hours=25))
    assert len(looks.next()) == 1


def test_an_assignment_that_fails_is_looked_at_again(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as broken:
        broken.setattr("grading.lti.grades.grades_find", fail)
        grades_look()
    assert len(_Looks(monkeypatch).next()) == 1


def test_a_look_takes_as_many_queries_for_any_number_of_assignments(
    submission: Submission, cast: Cast
) -> None:
    def count() -> int:
        queries = QueryCount()
        with connection.execute_wrapper(queries):
            grades_look()
        return queries.total

    _send()
    before = count()
    context = LtiContext.objects.get()
    for number in range(6):
        new = Assignment.objects.create(course=cast.course, title=f"Another {number}")
        LtiLink.objects.create(context=context, resource_link_id=f"more-{number}", assignment=new)
        Submission.objects.create(
            assignment=new, student=submission.student, text="Heat stays.", words=2
        )
    _send()

    assert count() == before <= 15


# --- deep linking ---


@pytest.mark.usefixtures("linked")
def test_an_instructor_puts_an_assignment_into_the_lms(
    lms: Lms, cast: Cast, assignment: Assignment
) -> None:
    irma = Visitor(lms, "i-1")
    page = irma.follow(irma.launch(deep=True))
    answer = irma.client.post(page.request["PATH_INFO"], {"assignment": str(assignment.pk)})
    assert f"form-action 'self' {lms.url}/deep-link/course-1" in answer["Content-Security-Policy"]

    link = lms.take_deep_link("course-1", answer.context["answer"])

    (item,) = lms.deep_links
    assert (item["title"], item["lineItem"]["scoreMaximum"]) == (assignment.title, 100)
    assert Visitor(lms, "s-2").launch(link)["Location"] == f"/assignments/{assignment.pk}/"
    assert LtiLink.objects.get(resource_link_id=link).line_item_url == lms.line_items[0]["id"]


@pytest.mark.usefixtures("linked")
def test_an_instructor_creates_an_assignment_on_the_way_to_the_lms(lms: Lms, cast: Cast) -> None:
    irma = Visitor(lms, "i-1")
    page = irma.follow(irma.launch(deep=True))
    answer = irma.client.post(page.request["PATH_INFO"], {"assignment": "", "title": "New one"})
    lms.take_deep_link("course-1", answer.context["answer"])

    created = Assignment.objects.get(title="New one")
    assert (created.course, created.state) == (cast.course, Assignment.State.DRAFT)


def test_deep_linking_is_answered_once_and_only_when_asked(lms: Lms, linked: LtiLink) -> None:
    irma = Visitor(lms, "i-1")
    irma.launch()
    address = f"/lti/courses/{linked.context_id}/choose/"
    assert irma.client.get(address).status_code == 404

    irma.follow(irma.launch(deep=True))
    form = {"assignment": str(linked.assignment_id)}
    assert irma.client.post(address, form).status_code == 200
    assert irma.client.post(address, form).status_code == 404


def test_an_assignment_of_another_course_is_no_choice(
    lms: Lms, linked: LtiLink, cast: Cast
) -> None:
    foreign = Assignment.objects.create(course=cast.other_course, title="Secret")
    irma = Visitor(lms, "i-1")
    page = irma.follow(irma.launch(deep=True))

    answer = irma.client.post(page.request["PATH_INFO"], {"assignment": str(foreign.pk)})

    assert answer.status_code == 422


# --- the roster ---


def test_the_roster_follows_the_lms_with_its_sections(
    lms: Lms, linked: LtiLink, cast: Cast
) -> None:
    synced = context_sync(context_pk=linked.context_id)

    assert synced is not None
    sam, sue = (
        Membership.objects.get(course=cast.course, user__lti_people__subject=subject)
        for subject in ("s-1", "s-2")
    )
    assert (sam.section, sue.section) == ("Group A", "Group B")
    assert (sue.role, sue.roster_email, sue.user.email) == (Role.STUDENT, "sue@example.org", "")
    # Graders who have never launched get an account when they do; observers get none.
    assert set(LtiPerson.objects.values_list("subject", flat=True)) == {"s-1", "s-2"}


def test_who_left_is_kept_and_marked_and_may_return(
    lms: Lms, linked: LtiLink, cast: Cast, client_of: LogIn
) -> None:
    context_sync(context_pk=linked.context_id)
    sue = lms.courses["course-1"].people.pop("s-2")
    context_sync(context_pk=linked.context_id)

    assert Membership.objects.filter(course=cast.course, user__name="Sue Student").exists()
    assert LtiEnrolment.objects.get(person__subject="s-2").left_at is not None
    page = client_of(cast.instructor).get(f"/courses/{cast.course.pk}/members/").content.decode()
    assert page.count("Left the LMS") == 1

    lms.courses["course-1"].people["s-2"] = sue
    context_sync(context_pk=linked.context_id)
    assert LtiEnrolment.objects.get(person__subject="s-2").left_at is None


@pytest.mark.parametrize("roles", [TA, INSTRUCTOR], ids=["ta", "instructor"])
def test_a_grader_who_left_the_lms_has_no_place_here_and_is_marked(
    roles: list[str], lms: Lms, linked: LtiLink, cast: Cast, client_of: LogIn
) -> None:
    lms.courses["course-1"].people["t-1"].roles = roles
    Visitor(lms, "t-1").launch()
    tom = User.objects.get(lti_people__subject="t-1")
    members = f"/courses/{cast.course.pk}/members/"
    tom_there = lms.courses["course-1"].people.pop("t-1")
    context_sync(context_pk=linked.context_id)

    assert not Membership.objects.filter(course=cast.course, user=tom).exists()
    assert client_of(tom).get(f"/courses/{cast.course.pk}/").status_code == 404
    assert LtiEnrolment.objects.get(person__user=tom).left_at is not None
    page = client_of(cast.instructor).get(members).content.decode()
    assert "Left the LMS" in page
    assert "Tom Assistant" in page
    assert AuditRecord.objects.filter(kind=AuditKind.MEMBER_REMOVED, person=tom.pk).exists()

    lms.courses["course-1"].people["t-1"] = tom_there
    Visitor(lms, "t-1").launch()
    assert Membership.objects.get(course=cast.course, user=tom).is_grader
    assert "Left the LMS" not in client_of(cast.instructor).get(members).content.decode()


def test_what_a_grader_did_stays(
    lms: Lms, linked: LtiLink, submission: Submission, cast: Cast
) -> None:
    Visitor(lms, "t-1").launch()
    tom = User.objects.get(lti_people__subject="t-1")
    comment = comment_write(submission=submission, text="Good.", is_private=False, author=tom)
    del lms.courses["course-1"].people["t-1"]
    context_sync(context_pk=linked.context_id)

    comment.refresh_from_db()
    assert comment.author == tom


def test_the_last_instructor_stays_though_the_lms_has_none(
    lms: Lms, linked: LtiLink, cast: Cast
) -> None:
    Visitor(lms, "i-1").launch()
    irma = User.objects.get(lti_people__subject="i-1")
    cast.course.memberships.exclude(user=irma).filter(role=Role.INSTRUCTOR).delete()
    del lms.courses["course-1"].people["i-1"]
    context_sync(context_pk=linked.context_id)

    assert Membership.objects.get(course=cast.course, user=irma).role == Role.INSTRUCTOR


def test_a_grader_who_launches_without_a_role_loses_the_place_at_once(
    lms: Lms, linked: LtiLink, cast: Cast
) -> None:
    Visitor(lms, "t-1").launch()
    lms.courses["course-1"].people["t-1"].roles = OBSERVER

    assert Visitor(lms, "t-1").launch().status_code == 403
    assert not cast.course.memberships.filter(user__lti_people__subject="t-1").exists()
    # A student is marked, and keeps the work.
    lms.courses["course-1"].people["s-1"].roles = OBSERVER
    assert Visitor(lms, "s-1").launch().status_code == 403
    assert LtiEnrolment.objects.get(person__subject="s-1").left_at is not None
    assert cast.course.memberships.filter(user__lti_people__subject="s-1").exists()


def test_sections_of_canvas_come_in_launches_and_in_the_roster(
    lms: Lms, linked: LtiLink, cast: Cast
) -> None:
    """As it fills in our parameter, for each person of the roster if it is told the link."""
    people = lms.courses["course-1"].people
    for person in people.values():
        person.group = ""
    people["s-1"].sections = '["Tuesday group", "Library"]'
    people["s-2"].sections = "Friday group"

    def section(subject: str) -> str:
        return cast.course.memberships.get(user__lti_people__subject=subject).section

    Visitor(lms, "s-1").launch()
    assert section("s-1") == ""  # “$com.instructure…” is no section
    lms.fills_in_sections = True
    Visitor(lms, "s-1").launch()
    assert section("s-1") == "Tuesday group"
    context_sync(context_pk=linked.context_id)
    assert (section("s-1"), section("s-2")) == ("Tuesday group", "Friday group")
    people["s-1"].sections = '["Library"]'
    context_sync(context_pk=linked.context_id)
    assert section("s-1") == "Library"


def test_an_empty_roster_ends_nothing(lms: Lms, linked: LtiLink) -> None:
    lms.courses["course-1"].people.clear()
    context_sync(context_pk=linked.context_id)

    assert LtiEnrolment.objects.get(person__subject="s-1").left_at is None


def test_who_may_have_an_account_is_a_question_on_the_page_of_a_file(
    lms: Lms, linked: LtiLink, cast: Cast, client_of: LogIn
) -> None:
    people = lms.courses["course-1"].people
    people["z"] = Person("z", "Zoë Brânză", STUDENT, cast.student.email)
    people["o"] = Person("o", "Olga Other", STUDENT, cast.outsider.email)
    before = User.objects.count()
    synced = context_sync(context_pk=linked.context_id)
    assert synced is not None
    assert {open_person.subject for open_person in synced.open_people} == {"z", "o"}
    assert User.objects.count() == before + 1  # Sue

    client = client_of(cast.instructor)
    page = client.get(f"/lti/courses/{linked.context_id}/people/")
    diff = page.context["diff"]
    assert [person.known.name for person in diff.joining] == ["Olga Other"]
    assert {known.name for known in diff.gone} == {cast.other_student.name}
    form = {"shown": page.context["shown_form"].initial["shown"], "next": ""}
    assert client.post(f"/courses/{cast.course.pk}/roster/apply/", form).status_code == 302
    assert Membership.objects.filter(course=cast.course, user=cast.outsider).exists()
    # An instructor's word makes a member; it gives nobody the account.
    assert not LtiPerson.objects.filter(user=cast.outsider).exists()


def test_a_roster_that_cannot_be_had_says_why(
    lms: Lms, linked: LtiLink, cast: Cast, client_of: LogIn
) -> None:
    lms.registration.set_tool_key_set({"keys": []})
    LtiContext.objects.update(memberships_url=f"{lms.url}/nowhere")
    client = client_of(cast.instructor)
    client.post(f"/lti/courses/{linked.context_id}/sync/")

    page = client.get(f"/courses/{cast.course.pk}/lms/").content.decode()
    assert "Roster not synchronised" in page
    assert LtiContext.objects.get().sync_began_at is None


def test_rosters_are_due_once_a_day(lms: Lms, linked: LtiLink) -> None:
    assert contexts_due() == [linked.context_id]
    context_sync(context_pk=linked.context_id)
    assert contexts_due() == []
    LtiContext.objects.update(synced_at=timezone.now() - timedelta(days=2))
    assert contexts_due() == [linked.context_id]


def test_unlinking_ends_launches_and_keeps_people(
    lms: Lms, linked: LtiLink, cast: Cast, client_of: LogIn
) -> None:
    client_of(cast.instructor).post(f"/lti/courses/{linked.context_id}/unlink/")

    assert Visitor(lms, "s-1").launch().status_code == 403
    assert cast.course.memberships.filter(user__lti_people__subject="s-1").exists()
    lms.courses["course-1"].people["i-1"].roles = INSTRUCTOR
    assert Visitor(lms, "i-1").launch()["Location"].startswith("/lti/courses/")
