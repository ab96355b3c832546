// The panes of the review desk end where the window ends, however many lines are above them.
(() => {
  "use strict";

  const panes = document.querySelector(".desk-panes");
  const above = document.querySelectorAll(".queue-bar, .desk-header, .desk-head, .messages");

  const measure = () => {
    const top = Math.ceil(panes.getBoundingClientRect().top + window.scrollY);
    panes.style.setProperty("--desk-top", `${top}px`);
  };

  if (panes) {
    const observer = new ResizeObserver(measure);
    above.forEach((element) => observer.observe(element, { box: "border-box" }));
    measure();
  }
})();
