"""From a launch in an LMS, in a frame of another site, to a grade that arrives there."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.lti.lms import INSTRUCTOR, STUDENT, TA, Lms, Person
from tests.sites import ROOT, Site, serving
from tests.workers import wait_until

pytestmark = pytest.mark.browser

SUMMARY = (
    "Cities are hotter than the land around them. Dark roofs and roads keep the heat of the sun. "
    "Trees make streets cooler, because water leaves their leaves. Old people suffer in hot nights."
)
MAKE_LINK = """
from grading.lti.registration import invitation_make
from grading.models import Course, User
print(invitation_make(author=User.objects.get(username="instructor")))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of its own, which may ask an LMS on this machine."""
    os.environ["LTI_PRIVATE_PLATFORMS"] = "true"
    try:
        with serving(tmp_path_factory.mktemp("lti-site")) as site:
            yield site
    finally:
        del os.environ["LTI_PRIVATE_PLATFORMS"]


@pytest.fixture(scope="module")
def lms(site: Site) -> Iterator[Lms]:
    """On localhost; the site is on 127.0.0.1, which to a browser is another site."""
    assert "//127.0.0.1:" in site.url
    lms = Lms(site.url)
    lms.add_course(
        "biology",
        "Biology",
        Person("i-1", "Irma Instructor", INSTRUCTOR),
        Person("t-1", "Tom Assistant", TA),
        Person("s-1", "Sam Student", STUDENT, "sam@example.org", "A"),
    )
    yield lms
    lms.close()


def _registration_link(site: Site) -> str:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "pyreval_site.settings",
        "DATA_DIR": str(site.log.parent),
        "SECRET_KEY": "only-for-browser-tests-" + "0123456789" * 5,
        "LOCAL_HTTP": "true",
        "DATABASE_URL": "",
        "SITE_URL": site.url,
    }
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", MAKE_LINK]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()[-1]


def _tool(page: Page, lms: Lms, person: str, link: str = "nav", **query: str) -> FrameLocator:
    """The tool in its frame, as the LMS shows it to somebody."""
    more = "".join(f"&{name}={value}" for name, value in query.items())
    page.goto(f"{lms.url}/courses/biology?as={person}&link={link}{more}")
    return page.frame_locator("iframe[name=tool]")


def test_from_registration_to_a_grade_in_the_lms(
    site: Site, lms: Lms, new_page: Callable[..., Page]
) -> None:
    page = new_page()
    page.goto(
        f"{_registration_link(site)}?registration_token=registration-7"
        f"&openid_configuration={lms.url}/.well-known/openid-configuration"
    )
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="Registered")).to_be_visible()

    # The instructor makes a course and puts an assignment into the LMS.
    irma = new_page()
    tool = _tool(irma, lms, "i-1", deep="1")
    tool.get_by_role("button", name="Link the course").click()
    tool.get_by_label("Title of the new assignment").fill("Why cities are hotter")
    tool.get_by_role("button", name="Add to the LMS").click()
    expect(tool.get_by_role("heading", name="Added link-1")).to_be_visible()
    _prepare(irma, lms)

    # The student submits in the frame.
    sam = new_page()
    tool = _tool(sam, lms, "s-1", "link-1")
    tool.get_by_role("textbox").first.fill(SUMMARY)
    tool.get_by_role("button", name=re.compile("Submit")).first.click()
    expect(tool.get_by_text(re.compile("Submitted")).first).to_be_visible()
    (cookie,) = [
        cookie for cookie in sam.context.cookies(site.url) if cookie["name"] == "sessionid"
    ]
    assert (cookie["sameSite"], cookie["secure"]) == ("None", True)

    # The TA comes to the queue.
    tool = _tool(new_page(), lms, "t-1", "link-1")
    expect(tool.get_by_role("link", name="Sam Student").first).to_be_visible()

    # Results are shown at once, so the grade is sent as soon as somebody asks, or the beat does.
    tool = _tool(irma, lms, "i-1", "link-1")
    course = irma.frame(name="tool")
    assert course is not None
    _send_until_graded(irma, lms)
    grade = lms.grades()["s-1"]
    assert 0 < grade["scoreGiven"] <= grade["scoreMaximum"]
    assert grade["gradingProgress"] == "FullyGraded"


def _prepare(page: Page, lms: Lms) -> None:
    """References, a pyramid, and the assignment open: in the frame, as in any window."""
    from tests.conftest import REFERENCES

    tool = _tool(page, lms, "i-1", "link-1")
    for text in REFERENCES:
        tool.get_by_role("link", name="References").first.click()
        tool.get_by_label(re.compile("Text")).first.fill(text.content)
        tool.get_by_role("button", name=re.compile("Add")).first.click()
