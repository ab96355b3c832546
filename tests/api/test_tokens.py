"""Tokens: shown once, hashed, scoped, expiring, revocable, limited and noted."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.models import ApiToken, AuditKind, AuditRecord, Membership, Role, User
from tests.api.scene import ApiClient, ApiOf, make_token
from tests.conftest import log_in
from tests.scenes import Scene

ClientOf = Callable[[User | None], Client]


def _form(scene: Scene, **changes: object) -> dict[str, object]:
    form = {"name": "Export", "course": scene.cast.course.pk, "scope": "read", "days": 30}
    return form | changes


def test_a_token_is_shown_once_and_stored_as_a_hash(scene: Scene, client_of: ClientOf) -> None:
    client = client_of(scene.cast.ta)

    page = client.post(reverse("api_token_new"), _form(scene)).content.decode()
    token = page.partition('id="new-secret">')[2].partition("<")[0]

    row = ApiToken.objects.get(name="Export")
    assert token.startswith("pyreval_")
    assert token not in str(row.__dict__)
    assert ApiClient(token).read("/token")["scope"] == "read"
    later = client.get(reverse("api_tokens")).content.decode()
    assert row.hint in later
    assert token not in later


def test_creating_a_token_asks_for_the_password_again(scene: Scene, client_of: ClientOf) -> None:
    client = Client()
    client.force_login(scene.cast.ta, backend="django.contrib.auth.backends.ModelBackend")

    response = client.get(reverse("api_token_new"))

    assert response.status_code == 302
    assert response["Location"].startswith(reverse("account_reauthenticate"))


def test_a_student_cannot_create_a_token(scene: Scene, client_of: ClientOf) -> None:
    client = client_of(scene.cast.student)

    assert client.post(reverse("api_token_new"), _form(scene)).status_code == 422
    assert not scene.cast.student.api_tokens.exists()


def test_a_token_is_for_a_course_where_one_grades(scene: Scene, client_of: ClientOf) -> None:
    other = scene.cast.other_course.pk

    response = client_of(scene.cast.ta).post(reverse("api_token_new"), _form(scene, course=other))

    assert response.status_code == 422


def test_a_revoked_token_is_refused(scene: Scene, client_of: ClientOf) -> None:
    api = ApiClient(make_token(scene.cast.ta, scene.cast.course))
    assert api.get("/token").status_code == 200
    row = scene.cast.ta.api_tokens.first()
    assert row is not None

    client_of(scene.cast.ta).post(reverse("api_token_revoke", args=[row.pk]))

    assert api.get("/token").status_code == 401
    assert api.get("/token")["WWW-Authenticate"] == "Bearer"


def test_an_expired_token_is_refused(api: ApiClient, scene: Scene) -> None:
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert api.get("/courses").status_code == 401


def test_a_token_ends_with_the_account(api: ApiClient, scene: Scene) -> None:
    User.objects.filter(pk=scene.cast.instructor.pk).update(is_active=False)

    assert api.get("/courses").status_code == 401


def test_a_token_does_what_its_owner_may_now(api: ApiClient, scene: Scene) -> None:
    membership = Membership.objects.get(user=scene.cast.instructor, course=scene.cast.course)
    membership.role = Role.STUDENT
    membership.save()

    assert api.get(f"/assignments/{scene.assignment.pk}/grades").status_code == 403
    assert api.read("/courses") == []

    membership.delete()
    assert api.get(f"/assignments/{scene.assignment.pk}/grades").status_code == 404


def test_a_second_factor_is_asked_for_here_too(api: ApiClient, settings: LazySettings) -> None:
    settings.REQUIRE_SECOND_FACTOR = True

    response = api.get("/courses")

    assert response.status_code == 403
    assert "second factor" in json.loads(response.content)["detail"]


def test_a_session_is_no_token_and_a_token_makes_no_session(
    scene: Scene, client_of: ClientOf
) -> None:
    browser = client_of(scene.cast.instructor)
    assert browser.get("/api/v1/courses").status_code == 401

    token = make_token(scene.cast.ta, scene.cast.course)
    response = browser.get("/api/v1/token", headers={"Authorization": f"Bearer {token}"})
    assert json.loads(response.content)["user"] == "tomasz"

    fresh = Client().get("/api/v1/token", headers={"Authorization": f"Bearer {token}"})
    assert not fresh.cookies
    page = Client().get(reverse("api_tokens"), headers={"Authorization": f"Bearer {token}"})
    assert page.status_code == 302


def test_use_and_creation_are_in_the_audit_log(api: ApiClient, scene: Scene) -> None:
    for _ in range(3):
        api.get("/courses")

    kinds = [row.kind for row in AuditRecord.objects.filter(kind__startswith="token.")]
    used = AuditRecord.objects.get(kind=AuditKind.TOKEN_USED)
    assert AuditKind.TOKEN_CREATED in kinds
    assert (used.actor, used.address) == (scene.cast.instructor.pk, "127.0.0.1")
    row = scene.cast.instructor.api_tokens.get()
    assert row.last_used_at is not None
    assert row.last_used_from == "127.0.0.1"


def test_too_many_requests_are_refused(scene: Scene, api_of: ApiOf, settings: LazySettings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"api": "3/m/key"}
    api, another = api_of(scene.cast.ta), api_of(scene.cast.ta)

    got = [api.get("/token") for _ in range(4)]

    assert [response.status_code for response in got] == [200, 200, 200, 429]
    assert got[-1]["Retry-After"] == "60"
    assert another.get("/token").status_code == 200


def test_guessing_tokens_is_refused(scene: Scene, settings: LazySettings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"api_failed": "2/m/ip"}

    got = [ApiClient(f"pyreval_{n}").get("/token").status_code for n in range(3)]

    assert got == [401, 401, 429]


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic abc", "Token x", "Bearer \x7f"])
def test_other_headers_are_no_token(scene: Scene, header: str) -> None:
    response = Client().get("/api/v1/token", headers={"Authorization": header})

    assert response.status_code == 401


def test_nobody_revokes_another_s_token(scene: Scene, client_of: ClientOf) -> None:
    make_token(scene.cast.ta, scene.cast.course)
    row = scene.cast.ta.api_tokens.first()
    assert row is not None
    client = client_of(scene.cast.instructor)
    log_in(client, scene.cast.instructor)

    assert client.post(reverse("api_token_revoke", args=[row.pk])).status_code == 404
