"""A second factor, sessions, and being asked again before what cannot be undone."""

import re
import time
from collections.abc import Callable

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import reverse

from grading.accounts.middleware import BEGAN_AT, USED_AT
from grading.models import CourseFile, Deletion, User
from tests.conftest import PASSWORD, Cast

ClientOf = Callable[[User | None], Client]


def code_of(secret: str) -> str:
    counter = next(iter(yield_hotp_counters_from_time()))
    return f"{format_hotp_value(hotp_value(secret, counter))}"


def with_app(user: User) -> str:
    secret: str = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def type_password(client: Client, user: User) -> object:
    given = {"login": user.username, "password": PASSWORD}
    return client.post(reverse("account_login"), given, follow=True)


@pytest.mark.django_db(transaction=True)
def test_an_app_is_set_up_with_recovery_codes_and_its_owner_is_told(
    cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    page = client.get(reverse("mfa_activate_totp")).text
    secret = re.search(r"<code>([A-Z2-7]+)</code>", page)
    assert secret

    code = {"code": code_of(secret[1])}
    codes = client.post(reverse("mfa_activate_totp"), code, follow=True)

    assert codes.redirect_chain[-1][0] == reverse("mfa_view_recovery_codes")
    assert len(re.findall(r"<li><code>\w+</code></li>", codes.text)) == 10
    assert [message.to for message in mail.outbox] == [["tomasz@example.org"]] * len(mail.outbox)
    assert "Authenticator app turned on" in [message.subject for message in mail.outbox]
    # Shown once.
    assert "<li><code>" not in client.get(reverse("mfa_view_recovery_codes")).text


def test_log_in_asks_for_a_code(cast: Cast) -> None:
    secret = with_app(cast.ta)
    client = Client()

    asked = type_password(client, cast.ta)
    assert asked.redirect_chain[-1][0] == reverse("mfa_authenticate")  # type: ignore[attr-defined]
    assert client.get(reverse("home")).status_code == 302

    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert client.get(reverse("home")).status_code == 302
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert client.get(reverse("home")).status_code == 200


def test_a_code_of_an_app_works_once_as_long_as_it_is_good(cast: Cast) -> None:
    """It is good for 90 seconds, and allauth remembers it for 30."""
    code = code_of(with_app(cast.ta))
    app = Authenticator.objects.get(user=cast.ta).wrap()

    for expected in (200, 302):
        client = Client()
        type_password(client, cast.ta)
        client.post(reverse("mfa_authenticate"), {"code": code})
        assert client.get(reverse("home")).status_code == expected
        cache.delete(app._get_used_cache_key(code))


def test_a_recovery_code_works_once(cast: Cast) -> None:
    with_app(cast.ta)
    code = RecoveryCodes.activate(cast.ta).get_unused_codes()[0]

    for expected in (200, 302):
        client = Client()
        type_password(client, cast.ta)
        client.post(reverse("mfa_authenticate"), {"code": code})
        assert client.get(reverse("home")).status_code == expected


def test_codes_are_not_guessed(cast: Cast) -> None:
    secret = with_app(cast.ta)
    client = Client()
    type_password(client, cast.ta)
    for guess in range(12):
        client.post(reverse("mfa_authenticate"), {"code": f"{guess:06}"})

    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})

    assert client.get(reverse("home")).status_code == 302


def test_a_reset_password_does_not_open_what_a_second_factor_closes(cast: Cast) -> None:
    with_app(cast.student)
    Client().post(reverse("account_reset_password"), {"email": "zoe@example.org"})
    link = re.search(r"https://classroom.example(/\S+)", str(mail.outbox[0].body))
    assert link
    client = Client()
    page = client.get(link[1], follow=True).redirect_chain[-1][0]
    client.post(page, {"password1": "another-7-phrase", "password2": "another-7-phrase"})

    assert Authenticator.objects.filter(user=cast.student).exists()
    assert client.get(reverse("home")).status_code == 302


@override_settings(REQUIRE_SECOND_FACTOR=True)
def test_where_it_is_required_graders_see_nothing_without_one(
    cast: Cast, client_of: ClientOf
) -> None:
    for user in (cast.instructor, cast.ta):
        client = client_of(user)
        answer = client.get(reverse("members", args=[cast.course.pk]))
        assert answer.headers["Location"] == reverse("mfa_index")
        assert "needs a second factor" in client.get(reverse("mfa_index")).text
        with_app(user)
        assert client.get(reverse("members", args=[cast.course.pk])).status_code == 200
    assert client_of(cast.student).get(reverse("home")).status_code == 200


# --- sessions ---


