"""Getting better: two attempts compared, what to do next, and the feedback on paper."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import Classroom
from tests.browser.lessons import SECOND, Lesson, open_lesson
from tests.browser.people import check_page, numbers_in
from tests.browser.results import CHOSEN, open_result, section

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
NAVIGATION = (
    ".topbar, .breadcrumbs, .footer, .page-actions, .second-look-ask, #chosen, "
    ".choose-hint, .skip-link, .button"
)


@pytest.fixture(scope="module")
def twice(classroom: Classroom) -> Lesson:
    """Zoë's draft is scored, and her final with one idea more."""
    lesson = open_lesson(classroom, max_drafts="1")
    lesson.hand_in("zoe", kind="draft")
    lesson.hand_in("zoe", SECOND)
    return lesson


@pytest.mark.parametrize(("login", "width"), [("zoe", 1280), ("zoe", 390), ("tomasz", 390)])
def test_two_attempts_are_compared(twice: Lesson, seat: Seat, login: str, width: int) -> None:
    page = open_result(seat(login, width=width), twice.handed_in["zoe"])
    page.get_by_role("link", name="Compare two attempts").click()

    gained = section(page, "Gained: 1")
    expect(gained).to_contain_text("Trees cool streets")
    expect(gained).to_contain_text("In 2 of 3 expert summaries")
    expect(section(page, "Lost: 0")).to_be_visible()
    row = page.get_by_role("row", name="Coverage").first
    before, after = numbers_in(page, ".attempts-scores tr:has-text('Coverage') td")[:2]
    assert before < after
    expect(row).to_contain_text("+")
    expect(page.locator("ins").last).to_contain_text("Trees cool the streets.")
    expect(page.get_by_role("img", name="Comprehensive")).to_be_visible()
    check_page(page)


def test_next_steps_rest_on_the_evidence(twice: Lesson, seat: Seat) -> None:
    page = open_result(seat("zoe"), twice.handed_in["zoe"])
    steps = section(page, "Next steps").get_by_role("listitem")

    assert 1 <= steps.count() <= 3
    link = page.get_by_role("link", name="Go to these words").first
    link.click()
    expect(page.locator(link.get_attribute("href") or "")).to_be_in_viewport()


def test_on_paper_there_is_no_navigation(twice: Lesson, seat: Seat) -> None:
    page = open_result(seat("zoe"), twice.handed_in["zoe"])
    page.locator("mark.match").first.click()
    expect(page.locator(CHOSEN)).to_be_visible()
    page.emulate_media(media="print")

    for part in page.locator(NAVIGATION).all():
        expect(part).to_be_hidden()
    for heading in ("Quality", "Next steps", "Your text"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.locator(".print-only").first).to_contain_text("Zoë Brânză")


def test_the_comparison_on_paper(twice: Lesson, seat: Seat) -> None:
    page = open_result(seat("zoe"), twice.handed_in["zoe"])
    page.get_by_role("link", name="Compare two attempts").click()
    expect(page.locator(".print-only")).to_be_hidden()

    page.emulate_media(media="print")

    expect(page.locator("select").first).to_be_hidden()
    expect(page.locator(".print-only")).to_have_text("Zoë Brânză: attempts 1 and 2")
    expect(page.get_by_role("img", name="Comprehensive")).to_be_visible()
    for part in page.locator(NAVIGATION).all():
        expect(part).to_be_hidden()
