"""An address that nobody has confirmed is nobody's."""

from collections.abc import Callable
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client, override_settings
from django.urls import reverse

from grading.models import RosterAccount, User
from tests.accounts.test_views import NEW, links_in_mails
from tests.conftest import PASSWORD, Cast

ClientOf = Callable[[User | None], Client]


def squatter(address: str) -> User:
    """Has an account, and gave an address that is another's."""
    user = User.objects.create_user("mallory", "", PASSWORD, name="Mallory")
    EmailAddress.objects.create(user=user, email=address, primary=True)
    return user


def log_in_by(client: Client, login: str, password: str = PASSWORD) -> object:
    given = {"login": login, "password": password}
    return client.post(reverse("account_login"), given, follow=True).wsgi_request.user


@pytest.mark.django_db
def test_an_unverified_address_logs_nobody_in(client: Client) -> None:
    squatter("zoe@example.org")

    assert log_in_by(client, "zoe@example.org").is_anonymous  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_whoever_proves_an_address_has_it_though_somebody_gave_it_before(client: Client) -> None:
    mallory = squatter("huong@example.org")

    client.post(reverse("account_signup"), NEW)
    client.post(links_in_mails()[-1])

    assert User.objects.get(username="huong").verified_email == "huong@example.org"
    mallory.refresh_from_db()
    assert (mallory.verified_email, mallory.pending_email) == ("", "")


def test_who_signs_up_with_anothers_address_gets_nothing_and_learns_nothing(
    client: Client, cast: Cast
) -> None:
    taken = client.post(reverse("account_signup"), NEW | {"email": "ZOE@example.org"}, follow=True)

    assert not User.objects.filter(username="huong").exists()
    assert [message.to for message in mail.outbox] == [["zoe@example.org"]]
    assert "/confirm-email/" not in mail.outbox[0].body
    free = Client().post(reverse("account_signup"), NEW, follow=True)
    assert [step[0] for step in taken.redirect_chain] == [step[0] for step in free.redirect_chain]
    without = taken.text.replace("zoe@example.org", "A").split("csrf")
    assert len(without) == len(free.text.replace("huong@example.org", "A").split("csrf"))


@pytest.mark.django_db
def test_who_signs_up_with_an_address_of_a_roster_is_mailed_a_link_to_that_account(
    client: Client,
) -> None:
    user = User.objects.create_user("roster", name="Hương")
    RosterAccount.objects.create(user=user, email="huong@example.org")

    client.post(reverse("account_signup"), NEW)

    assert not User.objects.filter(username="huong").exists()
    assert "/accounts/claim/" in links_in_mails()[-1]


def test_two_accounts_never_share_an_address(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=cast.student.pk).update(email="OMAR@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        cast.student.verify_email("omar@example.org")


def test_a_login_that_looks_like_an_address_is_refused(client: Client, cast: Cast) -> None:
    client.post(reverse("account_signup"), NEW | {"username": "Zoe@example.org"})

    assert not User.objects.filter(name=NEW["name"]).exists()
    with pytest.raises(ValidationError, match="no @"):
        User(username="a@b.example", name="A", password="x").full_clean()
    # Even if there is one from before, the address means its owner.
    User.objects.create_user("zoe@example.org", "", PASSWORD, name="Somebody else")
    assert User.objects.get_by_natural_key("zoe@example.org") == cast.student


# --- accounts from before: asked at the next log-in ---


@pytest.mark.django_db
def test_an_unverified_account_is_asked_for_its_address_and_can_correct_it(client: Client) -> None:
    user = squatter("tpyo@example.org")
    asked = client.post(
        reverse("account_login"), {"login": "mallory", "password": PASSWORD}, follow=True
    )
    assert "tpyo@example.org" in asked.text
    assert asked.wsgi_request.user.is_anonymous

    page = reverse("account_email_verification_sent")
    client.post(page, {"email": "Mallory@example.org"})

    assert [message.to[0] for message in mail.outbox] == ["tpyo@example.org", "mallory@example.org"]
    home = client.post(links_in_mails()[-1], follow=True)
    assert home.wsgi_request.user == user
    user.refresh_from_db()
    assert user.verified_email == "mallory@example.org"
    # The link to the wrong address is worth nothing now.
    assert "no longer valid" in Client().get(links_in_mails()[0]).text


@pytest.mark.django_db
def test_an_account_without_an_address_is_asked_for_one(client: Client) -> None:
    User.objects.create_user("bare", "", PASSWORD, name="Bare")

    client.post(reverse("account_login"), {"login": "bare", "password": PASSWORD})
    assert mail.outbox == []
    client.post(reverse("account_email_verification_sent"), {"email": "bare@example.org"})
    client.post(links_in_mails()[-1])

    assert User.objects.get().verified_email == "bare@example.org"


@pytest.mark.django_db
@override_settings(ACCOUNT_EMAIL_VERIFICATION="optional")
def test_without_mail_people_get_in_and_their_addresses_are_still_nobodys(client: Client) -> None:
    home = client.post(reverse("account_signup"), NEW, follow=True)

    user = User.objects.get()
    assert home.wsgi_request.user == user
    assert (user.verified_email, user.pending_email) == ("", "huong@example.org")
    assert "not confirmed" in client.get(reverse("account")).text


@pytest.mark.django_db
@override_settings(EMAIL_BACKEND="django.core.mail.backends.console.EmailBackend")
def test_where_mail_is_printed_the_page_says_so(client: Client) -> None:
    page = client.post(reverse("account_signup"), NEW, follow=True)

    assert "printed where the server runs" in page.text
    assert "We sent a link" not in page.text


# --- resetting and changing ---


@pytest.mark.django_db
def test_a_reset_proves_the_address_and_closes_what_a_squatter_left_open(client: Client) -> None:
    user = squatter("zoe@example.org")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})

    client.post(reverse("account_reset_password"), {"email": "zoe@example.org"})
    address = client.get(links_in_mails()[-1], follow=True).redirect_chain[-1][0]
    client.post(address, {"password1": "my-own-passphrase", "password2": "my-own-passphrase"})

    user.refresh_from_db()
    assert user.check_password("my-own-passphrase")
    assert user.verified_email == "zoe@example.org"
    assert not Authenticator.objects.exists()


