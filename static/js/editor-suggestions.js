// Suggestions by key: they stand in #suggestions, each with data-suggestion and its buttons
// data-take and data-dismiss.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;

  const here = () => document.activeElement.closest("[data-suggestion]");

  function show() {
    if (!editor.root.classList.contains("shows-suggestions")) {
      document.getElementById("toggle-suggestions").click();
    }
    editor.panes.showPane("suggestions");
  }

  function next() {
    const all = [...document.querySelectorAll("#suggestions [data-suggestion]")];
    if (!all.length) {
      editor.hint("There are no suggestions at the moment.");
      return;
    }
    show();
    all[(all.indexOf(here()) + 1) % all.length].focus();
  }

  function answer(hook) {
    const found = here() && here().querySelector(`[data-${hook}]`);
    if (found) found.click();
    else editor.hint("Go to a suggestion first, with s.");
  }

  editor.suggestions = { next, answer };
})();
