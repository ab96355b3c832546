"""Pictures of what students see of their summaries, in every state, to be looked at."""

from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.people import TWO_FRAMES, Scheme, log_in
from tests.browser.results import CHOSEN, ask, select_words, worker_asleep
from tests.sites import ROOT, Site

SIZES = {1280: "", 390: "-phone"}
SCHEMES: dict[Scheme, str] = {"light": "", "dark": "-dark"}
Shoot = Callable[[Page, str], None]

ASSIGNMENT = "Summary: Why cities are hotter"
BEGUN = "Cities are warmer than the land around them, most of all at night. Dark roofs and roads"
ASKED = "People also use a lot more electricity"


def shoot_states(browser: Browser, site: Site, folder: Path) -> None:
    """One after the other, as the work of the two students goes on."""
    student, other, assistant = (
        _open_assignment(browser, site, login) for login in ("student1", "student2", "ta")
    )

    def shoot(page: Page, name: str) -> None:
        for width, scheme in _looks(page):
            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)

    _shoot_writing(student, shoot)
    result = _open_result(student)
    student.locator("mark.match").first.click()
    expect(student.locator(CHOSEN)).to_be_visible()
    shoot(student, "student1-chosen")
    student.goto(f"{result}compare/")
    shoot(student, "student1-compare")
    student.goto("/accounts/data/")
    shoot(student, "student1-own-data")
    _shoot_second_look(student, assistant, result, shoot)
    with worker_asleep(site):
        other.get_by_label("Your summary", exact=True).fill(f"{BEGUN} store the heat of the day.")
        other.get_by_role("button", name="Submit as final").click()
        other.get_by_label("Submit it anyway").check()
        shoot(other, "student2-asked")
        other.get_by_role("button", name="Submit as final").click()
        expect(other.get_by_role("heading", name="It is being scored")).to_be_visible()
        shoot(other, "student2-being-scored")
    _shoot_unreleased(other, assistant, shoot)
    for page in (student, other, assistant):
        page.context.close()


def pictures_of_feedback(browser: Browser, site: Site) -> None:
    """With an idea chosen: those in docs/feedback.md."""
    page = _open_assignment(browser, site, "student1")
    _open_result(page)
    for width, scheme in _looks(page):
        page.keyboard.press("Escape")
        page.locator("a.match-label").nth(3).press("Enter")
        expect(page.locator(CHOSEN)).to_be_focused()
        page.evaluate(TWO_FRAMES)
        name = f"feedback{SIZES[width]}{SCHEMES[scheme]}.png"
        page.screenshot(path=ROOT / "docs" / name)
    page.context.close()


def _looks(page: Page) -> Iterator[tuple[int, Scheme]]:
    for width in SIZES:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.evaluate(TWO_FRAMES)
            yield width, scheme


def _open_assignment(browser: Browser, site: Site, login: str) -> Page:
    context = browser.new_context(base_url=site.url, reduced_motion="reduce")
    page = context.new_page()
    log_in(page, login, site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name=ASSIGNMENT, exact=True).click()
    return page


def _open_result(page: Page) -> str:
    """From the assignment to its newest attempt, scored; the attempt's address."""
    page.locator('main a[href^="/submissions/"]').first.click()
    expect(page.locator(".score-number").first).to_be_visible(timeout=120_000)
    return page.url


def _shoot_writing(student: Page, shoot: Shoot) -> None:
    field = student.get_by_label("Your summary", exact=True)
    before = field.input_value()
    field.fill(BEGUN)
    expect(student.locator("#writing-status")).to_contain_text("Saved")
    shoot(student, "student1-writing")
    field.fill(before)
    expect(student.locator("#writing-status")).to_contain_text("Saved")


def _shoot_second_look(student: Page, assistant: Page, result: str, shoot: Shoot) -> None:
    student.goto(result)
    select_words(student, ASKED)
    student.get_by_role("link", name="Request a second look at these words").click()
    shoot(student, "student1-second-look-new")
    student.goto(result)
    ask(student, ASKED, "More electricity is needed for cooling.")
    shoot(student, "student1-second-look-asked")
    assistant.reload()
    assistant.get_by_role("link", name="Answer second looks").click()
    shoot(assistant, "ta-second-looks")
    assistant.get_by_role("link", name="Answer the request of").click()
    shoot(assistant, "ta-second-look")
    assistant.get_by_role("radio").first.check()
    assistant.get_by_label("Your answer to the student").fill("Well seen: that is what is meant.")
    assistant.get_by_role("button", name="Count it", exact=True).click()
    expect(assistant.get_by_text("It counts now. The score has changed.")).to_be_visible()
    student.reload()
    shoot(student, "student1-second-look-answered")


def _shoot_unreleased(other: Page, assistant: Page, shoot: Shoot) -> None:
    assistant.get_by_role("link", name="Grades", exact=True).click()
    assistant.get_by_role("link", name="Release", exact=True).click()
    assistant.get_by_label("Choose Nguyễn Thị Hương").check()
    assistant.get_by_role("button", name="Hold back").click()
    shoot(assistant, "ta-release")
    other.reload()
    shoot(other, "student2-unreleased")
