"""A site as docs/deploy.md makes it, without root: its settings, the units' commands, and nginx."""

import json
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from urllib.error import HTTPError, URLError
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

import pytest
from django.db import connection

from tests.deployed import (
    HOST,
    NGINX,
    ROOT,
    environment_of_site,
    free_ports,
    nginx_command,
    running,
    unit_command,
)
from tests.workers import broker_url, database_url, wait_until

pytestmark = [
    pytest.mark.workers,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed"),
]

# Headers that differ from answer to answer, or from one program that sends files to another.
ITS_OWN = {"Accept-Ranges", "Connection", "Date", "ETag", "Server", "X-Request-ID"}
SILENT = 20  # connections; these used to stall all pages for 14 s
UNTRUSTED = ssl.create_default_context()
UNTRUSTED.check_hostname = False
UNTRUSTED.verify_mode = ssl.CERT_NONE
_open = build_opener(ProxyHandler({}), HTTPSHandler(context=UNTRUSTED)).open


@dataclass(frozen=True)
class Deployed:
    """Ports of gunicorn, and of nginx with and without HTTPS; the folder with all logs."""

    web: int
    plain: int
    https: int
    folder: Path

    def get(self, address: str, **headers: str) -> tuple[int, dict[str, str], str]:
        try:
            with _open(Request(address, headers=headers), timeout=30) as answer:  # noqa: S310
                return answer.status, dict(answer.headers), answer.read().decode("latin1")
        except HTTPError as error:
            return error.code, dict(error.headers), error.read().decode("latin1")

    def page(self, path: str) -> tuple[int, dict[str, str], str]:
        return self.get(f"https://127.0.0.1:{self.https}{path}", Host=HOST)


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployed]:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    environment = environment_of_site(
        data,
        DATABASE_URL=database_url(),
        CELERY_BROKER_URL=broker_url(),
        PYREVAL_METHOD="pyreval",
    )
    for command in (["migrate"], ["collectstatic", "--noinput"], ["check", "--deploy"]):
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    web, plain, https = free_ports(3)
    site = Deployed(web, plain, https, tmp_path)
    connection.close()
    processes = []
    with ExitStack() as started:
        for name, command in (
            (
                "web",
                unit_command("classroom-web.service", port=web),
            ),
            ("quick", unit_command("classroom-worker@.service", "quick")),
            ("slow", unit_command("classroom-worker@.service", "slow")),
            ("beat", unit_command("classroom-beat.service")),
            ("nginx", nginx_command(tmp_path, data, web, plain, https)),
        ):
            log = tmp_path / f"{name}.log"
            processes.append(started.enter_context(running(command, environment, log)))
        yield site
        for process in processes:  # all at once: each takes seconds to end well
            process.terminate()
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)


def test_a_site_as_the_document_makes_it(deployed: Deployed) -> None:
    probe = f"http://127.0.0.1:{deployed.web}/readyz"

    def problems() -> dict[str, str]:
        with suppress(URLError, OSError):
            return {
                name: said
                for name, said in json.loads(deployed.get(probe)[2])["checks"].items()
                if said != "ok"
            }
        return {"web": "It does not answer."}

    wait_until(lambda: not problems(), "web, worker, beat, broker and database are ready")
    status, headers, page = deployed.page("/accounts/login/")
    assert status == 200
    assert "Log in" in page
    assert "__Host-csrftoken=" in headers["Set-Cookie"]
    assert "Secure" in headers["Set-Cookie"]
    assert "max-age" in headers["Strict-Transport-Security"]

    # Probes are not for the world, a client's own request id is not taken, HTTP leads to HTTPS.
    assert {deployed.page(path)[0] for path in ("/healthz", "/readyz", "/metrics")} == {404}
    login = f"https://127.0.0.1:{deployed.https}/accounts/login/"
    forged = deployed.get(login, Host=HOST, **{"X-Request-ID": "forged-forged-forged"})[1]
    assert re.fullmatch(r"[0-9a-f]{32}", forged["X-Request-ID"])
    lines = [json.loads(line) for line in (deployed.folder / "web.log").read_text().splitlines()]
    ids = [line.get("request") for line in lines if line.get("view", "").endswith("login")]
    assert forged["X-Request-ID"] in ids
    assert {line["address"] for line in lines if "address" in line} == {"127.0.0.1"}
    with socket.create_connection(("127.0.0.1", deployed.plain)) as plain:
        plain.sendall(f"GET /x HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
        assert f"Location: https://{HOST}/x".encode() in plain.recv(4096)

    _nginx_sends_static_files_as_the_program_would(deployed, page)

    # gunicorn leaves it to nginx to end an idle connection.
    idle = HTTPConnection("127.0.0.1", deployed.web)
    idle.request("GET", "/healthz")
    assert idle.getresponse().read()
    idle.auto_open = 0  # so that a second connection is an error
    sleep(3)
    idle.request("GET", "/healthz")
    assert idle.getresponse().status == 200
    idle.close()

    # Silent connections cost nobody else anything.
    with ExitStack() as stack:
        for _ in range(SILENT):
            silent = stack.enter_context(socket.create_connection(("127.0.0.1", deployed.https)))
            wrapped = stack.enter_context(UNTRUSTED.wrap_socket(silent))
            wrapped.sendall(f"POST /accounts/login/ HTTP/1.1\r\nHost: {HOST}\r\n".encode())
        began = monotonic()
        assert deployed.page("/accounts/login/")[0] == 200
        assert monotonic() - began < 5


def _nginx_sends_static_files_as_the_program_would(deployed: Deployed, page: str) -> None:
    """Compare every header of a style sheet, a script and a picture, packed and as they are."""
    hashed = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    kinds = {path.rpartition(".")[2]: path for path in hashed}
    assert set(kinds) == {"css", "js", "svg"}
    from_program = f"http://127.0.0.1:{deployed.web}"
    from_nginx = f"https://127.0.0.1:{deployed.https}"
    for path in (*kinds.values(), "/static/css/base.css"):
        for accepted in ("gzip", "identity"):
            asked = {"Host": HOST, "Accept-Encoding": accepted}
            forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}
            status, program, content = deployed.get(from_program + path, **asked, **forwarded)
            assert status == 200
            status, nginx, same = deployed.get(from_nginx + path, **asked)
            assert status == 200
            assert same == content
            assert nginx["Server"] == "nginx"
            assert "X-Request-ID" not in nginx  # nobody asked the program
            assert _comparable(nginx) == _comparable(program), path
            assert "Access-Control-Allow-Origin" not in nginx
    # What is not there is for the program to say.
    status, missing, _ = deployed.page("/static/css/none.css")
    assert status == 404
    assert "X-Request-ID" in missing


def _comparable(headers: dict[str, str]) -> dict[str, str]:
    """Without an answer's own, with one spelling of the type and one order of the directives."""
    kind = headers["Content-Type"].replace("application/javascript", "text/javascript")
    policy = "; ".join(sorted(headers["Content-Security-Policy"].split("; ")))
    return {name: value for name, value in headers.items() if name not in ITS_OWN} | {
        "Content-Type": kind.replace('"', ""),
        "Content-Security-Policy": policy,
    }
