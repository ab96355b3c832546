"""What docs/deploy.md sets up, without root: its settings, the units' commands, and nginx."""

import configparser
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
NGINX_TYPES = Path("/etc/nginx/mime.types")
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
HOST = "classroom.example.org"
STATIC = Path("www") / "static"  # below the data directory, for want of /var/www


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / "systemd" / name)
    return parser


def command_of(name: str) -> list[str]:
    """With the instance still to be filled in, as “%i”."""
    return shlex.split(unit(name)["Service"]["ExecStart"].replace("%%", "%"))


def unit_command(
    name: str, instance: str = "", *, port: int = 8000, processes: int = 2
) -> list[str]:
    """The command of a unit, by our own Python and without the account that it has there."""
    command = " ".join(command_of(name)[1:]).replace("%i", instance)
    command = command.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    command = command.replace("--concurrency 2", f"--concurrency {processes}")
    return [sys.executable, *shlex.split(command)]


def environment_of_site(folder: Path, **ours: str) -> dict[str, str]:
    """deploy/classroom.env as it is filled in, with a database and a broker of the tests."""
    lines = (DEPLOY / "classroom.env").read_text("utf-8").splitlines()
    named = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    filled_in = {
        "SECRET_KEY": secrets.token_hex(40),
        "DATA_DIR": str(folder),
        "STATIC_ROOT": str(folder / STATIC),
        "DJANGO_SETTINGS_MODULE": "pyreval_site.settings",
        "LOCAL_HTTP": "false",
    }
    return os.environ | named | filled_in | ours


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for listener in taken:
            listener.bind(("127.0.0.1", 0))
        return [int(listener.getsockname()[1]) for listener in taken]


@contextmanager
def running(
    command: list[str], environment: dict[str, str], log: Path
) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("w") as out:
        process = subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=out, stderr=out, start_new_session=True
        )
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def nginx_command(folder: Path, data: Path, web: int, plain: int, https: int) -> list[str]:
    """deploy/nginx.conf on our ports, with a certificate of our own and the site's static files."""
    openssl = [str(shutil.which("openssl")), "req", "-x509", "-newkey", "rsa:2048", "-nodes"]
    made = ["-subj", "/CN=localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subprocess.run([*openssl, *made], check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    for pattern, ours in (
        (r"listen \[::\].*\n", "\n"),
        (r"listen 80;", f"listen 127.0.0.1:{plain};"),
        (r"listen 443 ", f"listen 127.0.0.1:{https} "),
        (r"server 127\.0\.0\.1:8000;", f"server 127.0.0.1:{web};"),
        (r"root /var/www/classroom;", f"root {data / STATIC.parent};"),
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
        f"worker_processes auto; events {{ worker_connections 768; }}\n"  # as Debian has them
        f"error_log stderr warn; http {{ {folders} access_log off; sendfile on; tcp_nopush on;\n"
        f"include {NGINX_TYPES}; default_type application/octet-stream;\n"
        f"include {folder}/site.conf; }}\n"
    )
    return [str(NGINX), "-p", str(folder), "-c", f"{folder}/nginx.conf"]
