"""deploy/ and docs/deploy.md: one set of commands, settings that exist, files that are there."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from celery.bin.celery import celery

from pyreval_site import web_server
from pyreval_site.celery import app
from tests.deployed import DEPLOY, NGINX, ROOT, command_of, unit

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
DOCUMENT = (ROOT / "docs" / "deploy.md").read_text("utf-8")


def services() -> dict[str, Any]:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return dict(document["services"])


def test_containers_run_what_the_units_run() -> None:
    """But for the address: a container listens to its network."""

    def on_this_machine(command: list[str]) -> list[str]:
        return " ".join(command).replace("0.0.0.0", "127.0.0.1").split()  # noqa: S104

    for service, name, instance in (
        ("web", "classroom-web.service", ""),
        ("quick-worker", "classroom-worker@.service", "quick"),
        ("slow-worker", "classroom-worker@.service", "slow"),
        ("beat", "classroom-beat.service", ""),
    ):
        command = [word.replace("%i", instance) for word in command_of(name)]
        assert on_this_machine(services()[service]["command"]) == on_this_machine(command), service
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    cmd = re.search(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)
    assert cmd is not None
    assert yaml.safe_load(cmd[1]) == services()["web"]["command"]


def test_each_queue_of_the_product_has_a_worker() -> None:
    for queue in app.amqp.queues:
        assert services()[f"{queue}-worker"]["command"][7] == queue
        assert f"classroom-worker@{queue}" in DOCUMENT


def test_the_workers_of_one_machine_have_different_names() -> None:
    """RabbitMQ keeps the queue of a worker's name for one worker; a second one ends at once."""
    words = command_of("classroom-worker@.service")

    assert words[words.index("--hostname") + 1] == "%i@%h"  # “%h” is the machine's, for celery


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_runs_as_its_own_account_with_its_own_files(path: Path) -> None:
    service = unit(path.name)["Service"]

    assert service["User"] == "classroom"
    assert service["EnvironmentFile"] == "/etc/classroom.env"
    assert service["UMask"] == "0077"
    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "true"
    program = service["ExecStart"].split()[0]
    assert program == f"{service['WorkingDirectory']}/.venv/bin/python"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_programs_understand_these_options(path: Path) -> None:
    """As far as they say so without starting anything."""
    words = shlex.split(unit(path.name)["Service"]["ExecStart"].replace("%i", "slow"))[1:]
    if words[1] == "celery":
        options = {name for param in celery.commands[words[4]].params for name in param.opts}
        assert {word.partition("=")[0] for word in words[5:] if word.startswith("--")} <= options
    elif words[1] == "gunicorn":
        assert (ROOT / "pyreval_site" / "web_server.py").exists()
        assert words[2:4] == ["--config", "python:pyreval_site.web_server"]
    else:
        assert words[0] == "manage.py"
        assert (ROOT / "grading" / "management" / "commands" / f"{words[1]}.py").exists()


def test_nginx_finds_what_is_collected() -> None:
    """On the machine itself, and through the folder that the containers share with it."""
    settings = (DEPLOY / "classroom.env").read_text("utf-8")
    collected = re.search(r"^STATIC_ROOT=(/.*)/static$", settings, re.MULTILINE)
    assert collected is not None
    folder = collected[1]

    assert f"root {folder};" in (DEPLOY / "nginx.conf").read_text("utf-8")
    for service in ("prepare", "web"):
        assert f"{folder}:{folder}" in services()[service]["volumes"]
    made = re.findall(rf"install --directory --mode 0755 --owner (\w+) .*{folder}\n", DOCUMENT)
    assert made == ["classroom", "10001"]
    assert "--uid 10001" in (DEPLOY / "Dockerfile").read_text("utf-8")


def test_nginx_ends_idle_connections_before_gunicorn_does() -> None:
    """Else a request can meet a connection that gunicorn has just ended, and gets a 502."""
    upstream = re.search(r"upstream .*?\n}", (DEPLOY / "nginx.conf").read_text("utf-8"), re.DOTALL)
    assert upstream is not None
    kept = re.search(r"keepalive_timeout (\d+)s;", upstream[0])
    assert kept is not None

    assert int(kept[1]) < web_server.keepalive


def test_the_environment_file_has_settings_that_exist() -> None:
    known = set(
        re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE)
    )
    given = (DEPLOY / "classroom.env").read_text("utf-8")

    named = set(re.findall(r"^([A-Z_]+)=", given, re.MULTILINE))

    assert named
    assert named <= known


def test_what_the_document_names_is_there() -> None:
    commands = "\n".join(re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL))

    files = set(re.findall(r"(?<!/)\bdeploy/[\w./@-]+", commands)) - {"deploy/systemd/"}
    assert files
    assert [name for name in files if not (ROOT / name).exists()] == []
    enabled = re.search(r"enable --now (.*)", commands)
    assert enabled is not None
    for word in enabled[1].split():
        name = re.sub(r"@\w+", "@", word)
        name = name if "." in name else f"{name}.service"
        assert (DEPLOY / "systemd" / name).exists(), name
    managed = set(re.findall(r"^manage (\w+)", commands, re.MULTILINE))
    assert managed == {"migrate", "collectstatic", "check", "createsuperuser"}


@pytest.mark.parametrize("block", re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL))
def test_the_commands_of_the_document_are_well_formed(block: str) -> None:
    subprocess.run(["bash", "-n"], input=block, text=True, check=True)  # noqa: S607


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    """With a certificate made for it, and the folders of nginx itself in a folder of ours."""
    made = tmp_path / "classroom"
    openssl = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run(
        [*openssl, "-keyout", f"{made}.key", "-out", f"{made}.pem"], check=True, capture_output=True
    )
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    site = re.sub(r"(ssl_certificate) .*;", rf"\1 {made}.pem;", site)
    site = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {made}.key;", site)
    (tmp_path / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}}\n"
        f"http {{ {folders} include {tmp_path}/site.conf; access_log off; }}\n"
    )

    ended = subprocess.run(
        [str(NGINX), "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """Only the program that is not installed here may be missing."""
    for path in (DEPLOY / "systemd").iterdir():
        shutil.copy(path, tmp_path)
    instance = tmp_path / "classroom-worker@slow.service"
    shutil.copy(tmp_path / "classroom-worker@.service", instance)
    paths = [str(path) for path in tmp_path.iterdir() if "@." not in path.name]

    ended = subprocess.run(
        ["systemd-analyze", "verify", *paths],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )

    complaints = [
        line
        for line in ended.stderr.splitlines()
        if "classroom" in line and "/opt/classroom/.venv/bin/python is not executable" not in line
    ]
    assert complaints == []


def test_the_backup_is_kept_where_the_units_may_write() -> None:
    words = command_of("classroom-backup.service")
    state = f"/var/lib/{unit('classroom-backup.service')['Service']['StateDirectory']}"

    assert words[words.index("backup") + 1].startswith(f"{state}/")
    assert re.search(rf"^DATA_DIR={state}$", (DEPLOY / "classroom.env").read_text(), re.MULTILINE)
