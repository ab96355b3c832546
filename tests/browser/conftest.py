"""The product as `make run` serves it, with its own folder, and Debian's chromium."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    expect,
    sync_playwright,
)

from tests.browser.classroom import Classroom, found_classroom, session_in
from tests.browser.console import Console
from tests.browser.editor import Desk
from tests.browser.lessons import Lesson, open_lesson
from tests.sites import CHROMIUM_OPTIONS, Site, serving

PATIENCE = 15_000  # ms for what a click or a part of the page takes, on a busy machine
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("site")
    with serving(folder) as site:
        yield site


@pytest.fixture(scope="session")
def console() -> Console:
    return Console()


@pytest.fixture(scope="session")
def browser(console: Console) -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "The browser tests need Debian's package chromium (see .ci/run)."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_OPTIONS)
        yield console.watch(browser)
        browser.close()


@pytest.fixture(autouse=True)
def no_errors_in_the_console(console: Console) -> Iterator[None]:
    """Of any page that is open during a test, by whichever fixture."""
    yield
    assert not console.end_test()


@pytest.fixture
def new_page(browser: Browser, site: Site, console: Console) -> Iterator[Callable[..., Page]]:
    """Opens a window of somebody's own."""
    contexts: list[BrowserContext] = []

    def open_page(
        width: int = 1280, height: int = 900, *, forgives: Sequence[str] = (), **options: Any
    ) -> Page:
        console.allow(forgives)
        context = browser.new_context(
            base_url=site.url,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",  # axe would measure colours in mid-change
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def classroom(browser: Browser, site: Site) -> Classroom:
    """A course with its people: drafts are edited in it, and summaries handed in."""
    return found_classroom(browser, site)


@pytest.fixture(scope="session")
def lesson(classroom: Classroom) -> Lesson:
    """An open assignment to which both students have handed in, for those who only read."""
    lesson = open_lesson(classroom)
    lesson.hand_in("zoe")
    lesson.hand_in("omar")
    return lesson


@pytest.fixture
def seat(classroom: Classroom, new_page: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """Opens a window in which somebody of the classroom is logged in."""
    windows: list[tuple[str, BrowserContext, str]] = []

    def sit(login: str = "instructor", width: int = 1280, height: int = 900, **how: Any) -> Page:
        state = classroom.states[login]
        page = new_page(width, height, storage_state=state, **how)
        windows.append((login, page.context, session_in(state)))
        return page

    yield sit
    # Who typed the password again has a new session; the next test sits down with that one.
    for login, context, before in windows:
        state = context.storage_state()
        if session_in(state) not in ("", before):
            classroom.states[login] = state


@pytest.fixture
def desk(classroom: Classroom, seat: Callable[..., Page]) -> Desk:
    """A draft of one's own with a known pyramid, open in the instructor's window."""
    page = seat()
    return Desk(page, classroom.new_draft(page)).open()
