"""Single sign-on: by OpenID Connect and SAML, against providers that run in the test."""

import base64
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from grading.models import RosterAccount, User
from tests.accounts import saml_provider as saml
from tests.accounts.oidc_provider import CLIENT, SECRET, Provider, serving
from tests.accounts.test_views import links_in_mails
from tests.conftest import PASSWORD, Cast

ZOE = {"sub": "7", "name": "Zoë Brânză", "email": "zoe@example.org", "email_verified": True}
NEW = ZOE | {"sub": "8", "name": "Hương", "email": "huong@example.org"}
HOST = "classroom.example"
DETAILS = {"name": "Hương", "username": "huong", "time_zone": "Asia/Ho_Chi_Minh"}


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    with serving() as provider:
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {
                "APPS": [
                    {
                        "provider_id": "oidc",
                        "name": "Our University",
                        "client_id": CLIENT,
                        "secret": SECRET,
                        "settings": {"server_url": provider.url, "oauth_pkce_enabled": True},
                    }
                ]
            }
        }
        yield provider


def sign_on(client: Client) -> Any:
    """The way of a browser: to the provider, and back with its answer."""
    login = reverse("openid_connect_login", args=["oidc"])
    assert "Our University" in client.get(login).text
    away = client.post(login)
    assert away.status_code == 302
    back = requests.get(away.headers["Location"], allow_redirects=False, timeout=10)
    return client.get(back.headers["Location"].removeprefix("http://testserver"), follow=True)


def test_the_log_in_page_leads_to_the_provider(
    provider: Provider, client: Client, db: None
) -> None:
    page = client.get(reverse("account_login")).text

    assert "Log in with Our University" in page


def test_whoever_the_provider_knows_by_a_verified_address_logs_in(
    provider: Provider, client: Client, cast: Cast
) -> None:
    provider.person = ZOE

    home = sign_on(client)

    assert home.wsgi_request.user == cast.student
    assert SocialAccount.objects.get().user == cast.student
    # From then on by what the provider calls them, whatever their address is.
    provider.person = ZOE | {"email": "zoe@elsewhere.example"}
    assert sign_on(Client()).wsgi_request.user == cast.student


@pytest.mark.parametrize("verified", [False, "false", None])
def test_an_address_that_the_provider_does_not_vouch_for_opens_nothing(
    provider: Provider, client: Client, cast: Cast, verified: object
) -> None:
    provider.person = ZOE | {"email_verified": verified}

    page = sign_on(client)

    assert page.wsgi_request.user.is_anonymous
    assert not SocialAccount.objects.exists()


def test_the_second_factor_is_asked_for_all_the_same(
    provider: Provider, client: Client, cast: Cast
) -> None:
    provider.person = ZOE
    Authenticator.objects.create(
        user=cast.student, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"}
    )

    page = sign_on(client)

    assert page.redirect_chain[-1][0] == reverse("mfa_authenticate")
    assert page.wsgi_request.user.is_anonymous


@pytest.mark.django_db
def test_a_new_person_is_in_without_a_form_or_a_mail(provider: Provider, client: Client) -> None:
    provider.person = NEW

    home = sign_on(client)

    user = User.objects.get()
    assert home.wsgi_request.user == user
    assert (user.username, user.name) == ("huong", "Hương")
    assert user.verified_email == "huong@example.org"
    assert not user.has_usable_password()
    assert mail.outbox == []


@pytest.mark.django_db
def test_an_address_that_is_typed_at_sign_on_is_confirmed_by_mail(
    provider: Provider, client: Client
) -> None:
    provider.person = {"sub": "9", "name": "Hương"}
    sign_on(client)

    client.post(reverse("socialaccount_signup"), DETAILS | {"email": "huong@example.org"})

    assert User.objects.get().verified_email == ""
    client.post(links_in_mails()[-1])
    assert User.objects.get().verified_email == "huong@example.org"


@pytest.mark.django_db
def test_an_account_of_a_roster_is_claimed_by_signing_on(
    provider: Provider, client: Client
) -> None:
    user = User.objects.create_user("roster", name="Hương")
    RosterAccount.objects.create(user=user, email="Huong@example.org")
    provider.person = NEW

    assert sign_on(client).wsgi_request.user == user
    user.refresh_from_db()
    assert user.verified_email == "huong@example.org"


