// A button that prints the page; without script it is not shown, and the browser's own command does.
(() => {
  "use strict";

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
})();
