"""Pictures of every page of the demonstration course, at 1280 and 390 px, to be looked at.

``make screenshots`` writes them to ``.run/screenshots``; ``docs/screenshot.png`` is the README's.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

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
        "gradebook",
        "submission",
        "assignment/edit",
        "course/edit",
        "courses/new",
        "account",
    ),
    "student1": ("", "course", "assignment", "submission", "courses/join", "nowhere"),
}


def addresses(page: Page) -> dict[str, str]:
    """Where the pages of the demonstration course are, found by walking there."""
    page.goto("/")
    page.get_by_role("link", name="Academic Reading and Writing").click()
    course = page.url
    page.get_by_role("link", name="Summary: Why cities are hotter").click()
    assignment = page.url
    student = page.get_by_role("link", name="Attempt 1")
    if student.count():
        student.click()
    else:
        page.goto(f"{assignment}gradebook/")
        expect(page.get_by_text("Scored", exact=True)).to_have_count(15, timeout=120_000)
        page.get_by_role("link", name="Amara Okafor").click()
    return {
        "course": course,
        "members": f"{course}members/",
        "assignment": assignment,
        "references": f"{assignment}references/",
        "pyramid": f"{assignment}pyramid/",
        "gradebook": f"{assignment}gradebook/",
        "submission": page.url,
        "assignment/edit": f"{assignment}edit/",
        "course/edit": f"{course}edit/",
        "account": "/accounts/",
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
        context.close()


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
        context = browser.new_context(
            base_url=site.url, viewport={"width": 1280, "height": 860}, color_scheme="light"
        )
        page = context.new_page()
        log_in(page, "student1", site.password)
        page.goto(addresses(page)["submission"])
        page.screenshot(path=ROOT / "docs" / "screenshot.png")
        browser.close()
    sys.stdout.write(f"Pictures are in {folder}\n")


if __name__ == "__main__":
    main()
