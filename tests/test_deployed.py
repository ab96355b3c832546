"""A site as docs/deploy.md makes it, without root: its settings, the units' commands, and nginx."""

import json
import os
import re
import secrets
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from urllib.error import HTTPError, URLError
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

import pytest
from django.db import connection

from tests.test_deploy import DEPLOY, NGINX, ROOT, command_of
from tests.workers import broker_url, database_url, wait_until

pytestmark = [
    pytest.mark.workers,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed"),
]

HOST = "classroom.example.org"
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
                return answer.status, dict(answer.headers), answer.read().decode()
        except HTTPError as error:
            return error.code, dict(error.headers), error.read().decode()

    def page(self, path: str) -> tuple[int, dict[str, str], str]:
        return self.get(f"https://127.0.0.1:{self.https}{path}", Host=HOST)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in taken]


def _environment(folder: Path) -> dict[str, str]:
    """deploy/classroom.env as it is filled in, with a database and a broker of the tests."""
    lines = (DEPLOY / "classroom.env").read_text("utf-8").splitlines()
    named = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    ours = {
        "SECRET_KEY": secrets.token_hex(40),
        "DATA_DIR": str(folder),
        "DATABASE_URL": database_url(),
        "CELERY_BROKER_URL": broker_url(),
        "PYREVAL_METHOD": "pyreval",
        "DJANGO_SETTINGS_MODULE": "pyreval_site.settings",
        "LOCAL_HTTP": "false",
    }
    return os.environ | named | ours


@contextmanager
def _running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[None]:
    with log.open("w") as out:
        process = subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=out, stderr=out, start_new_session=True
        )
    try:
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def _unit(name: str, instance: str = "", **replaced: str) -> list[str]:
    """The command of a unit, by our own Python and without the account that it has there."""
    command = " ".join(command_of(name)[1:]).replace("%i", instance)
    for before, after in replaced.items():
        command = command.replace(before.replace("_", ":"), after)
    return [sys.executable, *shlex.split(command)]


def _nginx(folder: Path, web: int, plain: int, https: int) -> list[str]:
    openssl = [str(shutil.which("openssl")), "req", "-x509", "-newkey", "rsa:2048", "-nodes"]
    made = ["-subj", "/CN=localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subprocess.run([*openssl, *made], check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    for pattern, ours in (
        (r"listen \[::\].*\n", "\n"),
        (r"listen 80;", f"listen 127.0.0.1:{plain};"),
        (r"listen 443 ", f"listen 127.0.0.1:{https} "),
        (r"server 127\.0\.0\.1:8000;", f"server 127.0.0.1:{web};"),
        (r"ssl_certificate .*;", f"ssl_certificate {folder}/cert.pem;"),
        (r"ssl_certificate_key .*;", f"ssl_certificate_key {folder}/key.pem;"),
    ):
        site, count = re.subn(pattern, ours, site)
        assert count, pattern
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.geteuid() == 0 else ''} daemon off; pid {folder}/nginx.pid;\n"
        f"error_log stderr; events {{}} http {{ {folders} access_log off;\n"
        f"include {folder}/site.conf; }}\n"
    )
    return [str(NGINX), "-p", str(folder), "-c", f"{folder}/nginx.conf"]


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployed]:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    environment = _environment(data)
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
    web, plain, https = _free_ports(3)
    site = Deployed(web, plain, https, tmp_path)
    connection.close()
    with ExitStack() as running:
        for name, command in (
            ("web", _unit("classroom-web.service", **{"127.0.0.1_8000": f"127.0.0.1:{web}"})),
            ("quick", _unit("classroom-worker@.service", "quick")),
            ("slow", _unit("classroom-worker@.service", "slow")),
            ("beat", _unit("classroom-beat.service")),
            ("nginx", _nginx(tmp_path, web, plain, https)),
        ):
            running.enter_context(_running(command, environment, tmp_path / f"{name}.log"))
        yield site


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

    # Silent connections cost nobody else anything.
    with ExitStack() as stack:
        for _ in range(SILENT):
            silent = stack.enter_context(socket.create_connection(("127.0.0.1", deployed.https)))
            wrapped = stack.enter_context(UNTRUSTED.wrap_socket(silent))
            wrapped.sendall(f"POST /accounts/login/ HTTP/1.1\r\nHost: {HOST}\r\n".encode())
        began = monotonic()
        assert deployed.page("/accounts/login/")[0] == 200
        assert monotonic() - began < 5
