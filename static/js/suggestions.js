// The list of suggestions is replaced after each edit and each analysis. The focus stays at its place
// in the list, so that people can go through it by keyboard alone, and an open list of dismissed
// suggestions stays open.
(() => {
  "use strict";

  const HOOKS = ["take", "dismiss"];
  let place = null; // where the focus was: number of the suggestion, and which of its buttons
  let isOpen = false; // whether the dismissed ones were shown

  const items = () => [...document.querySelectorAll("#suggestion-list [data-suggestion]")];

  function placeOf(element) {
    const item = element.closest("#suggestion-list [data-suggestion]");
    if (!item) return null;
    const hook = HOOKS.find((name) => element.matches(`[data-${name}]`));
    return { number: items().indexOf(item), hook };
  }

  function focusAt({ number, hook }) {
    const all = items();
    const item = all[Math.min(number, all.length - 1)];
    const button = item && hook && item.querySelector(`[data-${hook}]`);
    const target = button || item || document.getElementById("suggestions-none");
    if (target) target.focus();
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.target.matches("#suggestions, #suggestion-list")) return;
    place = placeOf(document.activeElement) || place;
    isOpen = Boolean(document.querySelector("#suggestions-dismissed[open]"));
  });

  document.addEventListener("htmx:afterSettle", () => {
    const dismissed = document.getElementById("suggestions-dismissed");
    if (dismissed && isOpen) dismissed.open = true;
    isOpen = false;
    const isLost = document.activeElement === document.body || !document.activeElement;
    if (place && isLost && document.getElementById("suggestion-list")) focusAt(place);
    place = null;
  });
})();
