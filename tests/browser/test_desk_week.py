"""A week at the desk, as a TA walks it: from the platform's zip to the platform's gradebook."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.classroom import Classroom
from tests.browser.desk_week import (
    HARM,
    STRANGER,
    THURSDAY,
    TITLE,
    Pupil,
    Week,
    as_file,
    bring_class_in,
    found_week,
    grades_in,
    ideas_told,
)
from tests.browser.people import check_page, check_width
from tests.browser.results import select_words

pytestmark = pytest.mark.browser

COMMENT = "This is the idea, well told."
PASSWORD = "a-long-passphrase-7"
ROOFS = "Dark roofs store heat"
MOST = 90_000  # ms until sixty texts are scored, on a busy machine


def looked_at(page: Page) -> None:
    """Without a fault in light and dark, and no wider than the window, be it a phone's."""
    check_page(page)
    page.set_viewport_size({"width": 390, "height": 844})
    check_width(page)
    page.set_viewport_size({"width": 1280, "height": 900})


def fact(page: Page, term: str) -> str:
    """What stands under this word in the facts at the top of a page."""
    fact_row = page.locator(".facts > div", has=page.get_by_text(term, exact=True)).first
    return fact_row.locator("dd").inner_text()


def go_to(page: Page, place: str, name: str) -> None:
    """A page of a place of the assignment."""
    page.get_by_role("navigation", name="Assignment").get_by_role("link", name=place).click()
    page.get_by_role("navigation", name=place).get_by_role("link", name=name).click()


def test_a_week_at_the_desk(
    classroom: Classroom, seat: Callable[..., Page], new_page: Callable[..., Page]
) -> None:
    week = found_week(classroom, "desk")
    instructor, page = seat(), seat("tomasz")
    bring_the_class_in(instructor, week)
    bring_work_in(page, week)
    look_at_the_queue(page, week)
    correct_three(page, week)
    calibrate(page)
    make_a_rule(instructor, week)
    release(page, week)
    read_the_comment(new_page(), week, password_link(instructor, week))
    filled = fill_the_file_of_canvas(page, week)
    fresh = make_a_new_file(page)
    assert grades_in(filled).items() < grades_in(fresh).items()
    have_them_again(page, {filled, fresh})


def bring_the_class_in(page: Page, week: Week) -> None:
    bring_class_in(page, week)
    looked_at(page)
    page.get_by_role("button", name="Apply changes").click()
    expect(page.get_by_role("row", name=week.pupils[1].name)).to_contain_text(THURSDAY)
    check_width(page)  # axe takes long over the lists of roles of so many, and sees fewer elsewhere


def bring_work_in(page: Page, week: Week) -> None:
    """The preview says whose each file is; what nobody's is, is given to somebody by hand."""
    page.goto(week.assignment)
    page.get_by_role("link", name="Import submissions").click()
    looked_at(page)
    page.get_by_label("Files", exact=True).set_input_files(
        as_file("Geography-Heat-5512.zip", week.moodle_zip())
    )
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_text("from Moodle")).to_be_visible(timeout=MOST)
    assert fact(page, "Ticked") == "59"
    assert fact(page, "Needs a decision") == "1"
    unread = page.get_by_role("table", name=re.compile("^Files that can"))
    expect(unread.get_by_role("row", name=week.without_text.name)).to_contain_text("empty")
    looked_at(page)

    page.get_by_label(f"Student for {STRANGER}").fill(week.stranger.name)
    page.get_by_role("button", name="Import ticked files").click()
    expect(page.get_by_text("Preview updated with your choices")).to_be_visible()
    assert fact(page, "Ticked") == "60"
    page.get_by_role("button", name="Import ticked files").click()
    expect(page.get_by_text("60 attempts were imported by")).to_be_visible()
    expect(page.get_by_text("All are scored.")).to_be_visible(timeout=MOST)
    looked_at(page)


def look_at_the_queue(page: Page, week: Week) -> None:
    """Needs review first; from one text to the next; what is chosen can be kept as a view."""
    page.get_by_role("link", name="Review the submissions").click()
    expect(page.get_by_text("60 submissions")).to_be_visible()
    places = [place_of(row) for row in rows(page).all()]
    assert places == sorted(places, reverse=True)
    assert min(places) == (0, 0)
    flags = set(page.locator("tbody .queue-flag summary").all_inner_texts())
    assert flags == {"Gibberish?", "Like another", "Other language", "Short"}
    looked_at(page)

    first, second = (row.get_by_role("link").first.inner_text() for row in rows(page).all()[:2])
    page.get_by_role("button", name="Start with the first").click()
    bar = page.get_by_role("navigation", name="Queue")
    expect(bar).to_contain_text("1 of 60")
    expect(bar).to_contain_text("Claimed by you since")
    expect(heading(page)).to_contain_text(first)
    looked_at(page)
    bar.get_by_role("link", name="Next", exact=True).click()
    expect(heading(page)).to_contain_text(second)
    bar.get_by_role("link", name="Previous").click()
    expect(heading(page)).to_contain_text(first)
    bar.get_by_role("button", name="Release the claim").click()
    expect(bar.get_by_role("button", name="Claim")).to_be_visible()

    bar.get_by_role("link", name="Submissions").click()
    page.get_by_text("Filters", exact=True).click()
    page.get_by_label("Section", exact=True).select_option(THURSDAY)
    page.get_by_role("button", name="Show these").click()
    expect(page.get_by_text("3 of 60")).to_be_visible()
    page.get_by_text("Save this view").click()
    page.get_by_label("Name", exact=True).fill("My group")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="My group")).to_have_attribute("aria-current", "page")
    looked_at(page)


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Submissions").locator("tbody tr")