def test_sessions_are_listed_and_ended_once_the_password_was_typed_again(cast: Cast) -> None:
    here, there = Client(), Client(headers={"user-agent": "Phone of a thief"})
    type_password(there, cast.student)
    type_password(here, cast.student)
    assert "Phone of a thief" in here.get(reverse("usersessions_list")).text
    theirs = UserSession.objects.get(user_agent="Phone of a thief")

    asked = here.post(reverse("session_end", args=[theirs.pk]))

    assert asked.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert there.get(reverse("home")).status_code == 200
    here.post(asked.headers["Location"], {"password": PASSWORD})
    assert there.get(reverse("home")).status_code == 302
    assert here.get(reverse("home")).status_code == 200


def test_nobody_ends_sessions_of_others(cast: Cast, client_of: ClientOf) -> None:
    victim = Client()
    type_password(victim, cast.student)
    session = UserSession.objects.get(user=cast.student)

    answer = client_of(cast.other_student).post(reverse("session_end", args=[session.pk]))

    assert answer.status_code == 404
    assert victim.get(reverse("home")).status_code == 200


def test_a_changed_password_ends_the_other_sessions(cast: Cast) -> None:
    here, there = Client(), Client()
    type_password(there, cast.student)
    type_password(here, cast.student)
    new = {
        "oldpassword": PASSWORD,
        "password1": "another-7-phrase",
        "password2": "another-7-phrase",
    }

    here.post(reverse("account_change_password"), new)

    assert there.get(reverse("home")).status_code == 302
    assert here.get(reverse("home")).status_code == 200


@override_settings(SESSION_IDLE_MINUTES=30)
@pytest.mark.parametrize(("minutes", "status"), [(29, 200), (31, 302)])
def test_a_session_that_is_not_used_ends(
    cast: Cast, client_of: ClientOf, minutes: int, status: int
) -> None:
    client = client_of(cast.student)
    session = client.session
    session[USED_AT] = int(time.time()) - 60 * minutes
    session.save()

    assert client.get(reverse("home")).status_code == status


# --- asked again ---


@pytest.fixture
def instructor(cast: Cast) -> Client:
    """Logged in this morning."""
    client = Client()
    client.force_login(cast.instructor, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("name", ["course_delete", "course_exports"])
def test_deleting_and_exporting_a_course_ask_for_the_password_first(
    cast: Cast, instructor: Client, name: str
) -> None:
    address = reverse(name, args=[cast.course.pk])
    data = {"typed": cast.course.name}

    asked = instructor.post(address, data)

    again = reverse("account_reauthenticate")
    assert asked.headers["Location"].startswith(again)
    assert not Deletion.objects.exists()
    assert not CourseFile.objects.exists()
    wrong = instructor.post(asked.headers["Location"], {"password": "wrong"})
    assert wrong.status_code == 200
    assert not CourseFile.objects.exists()
    # Then what was sent is done, without typing it again.
    instructor.post(asked.headers["Location"], {"password": PASSWORD})
    assert Deletion.objects.exists() or cast.course.jobs.exists()


def test_after_the_password_was_asked_for_again_the_old_cookie_is_worth_nothing(
    cast: Cast, client: Client
) -> None:
    type_password(client, cast.instructor)
    before = client.session.session_key

    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})

    assert client.session.session_key != before
    assert client.get(reverse("home")).status_code == 200
    assert UserSession.objects.get(user=cast.instructor).session_key == client.session.session_key
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = str(before)
    assert thief.get(reverse("home")).status_code == 302


def test_changing_the_address_asks_for_the_password_first(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.student, backend="django.contrib.auth.backends.ModelBackend")

    answer = client.post(reverse("account_email"), {"email": "new@example.org", "action_add": "1"})

    assert answer.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert mail.outbox == []


def test_what_second_factors_are_made_of_is_sealed(cast: Cast) -> None:
    adapter, user = get_adapter(), cast.instructor
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(user)

    stored = repr(list(Authenticator.objects.values_list("data", flat=True)))

    assert "JBSWY3DPEHPK3PXP" not in stored
    assert stored.count("sealed:") == 2
    app = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)
    assert adapter.decrypt(app.data["secret"]) == "JBSWY3DPEHPK3PXP"
    # Those from before the secrets were sealed go on working.
    assert adapter.decrypt("JBSWY3DPEHPK3PXP") == "JBSWY3DPEHPK3PXP"


@pytest.mark.parametrize(("days", "status"), [(13, 200), (15, 302)])
def test_a_session_ends_after_two_weeks_however_often_it_is_used(
    cast: Cast, client_of: ClientOf, days: int, status: int
) -> None:
    client = client_of(cast.student)
    session = client.session
    session[BEGAN_AT] = int(time.time()) - days * 24 * 3600
    session[USED_AT] = int(time.time())
    session.save()

    assert client.get(reverse("home")).status_code == status
