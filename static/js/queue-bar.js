// Keys of the bar above a text: what has data-bar-key is pressed by that key. They rest while
// somebody types, and can be switched off in the list that ? opens.
(() => {
  "use strict";

  const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
  const MEMORY = "pyreval-queue-keys";

  const bar = document.getElementById("queue-bar");
  const sheet = bar && bar.querySelector("dialog");
  if (!sheet) return; // the page was opened in another way: there is no next submission

  // Do keys work now? Those of the page itself ask as well.
  window.pyrevalHearsKeys = (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    const isElsewhere = document.querySelector("dialog[open]") || event.target.closest(FIELDS);
    return toggle.checked && isPlain && !event.defaultPrevented && !isElsewhere;
  };

  const toggle = bar.querySelector("[data-bar-keys]");
  try {
    toggle.checked = window.localStorage.getItem(MEMORY) !== "off";
  } catch {
    // Private windows may have no storage: the choice then lasts as long as the page.
  }
  toggle.addEventListener("change", () => {
    try {
      window.localStorage.setItem(MEMORY, toggle.checked ? "on" : "off");
    } catch {
      // As above.
    }
  });
  const opener = bar.querySelector("[data-bar-sheet]");

  document.addEventListener("keydown", (event) => {
    if (!window.pyrevalHearsKeys(event)) return;
    const wanted = event.key === "?" ? opener
      : /^[a-z]$/.test(event.key) && bar.querySelector(`[data-bar-key="${event.key}"]`);
    if (!wanted) return;
    event.preventDefault();
    wanted.click();
  });

  opener.addEventListener("click", () => sheet.showModal());
  opener.hidden = false;
})();