def place_of(row: Locator) -> tuple[int, int]:
    """How many flags, and unsure matches."""
    doubtful = re.match(r"\d+", row.locator("[data-label=Unsure]").inner_text())
    return row.locator(".queue-flag").count(), int(doubtful[0]) if doubtful else 0


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def correct_three(page: Page, week: Week) -> None:
    """Each otherwise, and each looked through."""
    ways = dict(zip(week.of_thursday, (remove, confirm, add_and_comment), strict=True))
    page.get_by_role("button", name="Start with the first (3 to do)").click()
    bar = page.get_by_role("navigation", name="Queue")
    while ways:
        expect(bar).to_contain_text("of 3")
        expect(bar).to_contain_text("Claimed by you since")
        pupil = next(pupil for pupil in ways if pupil.name in heading(page).inner_text())
        ways.pop(pupil)(page)
        bar.get_by_role("button", name="Mark as reviewed, next").click()
        expect(page.get_by_text(f"{pupil.name} is marked as reviewed.")).to_be_visible()
    expect(page.get_by_text("Nothing left in this view")).to_be_visible()
    expect(page.get_by_text("3 reviewed")).to_be_visible()
    looked_at(page)


def confirm(page: Page) -> None:
    before = comprehensive(page)
    idea = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=ROOFS))
    idea.get_by_role("button", name="Confirm").click()
    said(page, "You confirmed")
    expect(idea).to_contain_text("Manual")
    assert comprehensive(page) >= before  # it earns its whole weight now


def remove(page: Page) -> None:
    before = comprehensive(page)
    page.get_by_role("link", name="Cities are hotter").click()
    idea = page.get_by_role("article", name="Cities are hotter")
    expect(idea).to_contain_text("What experts wrote")
    looked_at(page)
    idea.get_by_role("button", name=re.compile("^Remove")).click()
    said(page, "You removed an idea that had counted")
    assert comprehensive(page) < before


def add_and_comment(page: Page) -> None:
    before = comprehensive(page)
    select_words(page, HARM)
    page.get_by_role("button", name="Count as this idea 4").click()
    said(page, "Nights harm the old")
    assert comprehensive(page) > before
    select_words(page, HARM)
    looked_at(page)
    page.get_by_role("textbox", name="Comment on").fill(COMMENT)
    page.get_by_role("button", name="Send to the student").click()
    comments = page.get_by_role("region", name="Comments and notes")
    expect(comments.get_by_role("listitem")).to_contain_text(f"On {HARM[:-1]}")
    expect(comments.get_by_role("listitem")).to_contain_text(COMMENT)


def said(page: Page, words: str) -> None:
    expect(page.locator("#desk-said")).to_contain_text(words)


def comprehensive(page: Page) -> float:
    return float(page.locator(".desk-scores dd strong").first.inner_text())


def calibrate(page: Page) -> None:
    """Ten texts, without a sight of what the program found; then how far one agrees with it."""
    go_to(page, "Insights", "Calibration")
    looked_at(page)
    page.get_by_label("How many texts?").fill("10")
    page.get_by_role("button", name="Draw texts at random").click()
    expect(page.get_by_role("heading", name="Sample 1: 10 texts")).to_be_visible()
    looked_at(page)
    page.get_by_role("link", name="Annotate").click()
    for place in range(1, 11):
        title = page.get_by_role("heading", name=f"Which ideas does text {place} express?")
        expect(title).to_be_visible()
        page.wait_for_load_state("domcontentloaded")
        ideas = ideas_told(page.locator("#words-of-text").inner_text())
        if place == 1:
            looked_at(page)
        done = page.get_by_role("button", name=re.compile("^Done"))
        if ideas:
            tick_and_be_done(page, ideas, done)
        else:
            done.click()
            expect(page.get_by_text("You ticked no idea in this text.")).to_be_visible()
            done.click()
    expect(page.get_by_text("10 of 10 texts of sample 1")).to_be_visible(timeout=MOST)
    pattern = re.compile(r"s alpha\s+\u2212?[01]\.\d\d\s+\(\u2212?[01]\.\d\d to [01]\.\d\d\)")
    expect(page.get_by_text(pattern)).to_be_visible()
    looked_at(page)


