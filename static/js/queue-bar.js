// Keys of the bar above a text: what has data-bar-key is pressed by that key. They rest while
// somebody types, and can be switched off in the list that ? opens.
(() => {
  "use strict";

  const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
  const MEMORY = "pyreval-queue-keys";

  const bar = document.getElementById("queue-bar");
  const sheet = bar && bar.querySelector("dialog");
  if (!sheet) return; // who came another way has no queue to go on in
  const toggle = bar.querySelector("[data-bar-keys]");
  const opener = bar.querySelector("[data-bar-sheet]");

  function remembered() {
    try {
      return window.localStorage.getItem(MEMORY);
    } catch {
      return null; // private windows may have no storage
    }
  }

  function remember(value) {
    try {
      window.localStorage.setItem(MEMORY, value);
    } catch {
      // The choice then lasts as long as the page.
    }
  }

  document.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (event.defaultPrevented || !isPlain || !toggle.checked) return;
    if (document.querySelector("dialog[open]") || event.target.closest(FIELDS)) return;
    const wanted = event.key === "?" ? opener
      : /^[a-z]$/.test(event.key) && bar.querySelector(`[data-bar-key="${event.key}"]`);
    if (!wanted) return;
    event.preventDefault();
    wanted.click();
  });

  opener.addEventListener("click", () => sheet.showModal());
  opener.hidden = false;
  toggle.checked = remembered() !== "off";
  toggle.addEventListener("change", () => remember(toggle.checked ? "on" : "off"));
})();
