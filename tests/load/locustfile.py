"""What people do on the last evening, for Locust (MIT), which has an environment of its own.

``python -m tests.load`` starts it and says in the environment who there is. Everybody has an
address of their own within 127.0.0.0/8, so that nginx and the product limit each person.
"""

import json
import os
import random
import re
import time
from collections.abc import Iterator
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

import gevent
import urllib3
from locust import HttpUser, events, task
from locust.exception import StopUser
from requests import Response
from requests.adapters import HTTPAdapter

from tests.deployed import HOST

urllib3.disable_warnings()  # the certificate is our own

PLAN = json.loads(Path(os.environ["LOAD_PLAN"]).read_text())
STUDENTS, TAS = PLAN["students"], PLAN["tas"]
WINDOW = PLAN["minutes"] * 60
NOW, EARLIER, COURSE = (PLAN[name] for name in ("now", "earlier", "course"))
# While the last words are typed: one every three seconds, as static/js/writing.js does.
SAVES = min(8, round(WINDOW / 10))
JOURNEY = SAVES * 3 + 20  # seconds, from the log-in to submitting
MOST_WAITING = 180  # seconds for a result
SEED = 20261120
STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')
HIDDEN = re.compile(r"<input[^>]*>")
# What a page without a result asks for, and how often in seconds: its job, or that of the class.
WAITING = re.compile(r'hx-get="(/(?:jobs|submissions)/\d+/)" hx-trigger="every (\d)s"')
LOG_IN = "/accounts/login/"

_finished = count(1)
_requests = Path(PLAN["requests"]).open("w")  # noqa: SIM115 - as long as the run


class Address(HTTPAdapter):
    """Connects from one address of this machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__(pool_maxsize=1)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs, source_address=(self._address, 0))


def hidden_fields(page: str) -> dict[str, str]:
    """Names and values of the page's hidden fields; of several with one name, the first."""
    fields: dict[str, str] = {}
    for tag in HIDDEN.findall(page):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if attributes.get("type") == "hidden":
            fields.setdefault(attributes.get("name", ""), unescape(attributes.get("value", "")))
    return fields


class Person(HttpUser):
    """Somebody with a browser: keeps cookies and style sheets, and follows redirects by name."""

    abstract = True
    host = f"https://127.0.0.1:{PLAN['port']}"
    kind, first_address = "", 0
    numbers: Iterator[int] = count()

    def on_start(self) -> None:
        self.number = next(self.numbers)
        self.draw = random.Random(f"{SEED} {self.kind} {self.number}")  # noqa: S311
        place = self.first_address + self.number
        self.client.mount("https://", Address(f"127.1.{place // 250}.{place % 250 + 1}"))
        self.client.verify = False
        self.client.headers.update({"Host": HOST, "Referer": f"https://{HOST}/"})
        self.files: set[str] = set()
        self.page = ""

    def think(self, least: float, most: float) -> None:
        time.sleep(self.draw.uniform(least, most))

    def get(self, path: str, name: str, **headers: str) -> Response:
        answer = self.client.get(path, name=name, headers=headers, allow_redirects=False)
        if answer.status_code in {301, 302}:
            self.refuse(name, f"redirects to {answer.headers['Location']}")
        elif answer.ok and not headers:
            self.page = answer.text
            self._load_files()
        return answer

    def post(self, path: str, name: str, fields: dict[str, Any], **headers: str) -> Response:
        """With the token of the last page."""
        token = hidden_fields(self.page).get("csrfmiddlewaretoken", "")
        return self.client.post(
            path,
            fields | {"csrfmiddlewaretoken": token},
            name=name,
            headers=headers,
            allow_redirects=False,
        )

    def follow(self, answer: Response, name: str) -> str:
        """Go where a form leads, and return the address; it must lead somewhere."""
        if answer.status_code != 302:
            self.refuse(name, f"answer {answer.status_code} instead of a redirect")
        where = answer.headers["Location"]
        self.get(where, name)
        return where

    def refuse(self, name: str, why: str) -> None:
        """Count as an error what is no error of HTTP, and end this person's evening."""
        self.environment.events.request.fire(
            request_type="CHECK",
            name=name,
            response_time=0,
            response_length=0,
            exception=AssertionError(why),
            context={},
        )
        raise StopUser

    def log_in(self) -> None:
        self.get(LOG_IN, "log-in page")
        fields = {"login": f"{self.kind}-{self.number}", "password": PLAN["password"]}
        where = self.follow(self.post(LOG_IN, "password", fields), "home")
        if where != "/":
            self.refuse("password", f"leads to {where}")

    def _load_files(self) -> None:
        for path in STATIC.findall(self.page):
            if path not in self.files:
                self.files.add(path)
                self.client.get(path, name="static file")


