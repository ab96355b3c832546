"""What happens around every view."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, User
from tests.conftest import Cast

HTMX = {"HX-Request": "true"}


def test_a_part_is_refused_to_somebody_who_was_logged_out(
    assignment: Assignment, client_of: Callable[[User | None], Client]
) -> None:
    address = reverse("pyramid", args=[assignment.pk])

    assert client_of(None).get(address, headers=HTMX).status_code == 401
    assert client_of(None).get(address).status_code == 302


@pytest.mark.parametrize("charset", ["utf-7", "hex", "unicode_escape", "no-such"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "text/plain"])
def test_what_is_not_utf_8_is_refused_before_it_is_read(
    client: Client, charset: str, kind: str
) -> None:
    answer = client.generic(
        "POST", reverse("account_login"), b"+2AA-", content_type=f"{kind}; charset={charset}"
    )

    assert answer.status_code == 415


def test_logging_out_clears_what_the_browser_keeps(
    cast: Cast, client_of: Callable[[User | None], Client]
) -> None:
    client = client_of(cast.student)

    assert "Clear-Site-Data" not in client.get(reverse("home"))
    answer = client.post(reverse("account_logout"))

    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert "no-store" in answer["Cache-Control"]
