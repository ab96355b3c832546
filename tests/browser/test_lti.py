"""From a launch in an LMS, in a frame of another site, to a grade that arrives there."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from playwright.sync_api import FrameLocator, Page, Route, expect

from grading.management.demonstration_course import FOLDER
from tests.browser.people import check_page, log_in
from tests.lti.lms import INSTRUCTOR, STUDENT, TA, Lms, Person
from tests.sites import ROOT, Site, serving
from tests.workers import wait_until

pytestmark = pytest.mark.browser

COURSE = "Academic Reading and Writing (Autumn term)"
TITLE = "Summary: Why cities are hotter"
# Somebody of the demonstration is also the instructor of the LMS's course; prints the link.
PREPARE = """
from grading.lti.registration import invitation_make
from grading.models import User
print(invitation_make(author=User.objects.get(username="instructor")))
"""
CONNECT = """
from grading.models import LtiPerson, LtiPlatform, User
LtiPerson.objects.create(platform=LtiPlatform.objects.get(), subject="i-1",
    user=User.objects.get(username="instructor"))
"""
# Results are shown when somebody releases them.
BY_HAND = f"""
from grading.models import Assignment
assignment = Assignment.objects.get(title="{TITLE}")
Assignment.objects.filter(pk=assignment.pk).update(release="by_hand")
print(assignment.pk, assignment.course_id)
"""
# A grade that the LMS refused, an account that runs the site, and a link for another registration.
STAGE = """
from grading.lti.registration import invitation_make
from grading.models import LtiGrade, LtiLink, User
LtiGrade.objects.update(state="failed", tries=6, problem="The LMS answered 503.")
operator, is_new = User.objects.get_or_create(
    username="olga", defaults={"name": "Olga Operator", "is_staff": True})
operator.set_password("a-long-passphrase-7")
operator.save()
link = LtiLink.objects.exclude(assignment=None).get(resource_link_id="link-1")
print(link.pk, link.context_id, link.context.course_id, link.context.deployment.platform_id,
    invitation_make(author=operator))
"""
SCORED = (
    "SELECT COUNT(*) FROM grading_score JOIN grading_submission ON submission_id ="
    " grading_submission.id JOIN grading_ltiperson ON student_id = user_id WHERE subject = 's-1'"
)


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
    lms.add_course("physics", "Physics", Person("i-1", "Irma Instructor", INSTRUCTOR))
    yield lms
    lms.close()


def _manage(site: Site, code: str) -> str:
    """What a piece of the administrator's shell prints."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "pyreval_site.settings",
        "DATA_DIR": str(site.log.parent),
        "SECRET_KEY": "only-for-browser-tests-" + "0123456789" * 5,
        "LOCAL_HTTP": "true",
        "DATABASE_URL": "",
        "SITE_URL": site.url,
    }
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def _tool(page: Page, lms: Lms, person: str, link: str = "nav", **query: str) -> FrameLocator:
    """The tool in its frame, as the LMS shows it to somebody."""
    more = "".join(f"&{name}={value}" for name, value in query.items())
    page.goto(f"{lms.url}/courses/biology?as={person}&link={link}{more}")
    return page.frame_locator("iframe[name=tool]")


def test_from_registration_to_a_grade_in_the_lms(
    site: Site, lms: Lms, new_page: Callable[..., Page]
) -> None:
    _register(new_page(), site, lms)

    irma = new_page()
    tool = _tool(irma, lms, "i-1", deep="1")
    tool.get_by_label("Course", exact=True).select_option(label=COURSE)
    tool.get_by_role("button", name="Link the course").click()
    tool.get_by_label("Assignment", exact=True).select_option(label=TITLE)
    tool.get_by_role("button", name="Add to the LMS").click()
    expect(tool.get_by_role("heading", name="Added link-1")).to_be_visible()
    assert lms.line_items[0]["label"] == TITLE

    assignment, course = _manage(site, BY_HAND).split()
    sam = new_page()
    _submit(sam, _tool(sam, lms, "s-1", "link-1"))
    cookies = {cookie["name"]: cookie for cookie in sam.context.cookies()}
    assert {cookies[name]["sameSite"] for name in ("sessionid", "csrftoken")} == {"None"}
    with closing(sqlite3.connect(site.log.parent / "classroom.sqlite3")) as database:
        wait_until(lambda: database.execute(SCORED).fetchone() == (1,), "the score")

    # Browsers let no frame of another site take the focus by itself.
    tom = new_page(forgives=["Blocked autofocusing"])
    tool = _tool(tom, lms, "t-1", "link-1")
    expect(tool.get_by_text("Sam Student").locator("visible=true").first).to_be_visible()
    assert [frame.url for frame in tom.frames if frame.url.endswith("/queue/")]

    # The instructor doesn't wait for the next five minutes. Before the release there is no number.
    tool = _tool(irma, lms, "i-1", "link-1")
    tool.get_by_role("link", name="Academic Reading and Writing").first.click()
    tool.get_by_role("link", name="People").first.click()
    tool.get_by_role("link", name="LMS", exact=True).click()
    tool.get_by_role("button", name="Send grades now").click()
    wait_until(lambda: _progress(lms) == ("Submitted", "Pending"), "the news of a submission")
    assert "scoreGiven" not in lms.grades()["s-1"]

    lms_page = f"{site.url}/courses/{course}/lms/"
    _go(irma, f"{site.url}/assignments/{assignment}/release/")
    tool.get_by_label("Choose Sam Student").check()
    tool.get_by_role("button", name="Release", exact=True).click()
    expect(tool.get_by_text("Released to 1 student (1 attempt).")).to_be_visible()
    _send_now(irma, lms_page)
    wait_until(lambda: _progress(lms) == ("Completed", "FullyGraded"), "the grade")
    grade = lms.grades()["s-1"]
    assert 0 < grade["scoreGiven"] <= grade["scoreMaximum"]

    # The TA removes a match, and the LMS gets the corrected grade.
    tool = _tool(tom, lms, "t-1", "link-1")
    tool.get_by_role("link", name="Sam Student").locator("visible=true").first.click()
    frame = tom.frame("tool")
    assert frame is not None
    frame.wait_for_url("**/submissions/*/marking/**")
    tool.locator("button[data-step=remove]:visible").first.click()
    expect(tool.locator("#desk-said")).to_contain_text("You removed")
    _send_now(irma, lms_page)
    wait_until(lambda: lms.grades()["s-1"]["scoreGiven"] < grade["scoreGiven"], "the new grade")
    assert _progress(lms) == ("Completed", "FullyGraded")


