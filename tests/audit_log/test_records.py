"""The audit log: what is recorded, by whom, and that nothing changes or removes it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.shortcuts import resolve_url
from django.test import Client, override_settings
from django.urls import reverse

from grading.assignments.actions import submissions_release
from grading.models import (
    Assignment,
    AuditKind,
    AuditRecord,
    Membership,
    Submission,
    User,
    record,
)
from grading.models.append_only import rights_give_up
from grading.submissions.actions import submission_submit
from tests.accounts.test_second_factor import code_of, with_app
from tests.conftest import PASSWORD, SUMMARY, Cast

Ask = Callable[[User | None], Client]


def kinds() -> list[str]:
    return list(AuditRecord.objects.order_by("pk").values_list("kind", flat=True))


def newest() -> AuditRecord:
    return AuditRecord.objects.order_by("-pk")[0]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE grading_auditrecord SET sentence = 'Nothing happened.'",
        "UPDATE grading_auditrecord SET actor = NULL",
        "DELETE FROM grading_auditrecord",
    ],
)
def test_the_database_refuses_to_change_or_delete_a_record(db: None, change: str) -> None:
    record(AuditKind.LOGGED_IN, "Logged in.")

    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)

    assert newest().sentence == "Logged in."


@pytest.mark.django_db
def test_on_postgresql_not_even_its_owner_may_change_or_empty_the_table(cast: Cast) -> None:
    """Tests log in as an account for which no right counts, so one without all rights is made."""
    record(AuditKind.LOGGED_IN, "Logged in.", actor=cast.student)
    rights_give_up()
    if connection.vendor == "sqlite":  # has no rights; there the triggers are all
        return
    with connection.cursor() as cursor:  # all of it is undone with the test
        cursor.execute("CREATE ROLE plain_owner NOLOGIN")
        cursor.execute("GRANT CREATE ON SCHEMA public TO plain_owner")
        cursor.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO plain_owner")
        cursor.execute("ALTER TABLE grading_auditrecord OWNER TO plain_owner")
        cursor.execute("ALTER FUNCTION grading_audit_append_only() OWNER TO plain_owner")
        cursor.execute("SET LOCAL ROLE plain_owner")
        rights_give_up()
        for change in (
            "UPDATE grading_auditrecord SET actor = NULL",
            "DELETE FROM grading_auditrecord",
            "TRUNCATE grading_auditrecord",
        ):
            with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
                cursor.execute(change)
        record(AuditKind.LOGGED_OUT, "Logged out.", actor=cast.student)
        call_command("erase_audit", before="2999-01-01", verbosity=0)
        assert kinds() == [AuditKind.RECORDS_ERASED]
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            cursor.execute("DELETE FROM grading_auditrecord")
        cursor.execute("RESET ROLE")


def test_what_fails_is_not_recorded(cast: Cast) -> None:
    """A record is part of the transaction of what it is about."""
    with transaction.atomic():
        record(AuditKind.CODE_CHANGED, "Replaced the join code.", course=cast.course)
        transaction.set_rollback(True)

    assert kinds() == []


def test_a_record_says_who_from_where_and_in_which_request(cast: Cast, client_of: Ask) -> None:
    client = client_of(cast.instructor)

    answer = client.post(reverse("course_code", args=[cast.course.pk]), REMOTE_ADDR="203.0.113.9")

    entry = AuditRecord.objects.get(kind=AuditKind.CODE_CHANGED)
    assert (entry.actor, entry.address) == (cast.instructor.pk, "203.0.113.9")
    assert entry.request_id == answer["X-Request-ID"]
    assert (entry.course, entry.assignment) == (cast.course.pk, None)


def test_behind_a_proxy_the_address_is_the_client_s(cast: Cast, client_of: Ask) -> None:
    with override_settings(TRUSTED_PROXIES=1):
        client_of(cast.instructor).post(
            reverse("course_code", args=[cast.course.pk]),
            headers={"X-Forwarded-For": "198.51.100.1, 203.0.113.9"},
        )

    assert newest().address == "203.0.113.9"


# --- log-ins ---


def log_in(client: Client, typed: str, password: str, **request: str) -> None:
    """However the form calls the account."""
    data = {"username": typed, "login": typed, "password": password}
    client.post(resolve_url(settings.LOGIN_URL), data, **request)  # type: ignore[arg-type]


def test_log_ins_and_log_outs_are_recorded(cast: Cast, client: Client) -> None:
    log_in(client, cast.student.username, PASSWORD)
    client.logout()

    records = AuditRecord.objects.order_by("pk")
    assert [(row.kind, row.actor) for row in records] == [
        (AuditKind.LOGGED_IN, cast.student.pk),
        (AuditKind.LOGGED_OUT, cast.student.pk),
    ]


@pytest.mark.parametrize("typed", ["zoe", "ZOE@example.org"])
def test_a_failed_log_in_names_the_account_and_the_whole_address(
    typed: str, cast: Cast, client: Client
) -> None:
    log_in(client, typed, "wrong-passphrase-9", REMOTE_ADDR="2001:db8::17")

    entry = newest()
    assert (entry.kind, entry.person) == (AuditKind.LOG_IN_FAILED, cast.student.pk)
    assert (entry.actor, entry.address) == (None, "2001:db8::17")
    assert "wrong-passphrase-9" not in entry.sentence


@pytest.mark.django_db(transaction=True)
def test_changes_of_how_somebody_logs_in_are_recorded(cast: Cast, client_of: Ask) -> None:
    client = client_of(cast.student)
    secret = re.search(r"<code>([A-Z2-7]+)</code>", client.get(reverse("mfa_activate_totp")).text)
    assert secret
    client.post(reverse("mfa_activate_totp"), {"code": code_of(secret[1])})
    client.post(reverse("mfa_deactivate_totp"))
    new = {"password1": "another-7-phrase", "password2": "another-7-phrase"}
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **new})

    records = AuditRecord.objects.filter(kind=AuditKind.ACCOUNT_CHANGED).order_by("pk")
    assert sorted(row.sentence for row in records) == [
        "Added a second factor: Recovery codes.",
        "Added a second factor: TOTP Authenticator.",
        "Changed the password.",
        "Removed a second factor: Recovery codes.",
        "Removed a second factor: TOTP Authenticator.",
    ]
    assert {(row.actor, row.person) for row in records} == {(cast.student.pk, cast.student.pk)}


def test_a_reset_is_recorded_with_where_it_came_from(cast: Cast) -> None:
    client = Client(REMOTE_ADDR="2001:db8::17")
    client.post(reverse("account_reset_password"), {"email": cast.student.email})
    link = re.search(r"https://classroom.example(/\S+)", str(mail.outbox[0].body))
    assert link
    page = client.get(link[1], follow=True).redirect_chain[-1][0]
    client.post(page, {"password1": "another-7-phrase", "password2": "another-7-phrase"})

    entry = AuditRecord.objects.get(kind=AuditKind.ACCOUNT_CHANGED)
    assert (entry.sentence, entry.person) == ("Reset the password by e-mail.", cast.student.pk)
    assert entry.address == "2001:db8::17"


def test_a_wrong_second_factor_is_recorded(cast: Cast, client: Client) -> None:
    with_app(cast.student)
    log_in(client, cast.student.username, PASSWORD)

    client.post(reverse("mfa_authenticate"), {"code": "000000"})

    entry = newest()
    assert (entry.kind, entry.person) == (AuditKind.LOG_IN_FAILED, cast.student.pk)
    assert entry.sentence == "Gave a wrong second factor."


def test_what_was_typed_as_an_account_that_does_not_exist_is_not_kept(
    cast: Cast, client: Client
) -> None:
    """People type their password there."""
    log_in(client, "my-secret-phrase", "")
    log_in(client, "my-secret-phrase", "x")

    entry = newest()
    assert (entry.kind, entry.person) == (AuditKind.LOG_IN_FAILED, None)
    assert "secret" not in entry.sentence


# --- what happens in a course ---


def test_joining_is_recorded_once(cast: Cast, client_of: Ask) -> None:
    client = client_of(cast.outsider)
    for _ in range(2):
        client.post("/courses/join/", {"code": cast.course.code})

    assert kinds().count(AuditKind.MEMBER_JOINED) == 1
    assert newest().person == cast.outsider.pk


def test_making_a_course_is_recorded(cast: Cast, client_of: Ask) -> None:
    client_of(cast.instructor).post("/courses/new/", {"name": "Logic", "time_zone": "UTC"})

    assert newest().kind == AuditKind.COURSE_CREATED


def test_releasing_says_how_many_and_nothing_when_none(cast: Cast, assignment: Assignment) -> None:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)

    for _ in range(2):
        submissions_release(
            assignment=assignment,
            students=[cast.student.pk],
            visibility=Submission.Visibility.SHOWN,
            author=cast.ta,
        )

    entry = AuditRecord.objects.get(kind=AuditKind.RESULTS_RELEASED)
    assert entry.sentence == "Released 1 result of 1 student."
    assert (entry.actor, entry.assignment) == (cast.ta.pk, assignment.pk)


def test_a_record_outlives_its_course_and_its_people(cast: Cast) -> None:
    record(
        AuditKind.ROLE_CHANGED,
        "Changed the role from student to teaching assistant.",
        course=cast.course,
        person=cast.student,
        actor=cast.instructor,
    )
    Membership.objects.all().delete()

    cast.course.delete()
    User.objects.all().delete()

    assert newest().person == cast.student.pk


def test_what_administrators_change_is_recorded_without_values(
    cast: Cast, operator: Client
) -> None:
    """Rights are given there."""
    form = {
        "username": "zoe",
        "name": "Zoë Brânză",
        "email": "zoe@new.example",
        "time_zone": "UTC",
        "may_create_courses": "on",
        "is_active": "on",
    }
    address = reverse("admin:grading_user_change", args=[cast.student.pk])

    assert operator.post(address, form).status_code == 302

    entry = newest()
    assert (entry.kind, entry.person) == (AuditKind.ADMINISTERED, cast.student.pk)
    assert "May create courses" in entry.sentence
    assert "new.example" not in entry.sentence

    chosen = {"action": "delete_selected", "_selected_action": [cast.outsider.pk], "post": "yes"}
    operator.post(reverse("admin:grading_user_changelist"), chosen)
    assert newest().sentence == f"Deleted user {cast.outsider.pk}."


def test_factors_and_addresses_that_administrators_change_are_recorded_and_mailed(
    cast: Cast, operator: Client
) -> None:
    """On the pages of allauth, which know nothing of our log."""
    with_app(cast.student)
    app = Authenticator.objects.get(user=cast.student)
    row = EmailAddress.objects.get(user=cast.ta)

    operator.post(reverse("admin:mfa_authenticator_delete", args=[app.pk]), {"post": "yes"})
    form = {"user": cast.ta.pk, "email": row.email, "primary": "on"}  # no longer verified
    operator.post(reverse("admin:account_emailaddress_change", args=[row.pk]), form)

    records = AuditRecord.objects.filter(kind=AuditKind.ADMINISTERED).order_by("pk")
    assert [(entry.sentence, entry.person) for entry in records] == [
        (f"Deleted authenticator {app.pk}.", cast.student.pk),
        (f"Changed email address {row.pk}: Verified.", cast.ta.pk),
    ]
    assert [(message.subject, message.to) for message in mail.outbox] == [
        ("An administrator changed your second factor", ["zoe@example.org"]),
        ("An administrator changed your e-mail address", ["tomasz@example.org"]),
    ]


def test_whose_password_or_address_an_administrator_changes_gets_a_mail(
    cast: Cast, operator: Client
) -> None:
    new = {"password1": "another-7-phrase", "password2": "another-7-phrase"}
    form = {"username": "zoe", "name": "Zoë", "email": "zoe@new.example", "time_zone": "UTC"}

    password = reverse("admin:auth_user_password_change", args=[cast.student.pk])
    assert operator.post(password, {"usable_password": "true", **new}).status_code == 302
    operator.post(reverse("admin:grading_user_change", args=[cast.student.pk]), form)

    # The old address: whoever has the new one knows.
    assert [(message.subject, message.to) for message in mail.outbox] == [
        ("An administrator changed your password", ["zoe@example.org"]),
        ("An administrator changed your e-mail address", ["zoe@example.org"]),
    ]


# --- pages ---


def _page(client: Client, address: str, **query: Any) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def operator(cast: Cast, client_of: Ask) -> Client:
    return client_of(User.objects.create_superuser("ada", name="Ada Min"))


def test_an_administrator_reads_everything_and_filters_it(operator: Client, cast: Cast) -> None:
    record(AuditKind.CODE_CHANGED, "Replaced the join code.", course=cast.course, actor=cast.ta)
    record(AuditKind.LOG_IN_FAILED, "Failed to log in.", person=cast.student)
    address = reverse("audit_log")

    page = _page(operator, address)
    assert "Replaced the join code." in page
    assert cast.course.name in page
    assert "Failed to log in." in page

    assert "Replaced" not in _page(operator, address, kind=AuditKind.LOG_IN_FAILED)
    of_student = _page(operator, address, who="zoe@example.org")
    assert "Failed to log in." in of_student
    assert "Replaced" not in of_student
    assert "No entries match" in _page(operator, address, until="2020-01-01")
    assert "No entries match" in _page(operator, address, since="2999-01-01")
    assert "Enter a valid date" in _page(operator, address, since="yesterday")


def test_an_instructor_reads_the_own_course_without_addresses(cast: Cast, client_of: Ask) -> None:
    address = reverse("course_audit_log", args=[cast.course.pk])
    client = client_of(cast.instructor)
    assert "No entries yet" in _page(client, address)
    record(AuditKind.CODE_CHANGED, "Of another course.", course=cast.other_course)
    client.post(reverse("course_code", args=[cast.course.pk]), REMOTE_ADDR="203.0.113.9")

    page = _page(client, address)

    assert "Replaced the join code." in page
    assert cast.instructor.name in page
    assert "203.0.113.9" not in page
    assert "Of another course." not in page
    assert "Failed log-in" not in page
    settings_page = _page(client, reverse("course_edit", args=[cast.course.pk]))
    assert address in settings_page


def test_where_names_are_hidden_students_have_pseudonyms(
    cast: Cast, assignment: Assignment, client_of: Ask
) -> None:
    record(
        AuditKind.MANUAL_GRADE_SET,
        "Set a manual grade.",
        assignment=assignment,
        person=cast.student,
        actor=cast.ta,
    )
    address = reverse("course_audit_log", args=[cast.course.pk])
    client = client_of(cast.instructor)
    assert cast.student.name in _page(client, address)
    assert "Set a manual grade." in _page(client, address, who="zoe")

    Assignment.objects.update(names_hidden=True)

    page = _page(client, address)
    assert cast.student.name not in page
    assert "Person: <bdi>Student " in page
    assert "Set a manual grade." not in _page(client, address, who="zoe")
    assert "Set a manual grade." in _page(client, address, who=cast.ta.name)


def test_the_log_comes_in_pages_in_few_queries(
    operator: Client, cast: Cast, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    for number in range(60):
        record(AuditKind.LOGGED_IN, f"Entry {number}.", actor=cast.ta, course=cast.course)

    with django_assert_max_num_queries(9):
        first = _page(operator, reverse("audit_log"))
    second = _page(operator, reverse("audit_log"), page=2, kind=AuditKind.LOGGED_IN)

    assert "Entry 59." in first
    assert "Entry 0." not in first
    assert "Entry 0." in second
    assert "page=1&amp;kind=account.logged_in" in second


# --- erasing ---


def test_an_operator_erases_old_records_and_that_is_recorded(cast: Cast) -> None:
    record(AuditKind.LOGGED_IN, "Logged in.", actor=cast.student)
    record(AuditKind.LOGGED_IN, "Logged in.", actor=cast.ta)

    call_command("erase_audit", account=cast.student.username, verbosity=0)

    assert [(row.kind, row.actor) for row in AuditRecord.objects.order_by("pk")] == [
        (AuditKind.LOGGED_IN, cast.ta.pk),
        (AuditKind.RECORDS_ERASED, None),
    ]
    assert newest().sentence == "Erased 1 record."
    call_command("erase_audit", before="2999-01-01", verbosity=0)
    assert kinds() == [AuditKind.RECORDS_ERASED]
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditRecord.objects.all().delete()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "Say which records"),
        ({"before": "last year"}, "is not a day"),
        ({"account": "nobody-of-this-name"}, "There is no account"),
    ],
)
def test_erasing_needs_to_know_what(db: None, options: dict[str, str], said: str) -> None:
    record(AuditKind.LOGGED_IN, "Logged in.")

    with pytest.raises(CommandError, match=said):
        call_command("erase_audit", **options)

    assert kinds() == [AuditKind.LOGGED_IN]


def test_records_of_an_account_that_is_gone_are_erased_by_its_number(cast: Cast) -> None:
    number = cast.outsider.pk
    record(AuditKind.LOGGED_IN, "Logged in.", actor=cast.outsider)
    cast.outsider.delete()

    call_command("erase_audit", account=str(number), verbosity=0)

    assert kinds() == [AuditKind.RECORDS_ERASED]
