"""A person with a browser, on a web server that is a process of its own."""

from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from grading.models import User
from tests.conftest import log_in

_CSRF = "a" * 32


@dataclass(frozen=True)
class Answer:
    """``status`` is 0 where the connection broke."""

    status: int
    body: str = ""
    location: str = ""


@dataclass
class Browser:
    """Logged in from the start. ``of`` a server at this port of this machine."""

    user: User
    port: int
    _session: str = field(init=False)

    def __post_init__(self) -> None:
        client = Client()
        log_in(client, self.user)
        self._session = client.cookies["sessionid"].value

    def get(self, path: str, timeout: float = 60) -> Answer:
        return self._ask("GET", path, b"", "", timeout)

    def post(self, path: str, timeout: float = 60, **fields: object) -> Answer:
        data = urlencode({"csrfmiddlewaretoken": _CSRF, **fields}).encode()
        return self._ask("POST", path, data, "application/x-www-form-urlencoded", timeout)

    def upload(self, path: str, field_name: str, name: str, content: bytes) -> Answer:
        file = SimpleUploadedFile(name, content)
        data = encode_multipart(BOUNDARY, {"csrfmiddlewaretoken": _CSRF, field_name: file})
        return self._ask("POST", path, data, MULTIPART_CONTENT, 60)

    def _ask(self, method: str, path: str, data: bytes, kind: str, timeout: float) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Cookie": f"sessionid={self._session}; csrftoken={_CSRF}", "Content-Type": kind}
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            body = answer.read().decode(errors="replace")
            return Answer(answer.status, body, answer.headers.get("Location", ""))
        except (HTTPException, OSError):
            return Answer(0)
        finally:
            connection.close()