@pytest.mark.django_db
def test_who_only_gave_the_address_is_not_who_signs_on(provider: Provider, client: Client) -> None:
    mallory = User.objects.create_user("mallory", "", PASSWORD, name="Mallory")
    EmailAddress.objects.create(user=mallory, email="huong@example.org", primary=True)
    provider.person = NEW

    sign_on(client)

    assert User.objects.get(email="huong@example.org").username == "huong"
    assert not SocialAccount.objects.filter(user=mallory).exists()


@pytest.mark.parametrize("what", ["state", "audience"])
def test_an_answer_that_was_not_asked_for_opens_nothing(
    provider: Provider, client: Client, cast: Cast, what: str
) -> None:
    provider.person = ZOE
    login = reverse("openid_connect_login", args=["oidc"])
    away = client.post(login).headers["Location"]
    if what == "audience":
        provider.audience = "another-site"
    back = requests.get(away, allow_redirects=False, timeout=10).headers["Location"]
    browser = Client() if what == "state" else client

    page = browser.get(back.removeprefix("http://testserver"))

    assert page.wsgi_request.user.is_anonymous
    assert "did not work" in page.text


# --- SAML ---


@pytest.fixture(scope="module")
def identity() -> saml.Identity:
    return saml.make_identity()


@pytest.fixture
def university(settings: Settings, identity: saml.Identity) -> None:
    """As the settings have it, with what the provider's metadata would say."""
    settings.ALLOWED_HOSTS = ["classroom.example"]
    settings.SOCIALACCOUNT_PROVIDERS = {
        "saml": {
            "APPS": [
                {
                    "provider_id": "saml",
                    "name": "Our University",
                    "client_id": "saml",
                    "settings": {
                        "verified_email": True,
                        "idp": {
                            "entity_id": saml.ENTITY,
                            "sso_url": saml.SIGN_ON,
                            "x509cert": identity.certificate,
                        },
                    },
                }
            ]
        }
    }


def answer_of(client: Client, identity: saml.Identity) -> dict[str, str]:
    away = client.post(reverse("saml_login", args=["saml"]))
    assert away.headers["Location"].startswith(saml.SIGN_ON)
    asked = saml.asked_by(away.headers["Location"])
    attributes = {
        saml.SUBJECT: "zoe-7@example.org",
        saml.EMAIL: "Zoe@example.org",
        saml.GIVEN_NAME: "Zoë",
        saml.SURNAME: "Brânză",
    }
    return {
        "SAMLResponse": saml.answer(asked, attributes, identity),
        "RelayState": asked["relay"],
    }


@pytest.mark.usefixtures("university")
def test_a_signed_answer_of_a_saml_provider_logs_in(cast: Cast, identity: saml.Identity) -> None:
    client = Client(HTTP_HOST=HOST)
    sent = answer_of(client, identity)

    home = client.post(reverse("saml_acs", args=["saml"]), sent, follow=True)

    assert home.wsgi_request.user == cast.student
    assert SocialAccount.objects.get().provider == "saml"


@pytest.mark.usefixtures("university")
@pytest.mark.parametrize("what", ["another key", "another browser", "changed", "unsigned"])
def test_any_other_answer_does_not(cast: Cast, identity: saml.Identity, what: str) -> None:
    client = Client(HTTP_HOST=HOST)
    sent = answer_of(client, saml.make_identity() if what == "another key" else identity)
    document = base64.b64decode(sent["SAMLResponse"]).decode()
    if what == "changed":
        document = document.replace("Zoe@example.org", "omar@example.org")
    elif what == "unsigned":
        document = re.sub(r"<ds:Signature.*</ds:Signature>", "", document, flags=re.DOTALL)
    sent["SAMLResponse"] = base64.b64encode(document.encode()).decode()
    browser = Client(HTTP_HOST=HOST) if what == "another browser" else client

    page = browser.post(reverse("saml_acs", args=["saml"]), sent, follow=True)

    assert page.wsgi_request.user.is_anonymous
    assert not SocialAccount.objects.exists()