def _progress(lms: Lms) -> tuple[str, str]:
    grade = lms.grades().get("s-1", {})
    return grade.get("activityProgress", ""), grade.get("gradingProgress", "")


def _go(page: Page, address: str) -> None:
    """To another page of the tool, in its frame."""
    frame = page.frame("tool")
    assert frame is not None
    frame.goto(address)


def _send_now(page: Page, lms_page: str) -> None:
    _go(page, lms_page)
    page.frame_locator("iframe[name=tool]").get_by_role("button", name="Send grades now").click()


def _register(page: Page, site: Site, lms: Lms) -> None:
    """By the one link that an administrator pastes into the LMS."""
    page.goto(
        f"{_manage(site, PREPARE)}?registration_token=registration-7"
        f"&openid_configuration={lms.url}/.well-known/openid-configuration"
    )
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="Registered")).to_be_visible()
    _manage(site, CONNECT)


def _submit(page: Page, tool: FrameLocator) -> None:
    text = (FOLDER / "students" / "student1.txt").read_text("utf-8")
    tool.get_by_label("Your summary").fill(text)
    tool.get_by_role("button", name="Submit as final").click()
    tool.locator("#id_sure").check()  # no draft can follow
    tool.get_by_role("button", name="Submit as final").click()
    frame = page.frame("tool")
    assert frame is not None
    frame.wait_for_url("**/submissions/**")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_pages_about_an_lms(
    width: int, site: Site, lms: Lms, new_page: Callable[..., Page]
) -> None:
    """For the administrator and for the instructor, after the launches of the first test."""
    link, context, course, platform, invitation = _manage(site, STAGE).split()
    olga = new_page(width)
    log_in(olga, "olga", "a-long-passphrase-7")
    for address in ("/lti/platforms/", "/lti/platforms/new/", f"/lti/platforms/{platform}/"):
        olga.goto(address)
        expect(olga.get_by_role("heading", level=1)).to_be_visible()
        check_page(olga)
    olga.goto("/lti/platforms/")
    olga.get_by_role("button", name="Create registration link").click()
    check_page(olga)
    configuration = f"{lms.url}/.well-known/openid-configuration"
    olga.goto(
        f"{invitation}?registration_token=registration-7&openid_configuration={configuration}"
    )
    expect(olga.get_by_role("button", name="Register")).to_be_visible()
    check_page(olga)

    irma = new_page(width)
    log_in(irma, "instructor", site.password)
    irma.goto(f"/courses/{course}/lms/")
    expect(irma.get_by_text("The LMS answered 503.")).to_be_visible()
    check_page(irma)
    irma.goto(f"/lti/links/{link}/")
    expect(irma.get_by_label("Send comments with the grades")).not_to_be_checked()
    check_page(irma)
    irma.goto(f"/lti/courses/{context}/people/")
    expect(irma.get_by_role("heading", level=1)).to_be_visible()
    check_page(irma)

    # Choosing an assignment, and a course that is linked with none yet, both in a tab.
    irma.goto(f"{lms.url}/start/biology?as=i-1&link=nav&deep=1")
    expect(irma.get_by_role("button", name="Add to the LMS")).to_be_visible()
    check_page(irma)
    irma.goto(f"{lms.url}/start/physics?as=i-1&link=nav")
    expect(irma.get_by_role("button", name="Link the course")).to_be_visible()
    check_page(irma)


def test_in_a_tab_where_the_browser_blocks_cookies_in_frames(
    site: Site, lms: Lms, new_page: Callable[..., Page]
) -> None:
    """The LMS's storage shows that it is the same browser, and a tab of its own is opened."""
    lms.has_storage = True
    page = new_page()
    page.route("**/auth?*", lambda route: _without_cookies(page, route))
    tool = _tool(page, lms, "s-1", "link-1")
    with page.context.expect_page() as opened:
        tool.get_by_role("button", name="Open PyrEval Classroom").click()
    expect(opened.value.get_by_role("heading", name=TITLE)).to_be_visible()
    assert opened.value.url.startswith(f"{site.url}/assignments/")


def _without_cookies(page: Page, route: Route) -> None:
    """As in a browser that blocks them in frames: none is there when the launch comes."""
    page.context.clear_cookies()
    route.continue_()
