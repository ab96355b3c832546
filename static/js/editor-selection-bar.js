// What can be done with the words that are chosen: a bar beside them, at the foot of a phone.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const bar = document.getElementById("selection-bar");
  if (!bar) return;

  const { selection } = editor;
  const GAP = 10;

  function place() {
    if (bar.hidden || editor.panes.isPhone()) {
      bar.removeAttribute("style");
      return;
    }
    const box = selection.box();
    const pane = document.getElementById("pane-texts").getBoundingClientRect();
    bar.style.maxWidth = `${Math.max(320, pane.width)}px`;
    const height = bar.offsetHeight;
    // Above, where one has read already; below at the top; at the foot while more is selected.
    const lowest = Math.min(pane.bottom, window.innerHeight) - height - GAP;
    let top = box.top - height - GAP;
    if (top < Math.max(pane.top, 0)) top = box.bottom + GAP;
    if (selection.isAskingForMore() || top > lowest) top = lowest;
    const left = Math.min(pane.left + GAP, window.innerWidth - bar.offsetWidth - GAP);
    bar.style.left = `${Math.max(GAP, left)}px`;
    bar.style.top = `${top}px`;
  }

  function offerCurrent() {
    const uid = editor.current();
    const add = document.getElementById("selection-add");
    const part = document.getElementById("selection-part");
    add.hidden = uid === null;
    part.hidden = uid === null;
    if (uid === null || selection.isEmpty()) return;
    const names = [...editor.card(uid).querySelectorAll("[data-drag-reference], .open-contributor")];
    const { reference } = selection.text().dataset;
    const tells = names.some((one) => (one.dataset.dragReference || one.dataset.reference) === reference);
    part.hidden = !tells;
    add.hidden = tells;
    add.querySelector("[data-current-label]").textContent = editor.quote(editor.label(uid), 28);
  }

  function show() {
    bar.hidden = selection.isEmpty();
    if (bar.hidden) return;
    const other = bar.querySelector("[data-selection-other]");
    const chosen = { reference: selection.text().dataset.reference, spans: selection.spans() };
    other.dataset.optionsUrl = `${other.dataset.selectionOther}?${new URLSearchParams(chosen)}`;
    document.getElementById("selection-words").textContent = editor.quote(selection.quoted(), 90);
    offerCurrent();
    place();
  }

  function backToText() {
    const text = selection.text();
    if (text && bar.contains(document.activeElement)) text.focus({ preventScroll: true });
  }

  function edit(command, uid) {
    if (selection.isEmpty()) {
      editor.hint("Select some words of a text first.");
      return;
    }
    const fields = { command, reference: selection.text().dataset.reference, spans: selection.spans() };
    if (uid) fields.uid = uid;
    backToText();
    window.getSelection().removeAllRanges();
    selection.clear();
    editor.edit(fields);
  }

  function editCurrent(command) {
    if (command === "new_scu") edit(command);
    else if (editor.current()) edit(command, editor.current());
    else editor.hint("Open an idea first, or go to one.");
  }

  bar.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button")) event.preventDefault(); // the selection stays
  });

  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.withSelection) editCurrent(button.dataset.withSelection);
    if (button.matches("[data-selection-more]")) {
      selection.keep();
      place();
      backToText();
      editor.say("Kept. Select more words of this text.");
    }
    if (button.matches("[data-selection-drop]")) {
      backToText();
      window.getSelection().removeAllRanges();
      selection.clear();
    }
  });

  // The bar comes right after the text for the Tab key, wherever it stands in the page.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || bar.hidden) return;
    const first = document.getElementById("selection-new");
    const isBack = event.shiftKey && event.target === first;
    if (!isBack && (event.shiftKey || event.target !== selection.text())) return;
    event.preventDefault();
    (isBack ? selection.text() : first).focus({ preventScroll: true });
  });

  bar.addEventListener("change", (event) => {
    if (!event.target.matches("[data-selection-other]") || !event.target.value) return;
    const uid = event.target.value;
    event.target.value = "";
    edit("add_contributor", uid);
    editor.setCurrent(uid);
  });

  document.body.addEventListener("selection-changed", show);
  document.body.addEventListener("current-idea-changed", show);
  document.addEventListener("scroll", () => window.requestAnimationFrame(place), true);
  window.addEventListener("resize", place);
  editor.withSelection = editCurrent;
})();
