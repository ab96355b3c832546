// Words and ideas with the same number in data-scu belong together: pointing at one, or moving the
// focus to it, shows its partners (is-active); a click keeps them shown (is-selected) and brings
// the partner into view. Escape lets go. data-scu may hold several numbers, parted by spaces.
(() => {
  "use strict";

  const CONTROLS = "a, button, input, select, textarea, summary, label";
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  const numbers = (element) => element.dataset.scu.split(/\s+/).filter(Boolean);
  const scopeOf = (element) => element.closest("[data-highlight-scope]") || document.body;

  function family(element) {
    const wanted = new Set(numbers(element));
    const isKin = (other) => numbers(other).some((number) => wanted.has(number));
    return [...scopeOf(element).querySelectorAll("[data-scu]")].filter(isKin);
  }

  function clear(state) {
    const marked = document.querySelectorAll(`[data-scu].${state}`);
    marked.forEach((element) => element.classList.remove(state));
  }

  function mark(element, state) {
    clear(state);
    if (element) family(element).forEach((member) => member.classList.add(state));
  }

  const linked = (target) => (target instanceof Element ? target.closest("[data-scu]") : null);

  function bringIntoView(element) {
    element.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  }

  function partnerOf(element) {
    const isWords = element.matches(".match");
    return family(element).find((other) => other.matches(".match") !== isWords);
  }

  function followLink(event, link) {
    const target = document.getElementById(link.hash.slice(1));
    if (!target || !target.matches("[data-scu]")) return;
    event.preventDefault();
    mark(target, "is-selected");
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    bringIntoView(target);
  }

  function toggle(element) {
    const selected = element.classList.contains("is-selected");
    mark(selected ? null : element, "is-selected");
    const partner = selected ? null : partnerOf(element);
    if (partner) bringIntoView(partner);
  }

  document.addEventListener("click", (event) => {
    const element = linked(event.target);
    if (!element || event.defaultPrevented) return;
    const control = event.target.closest(CONTROLS);
    if (control && element.contains(control)) {
      if (control.matches('a[href^="#"]')) followLink(event, control);
      return;
    }
    if (window.getSelection().isCollapsed) toggle(element);
  });

  document.addEventListener("mouseover", (event) => mark(linked(event.target), "is-active"));
  document.addEventListener("focusin", (event) => mark(linked(event.target), "is-active"));
  document.addEventListener("focusout", () => clear("is-active"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear("is-selected");
  });
})();
