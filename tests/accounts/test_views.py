"""Signing up, logging in, and being kept out."""

import html
import re

import pytest
from django.core import mail
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from grading.access import get_client_address
from grading.accounts.forms import SignUpForm
from grading.models import User
from tests.conftest import PASSWORD, Cast

NEW = {
    "name": "Nguyễn Thị Hương",
    "username": "huong",
    "email": "huong@example.org",
    "time_zone": "Asia/Ho_Chi_Minh",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.mark.django_db
def test_signing_up_logs_in_and_gives_no_rights(client: Client) -> None:
    response = client.post(reverse("sign_up"), NEW, follow=True)

    assert "Welcome, Nguyễn Thị Hương" in response.text
    user = User.objects.get(username="huong")
    assert not user.may_create_courses
    assert not user.is_staff


def test_a_join_link_keeps_its_code_through_log_in_and_sign_up(client: Client, cast: Cast) -> None:
    join_link = f"{reverse('course_join')}?code={cast.course.code}"
    log_in = client.get(join_link, follow=True)
    to_sign_up = re.search(r'href="(/accounts/sign-up/[^"]*)"', log_in.text)
    assert to_sign_up
    page = client.get(html.unescape(to_sign_up[1]))
    kept = re.search(r'name="next" value="([^"]+)"', page.text)
    assert kept
    assert html.unescape(kept[1]) == join_link
    # Whoever finds that there is an account already goes back with the code, too.
    back = re.search(r'href="(/accounts/login/\?[^"]*)"', page.text)
    assert back
    assert client.get(html.unescape(back[1])).context["next"] == join_link

    answer = client.post(reverse("sign_up"), NEW | {"next": html.unescape(kept[1])}, follow=True)

    assert answer.redirect_chain == [(join_link, 302)]
    assert f'value="{cast.course.code}"' in answer.text
    assert "Welcome, Nguyễn Thị Hương." in answer.text
    client.post(reverse("course_join"), {"code": cast.course.code})
    assert cast.course.memberships.filter(user__username="huong").exists()


def test_a_refused_sign_up_keeps_the_join_link(client: Client, cast: Cast) -> None:
    join_link = f"{reverse('course_join')}?code={cast.course.code}"

    answer = client.post(reverse("sign_up"), NEW | {"email": "", "next": join_link})

    assert answer.status_code == 422
    assert f'name="next" value="{html.escape(join_link)}"' in answer.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"]
)
def test_signing_up_leads_to_no_other_site(client: Client, elsewhere: str) -> None:
    assert 'name="next"' not in client.get(reverse("sign_up"), {"next": elsewhere}).text

    answer = client.post(reverse("sign_up"), NEW | {"next": elsewhere})

    assert answer.headers["Location"] == reverse("home")


@pytest.mark.django_db
def test_of_two_who_sign_up_in_the_same_moment_one_is_told() -> None:
    form = SignUpForm(NEW)
    assert form.is_valid()
    User.objects.create_user("huong", "quick@example.org", name="Quick")  # after it has looked

    assert form.try_save() is None

    assert "just now" in str(form.non_field_errors())
    assert not form.is_valid()
    assert User.objects.get().name == "Quick"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["\u200b", "\u2060\u2060", "\u3164", "\u202eevil", "a\x07b", " . "]
)
def test_a_name_can_be_seen_and_turns_nothing_round(client: Client, name: str) -> None:
    assert client.post(reverse("sign_up"), NEW | {"name": name}).status_code == 422
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Zoë\tBrânză ", "عمر حداد", "நிலா", "李 明", "x\u200cy"])
def test_names_of_any_script_are_names(client: Client, name: str) -> None:
    client.post(reverse("sign_up"), NEW | {"name": name})

    assert User.objects.get().name == " ".join(name.split())


@pytest.mark.django_db
@override_settings(OPEN_SIGN_UP=False)
def test_sign_up_can_be_closed(client: Client) -> None:
    assert client.get(reverse("sign_up")).status_code == 404


def test_a_login_is_taken_once_whatever_its_case(client: Client, cast: Cast) -> None:
    response = client.post(reverse("sign_up"), NEW | {"username": cast.student.username.upper()})

    assert response.status_code == 422
    assert User.objects.filter(username__iexact=cast.student.username).count() == 1


@pytest.mark.parametrize("given", ["zoe", "ZOE", "zoe@example.org", " Zoe@Example.org "])
def test_one_logs_in_by_login_or_address(client: Client, cast: Cast, given: str) -> None:
    response = client.post(reverse("login"), {"username": given, "password": PASSWORD})

    assert response.status_code == 302


@pytest.mark.django_db
def test_a_login_that_is_no_login_is_just_wrong(client: Client) -> None:
    given = {"username": "x" * 60_000, "password": PASSWORD}

    assert client.post(reverse("login"), given).status_code == 200


