"""E-mails: who is told what, once; what switches them off; when; and what they never say."""

import email
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.assignments.actions import submissions_release
from grading.courses.actions import member_remove
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    Course,
    Extension,
    Job,
    MailChoices,
    Membership,
    Notice,
    SecondLook,
    Submission,
    User,
)
from grading.notifications.actions import TRIED_AGAIN_AFTER, mails_look
from grading.notifications.queries import news_of
from grading.tasks import look_for_mails
from tests.conftest import Cast
from tests.grade_scene import hand_in, rescore, version_of

ClientOf = Callable[[User | None], Client]
Kind, State, Digest = Notice.Kind, Notice.State, MailChoices.Digest
SHOWN, HELD_BACK = Submission.Visibility.SHOWN, Submission.Visibility.HELD_BACK
SITE = "https://classroom.example.org"
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# 12:00 in London, which is the course's time zone. In the future: the defaults of fields ask the
# real clock, and what they say must have passed.
NOON = datetime(2090, 7, 1, 11, 0, tzinfo=UTC)


class Clock:
    """The time, for all that asks Django for it."""

    now = NOON

    def forward(self, by: timedelta) -> None:
        self.now += by


@pytest.fixture
def clock() -> Any:
    clock = Clock()
    with patch.object(timezone, "now", lambda: clock.now):
        yield clock


@pytest.fixture
def essay(cast: Cast, assignment: Assignment, settings: Any, clock: Clock) -> Assignment:
    """Released by hand; a worker has looked at it before."""
    settings.SITE_URL = SITE
    Course.objects.update(time_zone="Europe/London")
    Assignment.objects.update(
        title="Essay 2", release=Assignment.Release.BY_HAND, mails_since=LONG_AGO
    )
    return Assignment.objects.select_related("course").get(pk=assignment.pk)


def work() -> list[mail.EmailMessage]:
    """What the periodic look and the workers send now."""
    mail.outbox.clear()
    look_for_mails()
    for job in Job.objects.filter(kind=Job.Kind.SEND_MAIL).unfinished():
        assert job_run(job_pk=job.pk)
        job.refresh_from_db()
        assert job.is_done, job.error
    return list(mail.outbox)


def release(essay: Assignment, *students: User, visibility: Submission.Visibility = SHOWN) -> None:
    submissions_release(
        assignment=essay,
        students=[student.pk for student in students],
        visibility=visibility,
        author=User.objects.get(username="ines"),
    )


def ask(submission: Submission) -> SecondLook:
    return SecondLook.objects.create(
        submission=submission, pyramid=version_of(submission.assignment), reason="My secret reason"
    )


def answer(look: SecondLook) -> None:
    look.state, look.answer, look.answered_at = "accepted", "A private answer", timezone.now()
    look.save()


def addresses(mails: list[mail.EmailMessage]) -> set[str]:
    return {address for mail in mails for address in mail.to}


# --- results ---


def test_a_released_result_is_told_once(cast: Cast, essay: Assignment) -> None:
    submission = hand_in(essay, cast.student, 0.5)
    hand_in(essay, cast.other_student, 0.5)
    assert work() == []

    release(essay, cast.student)
    [sent_email] = work()

    assert sent_email.subject == "Your result for Essay 2 is ready"
    assert sent_email.to == ["zoe@example.org"]
    assert f"{SITE}{reverse('submission', args=[submission.pk])}" in sent_email.body
    # Looked at again, held back and released again, released with all, scored anew: once.
    assert work() == []
    release(essay, cast.student, visibility=HELD_BACK)
    assert work() == []
    release(essay, cast.student, cast.other_student)
    rescore(submission, 0.7)
    assert addresses(work()) == {"omar@example.org"}
    assert Notice.objects.filter(kind=Kind.RESULT, state=State.SENT).count() == 2


def test_a_release_starts_the_job_itself(cast: Cast, essay: Assignment) -> None:
    hand_in(essay, cast.student, 0.5)

    release(essay, cast.student)

    assert job_run(job_pk=Job.objects.get(kind=Job.Kind.SEND_MAIL).pk)
    assert len(mail.outbox) == 1


def test_a_result_is_ready_once_it_is_scored(cast: Cast, essay: Assignment) -> None:
    submission = hand_in(essay, cast.student)
    release(essay, cast.student)
    assert work() == []

    rescore(submission, 0.5)

    assert len(work()) == 1


def test_a_held_text_has_no_result_yet(cast: Cast, essay: Assignment) -> None:
    submission = hand_in(essay, cast.student, 0.5)
    submission.scores.update(held=True)
    release(essay, cast.student)

    assert work() == []


