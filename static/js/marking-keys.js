// Keys of the review desk: the list that ? opens names them. Those of a single letter rest while
// somebody types, and can be switched off together with those of the queue's bar.
(() => {
  "use strict";

  const { root } = window.pyrevalEditor;
  const { ask, ideas, current } = window.pyrevalDesk;
  const hearsKeys = window.pyrevalHearsKeys; // queue-bar.js
  const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select";

  function press(name) {
    const card = current();
    const button = card && card.querySelector(`[data-step=${name}]`);
    if (button) button.click();
  }

  // To the next match that needs a decision; suggestions come after those that are marked.
  function next() {
    const suggestions = ideas().querySelector("[data-suggestions]");
    const marked = [...ideas().querySelectorAll(".desk-doubtful .scu")];
    if (suggestions && marked.indexOf(current()) === marked.length - 1) suggestions.open = true;
    const all = [...ideas().querySelectorAll(".desk-doubtful .scu, [data-suggestions][open] .scu")];
    if (!all.length) {
      ask({});
      return;
    }
    const at = all.indexOf(document.activeElement.closest(".scu"));
    const card = at < 0 && all.includes(current()) ? current() : all[(at + 1) % all.length];
    card.querySelector("[data-open-idea]").focus();
  }

  function click(selector) {
    const button = root.querySelector(selector);
    if (button) button.click();
  }

  const KEYS = {
    c: () => press("confirm"),
    x: () => press("remove"),
    n: next,
    a: () => click("[data-apply-same]"),
    m: () => root.querySelector("[data-comment]").focus(),
    t: () => root.querySelector("[data-text]").focus(),
    "/": () => document.getElementById("id_search").focus(),
  };

  function undo(event) {
    const isRedo = event.shiftKey || event.key.toLowerCase() === "y";
    const button = document.getElementById(isRedo ? "desk-redo" : "desk-undo");
    event.preventDefault();
    if (!button.disabled) button.click();
  }

  document.addEventListener("keydown", (event) => {
    const isControl = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || event.isComposing) return;
    if (event.target.matches("[data-comment]")) {
      if (event.key === "Escape") root.querySelector("[data-text]").focus();
      if (event.key === "Enter" && isControl) click("[data-send-comment]");
      return;
    }
    if (event.target instanceof Element && event.target.matches(FIELDS)) return;
    if (isControl && ["z", "y"].includes(event.key.toLowerCase())) undo(event);
    else if (event.key === "Escape" && ideas().dataset.focus) ask({});
    else if (hearsKeys(event) && KEYS[event.key]) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });
})();
