// A column of a .split that is shorter than the window stays in view beside the longer one.
(() => {
  "use strict";

  const AIR = 32;
  const columns = [...document.querySelectorAll(".split > *")];

  function place() {
    columns.forEach((column) => {
      column.classList.toggle("is-sticky", column.offsetHeight + AIR <= window.innerHeight);
    });
  }

  const observer = new ResizeObserver(place);
  columns.forEach((column) => observer.observe(column));
  window.addEventListener("resize", place);
})();
