"""``manage.py serve``: set the database up, then web server and worker until Ctrl-C."""

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from grading.management.demonstration_course import demonstration_log_ins
from grading.management.serving import port_is_free, serve, web_server, worker
from pyreval_site.celery import make_message_folders

FIRST_PORT = 8000
PORTS_TO_TRY = 20


class Command(BaseCommand):
    help = "Serve the app with its worker from one foreground command."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--address", default="127.0.0.1")
        parser.add_argument("--port", type=int, help="default: the first free port above 7999")
        parser.add_argument("--worker-processes", type=int, default=2)
        parser.add_argument(
            "--demonstration", action="store_true", help="load the demonstration course first"
        )

    def handle(self, **options: Any) -> None:
        address, port = options["address"], self._port(options["address"], options["port"])
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (settings.DATA_DIR / "classroom.sqlite3").exists():
            # One of an earlier version could be read by everybody.
            settings.DATA_DIR.chmod(0o700)
        make_message_folders()
        self._say("Bringing the database up to date")
        call_command("migrate", interactive=False, verbosity=0)
        self._say("Collecting style sheets and scripts")
        call_command("collectstatic", interactive=False, verbosity=0)
        if options["demonstration"]:
            self._say("Loading the demonstration course")
            call_command("load_demonstration", verbosity=0)
        url = f"http://{address}:{port}/"
        os.environ.setdefault("SITE_URL", url)  # of links in mails, where no setting says more
        self._say("Starting the web server and the worker")
        try:
            serve(
                [web_server(address, port), worker(options["worker_processes"])],
                f"{url}healthz",
                ready=lambda: self._greet(url, demonstration=options["demonstration"]),
                say=self._say,
            )
        except RuntimeError as error:
            raise CommandError(str(error)) from None

    def _say(self, text: str) -> None:
        self.stdout.write(f"==> {text}")
        self.stdout.flush()

    def _port(self, address: str, wanted: int | None) -> int:
        if wanted is not None and not port_is_free(address, wanted):
            raise CommandError(f"Port {wanted} is taken. Choose another: make run PORT=8080")
        ports = [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + PORTS_TO_TRY)
        free = next((port for port in ports if port_is_free(address, port)), None)
        if free is None:
            raise CommandError("No free port found. Choose one: make run PORT=9000")
        return free

    def _greet(self, url: str, *, demonstration: bool) -> None:
        self._say(f"Ready: {url}")
        if demonstration:
            self.stdout.write("\n    log in as        password")
            for login, password, what in demonstration_log_ins():
                self.stdout.write(f"    {login:<16} {password:<16} {what}")
        self.stdout.write("\n    Ctrl-C ends both.\n")
        self.stdout.flush()
