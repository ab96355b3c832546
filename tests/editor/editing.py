"""The editor as its script drives it: edits sent, and which parts an answer puts in place."""

import re
import uuid
from typing import TYPE_CHECKING

from django.test import Client
from django.urls import reverse

from grading.models import Draft
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing
from tests.conftest import REFERENCES

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

HTMX = {"HX-Request": "true"}

PYRAMID = Pyramid(
    REFERENCES,
    (
        Scu(1, "Cities are hotter", (Contributor("Ada", (Span(0, 17),)),)),
        Scu(2, "Towns", (Contributor("Ada", (Span(0, 6),)), Contributor("Ben", (Span(0, 5),)))),
        Scu(3, "Trees cool", (Contributor("Chi", (Span(40, 50),)),)),
        Scu(4, "A statement", ()),
        Scu(5, "Beside the point", (), "", None, Standing.ASIDE),
    ),
)


def page(client: Client, draft: Draft) -> str:
    return client.get(reverse("draft", args=[draft.pk])).content.decode()


def send(client: Client, draft: Draft, what: str = "draft_edit", **fields: str) -> "Answer":
    """As the script of the editor does, on the newest revision if no other is told."""
    now = Draft.objects.only("revision").get(pk=draft.pk).revision
    fields = {"revision": str(now), "token": str(uuid.uuid4())} | fields
    return client.post(reverse(what, args=[draft.pk]), fields, headers=HTMX)


def swapped(response: "Answer") -> set[str]:
    """The ids of the parts that an answer puts in the place of others."""
    tags = re.findall(r"<\w+[^>]*hx-swap-oob[^>]*>", response.content.decode())
    return {re.findall(r'\bid="([^"]+)"', tag)[0] for tag in tags}


ALWAYS = {"editor-history", "editor-glance", "uncovered-total", "editor-status"}


def changes(client: Client, draft: Draft, since: object) -> "Answer":
    url = reverse("draft_changes", args=[draft.pk])
    return client.get(url, {"since": str(since)}, headers=HTMX)


def post(client: Client, draft: Draft, what: str = "draft_edit", **fields: str) -> "Answer":
    return client.post(reverse(what, args=[draft.pk]), fields)