def test_what_is_held_back_before_the_mail_goes_out_is_not_told(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    mails_look()
    release(essay, cast.student, visibility=HELD_BACK)
    assert work() == []

    release(essay, cast.student)

    assert len(work()) == 1


def test_results_by_the_due_date_are_told_when_it_passes(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    Assignment.objects.update(release=Assignment.Release.AFTER_DUE, due_at=NOON + HOUR)
    essay.refresh_from_db()
    Extension.objects.create(
        assignment=essay, student=cast.other_student, due_at=NOON + 3 * HOUR, reason="Ill."
    )
    for student in (cast.student, cast.other_student):
        hand_in(essay, student, 0.5)
    assert work() == []

    clock.forward(2 * HOUR)
    assert addresses(work()) == {"zoe@example.org"}
    clock.forward(2 * HOUR)
    assert addresses(work()) == {"omar@example.org"}


def test_who_reads_the_result_on_the_page_at_once_gets_no_mail(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    Assignment.objects.update(release=Assignment.Release.AT_ONCE)
    essay.refresh_from_db()
    hand_in(essay, cast.student, 0.5)
    waiting = hand_in(essay, cast.other_student)
    assert work() == []

    clock.forward(2 * HOUR)  # the pyramid is published only now
    score = rescore(waiting, 0.5)
    type(score).objects.filter(pk=score.pk).update(created_at=timezone.now())

    assert addresses(work()) == {"omar@example.org"}


def test_the_first_look_at_an_assignment_tells_no_old_news(cast: Cast, essay: Assignment) -> None:
    hand_in(essay, cast.student, 0.5)
    answer(ask(hand_in(essay, cast.student, 0.5)))
    release(essay, cast.student)
    Assignment.objects.update(mails_since=None)

    assert work() == []
    hand_in(essay, cast.other_student, 0.5)
    release(essay, cast.other_student)
    assert addresses(work()) == {"omar@example.org"}


# --- what switches them off ---


def _no_address(cast: Cast) -> None:
    User.objects.filter(pk=cast.student.pk).update(email="")


def _closed(cast: Cast) -> None:
    User.objects.filter(pk=cast.student.pk).update(is_active=False)


def _by_person(cast: Cast) -> None:
    MailChoices.objects.create(user=cast.student, results=False)


def _by_assignment(cast: Cast) -> None:
    Assignment.objects.update(mails_results=False)


def _by_course(cast: Cast) -> None:
    Course.objects.update(sends_mail=False)


def _left(cast: Cast) -> None:
    member_remove(member=Membership.objects.get(user=cast.student, course=cast.course))


def _archived(cast: Cast) -> None:
    Assignment.objects.update(archived_at=NOON)


@pytest.mark.parametrize(
    "switch_off", [_no_address, _closed, _by_person, _by_assignment, _by_course, _left, _archived]
)
def test_switched_off_sends_none(
    cast: Cast, essay: Assignment, switch_off: Callable[[Cast], None]
) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    switch_off(cast)

    assert work() == []


def test_what_was_switched_off_is_not_sent_later(cast: Cast, essay: Assignment) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    Course.objects.update(sends_mail=False)
    assert work() == []

    Course.objects.update(sends_mail=True)

    assert work() == []
    assert Notice.objects.get().state == State.SKIPPED


@pytest.mark.parametrize("backend", ["console", "dummy"])
def test_without_a_mail_server_nothing_fails(
    cast: Cast, essay: Assignment, settings: Any, client_of: ClientOf, backend: str
) -> None:
    settings.EMAIL_BACKEND = f"django.core.mail.backends.{backend}.EmailBackend"
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)

    assert work() == []

    assert Notice.objects.get().state == State.SKIPPED
    page = client_of(cast.instructor).get(reverse("release", args=[essay.pk])).text
    assert "mail isn&#x27;t set up" in page
    assert "mail isn\u2019t set up" in client_of(cast.student).get(reverse("account")).text


# --- second looks ---


def test_answers_of_some_minutes_go_in_one_mail(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    submission = hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    looks = [ask(submission) for _ in range(3)]
    clock.forward(DAY)
    work()
    answer(looks[0])
    clock.forward(5 * HOUR / 60)
    answer(looks[1])
    assert work() == []

    clock.forward(HOUR)
    [to_zoe] = [sent_email for sent_email in work() if sent_email.to == ["zoe@example.org"]]

    assert to_zoe.subject == "Your request for a second look at Essay 2 was answered"
    assert "2 requests for a second look" in to_zoe.body
    clock.forward(HOUR)
    assert work() == []


def test_graders_get_one_digest_an_hour(cast: Cast, essay: Assignment, clock: Clock) -> None:
    submission = hand_in(essay, cast.student, 0.5)
    ask(submission)
    first = work()
    assert addresses(first) == {"ines@example.org", "tomasz@example.org"}
    assert first[0].subject == "1 new second look for Essay 2"

    for _ in range(2):
        clock.forward(timedelta(minutes=10))
        ask(submission)
        assert work() == []
    clock.forward(timedelta(minutes=45))

    second = work()
    assert {email.subject for email in second} == {"2 new second looks for Essay 2"}
    assert len(second) == 2


def test_a_daily_digest_comes_at_seven_in_the_course(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    MailChoices.objects.create(user=cast.ta, second_looks=Digest.DAILY)
    MailChoices.objects.create(user=cast.instructor, second_looks=Digest.NEVER)
    submission = hand_in(essay, cast.student, 0.5)
    ask(submission)
    assert addresses(work()) == {"tomasz@example.org"}  # today's: none was sent since seven

    clock.forward(HOUR)
    ask(submission)
    assert work() == []
    clock.now = datetime(2090, 7, 2, 5, 59, tzinfo=UTC)  # 6:59 in London
    assert work() == []
    clock.now = datetime(2090, 7, 2, 6, 1, tzinfo=UTC)
    assert addresses(work()) == {"tomasz@example.org"}


def test_a_second_look_that_was_answered_meanwhile_is_not_in_the_digest(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    look = ask(hand_in(essay, cast.student, 0.5))
    mails_look()
    answer(look)

    assert work() == []


# --- the due date ---


def test_who_has_not_submitted_is_reminded_a_day_before(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    Assignment.objects.update(due_at=NOON + 2 * DAY)
    essay.refresh_from_db()
    hand_in(essay, cast.other_student, 0.5)
    assert work() == []

    clock.forward(DAY)
    [sent_email] = work()

    assert sent_email.to == ["zoe@example.org"]
    assert sent_email.subject == "Essay 2 is due on 3 July 2090, 12:00 (Europe/London)"
    clock.forward(HOUR)
    assert work() == []


def test_the_own_due_date_is_reminded_of(cast: Cast, essay: Assignment, clock: Clock) -> None:
    Assignment.objects.update(due_at=NOON + HOUR)
    essay.refresh_from_db()
    Extension.objects.create(
        assignment=essay, student=cast.student, due_at=NOON + 3 * DAY, reason="Ill."
    )
    assert addresses(work()) == {"omar@example.org"}

    clock.forward(2 * DAY + HOUR)
    [sent_email] = work()

    assert sent_email.to == ["zoe@example.org"]
    assert "4 July 2090, 12:00" in sent_email.subject


@pytest.mark.parametrize(
    "change",
    [
        {"mails_reminder": False},
        {"state": Assignment.State.CLOSED},
        {"state": Assignment.State.DRAFT},
        {"due_at": NOON - HOUR},
        {"due_at": None},
        {"leaves_at": NOON},
    ],
)
def test_nobody_is_reminded_of_what_is_not_due(
    cast: Cast, essay: Assignment, change: dict[str, object]
) -> None:
    Assignment.objects.update(**({"due_at": NOON + HOUR} | change))

    assert work() == []


def test_who_submits_before_the_mail_goes_out_is_not_reminded(
    cast: Cast, essay: Assignment
) -> None:
    Assignment.objects.update(due_at=NOON + HOUR)
    essay.refresh_from_db()
    mails_look()
    hand_in(essay, cast.student)

    assert addresses(work()) == {"omar@example.org"}


# --- mail servers ---


class Refusing(EmailBackend):
    error: Exception | None = None
    is_away = False

    def open(self) -> None:
        if self.is_away:
            raise ConnectionRefusedError

    def send_messages(self, messages: Any) -> int:
        if self.error:
            raise self.error
        return int(super().send_messages(messages))


@pytest.fixture
def server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> type[Refusing]:
    monkeypatch.setattr(Refusing, "error", None)
    monkeypatch.setattr(Refusing, "is_away", False)
    settings.EMAIL_BACKEND = f"{__name__}.Refusing"
    return Refusing


def test_mails_wait_while_no_mail_server_answers(
    cast: Cast, essay: Assignment, clock: Clock, server: type[Refusing]
) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    server.is_away = True
    for _ in range(9):
        assert work() == []
        clock.forward(DAY)

    server.is_away = False

    assert len(work()) == 1


def test_one_assignment_that_fails_stops_no_other(cast: Cast, essay: Assignment) -> None:
    broken = Assignment.objects.create(course=cast.course, title="Broken", state="open")
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    Job.objects.all().delete()

    def news(assignment: Assignment) -> Any:
        if assignment == broken:
            raise ValueError
        return news_of(assignment)

    with patch("grading.notifications.actions.news_of", news):
        assert len(work()) == 1


def test_a_mail_server_that_refuses_for_now_is_tried_again(
    cast: Cast, essay: Assignment, clock: Clock, server: type[Refusing]
) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    server.error = SMTPServerDisconnected("away")
    assert work() == []
    assert work() == []  # not at once
    assert Notice.objects.get().tries == 1

    server.error = None
    clock.forward(TRIED_AGAIN_AFTER[0])

    assert len(work()) == 1


def test_it_is_not_tried_for_ever(
    cast: Cast, essay: Assignment, clock: Clock, server: type[Refusing]
) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    server.error = ConnectionRefusedError()
    for _ in range(len(TRIED_AGAIN_AFTER) + 3):
        work()
        clock.forward(DAY)

    notice = Notice.objects.get()
    assert (notice.state, notice.tries) == (State.FAILED, len(TRIED_AGAIN_AFTER) + 1)


@pytest.mark.parametrize(("code", "state"), [(550, State.FAILED), (450, State.WAITING)])
def test_a_refused_address_stops_nobody_else_and_is_tried_again_if_the_server_says_so(
    cast: Cast, essay: Assignment, server: type[Refusing], code: int, state: str
) -> None:
    for student in (cast.student, cast.other_student):
        hand_in(essay, student, 0.5)
    release(essay, cast.student, cast.other_student)
    server.error = SMTPRecipientsRefused({"zoe@example.org": (code, b"")})

    assert work() == []

    tried = Notice.objects.values_list("state", "tries")
    assert set(tried) == {(state, 0 if state == State.FAILED else 1)}


def test_what_a_dead_worker_was_sending_is_not_sent_again(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    mails_look()
    Notice.objects.update(state=State.SENDING)

    clock.forward(DAY)

    assert work() == []


# --- what they say ---


def test_a_mail_has_a_link_in_the_place_of_texts_scores_and_names(
    cast: Cast, essay: Assignment, clock: Clock
) -> None:
    submission = hand_in(essay, cast.student, 0.4321)
    release(essay, cast.student)
    looks = [ask(submission), ask(submission)]
    sent = work()
    answer(looks[0])
    clock.forward(DAY)
    sent += work()

    assert len(sent) == 4
    for sent_email in sent:
        raw = email.message_from_string(sent_email.message().as_string())
        said = f"{raw['Subject']}\n{sent_email.body}"
        for secret in ("Cities are hotter", "0.43", "secret reason", "private answer"):
            assert secret not in said
        people = (cast.student, cast.other_student, cast.ta, cast.instructor)
        assert not [who.name for who in people if who.name in said]
        assert raw["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert raw["List-Unsubscribe"].strip().startswith(f"<{SITE}/mail/off/")
        assert "text/plain" in raw["Content-Type"]


def test_a_title_cannot_add_a_header(cast: Cast, essay: Assignment) -> None:
    Assignment.objects.update(title="Essay\r\nBcc: all@example.org & <b>“2”</b>")
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)

    [sent_email] = work()

    assert sent_email.subject == "Your result for Essay Bcc: all@example.org & <b>“2”</b> is ready"
    assert sent_email.message()["Bcc"] is None


# --- switching off ---


def test_the_link_in_a_mail_switches_off_without_logging_in(cast: Cast, essay: Assignment) -> None:
    hand_in(essay, cast.student, 0.5)
    release(essay, cast.student)
    [sent_email] = work()
    link = sent_email.extra_headers["List-Unsubscribe"].strip("<>").removeprefix(SITE)
    browser = Client(enforce_csrf_checks=True)

    assert "Stop these e-mails?" in browser.get(link).text
    assert MailChoices.objects.of(cast.student).results  # programs follow links, too

    assert browser.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    choices = MailChoices.objects.of(cast.student)
    assert (choices.results, choices.answers) == (False, True)
    assert browser.post(f"{link[:-3]}x/").status_code == 404


def test_people_choose_on_the_page_of_their_account(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.ta)
    assert "E-mail me when" in client.get(reverse("account")).text

    client.post(reverse("mail_choices"), {"answers": "on", "second_looks": "daily"})

    choices = MailChoices.objects.of(cast.ta)
    assert (choices.results, choices.answers, choices.reminders) == (False, True, False)
    assert choices.second_looks == Digest.DAILY
    assert "second_looks" not in client_of(cast.student).get(reverse("mail_choices")).text
