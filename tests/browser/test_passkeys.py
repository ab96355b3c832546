"""A passkey is added, and logs in alone: no password, and no script of ours on the page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Site, check_page

pytestmark = pytest.mark.browser


def with_authenticator(page: Page) -> None:
    """A phone in the browser's hand that always says yes."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_added_and_logs_in(site: Site, new_page: Callable[..., Page]) -> None:
    page = new_page()
    # Passkeys belong to names, not to numbers.
    here = site.url.replace("127.0.0.1", "localhost")
    with_authenticator(page)
    page.goto(f"{here}/accounts/login/")
    page.get_by_label("Login or e-mail address").fill("ta")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in", exact=True).click()

    page.goto(f"{here}/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Continue").click()
    check_page(page)
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    check_page(page)

    page.goto(f"{here}/accounts/2fa/webauthn/")
    expect(page.locator("bdi", has_text="My phone")).to_be_visible()
    page.context.clear_cookies()
    page.goto(f"{here}/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("heading", name="Your courses")).to_be_visible()
    # Take it back: other tests log in as the same person.
    page.goto(f"{here}/accounts/2fa/webauthn/")
    page.get_by_role("link", name="Remove").click()
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No passkeys yet.")).to_be_visible()