def tick_and_be_done(page: Page, ideas: list[int], done: Locator) -> None:
    """“Done” is chosen while ticks are being saved: it waits, or what is saved would undo it."""
    saving: list[Route] = []
    others: list[str] = []

    def hold(route: Route) -> None:
        if is_saved(route.request):
            saving.append(route)
        else:
            others.append(route.request.method)
            route.continue_()

    page.route("**/texts/*/", hold)
    with page.expect_request(is_saved):
        for idea in ideas:
            page.locator(f"#idea-{idea}").check()
    done.click()
    page.wait_for_timeout(200)
    assert others == []
    for route in saving:
        route.continue_()
    page.unroute("**/texts/*/")


def is_saved(request: Request) -> bool:
    """Whether a request saves what was ticked in passing."""
    return "hx-request" in request.headers


def make_a_rule(page: Page, week: Week) -> None:
    page.goto(week.assignment)
    go_to(page, "Grades", "Gradebook")
    looked_at(page)
    page.get_by_role("link", name="Set a rule").click()
    page.get_by_label("Points possible").fill("20")
    page.get_by_role("button", name="Preview the effect").click()
    effect = page.get_by_role("heading", name="Effect on the class")
    expect(effect).to_be_visible()
    looked_at(page)
    page.get_by_role("button", name="Apply this rule").click()
    expect(page.get_by_text("Students don\u2019t see grades.")).to_be_visible()
    looked_at(page)


def release(page: Page, week: Week) -> None:
    go_to(page, "Grades", "Release")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Next").click()
    page.get_by_label(f"Choose {reader_of(week).name}").check()
    page.get_by_role("button", name="Release", exact=True).click()
    expect(page.get_by_role("row", name=reader_of(week).name)).to_contain_text("Tomasz Okoye")
    looked_at(page)


def reader_of(week: Week) -> Pupil:
    """To whom the TA has written."""
    return week.of_thursday[-1]


def password_link(page: Page, week: Week) -> str:
    """Made by an instructor for somebody whom the roster has brought."""
    page.goto(f"{week.course}members/")
    page.get_by_role("button", name=f"Password link for {reader_of(week).name}").click()
    looked_at(page)
    return page.locator("#password-link").inner_text()


def read_the_comment(page: Page, week: Week, link: str) -> None:
    page.goto(link)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    page.get_by_role("link", name="Geography of towns").click()
    page.get_by_role("link", name=TITLE, exact=True).click()
    page.get_by_role("link", name="Attempt 1").click()
    comment = page.get_by_role("region", name="Comment on your text")
    expect(comment).to_contain_text(COMMENT)
    expect(comment).to_contain_text(HARM[:-1])
    looked_at(page)


def fill_the_file_of_canvas(page: Page, week: Week) -> bytes:
    go_to(page, "Grades", "Gradebook")
    page.get_by_role("link", name="Export", exact=True).click()
    looked_at(page)
    page.get_by_label("The file that your LMS exported").set_input_files(
        as_file("Grades-Geography.csv", week.gradebook(at_the_end=True))
    )
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_text("Nothing is downloaded yet.")).to_be_visible()
    assert fact(page, "Empty cells to fill") == "59"
    assert fact(page, "Other values to overwrite") == "0"
    nobody = page.get_by_role("region", name="Rows of the file without a student here")
    expect(nobody.get_by_role("listitem")).to_contain_text("Gast")
    missing = page.get_by_role("region", name="Students here without a row in the file")
    expect(missing.get_by_role("listitem")).to_have_text(week.pupils[0].name)
    looked_at(page)
    filled = downloaded(page, page.get_by_role("button", name="Download the filled file"))

    grades = grades_in(filled)
    assert len(grades) == 59
    assert all(0 <= float(grade) <= 20 for grade in grades.values())
    assert filled == week.gradebook(at_the_end=True, grades=grades)
    return filled


def make_a_new_file(page: Page) -> bytes:
    go_to(page, "Grades", "Gradebook")
    page.get_by_role("link", name="Export", exact=True).click()
    page.get_by_label("File", exact=True).select_option("canvas")
    page.get_by_role("button", name="Preview the file").click()
    expect(page.get_by_text("The first lines of the file")).to_be_visible()
    assert fact(page, "Students with a grade in it") == "60"
    looked_at(page)
    return downloaded(page, page.get_by_role("button", name="Download", exact=True))


def have_them_again(page: Page, files: set[bytes]) -> None:
    """The log has them, byte for byte."""
    go_to(page, "Grades", "Gradebook")
    page.get_by_role("link", name="Export", exact=True).click()
    links = page.get_by_role("region", name="Downloads").get_by_role("link")
    expect(links).to_have_count(len(files))
    looked_at(page)
    assert {downloaded(page, link) for link in links.all()} == files


def downloaded(page: Page, by: Locator) -> bytes:
    with page.expect_download() as download:
        by.click()
    return download.value.path().read_bytes()
