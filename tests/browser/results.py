"""What people do with results: read them, choose words, ask for a second look, and wait."""

import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from os import kill
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.editor import BOXES
from tests.browser.people import TWO_FRAMES
from tests.sites import Site

CHOSEN = "#chosen > section"


def open_result(page: Page, address: str) -> Page:
    """A feedback page, once the text is scored."""
    page.goto(address)
    expect(page.locator(".score-number").first).to_be_visible(timeout=60_000)
    return page


def select_words(page: Page, words: str) -> None:
    """By the mouse, in the student's text."""
    first, last = _at_rest(page, words)
    mouse = page.mouse
    mouse.move(first["x"] + 1, first["y"] + first["height"] / 2)
    mouse.down()
    mouse.move(last["x"] + last["width"] - 1, last["y"] + last["height"] / 2, steps=6)
    mouse.up()


def _at_rest(page: Page, words: str) -> list[dict[str, float]]:
    """Where words are, once a column that stays in view has found its place after the scrolling."""
    text = page.locator(".student-text")
    before: list[dict[str, float]] = []
    boxes: list[dict[str, float]] = text.evaluate(BOXES, words)
    while boxes != before:
        page.evaluate(TWO_FRAMES)
        before, boxes = boxes, text.evaluate(BOXES, words)
    return boxes


def ask(page: Page, words: str, reason: str = "A bicycle gives shade, as trees do.") -> None:
    """For a second look at words of one's text, on its feedback page."""
    select_words(page, words)
    page.get_by_role("link", name="Request a second look at these words").click()
    expect(page.get_by_label("Words of your text")).to_have_value(words)
    page.get_by_label("Why it should count").fill(reason)
    page.get_by_role("button", name="Send the request").click()
    look = page.locator(".second-look", has_text=words)
    expect(look).to_contain_text("Waiting for an answer")


def count(page: Page, idea: str) -> None:
    """A grader counts the words of the request that is open as an idea."""
    page.get_by_role("radio", name=idea).check()
    page.get_by_role("button", name="Count it", exact=True).click()
    expect(page.get_by_text("It counts now. The score has changed.")).to_be_visible()


def section(page: Page, heading: str) -> Locator:
    """The part of a page under this heading."""
    return page.locator("section", has=page.get_by_role("heading", name=heading, exact=True)).last


def in_one_line(words: str) -> str:
    return re.sub(r"\s+", " ", words)


@contextmanager
def worker_asleep(site: Site) -> Iterator[None]:
    """The worker of the site stands still until the block ends, and holds no lock."""
    asleep = [pid for pid in _below(site.server.pid) if "celery" in _command(pid)]
    assert asleep, "There is no worker to be put to sleep."
    try:
        for _ in range(20):
            for pid in asleep:
                kill(pid, signal.SIGSTOP)
            if _can_be_written(site.log.parent / "classroom.sqlite3"):
                break
            for pid in asleep:  # one of them was just writing
                kill(pid, signal.SIGCONT)
            time.sleep(0.2)
        else:
            pytest.fail("The database stayed locked.")
        yield
    finally:
        for pid in asleep:
            kill(pid, signal.SIGCONT)


def _can_be_written(database: Path) -> bool:
    with closing(sqlite3.connect(database, timeout=1)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
        return True


def _below(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from _below(int(child))


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
