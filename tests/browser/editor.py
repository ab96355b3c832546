"""The editor as people use it: choosing words, opening ideas, and what is shown and kept then."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.people import check_page

Shown = dict[str, Any]

# What the page shows: the bands with the number and label of each idea, and of each text which of
# its characters are in which idea.
SHOWN = """() => {
  const bands = {};
  document.querySelectorAll("#bands .band:not([hidden])").forEach((band) => {
    bands[band.dataset.band] = [...band.querySelectorAll(".idea")].map((card) => [
      Number(card.dataset.idea), card.querySelector(".idea-open").textContent]);
  });
  const texts = {};
  document.querySelectorAll("[data-text]").forEach((text) => {
    const ideas = {};
    let at = 0;
    [...text.querySelectorAll("[data-start]")].forEach((piece) => {
      const length = [...piece.textContent].length;
      (piece.dataset.scu || "").split(" ").filter(Boolean).forEach((uid) => {
        const told = ideas[uid] ||= [];
        for (let i = 0; i < length; i += 1) told.push(at + i);
      });
      at += length;
    });
    texts[text.dataset.reference] = ideas;
  });
  return { bands, texts };
}"""

# Where the first and the last character of some words stand on the screen.
BOXES = """(text, words) => {
  const content = text.textContent;
  const place = (offset) => {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    let left = offset;
    while (walker.nextNode()) {
      if (left < walker.currentNode.length) return [walker.currentNode, left];
      left -= walker.currentNode.length;
    }
    throw new Error("no such place");
  };
  const at = content.indexOf(words);
  if (at < 0) throw new Error(`not in the text: ${words}`);
  place(at)[0].parentElement.scrollIntoView({ block: "center" });
  return [at, at + words.length - 1].map((offset) => {
    const [node, inside] = place(offset);
    const range = document.createRange();
    range.setStart(node, inside);
    range.setEnd(node, inside + 1);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x, y, width, height };
  });
}"""

FOCUS = """() => {
  const here = document.activeElement;
  const style = getComputedStyle(here);
  const isSeen = here.matches(":focus-visible") && here.getClientRects().length > 0;
  const isDrawn = style.outlineStyle !== "none" || style.boxShadow !== "none";
  const name = here.getAttribute("aria-label") || here.innerText || here.id;
  return { id: here.id, name: name.trim(), visible: isSeen && isDrawn };
}"""


@dataclass(frozen=True)
class Desk:
    """A draft that is open in somebody's window."""

    page: Page
    url: str

    def open(self) -> "Desk":
        self.page.goto(self.url)
        expect(self.page.get_by_role("heading", name="Ideas", exact=True)).to_be_visible()
        return self

    # --- what there is ---

    def kept(self) -> Shown:
        """The pyramid that the server holds."""
        answer = self.page.request.get(f"{self.url}file.json")
        assert answer.ok
        pyramid: Shown = answer.json()
        return pyramid

    def kept_idea(self, uid: int) -> Shown:
        scus = [scu for scu in self.kept()["scus"] if scu["uid"] == uid]
        assert scus, f"There is no idea {uid}."
        idea: Shown = scus[0]
        return idea

    def kept_words(self, uid: int, reference: str) -> list[str]:
        """What a reference contributes to an idea, part by part; nothing: []."""
        texts = {text["name"]: text["content"] for text in self.kept()["references"]}
        contributors = [
            contributor
            for contributor in self.kept_idea(uid)["contributors"]
            if contributor["reference"] == reference
        ]
        spans = [span for contributor in contributors for span in contributor["spans"]]
        return [texts[reference][start:end] for start, end in spans]

    def uids(self) -> list[int]:
        return [scu["uid"] for scu in self.kept()["scus"]]

    def revision(self) -> int:
        return int(self.page.locator("#editor-history").get_attribute("data-revision") or "")

    def wait_for_revision(self, revision: int) -> None:
        history = self.page.locator("#editor-history")
        expect(history).to_have_attribute("data-revision", str(revision))

    def shown(self) -> Shown:
        shown: Shown = self.page.evaluate(SHOWN)
        return shown

    def check_shown(self) -> None:
        """The page shows what the server holds."""
        assert self.shown() == shown_of(self.kept())

    # --- what people do ---

    def card(self, uid: int) -> Locator:
        return self.page.locator(f"#scu-{uid}")

    def open_card(self, uid: int) -> Locator:
        card = self.card(uid)
        if "is-open" not in (card.get_attribute("class") or ""):
            self.page.locator(f"#open-{uid}").click()
        expect(self.page.locator(f"#label-{uid}")).to_be_visible()
        return card

    def contributor_row(self, uid: int, reference: str) -> Locator:
        """What a reference contributes to an open idea."""
        return self.card(uid).get_by_role("group", name=f"What {reference} says")

    def choose_other(self, uid: int, other: int) -> None:
        self.pick(self.page.locator(f"#other-{uid}-field"), other)

    def choose_target(self, uid: int, reference: str, other: int) -> None:
        """Where what a reference says is to be moved to."""
        field = self.contributor_row(uid, reference).get_by_role("combobox", name="Move")
        self.pick(field, other)

    def pick(self, field: Locator, other: int) -> None:
        field.click()
        expect(self.page.get_by_role("option").first).to_be_visible()
        field.press_sequentially(f"{other} ·")
        self.page.get_by_role("option", name=re.compile(rf"^{other} · ")).click()

    def show_text(self, reference: str) -> Locator:
        text = self.page.locator(f'[data-reference="{reference}"].text-words')
        if not text.is_visible():
            tabs = self.page.get_by_role("group", name="Which text")
            tabs.get_by_role("button", name=reference).click()
        expect(text).to_be_visible()
        return text

    def boxes(self, reference: str, words: str) -> tuple[FloatRect, FloatRect]:
        first, last = self.show_text(reference).evaluate(BOXES, words)
        return first, last

    def select(self, reference: str, words: str, *, besides: bool = False) -> None:
        """By the mouse; ``besides`` what is selected already (Ctrl)."""
        first, last = self.boxes(reference, words)
        mouse, keyboard = self.page.mouse, self.page.keyboard
        if besides:
            keyboard.down("Control")
        mouse.move(first["x"] + 1, first["y"] + first["height"] / 2)
        mouse.down()
        mouse.move(last["x"] + last["width"] - 1, last["y"] + last["height"] / 2, steps=6)
        mouse.up()
        if besides:
            keyboard.up("Control")
        expect(self.bar()).to_be_visible()

    def bar(self) -> Locator:
        return self.page.locator("#selection-bar")

    def press_bar(self, name: str) -> None:
        self.bar().get_by_role("button", name=name).click()

    def undo(self) -> None:
        self._step("undo")

    def redo(self) -> None:
        self._step("redo")

    def _step(self, button: str) -> None:
        revision = self.revision()
        self.page.locator(f"#{button}").click()
        self.wait_for_revision(revision + 1)

    def drag(self, source: Locator, target: Locator, part: float = 0.5) -> None:
        """Drop on a part of the target's height: 0 the upper edge, 1 the lower one."""
        source.scroll_into_view_if_needed()
        from_box, to_box = source.bounding_box(), target.bounding_box()
        assert from_box
        assert to_box
        mouse = self.page.mouse
        mouse.move(from_box["x"] + from_box["width"] / 2, from_box["y"] + from_box["height"] / 2)
        mouse.down()
        x, y = to_box["x"] + to_box["width"] / 2, to_box["y"] + to_box["height"] * part
        mouse.move(x, y - 3, steps=4)
        mouse.move(x, y, steps=4)
        mouse.up()

    def check_edit(self, do: Callable[[], object]) -> Shown:
        """Do one edit, undo it, redo it, reload: shown and kept are the same each time.

        Gives the pyramid after the edit.
        """
        revision, before = self.revision(), self.kept()
        self.check_shown()
        do()
        self.wait_for_revision(revision + 1)
        after = self.kept()
        assert after != before
        self.check_shown()
        self.undo()
        assert self.kept() == before
        self.check_shown()
        self.redo()
        assert self.kept() == after
        self.check_shown()
        self.open()
        assert self.revision() == revision + 3
        self.check_shown()
        return after


