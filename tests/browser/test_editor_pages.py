"""All pages of drafts and versions, in all their states: accessible, within the window, quick."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import pytest
from playwright.sync_api import FilePayload, Page, expect

from grading.pyramid.structures import Contributor, Pyramid, Scu, Span
from tests.bench.made_texts import made_references
from tests.browser.classroom import Classroom
from tests.browser.editor import Desk, check_at
from tests.browser.people import check_page

pytestmark = pytest.mark.browser

Seat = Callable[..., Page]
WIDTHS = (1280, 390)
USABLE_AFTER = 3.0  # seconds; 1.5 is meant, on a machine that does nothing else
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@dataclass(frozen=True)
class Published:
    """An assignment with a version, and a draft that is begun from it and edited."""

    assignment: str
    version: str
    draft: str


@pytest.fixture(scope="module")
def published(classroom: Classroom) -> Published:
    context = classroom.browser.new_context(
        base_url=classroom.site.url, storage_state=classroom.states["instructor"]
    )
    page = context.new_page()
    assignment = classroom.new_assignment(page)
    page.goto(f"{classroom.new_draft(page, assignment=assignment)}publish/")
    page.get_by_label("Note").fill("As it came.")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("link", name="Version 1").last.click()
    version = page.url
    page.goto(f"{assignment}pyramid/")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.wait_for_url("**/drafts/*/")
    desk = Desk(page, page.url).open()
    desk.open_card(3).get_by_role("button", name="Must count").click()
    desk.wait_for_revision(1)
    desk.card(3).get_by_label("Comment", exact=True).fill("Why?")
    desk.card(3).get_by_role("button", name="Save comment").last.click()
    desk.wait_for_revision(2)
    context.close()
    return Published(assignment, version, desk.url)


ADDRESSES = [
    "{assignment}pyramid/",
    "{assignment}drafts/new/",
    "{assignment}drafts/rubric/",
    "{assignment}drafts/import/",
    "{assignment}versions/compare/?a=v1&b=d2",
    "{version}",
    "{version}print/",
    "{draft}",
    "{draft}analysis/",
    "{draft}quality/",
    "{draft}history/",
    "{draft}history/1/",
    "{draft}publish/",
    "{draft}effect/",
    "{draft}discard/",
    "{draft}print/",
    "{draft}scus/3/",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page(seat: Seat, published: Published, address: str) -> None:
    page = seat()
    answer = page.goto(address.format(**vars(published)))
    assert answer
    assert answer.status == 200
    if address.startswith("{draft}"):
        page.wait_for_load_state("networkidle")  # parts of it are fetched
    for width in WIDTHS:
        check_at(page, width)
    page.set_viewport_size({"width": 768, "height": 900})
    assert page.evaluate(TOO_WIDE) <= 0


# --- the editor in its states ---


def open_everything(desk: Desk) -> None:
    for uid in desk.uids():
        desk.open_card(uid)


def show_columns(desk: Desk) -> None:
    desk.page.get_by_role("button", name="Texts as columns").click()
    desk.page.get_by_role("button", name="Quotes").click()


def open_sheet(desk: Desk) -> None:
    desk.page.get_by_role("button", name="Keyboard shortcuts").click()


def select_words(desk: Desk) -> None:
    desk.open_card(5)
    desk.select("Chi", "Air conditioning")


def be_offered_a_join(desk: Desk) -> None:
    desk.select("Ben", "Old people suffer")
    desk.pick(desk.bar().get_by_role("combobox", name="Add to another idea"), 2)
    expect(desk.page.get_by_role("alert").filter(has_text="counts once")).to_be_visible()


def choose_among_ideas(desk: Desk) -> None:
    desk.open_card(3)
    desk.select("Ada", "leaves give off water")
    desk.press_bar("As a further part")
    desk.show_text("Ada").locator('[data-scu="3 5"]').click()
    expect(desk.page.get_by_role("menu", name="Ideas of these words")).to_be_visible()


def find(desk: Desk) -> None:
    desk.page.get_by_label("Find in ideas and texts").fill("roofs")
    expect(desk.page.locator("#found")).to_contain_text("in the texts")


STATES = [
    open_everything,
    show_columns,
    open_sheet,
    select_words,
    be_offered_a_join,
    choose_among_ideas,
    find,
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_state_of_the_editor(desk: Desk, state: Callable[[Desk], None]) -> None:
    state(desk)
    for width in WIDTHS:
        check_at(desk.page, width)


@pytest.mark.parametrize("pane", ["Texts", "Ideas", "Suggestions"])
def test_a_pane_on_a_phone(desk: Desk, pane: str) -> None:
    desk.page.set_viewport_size({"width": 390, "height": 844})
    switch = desk.page.get_by_role("navigation", name="Parts of the editor")
    switch.get_by_role("button", name=pane).click()
    expect(desk.page.locator(f"#pane-{pane.lower()}")).to_be_visible()
    check_page(desk.page)


def test_panes_side_by_side_at_768(desk: Desk) -> None:
    desk.page.set_viewport_size({"width": 768, "height": 900})
    desk.open_card(1)
    desk.select("Chi", "Air conditioning")
    expect(desk.page.locator("#pane-ideas")).to_be_visible()
    check_page(desk.page)


def look_at_file(page: Page, content: bytes) -> None:
    file = FilePayload(name="x.json", mimeType="application/json", buffer=content)
    page.get_by_label("File with a pyramid").set_input_files(file)
    page.get_by_role("button", name="Preview").click()


def test_an_empty_draft_and_previews(classroom: Classroom, seat: Seat) -> None:
    page = seat()
    address = classroom.new_assignment(page)
    page.goto(f"{address}drafts/rubric/")
    page.get_by_label("Statements").fill("Dark roofs store heat | 3\nTrees cool the streets")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name=re.compile("Preview: these"))).to_be_visible()
    for width in WIDTHS:
        check_at(page, width)
    page.get_by_role("button", name="Create the draft").click()
    desk = Desk(page, page.url).open()
    assert [scu.get("weight") for scu in desk.kept()["scus"]] == [3, 1]
    desk.check_shown()
    for width in WIDTHS:
        check_at(page, width)

    page.goto(f"{address}drafts/import/")
    look_at_file(page, b'{"format": 1,\n"scus"}')
    expect(page.get_by_text("Line 2, column 7").last).to_be_visible()
    check_page(page)
    look_at_file(page, page.request.get(f"{desk.url}file.json").body())
    expect(page.get_by_role("button", name="Create the draft")).to_be_visible()
    for width in WIDTHS:
        check_at(page, width)

    page.goto(f"{address}drafts/new/")
    page.get_by_role("button", name="Create an empty draft").click()
    expect(page.get_by_text("No ideas yet.")).to_be_visible()
    for width in WIDTHS:
        check_at(page, width)


# --- speed ---


def large_pyramid() -> Pyramid:
    """12 references of 250 words and 150 ideas, some in many references."""
    texts = tuple(made_references(12, 250))
    scus = []
    for number in range(150):
        contents = [texts[(number * 7 + other) % 12] for other in range(1 + 150 // (number + 15))]
        spans = [(text.name, Span(*_words(text.content, number))) for text in contents]
        contributors = tuple(Contributor(name, (span,)) for name, span in spans)
        scus.append(Scu(number + 1, f"Idea {number + 1} about cities", contributors))
    return Pyramid(texts, tuple(scus))


def _words(content: str, number: int) -> tuple[int, int]:
    """Eight words of a text, others for each idea."""
    rows = [(match.start(), match.end()) for match in re.finditer(r"\w+", content)]
    first = number * 13 % (len(rows) - 8)
    return rows[first][0], rows[first + 7][1]


def test_a_large_pyramid_is_there_soon(classroom: Classroom, seat: Seat) -> None:
    page = seat()
    pyramid = large_pyramid()
    desk = Desk(page, classroom.new_draft(page, pyramid))
    took = []
    for uid in (1, 75, 150):
        start = perf_counter()
        page.goto(desk.url, wait_until="commit")
        page.locator(f"#open-{uid}").click()
        page.locator(f"#label-{uid}").wait_for()
        took.append(perf_counter() - start)
    print(f"\nUsable after {', '.join(f'{seconds:.2f}' for seconds in took)} s")  # noqa: T201
    start = perf_counter()
    page.locator("#must-150").click()
    desk.wait_for_revision(1)
    print(f"An edit is there after {perf_counter() - start:.2f} s")  # noqa: T201
    desk.check_shown()
    assert sorted(took)[1] <= USABLE_AFTER
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(TOO_WIDE) <= 0
