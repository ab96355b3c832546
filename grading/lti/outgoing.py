"""The one door to platforms: HTTPS to public addresses, no redirects, little time, small answers.

A platform tells us addresses to call. None of them may lead into the network of this server: the
name is looked up once, every address it has must be public, and the connection goes to that very
address. LTI_PRIVATE_PLATFORMS allows others, for tests and development.
"""

import json
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings

from grading.pyramid.errors import PyramidError

SECONDS: Final = 10.0
LARGEST_ANSWER: Final = 5_000_000  # bytes: a roster of some thousand people
_NEXT: Final = re.compile(r'<([^>]*)>\s*;[^,]*\brel="?next"?', re.IGNORECASE)


class PlatformError(PyramidError):
    """The platform could not be asked, or its answer cannot be used; ``status`` if it had one."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    document: Any  # of JSON; None where there was none
    next_page: str = ""


def address_problem(address: str) -> str:
    """Why this cannot be the address of a platform; empty where it can."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "This is not a web address."
    if not parts.hostname or parts.username or parts.password or "\\" in address:
        return "This is not a web address."
    if settings.LTI_PRIVATE_PLATFORMS and parts.scheme in {"http", "https"}:
        return ""
    if parts.scheme != "https":
        return "The address must begin with https://."
    if port not in {None, 443, 8443}:
        return "The address must use port 443 or 8443."
    try:
        is_public = ip_address(parts.hostname).is_global
    except ValueError:
        is_public = "." in parts.hostname.strip(".")
    return "" if is_public else "The address must be public."


def get(address: str, *, token: str = "", accept: str = "application/json") -> Answer:
    return _ask("GET", address, b"", _headers(token, accept))


def post_form(address: str, fields: Mapping[str, str]) -> Answer:
    headers = _headers("", "application/json", "application/x-www-form-urlencoded")
    return _ask("POST", address, urlencode(fields).encode("ascii"), headers)


def post_json(address: str, document: object, *, token: str = "", kind: str = "") -> Answer:
    headers = _headers(token, kind or "application/json", kind or "application/json")
    return _ask("POST", address, json.dumps(document).encode("ascii"), headers)


def _headers(token: str, accept: str, content_type: str = "") -> dict[str, str]:
    headers = {"Accept": accept, "User-Agent": "PyrEval-Classroom"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if content_type:
        headers["Content-Type"] = content_type
    return headers


def _ask(method: str, address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    if problem := address_problem(address):
        raise PlatformError(f"{problem} The platform gave: {address[:200]}")
    parts = urlsplit(address)
    host = parts.hostname or ""
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        connection = _connection(host, parts.port, is_secure=parts.scheme == "https")
        try:
            connection.request(method, path, body or None, dict(headers))
            response = connection.getresponse()
            data = response.read(LARGEST_ANSWER + 1)
        finally:
            connection.close()
    except (OSError, HTTPException, ValueError) as error:
        raise PlatformError(f"{host} could not be reached: {type(error).__name__}.") from error
    if len(data) > LARGEST_ANSWER:
        raise PlatformError(f"The answer from {host} is too long.")
    if not 200 <= response.status < 300:
        raise PlatformError(f"{host} answered {response.status}.", response.status)
    next_page = _NEXT.search(response.headers.get("Link", ""))
    return Answer(response.status, _json(data, host), next_page[1] if next_page else "")


def _json(data: bytes, host: str) -> Any:
    if not data.strip():
        return None
    try:
        return json.loads(data)
    except ValueError:
        raise PlatformError(f"The answer from {host} is not JSON.") from None


def _connection(host: str, port: int | None, *, is_secure: bool) -> HTTPConnection:
    """Connected to an address that was looked at: a second look-up could lead elsewhere."""
    connection: HTTPConnection = (
        HTTPSConnection(host, port, timeout=SECONDS)
        if is_secure
        else HTTPConnection(host, port, timeout=SECONDS)
    )
    address_infos = socket.getaddrinfo(host, connection.port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in address_infos]
    if not settings.LTI_PRIVATE_PLATFORMS and not all(map(_is_public, addresses)):
        raise PlatformError(f"{host} is not a public address.")
    plain = socket.create_connection((addresses[0], connection.port), timeout=SECONDS)
    if is_secure:
        connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    else:
        connection.sock = plain
    return connection


def _is_public(address: str) -> bool:
    public_address = ip_address(address.partition("%")[0])
    public_address = getattr(public_address, "ipv4_mapped", None) or public_address
    return public_address.is_global and not public_address.is_multicast