class Student(Person):
    """Arrives some time in the window, types the last words, submits, and reads the result."""

    kind = "student"
    fixed_count = STUDENTS
    numbers = count()

    @task
    def evening(self) -> None:
        time.sleep(self.draw.uniform(0, max(0, WINDOW - JOURNEY)))
        self.write_and_submit()
        raise StopUser

    def on_stop(self) -> None:
        if next(_finished) == STUDENTS:
            # Apart from this person, whom it ends: else it would end itself half done.
            gevent.spawn(self.environment.runner.quit)

    def write_and_submit(self) -> None:
        self.log_in()
        self.think(1, 4)
        self.get(f"/courses/{COURSE}/", "course")
        self.think(1, 4)
        self.get(f"/assignments/{NOW}/", "assignment")
        words = PLAN["texts"][self.number].split(" ")
        revision = hidden_fields(self.page)["revision"]
        for saved in range(1, SAVES + 1):
            time.sleep(3)
            typed = " ".join(words[: len(words) - 5 * (SAVES - saved)])
            answer = self.post(
                f"/assignments/{NOW}/writing/",
                "save while typing",
                {"text": typed, "revision": revision},
                **{"HX-Request": "true"},
            )
            revision = answer.json()["revision"]
        self.think(1, 4)
        fields = {"text": " ".join(words), "revision": revision, "in_own_words": "on"}
        answer = self.post(f"/assignments/{NOW}/submit/", "submit", fields)
        self.wait_for_result(self.follow(answer, "submission"))

    def wait_for_result(self, where: str) -> None:
        deadline = time.monotonic() + MOST_WAITING
        while waiting := WAITING.search(self.page):
            if time.monotonic() > deadline:
                self.refuse("submission", f"no result within {MOST_WAITING} s")
            time.sleep(int(waiting[2]))
            answer = self.get(waiting[1], "progress", **{"HX-Request": "true"})
            if answer.headers.get("HX-Refresh"):
                self.get(where, "submission")
        if "data-sentences" not in self.page:
            self.refuse("submission", "neither a job nor a result")


class Ta(Person):
    """Goes through the queue of the earlier assignment: claims, corrects, marks as reviewed."""

    kind, first_address = "ta", 10_000
    fixed_count = TAS
    numbers = count()

    @task
    def review(self) -> None:
        if not self.page:
            self.think(0, 10)
            self.log_in()
        self.get(f"/assignments/{EARLIER}/queue/", "queue")
        self.think(2, 5)
        answer = self.post(f"/assignments/{EARLIER}/queue/start/", "claim", {"queue": ""})
        where = self.follow(answer, "desk")
        while where.startswith("/submissions/"):
            submission = where.split("/")[2]
            for _ in range(2):
                self.think(3, 8)
                self.correct(submission)
            self.think(2, 5)
            fields = {"what": "looked_next", "queue": ""}
            answer = self.post(f"/submissions/{submission}/review/", "reviewed, next", fields)
            where = self.follow(answer, "desk")

    def correct(self, submission: str) -> None:
        """Confirm or remove a match that the program was unsure of."""
        steps = sorted(set(re.findall(r'value="((?:confirm|remove) \d+)"', self.page)))
        stamp = hidden_fields(self.page).get("stamp", "")
        if not steps:
            return
        self.post(
            f"/submissions/{submission}/marking/step/",
            "correct",
            {"do": self.draw.choice(steps), "stamp": stamp},
        )
        self.get(f"/submissions/{submission}/marking/", "desk")


class Instructor(Person):
    """Edits the pyramid and publishes it while people submit, and looks at the class."""

    kind, first_address = "instructor", 20_000
    fixed_count = 1
    numbers = count()

    @task
    def publish(self) -> None:
        if not self.page:
            self.log_in()
        time.sleep(min(WINDOW / 3, 100))
        self.get(f"/assignments/{NOW}/", "assignment, instructor")
        self.get(f"/assignments/{NOW}/pyramid/", "pyramid")
        edit = re.findall(r'action="(/versions/\d+/edit/)"', self.page)
        if not edit:
            self.refuse("pyramid", "no version to edit")
        draft = self.follow(self.post(edit[0], "edit a version", {}), "editor")
        idea = re.findall(r'data-scu="(\d+)"', self.page)[0]
        self.think(2, 4)
        fields = {"command": "set_label", "uid": idea, "label": f"An idea {self.draw.random()}"}
        revision = hidden_fields(self.page).get("revision", "0")
        self.post(f"{draft}edit/", "edit a label", fields | {"revision": revision})
        self.get(f"{draft}publish/", "publish page")
        fields = {"revision": hidden_fields(self.page)["revision"], "doubtful": "on"}
        answer = self.post(f"{draft}publish/", "publish", fields)
        self.follow(answer, "pyramid")
        self.get(f"/assignments/{NOW}/queue/", "queue")
        self.get(f"/assignments/{NOW}/gradebook/", "gradebook")
        self.get(f"/assignments/{NOW}/class/", "class figures")


@events.request.add_listener
def _note(name: str, response_time: float, exception: BaseException | None, **_: Any) -> None:
    error = "" if exception is None else str(exception)
    line = {"at": time.time(), "name": name, "milliseconds": response_time, "error": error}
    _requests.write(json.dumps(line) + "\n")


@events.user_error.add_listener
def _note_error(user_instance: Person, exception: BaseException, **_: Any) -> None:
    """Something that the person did not expect, such as a page without a field."""
    name = type(user_instance).__name__
    _note(name=name, response_time=0, exception=exception)


@events.quitting.add_listener
def _no_failure_of_locust_itself(environment: Any, **_: Any) -> None:
    """Whether the run is good is for ``python -m tests.load`` to say."""
    environment.process_exit_code = 0
    _requests.close()