def test_an_address_that_somebody_wants_to_change_to_resets_nothing(cast: Cast) -> None:
    """It may be mistyped, and then it is a stranger's."""
    EmailAddress.objects.create(user=cast.student, email="mistyped@example.org")

    Client().post(reverse("account_reset_password"), {"email": "mistyped@example.org"})

    assert mail.outbox == []


def test_an_address_is_changed_by_a_link_to_the_new_one_and_the_old_one_is_told(
    cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    client.post(reverse("account_email"), {"email": "zoe@new.example", "action_add": "1"})
    cast.student.refresh_from_db()
    assert cast.student.verified_email == "zoe@example.org"

    client.post(links_in_mails()[-1])

    cast.student.refresh_from_db()
    assert cast.student.verified_email == "zoe@new.example"
    assert [message.to[0] for message in mail.outbox] == ["zoe@new.example", "zoe@example.org"]


def test_an_address_of_another_account_is_not_taken_by_a_change(
    cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    client.post(reverse("account_email"), {"email": "omar@example.org", "action_add": "1"})

    for link in links_in_mails():
        client.post(link)

    cast.student.refresh_from_db()
    assert cast.student.verified_email == "zoe@example.org"


def test_links_begin_with_the_configured_address_whatever_the_request_says(cast: Cast) -> None:
    with override_settings(ALLOWED_HOSTS=["*"]):
        Client().post(
            reverse("account_reset_password"),
            {"email": "zoe@example.org"},
            headers={"host": "evil.example"},
        )

    assert "https://classroom.example/accounts/" in mail.outbox[0].body
    assert "evil.example" not in mail.outbox[0].body


# --- who vouches besides ---


def test_the_operator_vouches_for_an_address(cast: Cast) -> None:
    squatter("old@example.org")

    call_command("verify_email", "Mallory", "Boss@example.org", stdout=StringIO())

    assert User.objects.get(username="mallory").verified_email == "boss@example.org"
    for wrong in (["nobody", "a@example.org"], ["mallory", "x"], ["mallory", "ZOE@example.org"]):
        with pytest.raises(CommandError):
            call_command("verify_email", *wrong)
    assert cast.student.verified_email == "zoe@example.org"


def test_an_administrator_vouches_for_an_address(cast: Cast, client_of: ClientOf) -> None:
    admin = User.objects.create_superuser("root", "root@example.org", PASSWORD, name="Root")
    mallory = squatter("old@example.org")
    address = reverse("admin:grading_user_change", args=[mallory.pk])
    form = {
        "username": "mallory",
        "name": "Mallory",
        "email": "new@example.org",
        "time_zone": "UTC",
        "is_active": "on",
    }

    client_of(admin).post(address, form)

    mallory.refresh_from_db()
    assert (mallory.verified_email, mallory.pending_email) == ("new@example.org", "")
