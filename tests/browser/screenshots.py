"""Pictures of every page of the demonstration course, at 1280 and 390 px, to be looked at.

``make screenshots`` writes them to ``.run/screenshots``; ``docs/screenshot.png`` is the README's.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import desk_pictures
from tests.browser.feedback_pictures import pictures_of_feedback, shoot_states
from tests.browser.grading_pictures import pictures_of_grading
from tests.browser.people import Scheme, log_in
from tests.sites import CHROMIUM_OPTIONS, ROOT, Site, serving

WIDTHS = (1280, 390)
PAGES = {
    "instructor": (
        "",
        "course",
        "members",
        "assignment",
        "references",
        "pyramid",
        "draft new",
        "draft",
        "draft history",
        "draft state",
        "draft publish",
        "compare",
        "version",
        "gradebook",
        "submission",
        "assignment/edit",
        "course/edit",
        "courses/new",
        "account",
        *desk_pictures.PAGES,
    ),
    "student1": ("", "course", "assignment", "submission", "courses/join", "nowhere"),
}
LATE_REFERENCE = (
    "Built-up areas stay warmer than the fields around them, above all after sunset. Dark roofs "
    "and roads soak up sunshine, and masonry gives the warmth back at night. Where plants are "
    "gone, nothing cools the air. Heat makes old people ill. Trees, parks and pale roofs help."
)


def draft_addresses(page: Page, assignment: str) -> dict[str, str]:
    """The pages of a draft and of the version that it is begun from; graders only."""
    page.goto(f"{assignment}pyramid/")
    version = page.get_by_role("link", name="Version 1").last.get_attribute("href") or ""
    edit = page.get_by_role("button", name="Edit", exact=True)
    (edit if edit.count() else page.get_by_role("link", name="Open draft")).click()
    page.wait_for_url("**/drafts/*/")
    draft = page.url
    return {
        "draft new": f"{assignment}drafts/new/",
        "draft": draft,
        "draft history": f"{draft}history/",
        "draft state": f"{draft}history/0/",
        "draft publish": f"{draft}publish/",
        "compare": f"{assignment}versions/compare/",
        "version": version,
    }


def addresses(page: Page) -> dict[str, str]:
    """Where the pages of the demonstration course are, found by walking there."""
    page.goto("/")
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.wait_for_url("**/courses/*/")
    course = page.url
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    page.wait_for_url("**/assignments/*/")
    page.wait_for_load_state()
    assignment = page.url
    attempt = page.get_by_role("link", name=re.compile("^Attempt"))
    is_student = bool(attempt.count())
    if is_student:
        attempt.first.click()
    else:
        page.goto(f"{assignment}gradebook/")
        expect(page.get_by_text("Scored", exact=True)).to_have_count(15, timeout=120_000)
        page.get_by_role("link", name="Amara Okafor").click()
    submission = page.url
    return {
        "course": course,
        "members": f"{course}members/",
        "assignment": assignment,
        "references": f"{assignment}references/",
        "pyramid": f"{assignment}pyramid/",
        "gradebook": f"{assignment}gradebook/",
        "submission": submission,
        "assignment/edit": f"{assignment}edit/",
        "course/edit": f"{course}edit/",
        "account": "/accounts/",
        **({} if is_student else draft_addresses(page, assignment)),
        **(
            {} if is_student else desk_pictures.desk_addresses(page, course, assignment, submission)
        ),
    }


def shoot(browser: Browser, site: Site, folder: Path, scheme: Scheme) -> None:
    for width in WIDTHS:
        context = browser.new_context(
            base_url=site.url,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
        )
        page = context.new_page()
        page.goto("/accounts/login/")
        page.screenshot(path=folder / f"login-{width}-{scheme}.png")
        for login, names in PAGES.items():
            context.clear_cookies()
            log_in(page, login, site.password)
            where = addresses(page)
            for name in names:
                page.goto(where.get(name, f"/{name}/" if name else "/"))
                file = re.sub(r"\W+", "-", f"{login}-{name or 'home'}-{width}-{scheme}")
                page.screenshot(path=folder / f"{file}.png", full_page=True)
            if "course/roster" in where:
                desk_pictures.shoot_previews(page, _shoot_to(folder, width, scheme), where)
        context.close()


def _shoot_to(folder: Path, width: int, scheme: Scheme) -> desk_pictures.Shoot:
    def shoot(page: Page, name: str) -> None:
        page.screenshot(path=folder / f"instructor-{name}-{width}-{scheme}.png", full_page=True)

    return shoot


def picture_of_feedback(browser: Browser, site: Site) -> None:
    """The one in the README."""
    page = browser.new_page(base_url=site.url, viewport={"width": 1280, "height": 1400})
    log_in(page, "student1", site.password)
    page.goto(addresses(page)["submission"])
    page.screenshot(path=ROOT / "docs" / "screenshot.png")
    page.close()


def add_late_reference(browser: Browser, site: Site) -> None:
    """A summary that came after the pyramid was built: the editor suggests to take it in."""
    page = browser.new_page(base_url=site.url)
    log_in(page, "instructor", site.password)
    page.goto(addresses(page)["references"])
    page.get_by_label("Or paste a summary").fill(LATE_REFERENCE)
    page.get_by_label("Name").fill("Aroha Ngata")
    page.get_by_role("button", name="Add references").click()
    expect(page.get_by_text("One reference added.")).to_be_visible()
    page.close()


def picture_of_editor(browser: Browser, site: Site, width: int, name: str) -> None:
    """With an idea opened, its words lit up and a suggestion: those in docs/editor.md."""
    page = browser.new_page(base_url=site.url, viewport={"width": width, "height": 860})
    log_in(page, "instructor", site.password)
    page.goto(addresses(page)["draft"])
    page.locator("a.idea-open").first.click()
    page.locator(".idea.is-open").wait_for()
    expect(page.locator("[data-take]").first).to_be_attached(timeout=60_000)
    page.screenshot(path=ROOT / "docs" / f"{name}.png")
    page.close()


def main() -> None:
    folder = ROOT / ".run" / "screenshots"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Install Debian's package chromium first.")
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_OPTIONS)
        scheme: Scheme
        for scheme in ("light", "dark"):
            shoot(browser, site, folder, scheme)
        picture_of_feedback(browser, site)
        add_late_reference(browser, site)
        for width, name in ((1280, "editor"), (390, "editor-phone")):
            picture_of_editor(browser, site, width, name)
        pictures_of_feedback(browser, site)
        pictures_of_grading(browser, site)
        shoot_states(browser, site, folder)
        browser.close()
    sys.stdout.write(f"Pictures are in {folder}\n")


if __name__ == "__main__":
    main()
