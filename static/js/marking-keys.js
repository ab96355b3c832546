// Keys of the marking desk. Those of a single letter rest while somebody types, and can be switched
// off, together with those of the queue's bar.
(() => {
  "use strict";

  const { root } = window.pyrevalEditor;
  const { ask, ideas } = window.pyrevalDesk;
  const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select";
  const toggle = window.pyrevalKeySwitch(root.querySelector("[data-desk-keys]")); // queue-bar.js

  // The button of the idea in which one is, else of the idea that is open.
  function press(name) {
    const here = document.activeElement.closest(".scu");
    const scope = here && ideas().contains(here) ? here : ideas().querySelector(".desk-focus");
    const button = scope && scope.querySelector(`[data-step=${name}]`);
    if (button) button.click();
  }

  function nextDoubtful() {
    const all = [...ideas().querySelectorAll(".desk-doubtful [data-open-idea]")];
    if (!all.length) {
      ask({});
      return;
    }
    const at = all.findIndex((link) => link.closest(".scu").contains(document.activeElement));
    all[(at + 1) % all.length].focus();
  }

  const KEYS = {
    c: () => press("confirm"),
    x: () => press("remove"),
    n: nextDoubtful,
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
    const isTyping = event.target instanceof Element && event.target.matches(FIELDS);
    if (event.defaultPrevented || event.isComposing || isTyping) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && ["z", "y"].includes(event.key.toLowerCase())) undo(event);
    else if (event.key === "Escape" && ideas().dataset.focus) ask({});
    else if (toggle.checked && !isControl && !event.altKey && KEYS[event.key]) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });

})();