def test_ten_wrong_passwords_close_the_login(client: Client, cast: Cast) -> None:
    for login in ["zoe", "ZOE", "zoe@example.org", "Zoe@Example.org", " zoe"] * 2:
        headers = {"X-Forwarded-For": f"10.0.0.{len(login)}"}  # nobody vouches for it
        wrong = client.post(
            reverse("login"), {"username": login, "password": "wrong"}, headers=headers
        )

    assert wrong.status_code == 429
    right = client.post(reverse("login"), {"username": "zoe", "password": PASSWORD})
    assert right.status_code == 429
    assert "Too many wrong passwords" in right.text


def test_a_login_cannot_be_somebody_elses_address(client: Client, cast: Cast) -> None:
    response = client.post(reverse("sign_up"), NEW | {"username": "Zoe@example.org"})

    assert response.status_code == 422
    # Even if there is one (from an import, say), the address means its owner.
    User.objects.create_user("zoe@example.org", "", PASSWORD, name="Somebody else")
    assert User.objects.get_by_natural_key("zoe@example.org") == cast.student


@pytest.mark.parametrize(
    ("proxies", "told", "client_address"),
    [
        (0, "6.6.6.6", "127.0.0.1"),
        (1, "6.6.6.6, 7.7.7.7", "7.7.7.7"),
        (2, "6.6.6.6, 7.7.7.7, 8.8.8.8", "7.7.7.7"),
        (1, "", "127.0.0.1"),
    ],
)
def test_only_our_own_proxies_are_believed(
    rf: RequestFactory, proxies: int, told: str, client_address: str
) -> None:
    request = rf.get("/", headers={"X-Forwarded-For": told})

    with override_settings(TRUSTED_PROXIES=proxies):
        assert get_client_address(request) == client_address


def reset_password(client: Client, new: str) -> str:
    """By the link in the mail."""
    client.post(reverse("password_reset"), {"email": "zoe@example.org"})
    link = re.search(r"http://testserver(/\S+)", str(mail.outbox[0].body))
    assert link
    address = client.get(link[1], follow=True).redirect_chain[-1][0]
    return client.post(address, {"new_password1": new, "new_password2": new}).text


def errors_by_field(page: str) -> dict[str, str]:
    return dict(re.findall(r'class="field-error" id="id_(\w+)_error">([^<]+)<', page))


@pytest.mark.django_db
def test_a_weak_password_is_refused_under_its_own_field(client: Client) -> None:
    weak = {"password1": "12345", "password2": "12345"}

    errors = errors_by_field(client.post(reverse("sign_up"), NEW | weak).text)

    assert errors.keys() == {"password1"}
    assert "too short" in errors["password1"]


@pytest.mark.django_db
def test_a_password_that_is_typed_differently_is_refused_under_the_confirmation(
    client: Client,
) -> None:
    answer = client.post(reverse("sign_up"), NEW | {"password2": "a-long-passphrase-8"})

    assert errors_by_field(answer.text).keys() == {"password2"}


def test_changing_and_resetting_a_password_show_errors_at_the_same_place(
    client: Client, cast: Cast
) -> None:
    weak = {"new_password1": "12345", "new_password2": "12345"}
    assert errors_by_field(reset_password(client, "12345")).keys() == {"new_password1"}

    client.force_login(cast.student, backend="django.contrib.auth.backends.ModelBackend")
    change = reverse("password_change")
    answer = client.post(change, weak | {"old_password": PASSWORD})
    assert errors_by_field(answer.text).keys() == {"new_password1"}


def test_a_password_is_reset_by_mail(client: Client, cast: Cast) -> None:
    reset_password(client, "another-7-passphrase")

    cast.student.refresh_from_db()
    assert cast.student.check_password("another-7-passphrase")


def test_a_reset_lifts_the_lock(client: Client, cast: Cast) -> None:
    for _ in range(10):
        client.post(reverse("login"), {"username": "zoe", "password": "wrong"})
    reset_password(client, "another-7-passphrase")

    told = {"username": "zoe", "password": "another-7-passphrase"}
    assert client.post(reverse("login"), told).status_code == 302


@pytest.mark.django_db
def test_an_unknown_address_learns_nothing(client: Client) -> None:
    response = client.post(reverse("password_reset"), {"email": "nobody@example.org"})

    assert response.status_code == 302
    assert mail.outbox == []


def test_a_refused_change_of_details_keeps_the_name_in_the_head(client: Client, cast: Cast) -> None:
    client.force_login(cast.student, backend="django.contrib.auth.backends.ModelBackend")

    response = client.post(
        reverse("account"), {"name": "Changed", "email": "broken", "time_zone": "UTC"}
    )

    assert response.status_code == 422
    assert '<span class="user-menu-name">Zoë Brânză' in response.text


@pytest.mark.django_db
def test_a_request_that_is_too_large_is_refused_unread(client: Client) -> None:
    response = client.post(reverse("sign_up"), {"name": "x" * 10_100_000})

    assert response.status_code == 413
    assert "too large" in response.text


@pytest.mark.django_db
def test_pages_carry_the_content_security_policy(client: Client) -> None:
    policy = client.get(reverse("login")).headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