# --- whatever else is sent ---


def encoded(document: bytes) -> str:
    return base64.b64encode(document).decode()


PROTOCOL = b'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"'
ODD_ANSWERS = {
    "nothing": None,
    "empty": "",
    "no base64": "!!!",
    "half of it": "abc",
    "other letters": "éЖ",
    "words": encoded(b"words"),
    "zeros": encoded(b"\0\0"),
    "another document": encoded(b"<x/>"),
    "entities": encoded(b'<!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;">]><a>&c;</a>'),
    "depth": encoded(b"<a>" * 5_000),
    "no status": encoded(b"<samlp:Response " + PROTOCOL + b' ID="x" Version="2.0"/>'),
    "version": encoded(b"<samlp:Response " + PROTOCOL + b' Version="1.0"/>'),
}


@pytest.mark.usefixtures("university")
@pytest.mark.parametrize("sent", ODD_ANSWERS.values(), ids=ODD_ANSWERS)
def test_an_odd_answer_is_no_error_of_ours(cast: Cast, sent: str | None) -> None:
    data = {"RelayState": "\0"} | ({} if sent is None else {"SAMLResponse": sent})

    page = Client(HTTP_HOST=HOST).post(reverse("saml_acs", args=["saml"]), data, follow=True)

    assert 400 <= page.status_code < 500
    assert "did not work" in page.text


@pytest.mark.usefixtures("university")
@pytest.mark.parametrize("name", ["saml_sls", "saml_finish_acs"])
def test_odd_messages_of_log_outs_are_no_errors_of_ours(cast: Cast, name: str) -> None:
    client = Client(HTTP_HOST=HOST)
    for sent in ("abc", encoded(b"<x"), encoded(b"<x/>")):
        query = {"SAMLRequest": sent, "SAMLResponse": sent}
        assert client.get(reverse(name, args=["saml"]), query).status_code < 500


@pytest.mark.usefixtures("university")
def test_an_answer_is_kept_for_minutes_and_a_long_one_not_at_all(cast: Cast) -> None:
    """Anybody may send one."""
    client = Client(HTTP_HOST=HOST)
    address = reverse("saml_acs", args=["saml"])

    assert client.post(address, {"SAMLResponse": "a" * 100_001}).status_code == 413
    assert not Session.objects.exists()
    assert client.post(address, {"SAMLResponse": "a" * 100_000}).status_code == 302
    assert Session.objects.get().expire_date < timezone.now() + timedelta(minutes=11)


def test_without_saml_no_answer_is_kept(client: Client, db: None) -> None:
    answer = client.post(reverse("saml_acs", args=["saml"]), {"SAMLResponse": "abc"})

    assert answer.status_code == 404
    assert not Session.objects.exists()


@pytest.mark.usefixtures("university")
def test_a_provider_that_is_away_is_said_to_be(settings: Settings, db: None) -> None:
    [saml_app] = settings.SOCIALACCOUNT_PROVIDERS["saml"]["APPS"]
    saml_app["settings"]["idp"] = {"entity_id": "x", "metadata_url": "http://127.0.0.1:9/"}
    oidc = {"server_url": "http://127.0.0.1:9"}
    oidc_app = {"provider_id": "oidc", "client_id": "x", "secret": "x", "settings": oidc}
    settings.SOCIALACCOUNT_PROVIDERS |= {"openid_connect": {"APPS": [oidc_app]}}
    client = Client(HTTP_HOST=HOST)

    for name, provider_id in (("saml_login", "saml"), ("openid_connect_login", "oidc")):
        page = client.post(reverse(name, args=[provider_id]))
        assert page.status_code == 503
        assert "Try again in a few minutes." in page.text


@pytest.mark.parametrize("told", [{"error": "x"}, "words", {"access_token": "x"}, None])
def test_a_provider_that_tells_nonsense_opens_nothing(
    provider: Provider,
    client: Client,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    told: object,
) -> None:
    provider.person = ZOE
    monkeypatch.setattr(provider, "token", lambda _: told)

    page = sign_on(client)

    assert page.wsgi_request.user.is_anonymous
    assert page.status_code < 500
