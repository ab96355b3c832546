// What is chosen in the text goes into the form beside it: its places into [data-chosen-place], its
// words into [data-chosen-quote]. "words-chosen" tells of every change (detail: place, quoted),
// "words-taken" that somebody is done choosing: the mouse has let go, or Enter was pressed.
(() => {
  "use strict";

  const { root, words, selection, say, quote } = window.pyrevalEditor;
  const text = root.querySelector("[data-text]");
  let isPressed = false;
  let isFresh = false; // chosen since the last time that somebody was done

  const place = () => selection.spans().replaceAll(" ", ",");

  function tell(name) {
    const detail = { place: place(), quoted: selection.quoted(), byKey: name === "words-taken" && !isPressed };
    root.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  function fill() {
    isFresh = true;
    const isChosen = !selection.isEmpty();
    root.querySelectorAll("[data-chosen-place]").forEach((field) => { field.value = place(); });
    root.querySelectorAll("[data-chosen-quote]").forEach((line) => {
      line.textContent = isChosen ? quote(selection.quoted(), 160) : "";
    });
    root.querySelectorAll("[data-chosen-tools]").forEach((tools) => { tools.hidden = !isChosen; });
    tell("words-chosen");
  }

  function take() {
    if (selection.isEmpty() || !isFresh) return;
    tell("words-taken");
    isFresh = false;
  }

  function letGo() {
    window.getSelection().removeAllRanges();
    selection.clear();
    isFresh = false;
  }

  document.body.addEventListener("selection-changed", fill);

  document.addEventListener("pointerdown", (event) => {
    isPressed = Boolean(words.textOf(event.target));
  });

  document.addEventListener("pointerup", () => {
    if (!isPressed) return;
    // After editor-select.js, which waits for the browser to collapse its selection.
    window.setTimeout(() => {
      take();
      isPressed = false;
    }, 0);
  });

  // Before editor-cursor.js, which goes to the idea of the word where nothing is chosen.
  document.addEventListener("keydown", (event) => {
    const isInText = event.target === text;
    if (event.key === "Escape" && !selection.isEmpty()) {
      event.preventDefault();
      letGo();
      say("Nothing is selected any more.");
    } else if (event.key === "Enter" && isInText && !selection.isEmpty()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      isFresh = true;
      take();
    }
  }, true);

  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-choose-more]")) {
      selection.keep();
      text.focus();
      say("Kept. Select more words.");
    }
    if (event.target.closest("[data-choose-none]")) {
      letGo();
      text.focus();
    }
  });

  window.pyrevalEditor.letGo = letGo;
})();
