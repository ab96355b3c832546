"""Single sign-on with real servers: the site as its settings configure it, a provider, a browser.

``tests/accounts/test_single_sign_on.py`` has the answers that open nothing.
"""

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.accounts import saml_provider as saml
from tests.accounts.oidc_provider import CLIENT, SECRET, Provider
from tests.accounts.oidc_provider import serving as serving_oidc
from tests.sites import Site, serving

pytestmark = pytest.mark.browser

HUONG = {
    "sub": "8",
    "name": "Nguyễn Thị Hương",
    "email": "huong@example.org",
    "email_verified": True,
}
SAME_BY_SAML = {
    saml.SUBJECT: "huong-8@example.org",
    saml.EMAIL: "Huong@example.org",
    saml.GIVEN_NAME: "Hương",
    saml.SURNAME: "Nguyễn Thị",
}


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with serving_oidc() as provider:
        provider.person = HUONG
        yield provider


@pytest.fixture(scope="module")
def site(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of its own. The SAML provider's metadata are on another host than its log-in page."""
    with (
        saml.serving(saml.make_identity(), SAME_BY_SAML) as (metadata, log_in),
        pytest.MonkeyPatch.context() as environment,
    ):
        for name, value in {
            "OIDC_SERVER_URL": provider.url,
            "OIDC_NAME": "Northern University",
            "OIDC_CLIENT_ID": CLIENT,
            "OIDC_CLIENT_SECRET": SECRET,
            "SAML_METADATA_URL": metadata,
            "SAML_ENTITY_ID": saml.ENTITY,
            "SAML_NAME": "Southern University",
            "SIGN_ON_ORIGINS": log_in,
        }.items():
            environment.setitem(os.environ, name, value)
        with serving(tmp_path_factory.mktemp("sign-on-site")) as site:
            yield site


def test_one_person_signs_on_by_oidc_and_by_saml(new_page: Callable[..., Page]) -> None:
    """A new person is in without a form, and has the same account whichever way they come."""
    page = new_page()
    for university, is_asked in (("Northern University", False), ("Southern University", True)):
        page.goto("/accounts/login/")
        page.get_by_role("link", name=f"Log in with {university}").click()
        page.get_by_role("button", name="Continue").click()
        if is_asked:  # at the provider, on another site; from there a form comes back
            page.wait_for_url("http://localhost:*/sign-on?*")
            page.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("heading", name="Your courses")).to_be_visible()
        page.goto("/accounts/")
        expect(page.get_by_label("Full name")).to_have_value("Nguyễn Thị Hương")
        expect(page.get_by_text("huong@example.org")).to_be_visible()
        page.context.clear_cookies()
