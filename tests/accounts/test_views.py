"""Signing up, logging in, and being kept out."""

import html
import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from grading.access import get_client_address
from grading.models import User
from tests.conftest import PASSWORD, Cast, log_in

ClientOf = Callable[[User | None], Client]
NEW = {
    "name": "Nguyễn Thị Hương",
    "username": "huong",
    "email": "huong@example.org",
    "time_zone": "Asia/Ho_Chi_Minh",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


def links_in_mails() -> list[str]:
    """Paths; every link begins with the configured address, never with that of the request."""
    bodies = "\n".join(str(message.body) for message in mail.outbox)
    assert "testserver" not in bodies
    return re.findall(r"https://classroom.example(/\S+)", bodies)


def confirm(client: Client) -> object:
    """Open the newest link and say yes."""
    link = links_in_mails()[-1]
    assert "Is <strong>" in client.get(link).text
    return client.post(link, follow=True)


@pytest.mark.django_db
def test_signing_up_and_confirming_the_address_logs_in_and_gives_no_rights(client: Client) -> None:
    waiting = client.post(reverse("account_signup"), NEW, follow=True)
    assert "huong@example.org" in waiting.text
    assert waiting.wsgi_request.user.is_anonymous
    assert User.objects.get().verified_email == ""

    home = client.post(links_in_mails()[-1], follow=True)

    user = User.objects.get(username="huong")
    assert home.wsgi_request.user == user
    assert (user.name, user.time_zone) == (NEW["name"], NEW["time_zone"])
    assert user.verified_email == "huong@example.org"
    assert not user.may_create_courses
    assert not user.is_staff


def test_a_join_link_keeps_its_code_through_log_in_and_sign_up(client: Client, cast: Cast) -> None:
    join_link = f"{reverse('course_join')}?code={cast.course.code}"
    log_in_page = client.get(join_link, follow=True)
    to_sign_up = re.search(r'href="(/accounts/signup/[^"]*)"', log_in_page.text)
    assert to_sign_up
    page = client.get(html.unescape(to_sign_up[1]))
    kept = re.search(r'name="next" value="([^"]+)"', page.text)
    assert kept
    assert html.unescape(kept[1]) == join_link
    # Whoever finds that there is an account already goes back with the code, too.
    back = re.search(r'href="(/accounts/login/\?[^"]*)"', page.text)
    assert back
    assert client.get(html.unescape(back[1])).context["redirect_field_value"] == join_link

    client.post(reverse("account_signup"), NEW | {"next": html.unescape(kept[1])})
    answer = client.post(links_in_mails()[-1], follow=True)

    assert answer.redirect_chain == [(join_link, 302)]
    assert f'value="{cast.course.code}"' in answer.text
    client.post(reverse("course_join"), {"code": cast.course.code})
    assert cast.course.memberships.filter(user__username="huong").exists()


def test_a_refused_sign_up_keeps_the_join_link(client: Client, cast: Cast) -> None:
    join_link = f"{reverse('course_join')}?code={cast.course.code}"

    answer = client.post(reverse("account_signup"), NEW | {"email": "", "next": join_link})

    assert f'name="next" value="{html.escape(join_link)}"' in answer.text
    assert not User.objects.filter(username="huong").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"]
)
def test_signing_up_leads_to_no_other_site(client: Client, elsewhere: str) -> None:
    client.post(reverse("account_signup"), NEW | {"next": elsewhere})

    answer = client.post(links_in_mails()[-1])

    assert answer.headers["Location"] == reverse("home")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["\u200b", "\u2060\u2060", "\u3164", "\u202eevil", "a\x07b", " . "]
)
def test_a_name_can_be_seen_and_turns_nothing_round(client: Client, name: str) -> None:
    assert "field-error" in client.post(reverse("account_signup"), NEW | {"name": name}).text
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Zoë\tBrânză ", "عمر حداد", "நிலா", "李 明", "x\u200cy"])
def test_names_of_any_script_are_names(client: Client, name: str) -> None:
    client.post(reverse("account_signup"), NEW | {"name": name})

    assert User.objects.get().name == " ".join(name.split())


@pytest.mark.django_db
@override_settings(OPEN_SIGN_UP=False)
def test_sign_up_can_be_closed(client: Client) -> None:
    page = client.get(reverse("account_signup"))

    assert "Accounts are created for you" in page.text
    client.post(reverse("account_signup"), NEW)
    assert not User.objects.exists()


def test_a_login_is_taken_once_whatever_its_case(client: Client, cast: Cast) -> None:
    client.post(reverse("account_signup"), NEW | {"username": cast.student.username.upper()})

    assert User.objects.filter(username__iexact=cast.student.username).count() == 1


@pytest.mark.parametrize("given", ["zoe", "ZOE", "zoe@example.org", " Zoe@Example.org "])
def test_one_logs_in_by_login_or_address(client: Client, cast: Cast, given: str) -> None:
    response = client.post(reverse("account_login"), {"login": given, "password": PASSWORD})

    assert response.status_code == 302


