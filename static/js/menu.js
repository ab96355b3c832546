// <details data-menu> closes on Escape, on a click elsewhere and when the focus leaves it.
(() => {
  "use strict";

  const open = () => [...document.querySelectorAll("details[data-menu][open]")];

  function closeOthers(target) {
    open().filter((menu) => !menu.contains(target)).forEach((menu) => { menu.open = false; });
  }

  document.addEventListener("click", (event) => closeOthers(event.target));
  document.addEventListener("focusin", (event) => closeOthers(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    open().forEach((menu) => {
      menu.open = false;
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    });
  });
})();
