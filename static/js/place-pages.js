// On a narrow screen the pages of a place run on to the side: the current one is brought into view.
(() => {
  "use strict";

  const here = document.querySelector(".place-pages [aria-current]");
  if (here) here.closest("ul").scrollLeft = here.offsetLeft - here.closest("ul").offsetLeft;
})();
