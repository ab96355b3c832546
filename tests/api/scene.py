"""A course with a token for each of the cast, and a client that sends it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from grading.api.actions import token_create
from grading.models import Course, User
from tests.api.api_table import ApiRow
from tests.scenes import Scene

ROOT = "/api/v1"


def make_token(user: User, course: Course, *, can_write: bool = True) -> str:
    """As the page makes it, for whoever: what a token may do is for the access functions to say."""
    return token_create(user=user, course=course, name="Tests", can_write=can_write, days=1)[1]


@dataclass(frozen=True)
class ApiClient:
    """Sends JSON with a token."""

    token: str | None

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> HttpResponse:
        sent = dict(headers or {})
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        return Client(raise_request_exception=False).generic(  # type: ignore[return-value]
            method.upper(),
            f"{ROOT}{path}",
            b"" if body is None else json.dumps(body),
            content_type="application/json",
            headers=sent,
        )

    def ask_row(self, row: ApiRow, names: dict[str, object]) -> HttpResponse:
        """What a row of the table says, about the rows of the scene."""
        path, headers = row.path.format(**names), dict(row.headers)
        if row.files:
            return self.send_files(path, *row.files)
        body = row.body
        if isinstance(body, dict) and "{submission}" in body.get("submissions", ()):
            body = body | {"submissions": [names["submission"]]}
        return self.ask(row.method, path, body, headers)

    def send_files(
        self,
        path: str,
        *files: tuple[str, str, str | bytes],
        headers: dict[str, str] | None = None,
        **fields: str,
    ) -> HttpResponse:
        """As a form with files: field, name and content of each."""
        sent: dict[str, Any] = dict(fields)
        for field, name, content in files:
            data = content.encode() if isinstance(content, str) else content
            sent.setdefault(field, []).append(SimpleUploadedFile(name, data))
        authorised = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return Client(raise_request_exception=False).post(  # type: ignore[return-value]
            f"{ROOT}{path}", sent, headers={**(headers or {}), **authorised}
        )

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.ask("get", path, headers=headers)

    def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> HttpResponse:
        return self.ask("post", path, body, headers)

    def put(self, path: str, body: Any, headers: dict[str, str] | None = None) -> HttpResponse:
        return self.ask("put", path, body, headers)

    def read(self, path: str) -> Any:
        response = self.get(path)
        assert response.status_code == 200, response.content
        return json.loads(response.content)


ApiOf = Callable[..., ApiClient]


def names_of(scene: Scene) -> dict[str, object]:
    """What stands in the addresses of the table, of the scene that the pages' table has."""
    pages = {
        "course": "course",
        "assignment": "assignment",
        "reference": "reference",
        "job": "class job",
        "draft": "draft",
        "version": "version",
        "submission": "submission",
        "export": "gradebook export",
        "webhook": "webhook",
        "extension": "extension",
        "upload": "work import",
        "comment": "comment",
        "saved": "saved comment",
        "look": "second look",
        "deletion": "deletion",
        "file": "export",
        "course_job": "export job",
    }
    names = {name: scene.kwargs[about]["pk"] for name, about in pages.items()}
    names["member"] = scene.kwargs["member"]["member_pk"]
    names["removed"] = scene.kwargs["removed member"]["removed_pk"]
    student = scene.kwargs["class student"]["student_key"]
    return names | {"student": student, "kind": "pyr"}
