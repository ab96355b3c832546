"""Nobody guesses, floods or locks others out."""

from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from grading.models import User
from tests.accounts.test_views import NEW, reset_password
from tests.conftest import PASSWORD, Cast

WRONG = "wrong"
ClientOf = Callable[[User | None], Client]


def try_password(login: str, password: str = WRONG, address: str = "10.0.0.1") -> str:
    given = {"login": login, "password": password}
    answer = Client(REMOTE_ADDR=address).post(reverse("account_login"), given)
    if answer.status_code == 302:
        return "in"
    return "locked" if "Too many wrong passwords" in answer.text else "wrong"


def test_ten_wrong_passwords_close_the_account_to_that_address(cast: Cast) -> None:
    for login in ["zoe", "ZOE", "zoe@example.org", "Zoe@Example.org", " zoe"] * 2:
        assert try_password(login) == "wrong"

    assert try_password("zoe", PASSWORD) == "locked"
    # Nobody can lock another out: from elsewhere the right password works.
    assert try_password("zoe", PASSWORD, address="10.0.0.2") == "in"


def test_an_address_that_tries_many_accounts_is_locked(cast: Cast) -> None:
    tried = [try_password(f"name{number}") for number in range(60)]

    assert tried == ["wrong"] * 50 + ["locked"] * 10
    assert try_password("zoe", PASSWORD) == "locked"
    assert try_password("zoe", PASSWORD, address="10.0.0.2") == "in"


def test_an_account_that_is_tried_from_many_addresses_is_locked(cast: Cast) -> None:
    tried = [try_password("zoe", address=f"10.0.{number}.1") for number in range(110)]

    assert tried == ["wrong"] * 100 + ["locked"] * 10


def test_a_class_logs_in_from_one_address_though_some_mistype(cast: Cast) -> None:
    for number in range(60):
        user = User.objects.create_user(f"student{number}", f"s{number}@example.org", PASSWORD)
        if number % 2 == 0:
            assert try_password(user.username) == "wrong"
        assert try_password(user.username, PASSWORD) == "in"


def test_a_reset_lifts_the_lock(client: Client, cast: Cast) -> None:
    for _ in range(10):
        try_password("zoe", address="127.0.0.1")
    assert try_password("zoe", PASSWORD, "127.0.0.1") == "locked"

    reset_password(client, "another-7-passphrase")

    assert try_password("zoe", "another-7-passphrase", "127.0.0.1") == "in"


def test_forty_requests_send_three_mails(cast: Cast) -> None:
    for _ in range(40):
        Client().post(reverse("account_reset_password"), {"email": "zoe@example.org"})

    assert len(mail.outbox) == 3


def test_links_of_confirmation_are_not_sent_over_and_over(client: Client, db: None) -> None:
    client.post(reverse("account_signup"), NEW)
    for _ in range(10):
        client.post(reverse("account_email_verification_sent"), {"email": NEW["email"]})

    assert len(mail.outbox) == 1


def test_sign_ups_from_one_address_are_limited(db: None) -> None:
    codes = [
        Client().post(reverse("account_signup"), NEW | {"email": "broken"}).status_code
        for _ in range(62)
    ]

    assert codes == [200] * 60 + [429] * 2


def test_the_old_password_is_not_guessed_by_whoever_sits_at_an_open_session(
    cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    new = {"password1": "another-7-phrase", "password2": "another-7-phrase"}
    address = reverse("account_change_password")

    codes = [client.post(address, new | {"oldpassword": f"guess{n}"}).status_code for n in range(7)]

    assert codes == [200] * 5 + [429] * 2
    again = [
        client.post(reverse("account_reauthenticate"), {"password": f"guess{n}"}).status_code
        for n in range(7)
    ]
    assert again == [200] * 5 + [429] * 2


@pytest.mark.parametrize("address", ["", "not an address"])
def test_a_proxy_that_does_not_say_who_asks_keeps_nobody_out(cast: Cast, address: str) -> None:
    assert try_password("zoe", PASSWORD, address=address) == "in"