@pytest.mark.django_db
def test_a_login_that_is_no_login_is_just_wrong(client: Client) -> None:
    given = {"login": "x" * 60_000, "password": PASSWORD}

    assert client.post(reverse("account_login"), given).status_code == 200


@pytest.mark.parametrize(
    ("proxies", "expected", "client_address"),
    [
        (0, "6.6.6.6", "127.0.0.1"),
        (1, "6.6.6.6, 7.7.7.7", "7.7.7.7"),
        (2, "6.6.6.6, 7.7.7.7, 8.8.8.8", "7.7.7.7"),
        (1, "", "127.0.0.1"),
    ],
)
def test_only_our_own_proxies_are_believed(
    rf: RequestFactory, proxies: int, expected: str, client_address: str
) -> None:
    request = rf.get("/", headers={"X-Forwarded-For": expected})

    with override_settings(TRUSTED_PROXIES=proxies):
        assert get_client_address(request) == client_address


# --- passwords ---


def reset_password(client: Client, new: str) -> str:
    """By the link in the mail."""
    client.post(reverse("account_reset_password"), {"email": "zoe@example.org"})
    address = client.get(links_in_mails()[-1], follow=True).redirect_chain[-1][0]
    return client.post(address, {"password1": new, "password2": new}).text


def errors_by_field(page: str) -> dict[str, str]:
    return dict(re.findall(r'class="field-error" id="id_(\w+)_error">([^<]+)<', page))


@pytest.mark.django_db
def test_a_weak_password_is_refused_under_its_own_field(client: Client) -> None:
    weak = {"password1": "12345", "password2": "12345"}

    errors = errors_by_field(client.post(reverse("account_signup"), NEW | weak).text)

    assert errors.keys() == {"password1"}
    assert "too short" in errors["password1"]


@pytest.mark.django_db
def test_a_password_that_is_typed_differently_is_refused_under_the_confirmation(
    client: Client,
) -> None:
    answer = client.post(reverse("account_signup"), NEW | {"password2": "a-long-passphrase-8"})

    assert errors_by_field(answer.text).keys() == {"password2"}


def test_changing_and_resetting_a_password_show_errors_at_the_same_place(
    client: Client, cast: Cast
) -> None:
    weak = {"password1": "12345", "password2": "12345"}
    assert errors_by_field(reset_password(client, "12345")).keys() == {"password1"}

    log_in(client, cast.student)
    answer = client.post(reverse("account_change_password"), weak | {"oldpassword": PASSWORD})
    assert errors_by_field(answer.text).keys() == {"password1"}


def test_a_password_is_reset_by_mail_and_its_owner_is_told(client: Client, cast: Cast) -> None:
    reset_password(client, "another-7-passphrase")

    cast.student.refresh_from_db()
    assert cast.student.check_password("another-7-passphrase")
    assert "was changed" in mail.outbox[-1].subject


def test_a_password_is_changed_and_its_owner_is_told(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.student)
    new = {
        "oldpassword": PASSWORD,
        "password1": "another-7-phrase",
        "password2": "another-7-phrase",
    }

    answer = client.post(reverse("account_change_password"), new, follow=True)

    assert answer.redirect_chain == [(reverse("account"), 302)]
    assert answer.wsgi_request.user == cast.student
    assert [email.to for email in mail.outbox] == [["zoe@example.org"]]
    cast.student.refresh_from_db()
    assert cast.student.check_password("another-7-phrase")


@pytest.mark.django_db
def test_an_unknown_address_learns_nothing(client: Client) -> None:
    response = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})

    assert response.status_code == 302
    assert mail.outbox == []


def test_a_refused_change_of_details_keeps_the_name_in_the_head(client: Client, cast: Cast) -> None:
    log_in(client, cast.student)

    response = client.post(reverse("account"), {"name": "Changed", "time_zone": "Nowhere"})

    assert response.status_code == 422
    assert '<span class="user-menu-name">Zoë Brânză' in response.text


@pytest.mark.django_db
def test_a_request_that_is_too_large_is_refused_unread(client: Client) -> None:
    response = client.post(reverse("account_signup"), {"name": "x" * 10_100_000})

    assert response.status_code == 413
    assert "too large" in response.text


@pytest.mark.django_db
def test_pages_carry_the_content_security_policy(client: Client) -> None:
    policy = client.get(reverse("account_login")).headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_administrators_log_in_as_everybody_does(client: Client, cast: Cast) -> None:
    """Not beside the limits and the second factor."""
    assert (
        client.get(reverse("admin:index"), follow=True)
        .redirect_chain[-1][0]
        .startswith(reverse("account_login"))
    )
    log_in(client, cast.student)
    assert client.get(reverse("admin:login")).status_code == 403
