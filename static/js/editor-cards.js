// Cards of ideas: a click opens one, the idea that was visited last is the current one, fields grow
// with what is typed.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const CONTROLS = "a, button, input, select, textarea, summary, label, .idea-actions";

  // By rows, for htmx would carry a style over as an attribute, which the CSP forbids.
  function grow(field) {
    const { lineHeight, paddingTop, paddingBottom } = window.getComputedStyle(field);
    const padding = parseFloat(paddingTop) + parseFloat(paddingBottom);
    field.rows = 1;
    field.rows = Math.max(1, Math.round((field.scrollHeight - padding) / parseFloat(lineHeight)));
  }

  function growAll() {
    editor.root.querySelectorAll(".idea.is-open textarea").forEach(grow);
  }

  document.addEventListener("focusin", (event) => {
    const card = event.target.closest(".idea");
    if (card) editor.setCurrent(card.dataset.idea);
  });

  document.addEventListener("click", (event) => {
    const card = event.target.closest("#bands .idea");
    if (!card || event.target.closest(CONTROLS) || !window.getSelection().isCollapsed) return;
    event.preventDefault(); // highlight-link.js would hold the marks
    card.querySelector(".idea-open").click();
  }, true);

  document.addEventListener("input", (event) => {
    if (event.target.matches(".idea textarea")) grow(event.target);
  });

  // A link from another page to an idea opens it.
  window.addEventListener("load", () => {
    const link = /^#scu-\d+$/.test(location.hash) && document.querySelector(`${location.hash} .idea-open`);
    if (link && !link.closest(".is-open")) link.click();
  });

  document.addEventListener("toggle", growAll, true);
  document.body.addEventListener("htmx:afterSettle", (event) => {
    growAll();
    if (event.target.matches(".idea.is-open")) event.target.scrollIntoView({ block: "nearest" });
  });
  document.body.addEventListener("draft-changed", () => {
    growAll();
    const uid = editor.current();
    if (uid) editor.card(uid).classList.add("is-current");
  });
})();
