"""Pictures of the grading desk: those in docs/grading.md."""

from playwright.sync_api import Browser, Page

from tests.browser.people import log_in
from tests.sites import ROOT, Site


def pictures_of_grading(browser: Browser, site: Site) -> None:
    """The queue of the demonstration, and the marking desk of its first text, as the TA."""
    context = browser.new_context(
        base_url=site.url, viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
    )
    page = context.new_page()
    log_in(page, "ta", site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.locator("a.item-title").last.click()
    page.get_by_role("link", name="Submissions", exact=True).click()
    _shoot(page, "queue")
    page.locator("main table a[href*='/marking/']").first.click()
    page.wait_for_url("**/marking/*")
    _shoot(page, "marking")
    context.close()


def _shoot(page: Page, name: str) -> None:
    page.screenshot(path=ROOT / "docs" / f"{name}.png")
