"""The documentation page, and the pages of webhooks."""

import re
from collections import Counter
from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from grading.models import AuditKind, AuditRecord, User, Webhook
from tests.api.api_table import ROWS
from tests.scenes import Scene

ClientOf = Callable[[User | None], Client]


def test_the_documentation_has_every_operation_and_no_script_of_its_own(scene: Scene) -> None:
    page = Client().get(reverse("api_docs")).content.decode()

    for row in ROWS:
        assert f"{row.method.upper()} /api/v1{row.path}" in page
    ids = Counter(re.findall(r' id="([^"]+)"', page))
    assert [name for name, count in ids.items() if count > 1] == []
    assert set(re.findall(r'href="#([^"]+)"', page)) <= ids.keys()
    assert not re.search(r"<script(?! src=\"/static)", page)
    assert "style=" not in page
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_the_openapi_document_is_there_for_everybody(scene: Scene) -> None:
    document = Client().get(reverse("api:openapi-json")).json()

    assert document["openapi"].startswith("3.1")
    created = document["paths"]["/api/v1/courses/{course}/assignments"]["post"]
    assert created["responses"]["422"] == {"$ref": "#/components/responses/Problem422"}
    assert "Idempotency-Key" in {row["name"] for row in created["parameters"]}


def test_the_secret_of_a_webhook_is_shown_once(scene: Scene, client_of: ClientOf) -> None:
    client = client_of(scene.cast.instructor)
    address = reverse("webhooks", args=[scene.cast.course.pk])

    shown = client.post(address, {"url": "https://new.example.org/", "scored": "on"})

    webhook = Webhook.objects.get(url="https://new.example.org/")
    assert webhook.secret in shown.content.decode()
    assert (webhook.scored, webhook.released) == (True, False)
    later = client.get(address).content.decode()
    assert webhook.url in later
    assert webhook.secret not in later
    assert AuditRecord.objects.filter(kind=AuditKind.WEBHOOK_CHANGED).exists()


def test_a_webhook_needs_an_event(scene: Scene, client_of: ClientOf) -> None:
    address = reverse("webhooks", args=[scene.cast.course.pk])

    response = client_of(scene.cast.instructor).post(address, {"url": "https://a.example.org/"})

    assert response.status_code == 422
    assert b"Choose at least one event." in response.content
