"""Pictures of the grading desk: work brought in, looked through, calibrated, graded, exported."""

import re
from collections.abc import Callable

from playwright.sync_api import FilePayload, Page, expect

Shoot = Callable[[Page, str], None]

PAGES = (
    "queue",
    "marking",
    "annotations",
    "import",
    "import plan",
    "class",
    "class/ideas",
    "class idea",
    "class/missed",
    "class/help",
    "class/new-ideas",
    "class/sections",
    "class/second-opinions",
    "second-opinions",
    "second-opinions/methods",
    "submission opinions",
    "grade-rule",
    "grade by hand",
    "export",
    "export/fresh",
    "release",
    "second-looks",
    "second-looks/figures",
    "calibration",
    "calibration text",
    "calibration/learning",
    "copy",
    "delete",
    "course/roster",
    "course/copy",
    "course/exports",
    "course/deletions",
    "course/delete",
    "courses/import",
)
IN_ASSIGNMENT = tuple(
    name
    for name in PAGES
    if " " not in name and not name.startswith("course") and name != "marking"
)

WORK = FilePayload(
    name="amara.okafor.txt",
    mimeType="text/plain",
    buffer=b"Cities are warmer than the land around them, most of all at night.",
)
ROSTER = FilePayload(
    name="roster.csv",
    mimeType="text/csv",
    buffer="Name,E-mail,Student number,Section\nGwen Adéyẹmí,gwen@example.org,007,Tue 14\n"
    "Amara Okafor,other.amara@example.org,008,Mon 9\n".encode(),
)
GRADEBOOK = FilePayload(
    name="canvas.csv",
    mimeType="text/csv",
    buffer=b"Student,ID,SIS User ID,SIS Login ID,Section,Summary (4711)\n"
    b"    Points Possible,,,,,100\nAmara Okafor,7001,,amara.okafor,Mon 9,\n",
)


def desk_addresses(page: Page, course: str, assignment: str, submission: str) -> dict[str, str]:
    """Where the pages are; those that need something first get it: an upload, a sample."""
    student = re.sub(r"\D", "", submission.rpartition("submissions/")[2])
    return {
        **{name: f"{assignment}{name}/" for name in IN_ASSIGNMENT},
        **{
            name: course + name.removeprefix("course/") + "/"
            for name in PAGES
            if name.startswith("course/")
        },
        "marking": f"/submissions/{student}/marking/",
        "submission opinions": f"/submissions/{student}/second-opinions/",
        "class idea": f"{assignment}class/ideas/1/",
        "grade by hand": _grade_by_hand(page, assignment),
        "import plan": _import_plan(page, assignment),
        "calibration text": _calibration_text(page, assignment),
    }


def shoot_previews(page: Page, shoot: Shoot, where: dict[str, str]) -> None:
    """What is shown before it is done, on pages that have no address of their own."""
    page.goto(where["course/roster"])
    page.locator("input[type=file]").set_input_files(ROSTER)
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name="nothing is changed yet")).to_be_visible()
    shoot(page, "roster-preview")
    page.goto(where["grade-rule"])
    page.get_by_label("Points possible").fill("20")
    page.get_by_role("button", name="Preview the effect").click()
    expect(page.get_by_role("heading", name="Effect on the class")).to_be_visible()
    shoot(page, "grade-rule-effect")
    page.goto(where["export"])
    page.locator("input[type=file]").set_input_files(GRADEBOOK)
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("button", name="Download the filled file")).to_be_visible()
    shoot(page, "export-fill")


def _grade_by_hand(page: Page, assignment: str) -> str:
    page.goto(f"{assignment}gradebook/")
    links = page.get_by_role("link", name=re.compile("Set manually"), include_hidden=True)
    return links.first.get_attribute("href") or ""


def _import_plan(page: Page, assignment: str) -> str:
    """An upload that is not taken in; the one of another round, where there is one."""
    page.goto(f"{assignment}import/")
    earlier = page.locator('a[href*="/imports/"]')
    if earlier.count():
        return earlier.first.get_attribute("href") or ""
    page.locator("input[type=file]").first.set_input_files(WORK)
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_role("heading", name="nothing is imported yet")).to_be_visible(
        timeout=60_000
    )
    return page.url


def _calibration_text(page: Page, assignment: str) -> str:
    page.goto(f"{assignment}calibration/")
    begin = page.get_by_role("link", name="Annotate")
    if not begin.count():
        page.get_by_role("button", name="Draw texts at random").click()
    return begin.first.get_attribute("href") or ""
