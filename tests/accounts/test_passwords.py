"""What a new password must be."""

import hashlib
from functools import partial
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client, override_settings
from django.urls import reverse

from grading.accounts.passwords import is_breached
from grading.management.demonstration_course import demonstration_log_ins
from grading.models import User
from pyreval_site.settings import PASSWORD_HASHERS
from tests.conftest import Cast


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short-pass", "password_too_short"),
        ("pyreval-classroom-1", "password_product_name"),
        ("PyrEvalClassroom2026", "password_product_name"),
        ("1qaz2wsx3edc", "password_too_common"),
        ("482915063748", "password_entirely_numeric"),
    ],
)
def test_weak_passwords_are_refused(password: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password)

    assert code in {error.code for error in refused.value.error_list}


@pytest.mark.parametrize("password", ["four-words-of-mine", "my classroom has green walls"])
def test_long_ones_are_taken(password: str) -> None:
    validate_password(password)


def test_with_a_second_factor_eight_characters_are_enough(cast: Cast) -> None:
    with pytest.raises(ValidationError):
        validate_password("gr8-Tunes", cast.student)

    Authenticator.objects.create(user=cast.student, type=Authenticator.Type.TOTP, data={})

    validate_password("gr8-Tunes", cast.student)


@pytest.mark.parametrize("number", [0, 1, 500, 998, 999])
@pytest.mark.parametrize("ending", ["", ":17"])
@pytest.mark.parametrize("last", ["\n", ""])
def test_breached_passwords_are_found_in_a_sorted_file(
    tmp_path: Path, number: int, ending: str, last: str
) -> None:
    words = [f"breached-password-{n}" for n in range(1000)]
    hashes = sorted((hashlib.sha1(w.encode()).hexdigest().upper(), w) for w in words)  # noqa: S324
    path = tmp_path / "hashes.txt"
    path.write_text("\n".join(f"{digest}{ending}" for digest, _ in hashes) + last)

    assert is_breached(hashes[number][1], path)
    assert not is_breached("never-breached", path)
    with override_settings(BREACHED_PASSWORDS_FILE=path):
        with pytest.raises(ValidationError, match="leaked from another site"):
            validate_password(hashes[number][1])
        validate_password("never-breached-at-all")


@pytest.mark.django_db
def test_an_older_shorter_password_works_until_it_is_changed() -> None:
    User.objects.create_user("old", "old@example.org", "short", name="Old")

    answer = Client().post(reverse("account_login"), {"login": "old", "password": "short"})

    assert answer.headers["Location"] == reverse("home")


@pytest.mark.django_db
def test_a_hash_of_pbkdf2_works_and_is_made_anew_at_the_next_log_in() -> None:
    account = User.objects.create_user("old", "old@example.org", name="Old")
    account.password = PBKDF2PasswordHasher().encode("of-last-year", "salt", iterations=10)
    account.save()
    log_in = partial(Client().post, reverse("account_login"))

    with override_settings(PASSWORD_HASHERS=PASSWORD_HASHERS):
        assert log_in({"login": "old", "password": "of-last-week"}).status_code == 200
        account.refresh_from_db()
        assert account.password.startswith("pbkdf2_sha256$10$")
        log_in({"login": "old", "password": "of-last-year"})
        account.refresh_from_db()
        rehashed = account.password
        assert rehashed.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
        answer = log_in({"login": "old", "password": "of-last-year"})

    assert answer.headers["Location"] == reverse("home")
    account.refresh_from_db()
    assert account.password == rehashed
    assert mail.outbox == []


def test_the_demonstration_keeps_the_rules() -> None:
    for _, password, _ in demonstration_log_ins():
        validate_password(password)
