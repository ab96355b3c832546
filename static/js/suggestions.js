// The list of suggestions comes anew after each edit. Who was on a suggestion that is gone then is
// on the one that has taken its place, so that one can go through the list by keyboard alone.
(() => {
  "use strict";

  const HOOKS = ["take", "dismiss"];
  let place = null; // where the focus was: number of the suggestion, and which of its buttons

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
  });

  document.addEventListener("htmx:afterSettle", () => {
    const isLost = document.activeElement === document.body || !document.activeElement;
    if (place && isLost && document.getElementById("suggestion-list")) focusAt(place);
    place = null;
  });
})();
