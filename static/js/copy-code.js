// <button data-copy="id of the text" data-copied-text="Copied"> copies, and says so.
(() => {
  "use strict";

  const SHOWN = 2500;

  function select(source) {
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  // Without HTTPS there is no clipboard: then the text is selected for the reader's own Ctrl+C.
  async function copy(source) {
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      return true;
    } catch {
      select(source);
      return false;
    }
  }

  function confirm(button, text) {
    if (!button.dataset.restText) button.dataset.restText = button.textContent;
    button.textContent = text;
    button.setAttribute("aria-live", "polite");
    clearTimeout(Number(button.dataset.restTimer));
    const timer = setTimeout(() => { button.textContent = button.dataset.restText; }, SHOWN);
    button.dataset.restTimer = String(timer);
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    const source = button && document.getElementById(button.dataset.copy);
    if (!source) return;
    const copied = await copy(source);
    confirm(button, copied ? button.dataset.copiedText || "Copied" : "Selected: press Ctrl+C");
  });
})();
