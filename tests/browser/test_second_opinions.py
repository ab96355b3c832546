"""Second opinions as an instructor meets them: chosen, flagged, read side by side, and drawn."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.people import check_page, check_width, log_in
from tests.sites import Site

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
COUNTED = 14  # texts of the demonstration that count
SCORED = 15
MOST = 120_000  # ms until the class is scored and has its opinions, on a busy machine
REASON = re.compile(
    r"^(ROUGE-SU4|Basic Elements|PEAK) puts this text \d\.\d standard deviations (above|below) "
    r"what the main method does\."
)


@pytest.fixture
def assignment(new_page: OpenPage, site: Site) -> Iterator[Page]:
    """The demonstration's assignment; its setting is put back afterwards."""
    page = new_page()
    log_in(page, "instructor", site.password)
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.get_by_role("link", name="Summary: Why cities are hotter", exact=True).click()
    page.wait_for_url("**/assignments/*/")
    address = page.url
    yield page
    page.goto(f"{address}second-opinions/")
    page.get_by_label("PEAK", exact=True).uncheck()
    save(page, difference="1.5")


def save(page: Page, difference: str) -> None:
    page.get_by_label("Flag a text when the difference is at least").fill(difference)
    with page.expect_navigation():
        page.get_by_role("button", name="Save second opinions").click()


def looked_at(page: Page) -> None:
    """Without a fault in light and dark, and no wider than a phone."""
    check_page(page)
    page.set_viewport_size({"width": 390, "height": 844})
    check_width(page)
    page.set_viewport_size({"width": 1280, "height": 900})


def wait_for_opinions(page: Page, methods: int) -> None:
    """Load the settings again until every text has an opinion of each method."""
    calculated = page.get_by_text(f"{SCORED} of {SCORED} submissions calculated")
    for _ in range(MOST // 2_000):
        if calculated.count() == methods:
            return
        page.wait_for_timeout(2_000)
        page.goto(page.url)
    expect(calculated).to_have_count(methods)


def box(place: Locator) -> FloatRect:
    result = place.bounding_box()
    assert result is not None
    return result


def test_from_the_setting_to_the_scatter_plot(
    assignment: Page, new_page: OpenPage, site: Site
) -> None:
    page, address = assignment, assignment.url
    page.goto(f"{address}second-opinions/")
    page.get_by_label("PEAK", exact=True).check()
    save(page, difference="1")
    wait_for_opinions(page, methods=3)
    looked_at(page)

    page.get_by_role("link", name="What each method looks at").click()
    expect(page.get_by_text("If two methods disagree, read the text.")).to_be_visible()
    looked_at(page)

    page.goto(f"{address}second-opinions/")
    page.get_by_role("link", name="submissions where methods disagree").click()
    row = page.get_by_role("row").filter(has_text="Methods disagree").first
    flag = row.locator("details", has_text="Methods disagree")
    flag.locator("summary").click()
    expect(flag.locator(".queue-reason p").first).to_have_text(REASON)
    flag.get_by_role("link", name="Compare the methods").click()

    read_side_by_side(page)
    read_the_class(page, address)
    shut_out_students(new_page, site, address)


def read_side_by_side(page: Page) -> None:
    """Each method has a row and its own copy of the text, marked; the main one stays in view."""
    expect(page.get_by_role("heading", level=1)).to_contain_text("Second opinions on")
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(1 + 4)
    expect(page.get_by_role("table").get_by_text("Methods disagree")).not_to_have_count(0)
    main, peak = page.locator("#method-main"), page.locator("#method-peak")
    words = main.locator(".student-text").inner_text()
    for method in ("rouge-su4", "be-hm", "peak"):
        text = page.locator(f"#method-{method} .student-text")
        assert text.inner_text() == words
        expect(text.locator("mark").first).to_be_visible()
    looked_at(page)

    peak.evaluate("section => section.scrollIntoView()")
    expect(main).to_be_in_viewport()
    assert box(main)["x"] + box(main)["width"] <= box(peak)["x"]
    page.get_by_text("What it found").last.click()
    expect(peak.locator(".opinion-found li").first).to_be_visible()


def read_the_class(page: Page, address: str) -> None:
    """Correlations of each two with intervals, and a dot for each text of any two."""
    page.goto(f"{address}class/second-opinions/")
    cells = page.locator(".class-matrix td.numeric")
    expect(cells).to_have_count(3 + 2 + 1)
    expect(cells.first).to_have_text(
        re.compile(rf"0\.\d\d \(\u2212?0\.\d\d to 0\.\d\d\)\s+n {COUNTED}")
    )
    page.get_by_label("Horizontal").select_option(label="PEAK")
    page.get_by_label("Vertical").select_option(label="ROUGE-SU4")
    page.get_by_role("button", name="Show both").click()
    expect(page.get_by_text(re.compile(r"PEAK and ROUGE-SU4: correlation 0\.\d\d"))).to_be_visible()
    picture = page.locator("svg.class-picture")
    expect(picture.locator(".class-dot")).to_have_count(COUNTED)
    inside = box(picture)
    for dot in picture.locator(".class-dot").all():
        at = box(dot)
        assert inside["x"] <= at["x"]
        assert at["x"] + at["width"] <= inside["x"] + inside["width"]
        assert inside["y"] <= at["y"] + at["height"] <= inside["y"] + inside["height"]
    listed = page.locator("table", has=page.get_by_text("largest difference come first"))
    expect(listed.locator("tbody tr")).to_have_count(COUNTED)
    looked_at(page)


def shut_out_students(new_page: OpenPage, site: Site, address: str) -> None:
    """A student's pages name no second opinion, and the graders' pages are refused."""
    page = new_page(forgives=["403", "404"])
    log_in(page, "student1", site.password)
    page.goto(address)
    page.get_by_role("link", name=re.compile("^Attempt")).first.click()
    page.wait_for_url("**/submissions/*/")
    result = page.url
    for content in (page.content(), page.request.get(address).text()):
        assert not re.search("second.opinion|PEAK|ROUGE|methods disagree", content, re.IGNORECASE)
    for hidden in (
        f"{address}second-opinions/",
        f"{address}second-opinions/methods/",
        f"{address}class/second-opinions/",
        f"{result}second-opinions/",
    ):
        assert page.request.get(hidden).status in {403, 404}
