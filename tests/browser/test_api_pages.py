"""The pages about the API: its documentation, tokens and webhooks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.classroom import Classroom
from tests.browser.people import check_page

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_documentation_is_read_by_its_links(seat: Seat, width: int) -> None:
    page = seat(width=width)
    page.goto("/api/")
    check_page(page)

    page.get_by_role("link", name="What a roster would change").click()

    expect(page.get_by_role("heading", name="What a roster would change")).to_be_in_viewport()
    page.get_by_role("link", name="RosterDiff", exact=True).first.click()
    expect(page.get_by_role("heading", name="RosterDiff", exact=True)).to_be_in_viewport()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_token_is_created_copied_and_revoked(
    classroom: Classroom, seat: Seat, width: int
) -> None:
    page = seat("tomasz", width=width)
    page.goto("/accounts/tokens/")
    check_page(page)
    page.get_by_role("link", name="Create a token").click()
    again = page.get_by_label("Password", exact=True)
    if again.count():  # it was some minutes ago that somebody logged in
        again.fill("a-long-passphrase-7")
        again.press("Enter")
    expect(page.get_by_role("heading", name="Create an API token")).to_be_visible()
    check_page(page)
    page.get_by_label("Name").fill(f"Export at {width}")
    page.get_by_label("Read and write").check()
    page.get_by_role("button", name="Create").click()
    token = page.locator("#new-secret").inner_text()
    check_page(page)

    headers = {"Authorization": f"Bearer {token}"}
    answer = page.request.get("/api/v1/token", headers=headers)
    assert (answer.status, answer.json()["scope"]) == (200, "write")
    page.goto("/accounts/tokens/")
    row = page.locator("li", has_text=f"Export at {width}")
    row.get_by_role("button", name="Revoke").click()
    assert page.request.get("/api/v1/token", headers=headers).status == 401


@pytest.mark.parametrize("width", [1280, 390])
def test_webhooks_are_listed_with_their_deliveries(
    classroom: Classroom, seat: Seat, width: int
) -> None:
    page = seat(width=width)
    page.goto(f"{classroom.course}webhooks/")
    page.get_by_label("Address").fill(f"https://hooks.example.org/{width}")
    page.get_by_role("button", name="Add").click()
    check_page(page)
    page.goto(f"{classroom.course}webhooks/")
    expect(page.locator("strong", has_text=f"https://hooks.example.org/{width}")).to_be_visible()
    check_page(page)
