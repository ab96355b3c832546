"""The connection is lost: the editor says so, keeps what was done, and sends it once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from tests.browser.classroom import Classroom
from tests.browser.editor import Desk, check_at
from tests.browser.people import check_page

pytestmark = pytest.mark.browser

CITIES, ROOFS, TREES, OLD, LEAVES = 1, 2, 3, 4, 5


@pytest.fixture
def desk(classroom: Classroom, seat: Callable[..., Page]) -> Desk:
    """In a window whose console may tell of the lost connection."""
    page = seat(forgives=("Failed to load resource", "htmx:", "Error Code 401"))
    return Desk(page, classroom.new_draft(page)).open()


def relabel(desk: Desk, uid: int, label: str) -> None:
    card = desk.open_card(uid)
    card.get_by_label("Label", exact=True).fill(label)
    card.get_by_role("button", name="Save label").click()


def expect_lost(desk: Desk, edits: str = "Your edit is kept") -> None:
    expect(desk.page.locator("#editor-connection")).to_contain_text("Connection lost.")
    expect(desk.page.locator("#editor-connection")).to_contain_text(edits)


def expect_again(desk: Desk, revision: int) -> None:
    desk.wait_for_revision(revision)
    expect(desk.page.locator("#editor-connection")).to_be_hidden()
    desk.check_shown()


def test_edits_wait_and_are_sent_in_their_order(desk: Desk) -> None:
    desk.open_card(TREES)
    desk.open_card(LEAVES)
    desk.page.context.set_offline(True)
    relabel(desk, TREES, "Shade")
    expect_lost(desk)
    for width in (390, 1280):
        check_at(desk.page, width)
    desk.card(LEAVES).get_by_role("button", name="Must count").click()
    desk.select("Chi", "Air conditioning")
    desk.press_bar("New idea")
    field = desk.card(LEAVES).get_by_label("Comment", exact=True)
    field.fill("Typed while nobody listens")
    field.focus()
    expect(desk.page.locator("#editor-connection")).to_contain_text("Your 3 edits are kept")
    assert field.input_value() == "Typed while nobody listens"

    desk.page.context.set_offline(False)
    expect_again(desk, 3)
    assert desk.kept_idea(TREES)["label"] == "Shade"
    assert desk.kept_idea(LEAVES)["standing"] == "must"
    assert desk.kept_words(max(desk.uids()), "Chi") == ["Air conditioning"]
    assert field.input_value() == "Typed while nobody listens"
    desk.card(LEAVES).get_by_role("button", name="Save comment").last.click()
    desk.wait_for_revision(4)
    assert desk.kept_idea(LEAVES)["comment"] == "Typed while nobody listens"


def lose_the_first_answer(desk: Desk, address: str) -> list[str]:
    """What is sent there reaches the server, but its answer does not come back the first time."""
    sent: list[str] = []

    def pass_on(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    desk.page.route(address, pass_on)
    return sent


def test_an_edit_whose_answer_was_lost_is_made_once(desk: Desk) -> None:
    sent = lose_the_first_answer(desk, "**/edit/")
    desk.select("Chi", "Air conditioning")
    desk.press_bar("New idea")
    expect_lost(desk)
    assert len(desk.uids()) == 6  # it is there, but the page cannot know
    expect_again(desk, 1)
    assert len(desk.uids()) == 6
    assert len(sent) == 2
    assert sent[0].split("token=")[1] == sent[1].split("token=")[1]


def test_a_reload_after_a_lost_answer_makes_nothing_twice(desk: Desk) -> None:
    lose_the_first_answer(desk, "**/edit/")
    desk.page.on("dialog", lambda dialog: dialog.accept())
    desk.select("Chi", "Air conditioning")
    desk.press_bar("New idea")
    expect_lost(desk)
    desk.page.reload()
    expect_again(desk, 1)
    desk.page.wait_for_function("() => !window.pyrevalEditor.queue.waiting()")
    assert desk.revision() == 1
    assert len(desk.uids()) == 6
    desk.check_shown()


def test_an_undo_whose_answer_was_lost_is_made_once(desk: Desk) -> None:
    relabel(desk, TREES, "Shade")
    desk.wait_for_revision(1)
    desk.card(TREES).get_by_role("button", name="Must count").click()
    desk.wait_for_revision(2)
    lose_the_first_answer(desk, "**/undo/")
    desk.page.locator("#undo").click()
    expect_lost(desk)
    expect_again(desk, 3)
    assert desk.kept_idea(TREES)["label"] == "Shade"
    assert "standing" not in desk.kept_idea(TREES)


def test_try_again_now_sends_at_once(desk: Desk) -> None:
    blocked = True
    desk.page.route("**/edit/", lambda route: route.abort() if blocked else route.continue_())
    relabel(desk, TREES, "Shade")
    expect_lost(desk)
    blocked = False
    desk.page.get_by_role("button", name="Try again now").click()
    expect_again(desk, 1)
    assert desk.kept_idea(TREES)["label"] == "Shade"


def test_a_reload_in_between_loses_nothing(desk: Desk) -> None:
    blocked = True
    desk.page.route("**/edit/", lambda route: route.abort() if blocked else route.continue_())
    desk.page.on("dialog", lambda dialog: dialog.accept())
    relabel(desk, TREES, "Shade")
    expect_lost(desk)
    desk.page.reload()
    expect_lost(desk)
    assert desk.revision() == 0
    blocked = False
    expect_again(desk, 1)
    assert desk.kept_idea(TREES)["label"] == "Shade"


def test_leaving_with_unsent_edits_asks(desk: Desk) -> None:
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    desk.page.on("dialog", leave)
    desk.page.route("**/edit/", lambda route: route.abort())
    relabel(desk, TREES, "Shade")
    expect_lost(desk)
    desk.page.goto("/")
    assert asked == ["beforeunload"]


def test_a_fault_of_the_server_keeps_the_edit(desk: Desk) -> None:
    broken = True

    def answer(route: Route) -> None:
        if broken:
            route.fulfill(status=500, body="<h1>Server error</h1>")
        else:
            route.continue_()

    desk.page.route("**/edit/", answer)
    relabel(desk, TREES, "Shade")
    panel = desk.page.locator("#editor-connection")
    expect(panel).to_contain_text("Something went wrong on the server. Your edit is kept")
    check_page(desk.page)
    broken = False
    panel.get_by_role("button", name="Try again now").click()
    expect_again(desk, 1)
    assert desk.kept_idea(TREES)["label"] == "Shade"

    broken = True
    relabel(desk, TREES, "Shadow")
    panel.get_by_role("button", name="Discard this edit").click()
    expect(panel).to_be_hidden()
    broken = False
    desk.open_card(OLD).get_by_role("button", name="Must count").click()
    desk.wait_for_revision(2)
    assert desk.kept_idea(TREES)["label"] == "Shade"


def test_somebody_who_was_logged_out_loses_nothing(desk: Desk) -> None:
    state = desk.page.context.storage_state()
    desk.page.route("**/analysis/**", lambda route: route.fulfill(status=204))
    desk.open_card(TREES)
    desk.page.context.clear_cookies(name="sessionid")
    relabel(desk, TREES, "Shade")
    expect(desk.page.locator("#editor-connection")).to_contain_text("You have been logged out.")
    desk.page.context.set_storage_state(state)
    desk.page.on("dialog", lambda dialog: dialog.accept())
    desk.page.reload()
    expect_again(desk, 1)
    assert desk.kept_idea(TREES)["label"] == "Shade"


def test_others_edits_while_the_connection_is_lost_are_a_conflict(
    desk: Desk, seat: Callable[..., Page]
) -> None:
    other = Desk(seat("kofi"), desk.url).open()
    desk.open_card(TREES)
    desk.page.context.set_offline(True)
    relabel(desk, TREES, "Shade")
    expect_lost(desk)
    relabel(other, TREES, "Green streets")
    other.wait_for_revision(1)
    desk.page.context.set_offline(False)
    conflict = desk.page.get_by_role("dialog", name="Somebody else has changed the draft")
    expect(conflict).to_contain_text("“Green streets”")
    assert other.kept_idea(TREES)["label"] == "Green streets"
    conflict.get_by_role("button", name="Save my edit anyway").click()
    expect_again(desk, 2)
    assert other.kept_idea(TREES)["label"] == "Shade"


def test_a_reload_in_the_middle_of_a_conflict_asks_again(
    desk: Desk, seat: Callable[..., Page]
) -> None:
    other = Desk(seat("kofi"), desk.url).open()
    desk.page.route("**/changes/**", lambda route: route.fulfill(status=204))
    desk.page.on("dialog", lambda dialog: dialog.accept())
    relabel(other, TREES, "Green streets")
    other.wait_for_revision(1)
    desk.open_card(TREES).get_by_label("Label", exact=True).fill("Shade")
    desk.card(TREES).get_by_role("button", name="Save label").click()
    conflict = desk.page.get_by_role("dialog", name="Somebody else has changed the draft")
    expect(conflict).to_be_visible()
    desk.page.reload()
    expect(conflict).to_contain_text("“Green streets”")
    assert desk.kept_idea(TREES)["label"] == "Green streets"
    conflict.get_by_role("button", name="Save my edit anyway").click()
    expect_again(desk, 2)
    assert desk.kept_idea(TREES)["label"] == "Shade"


def test_of_several_edits_that_waited_one_can_be_left(
    desk: Desk, seat: Callable[..., Page]
) -> None:
    other = Desk(seat("kofi"), desk.url).open()
    desk.open_card(TREES)
    desk.page.context.set_offline(True)
    relabel(desk, TREES, "Shade")
    expect_lost(desk)
    desk.card(TREES).get_by_role("button", name="Must count").click()
    expect_lost(desk, "Your 2 edits are kept")
    relabel(other, TREES, "Green streets")
    other.wait_for_revision(1)
    desk.page.context.set_offline(False)
    conflict = desk.page.get_by_role("dialog", name="Somebody else has changed the draft")
    conflict.get_by_text("Cancel").click()
    expect_again(desk, 2)
    assert desk.kept_idea(TREES)["label"] == "Green streets"
    assert desk.kept_idea(TREES)["standing"] == "must"


def test_no_log_in_page_comes_into_the_editor(desk: Desk) -> None:
    desk.page.context.clear_cookies(name="sessionid")
    desk.page.locator(f"#open-{LEAVES}").click()
    alert = desk.page.get_by_role("alert").filter(has_text="You have been logged out.")
    expect(alert.first).to_be_visible()
    expect(desk.card(LEAVES)).to_be_visible()
    expect(desk.page.get_by_label("Password")).to_have_count(0)
    check_page(desk.page)
