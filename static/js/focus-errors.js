// After a refused form the reader starts at the list of what to correct: [data-focus-errors].
(() => {
  "use strict";

  const summary = document.querySelector("[data-focus-errors]");
  if (summary) summary.focus();
})();
