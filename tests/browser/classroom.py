"""A course to edit in: its people, and drafts of a known pyramid. Made by the pages' own forms."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, StorageState

from grading.assignments.forms import SETTINGS
from grading.pyramid.formats.pyramid_json import pyramid_to_json
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from tests.browser.people import join, log_in, sign_up
from tests.conftest import REFERENCES
from tests.sites import Site

COLLEAGUE = "Kofi Mensah"  # the second instructor
ASSISTANT = "Tomasz Okoye"
OTHER_STUDENT = "عمر حداد"
IDEAS = {
    "Cities are hotter": {
        "Ada": "Cities are hotter than the country",
        "Ben": "Towns are warmer than the country",
        "Chi": "Cities are hotter than the land",
    },
    "Dark roofs store heat": {
        "Ada": "Dark roofs store the heat of the sun",
        "Ben": "Dark roofs store heat",
    },
    "Trees cool streets": {"Ada": "Trees cool the streets", "Chi": "Trees cool streets"},
    "Nights harm the old": {"Ben": "Old people suffer most in hot nights"},
    "Leaves give off water": {"Ada": "their leaves give off water"},
}

RULES = {
    "min_words": "5",
    "max_words": "200",
    "accepts_late": "on",
    "max_drafts": "0",
    "copying": "warn",
    "copying_percent": "50",
    "release": "at_once",
    "missed_before": "1",
    "missed_after": "3",
    "second_looks": "on",
}


def made_pyramid() -> Pyramid:
    """Five ideas, numbered from 1; “Air conditioning …” of Chi is in none of them."""
    texts = {text.name: text.content for text in REFERENCES}
    scus = [
        Scu(
            number, label, tuple(_told(name, texts[name], words) for name, words in wording.items())
        )
        for number, (label, wording) in enumerate(IDEAS.items(), 1)
    ]
    return Pyramid(REFERENCES, tuple(scus))


def _told(name: str, text: str, words: str) -> Contributor:
    start = text.index(words)
    return Contributor(name, (Span(start, start + len(words)),))


TOWNS = 6  # the idea that is torn off


def torn_pyramid() -> Pyramid:
    """The known pyramid with its first idea torn in two: they should be merged again."""
    made = made_pyramid()
    first = made.scus[0]
    ben = tuple(contributor for contributor in first.contributors if contributor.reference == "Ben")
    rest = tuple(
        contributor for contributor in first.contributors if contributor.reference != "Ben"
    )
    torn = Scu(TOWNS, "Cities are hotter than the country", ben)
    return replace(made, scus=(replace(first, contributors=rest), *made.scus[1:], torn))


@dataclass
class Classroom:
    """``states`` hold who is logged in, by login; ``course`` is the course's address."""

    browser: Browser
    site: Site
    course: str = ""
    states: dict[str, StorageState] = field(default_factory=dict)
    made: int = 0
    shared: str = ""  # assignment of the drafts that need none of their own

    @contextmanager
    def window(self, login: str) -> Iterator[Page]:
        """Of somebody who is logged in; closed in the end."""
        context = self.browser.new_context(base_url=self.site.url, storage_state=self.states[login])
        yield context.new_page()
        context.close()

    def new_assignment(self, page: Page, texts: Sequence[Text] = REFERENCES, **fields: str) -> str:
        """Address of an assignment with these references."""
        self.made += 1
        title = fields.pop("title", f"Heat {self.made}")
        answer = post(page, f"{self.course}assignments/new/", {"title": title})
        address = answer.url.removesuffix("references/")
        set_rules(page, address, RULES | {"title": title} | fields)
        for text in texts:
            post(page, f"{address}references/", {"name": text.name, "text": text.content})
        return address

    def new_draft(
        self, page: Page, pyramid: Pyramid | None = None, assignment: str | None = None
    ) -> str:
        """Address of a draft with this pyramid, by default the one of this file."""
        pyramid = pyramid or made_pyramid()
        address = assignment or self._assignment_for(page, pyramid)
        content = json.dumps(pyramid_to_json(pyramid)).encode()
        file = {"name": "made.json", "mimeType": "application/json", "buffer": content}
        shown = post(page, f"{address}drafts/import/", {"file": file}).text()
        match = re.search(r'name="proposal" value="([^"]+)"', shown)
        assert match, shown
        return post(page, f"{address}drafts/make/", {"proposal": match[1]}).url

    def _assignment_for(self, page: Page, pyramid: Pyramid) -> str:
        if pyramid.references != REFERENCES:
            return self.new_assignment(page, pyramid.references)
        self.shared = self.shared or self.new_assignment(page)
        return self.shared


def set_rules(page: Page, assignment: str, rules: dict[str, str]) -> None:
    """Save every section of the settings."""
    for kind in SETTINGS:
        fields = {name: rules[name] for name in kind._meta.fields or () if name in rules}
        post(page, f"{assignment}edit/", {"section": kind.section} | fields)


def post(page: Page, address: str, fields: dict[str, Any]) -> APIResponse:
    """Send a form as its page would."""
    cookies = {cookie.get("name"): cookie.get("value") for cookie in page.context.cookies()}
    if "csrftoken" not in cookies:
        page.request.get("/accounts/")
        return post(page, address, fields)
    headers = {"X-CSRFToken": str(cookies["csrftoken"])}
    answer = page.request.post(address, headers=headers, multipart=fields)
    assert answer.ok, f"{address}: {answer.status} {answer.text()}"
    return answer


def found_classroom(browser: Browser, site: Site) -> Classroom:
    """A course with two instructors, an assistant and two students."""
    classroom = Classroom(browser, site)
    instructor = _window(browser, site)
    log_in(instructor, "instructor", site.password)
    fields = {"name": "Editing", "term": "Spring", "time_zone": "UTC"}
    classroom.course = post(instructor, "/courses/new/", fields).url
    instructor.goto(classroom.course)
    code = instructor.locator("#course-code").inner_text()
    people = {"kofi": COLLEAGUE, "tomasz": ASSISTANT, "zoe": "Zoë Brânză", "omar": OTHER_STUDENT}
    for login, name in people.items():
        window = _window(browser, site)
        sign_up(window, f"{login}.edits", name)
        join(window, code)
        _keep(classroom, login, window.context)
    _give_roles(instructor, classroom.course)
    _keep(classroom, "instructor", instructor.context)
    return classroom


def _window(browser: Browser, site: Site) -> Page:
    return browser.new_context(base_url=site.url).new_page()


def _keep(classroom: Classroom, login: str, context: BrowserContext) -> None:
    classroom.states[login] = context.storage_state()
    context.close()


def session_in(state: StorageState) -> str:
    """The session that a window is logged in by; nothing where it is logged out."""
    cookies = state.get("cookies", [])
    return next((cookie["value"] for cookie in cookies if cookie["name"] == "sessionid"), "")


def _give_roles(instructor: Page, course: str) -> None:
    instructor.goto(f"{course}members/")
    for name, role in ((COLLEAGUE, "instructor"), (ASSISTANT, "ta")):
        row = instructor.get_by_role("row", name=name)
        row.get_by_label("Role of").select_option(role)
        row.get_by_role("button", name="Save role").click()
        instructor.get_by_text(f"{name} is now a").wait_for()
