"""What people do on every page, and what every page must be: accessible, in light and in dark."""

import re
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.sites import Site

AXE_OPTIONS = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
}


Scheme = Literal["light", "dark"]


TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def log_in(page: Page, login: str, password: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Login or e-mail address").fill(login)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", name="Your courses")).to_be_visible()


def sign_up(page: Page, login: str, name: str) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Full name").fill(name)
    page.get_by_label("Login", exact=True).fill(login)
    page.get_by_label("E-mail address").fill(f"{login}@example.org")
    page.get_by_label("Password", exact=True).fill("a-long-passphrase-7")
    page.get_by_label("Password again").fill("a-long-passphrase-7")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Your courses")).to_be_visible()


def join(page: Page, code: str) -> None:
    page.goto("/courses/join/")
    page.get_by_label("Course code").fill(code)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("viewing this course as a student")).to_be_visible()


def check_page(page: Page) -> None:
    """No fault that axe finds, no text that runs out of the window, in light and in dark."""
    scheme: Scheme
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(TWO_FRAMES)  # the colours are new from the next frame on
        results = Axe().run(page, options=AXE_OPTIONS)
        assert results.violations_count == 0, f"{page.url} ({scheme})\n{results.generate_report()}"
    page.emulate_media(color_scheme="light")
    check_width(page)


def check_width(page: Page) -> None:
    """Nothing runs out of the window."""
    too_wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert too_wide <= 0, f"{page.url} is {too_wide} px too wide"


def numbers_in(page: Page, selector: str) -> list[float]:
    texts = page.locator(selector).all_inner_texts()
    return [float(number) for text in texts for number in re.findall(r"\d\.\d\d", text)]


__all__ = ["Site", "check_page", "check_width", "join", "log_in", "numbers_in", "sign_up"]
