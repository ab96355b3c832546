// Leaving the page waits for edits that are on their way; where they cannot be sent, the browser asks.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const PATIENCE = 2000;
  const STEP = 50;

  function go(link, waited) {
    if (editor.queue.waiting() && waited < PATIENCE) {
      window.setTimeout(() => go(link, waited + STEP), STEP);
    } else window.location.assign(link.href);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !isPlain || event.defaultPrevented || link.hasAttribute("hx-get")) return;
    if (link.hash && link.pathname === window.location.pathname) return;
    if (!editor.queue.waiting()) return;
    event.preventDefault();
    go(link, 0);
  });

  window.addEventListener("beforeunload", (event) => {
    if (editor.queue.waiting() || editor.answer.unsaved().length) event.preventDefault();
  });
})();
