"""What happens around every view."""

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from grading.models import Assignment, User

HTMX = {"HX-Request": "true"}


def test_a_part_is_refused_to_somebody_who_was_logged_out(
    assignment: Assignment, client_of: Callable[[User | None], Client]
) -> None:
    address = reverse("pyramid", args=[assignment.pk])

    assert client_of(None).get(address, headers=HTMX).status_code == 401
    assert client_of(None).get(address).status_code == 302
