// A button that prints the page; without script it is not shown, and the browser's own command does.
// What is folded up on the screen and belongs on paper (prints-open) is open while it is printed.
(() => {
  "use strict";

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }

  let opened = [];

  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.prints-open:not([open])")];
    opened.forEach((part) => (part.open = true));
  });

  window.addEventListener("afterprint", () => {
    opened.forEach((part) => (part.open = false));
    opened = [];
  });
})();
