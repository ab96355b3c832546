"""What browsers say in their consoles: no test of the browser passes with an error on any page."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, WebError

# The browser notes every answer of 4xx. These are meant, and what they show is what is tested.
ALLOWED = {
    "status of 403": "a member opens what only others may open",
    "status of 404": "a page that is not there, or not for this reader",
    "status of 409": "an edit, an answer or a grade that somebody else overtook",
    "status of 413": "a file that is too large is refused",
    "status of 422": "a form that is not filled in as it must be is refused",
}


class Console:
    """Collects errors and warnings of all windows of a browser."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self._allowed = list(ALLOWED)

    def allow(self, words: Sequence[str]) -> None:
        """Until the end of the test, where it provokes the error."""
        self._allowed.extend(words)

    def end_test(self) -> list[str]:
        """The complaints since the last test."""
        complaints, self.complaints = self.complaints, []
        self._allowed = list(ALLOWED)
        return complaints

    def watch(self, browser: Browser) -> Browser:
        """Listen in every context that the browser opens from now on."""
        opened = browser.new_context

        def new_context(**options: Any) -> BrowserContext:
            context = opened(**options)
            context.on("console", self._hear)
            context.on("weberror", self._hear_error)
            return context

        browser.new_context = new_context  # type: ignore[method-assign]
        return browser

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._complain(message.text, message.location.get("url", ""))

    def _hear_error(self, error: WebError) -> None:
        self._complain(str(error.error), error.page.url if error.page else "")

    def _complain(self, words: str, url: str) -> None:
        if not any(allowed in words for allowed in self._allowed):
            self.complaints.append(f"{url}: {words}")
