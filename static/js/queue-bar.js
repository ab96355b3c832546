// Keys of the bar above a text: what has data-bar-key is pressed by that key. They rest while
// somebody types, and can be switched off in the list that ? opens.
(() => {
  "use strict";

  const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
  const MEMORY = "pyreval-queue-keys";

  // Sets a switch as it was left, and remembers it; the desk's keys have one as well.
  window.pyrevalKeySwitch = (toggle) => {
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
    return toggle;
  };

  const bar = document.getElementById("queue-bar");
  const sheet = bar && bar.querySelector("dialog");
  if (!sheet) return; // the page was opened in another way: there is no next submission
  const toggle = window.pyrevalKeySwitch(bar.querySelector("[data-bar-keys]"));
  const opener = bar.querySelector("[data-bar-sheet]");

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
})();