def shown_of(pyramid: Shown) -> Shown:
    """What a page should show of a pyramid."""
    bands: dict[str, list[list[object]]] = {}
    texts: dict[str, dict[str, list[int]]] = {
        reference["name"]: {} for reference in pyramid["references"]
    }
    for scu in pyramid["scus"]:
        weight = scu.get("weight", len(scu["contributors"]))
        key = "aside" if scu.get("standing") == "aside" else str(weight)
        bands.setdefault(key, []).append([scu["uid"], scu["label"]])
        for contributor in scu["contributors"]:
            characters = [at for start, end in contributor["spans"] for at in range(start, end)]
            texts[contributor["reference"]][str(scu["uid"])] = sorted(characters)
    return {"bands": bands, "texts": texts}


def focus(page: Page) -> Shown:
    """Where the focus is: id, name, and whether one sees it."""
    result: Shown = page.evaluate(FOCUS)
    return result


def check_focus(page: Page, element_id: str) -> None:
    """The focus comes to be there, and one sees it."""
    page.wait_for_function("id => document.activeElement.id === id", arg=element_id)
    assert focus(page)["visible"], f"The focus on {element_id} is not to be seen."


def check_said(page: Page, words: str | re.Pattern[str]) -> None:
    """A live region says so."""
    said = page.locator("#editor-status, #editor-voice").filter(has_text=words)
    expect(said.first).to_be_attached()


def wait_until_settled(page: Page) -> None:
    """What htmx has put into the page works as it should."""
    page.wait_for_function("() => !document.querySelector('.htmx-request, .htmx-added')")


def check_at(page: Page, width: int, height: int = 900) -> None:
    """Accessible and within the window, at a width of the window."""
    page.set_viewport_size({"width": width, "height": height})
    check_page(page)
