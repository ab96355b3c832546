"""The door to platforms: only public addresses, no redirects, small answers."""

import socket
from typing import Any

import pytest

from grading.lti import outgoing
from grading.lti.outgoing import PlatformError, address_problem, get
from tests.lti.lms import Lms


@pytest.mark.parametrize(
    "address",
    [
        "https://lms.example.org/token",
        "https://lms.example.org:8443/token?x=1",
        "https://93.184.215.14/",
    ],
)
def test_public_addresses(address: str) -> None:
    assert address_problem(address) == ""


@pytest.mark.parametrize(
    "address",
    [
        "http://lms.example.org/",
        "ftp://lms.example.org/",
        "https://",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/",
        "https://10.1.2.3/",
        "https://user:secret@lms.example.org/",
        "https://lms.example.org:22/",
        "https://lms.example.org:99999/",
        "https://lms.example.org\\@10.0.0.1/",
        "javascript:alert(1)",
    ],
)
def test_others(address: str) -> None:
    assert address_problem(address) != ""


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "::1", "fe80::1%eth0", "169.254.1.1"])
def test_a_public_name_with_a_private_address(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a name leads to is looked at, and the connection goes to what was looked at."""

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, 1, 6, "", (address, port)) for address in ("8.8.8.8", address)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    with pytest.raises(PlatformError, match="not a public address"):
        get("https://lms.example.org/jwks")


def test_a_redirect_is_not_followed(lms: Lms) -> None:
    lms.add_course("c", "C")
    with pytest.raises(PlatformError, match="answered 302") as error:
        get(f"{lms.url}/start/course-1?as=i-1&link=x")
    assert error.value.status == 302


def test_what_is_no_json_or_too_long(lms: Lms, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlatformError, match="not JSON"):
        get(f"{lms.url}/courses/course-1")
    monkeypatch.setattr(outgoing, "LARGEST_ANSWER", 10)
    with pytest.raises(PlatformError, match="too long"):
        get(f"{lms.url}/jwks")


def test_an_lms_that_is_away(lms: Lms) -> None:
    address = f"{lms.url}/jwks"
    lms.close()

    with pytest.raises(PlatformError, match="could not be reached"):
        get(address)
