// Choosing marked words, or their number, brings the cards of their ideas beside the text (on a
// phone: to the foot of the window). The cards are moved there from the list below, and back. Keys,
// while the focus is in the text or beside it: n and → next, p and ← previous, Escape closes.
(() => {
  "use strict";

  const panel = document.querySelector("[data-chosen]");
  const scope = document.querySelector("[data-cards-scope]");
  const list = document.querySelector("[data-cards]");
  if (!panel || !scope || !list) return;

  const shown = panel.querySelector("[data-chosen-cards]");
  const hint = document.querySelector("[data-choose-hint]");
  const cards = [...list.children];
  const pieces = [...scope.querySelectorAll("[data-marked-text] [data-found]")];
  const steps = panel.querySelectorAll("[data-go]");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = window.matchMedia("(max-width: 899px)");
  let chosen = null;
  let cameFrom = null;

  hint.hidden = false;

  const numbers = (piece) => piece.dataset.found.split(" ");
  const behavior = () => (calm.matches ? "auto" : "smooth");

  function putBack() {
    // In their order: each before the next one that is still in the list.
    [...shown.children].forEach((card) => {
      card.querySelectorAll("details").forEach((part) => (part.open = false));
      const next = cards.slice(cards.indexOf(card) + 1).find((one) => one.parentElement === list);
      list.insertBefore(card, next || null);
    });
    pieces.forEach((piece) => piece.classList.remove("is-selected"));
  }

  function bringIntoView(piece) {
    const box = piece.getBoundingClientRect();
    const foot = narrow.matches ? panel.getBoundingClientRect().top : window.innerHeight;
    const air = 16;
    if (box.top >= air && box.bottom <= foot - air) return;
    const top = box.top - Math.max(air, (foot - box.height) / 2);
    window.scrollBy({ top, behavior: behavior() });
  }

  function choose(piece, from) {
    putBack();
    chosen = piece;
    cameFrom = from || piece.querySelector("a");
    const wanted = numbers(piece);
    const open = cards.filter((card) => wanted.includes(card.id.replace("idea-", "")));
    open.forEach((card) => {
      const first = card.querySelector("details");
      if (first) first.open = true;
    });
    shown.append(...open);
    const ideas = wanted.filter((number) => number !== "again");
    const isKin = (other) => numbers(other).some((number) => ideas.includes(number));
    const kin = wanted.includes("none") ? [piece] : pieces.filter(isKin);
    kin.forEach((other) => other.classList.add("is-selected"));
    window.pyrevalLight(open.map((card) => card.dataset.lit));
    panel.hidden = false;
    scope.classList.add("has-chosen");
    steps.forEach((button) => (button.disabled = !neighbour(Number(button.dataset.go))));
    panel.scrollTop = 0;
    panel.focus({ preventScroll: true });
    bringIntoView(piece);
  }

  function close() {
    if (!chosen) return;
    putBack();
    window.pyrevalLight([]);
    panel.hidden = true;
    scope.classList.remove("has-chosen");
    if (cameFrom) cameFrom.focus({ preventScroll: true });
    chosen = cameFrom = null;
  }

  // From match to match, each once however many parts it has.
  function neighbour(step) {
    const isNew = (piece) => !chosen || piece.dataset.found !== chosen.dataset.found;
    const matches = pieces.filter((piece) => piece === chosen || piece.matches(".match"));
    const start = chosen ? matches.indexOf(chosen) : -1;
    const ahead = step > 0 ? matches.slice(start + 1) : matches.slice(0, Math.max(start, 0)).reverse();
    return ahead.find(isNew);
  }

  function go(step) {
    const next = neighbour(step);
    if (next) choose(next);
  }

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const piece = target && target.closest("[data-marked-text] [data-found]");
    if (!piece || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const label = target.closest("a");
    if (!label && !window.getSelection().isCollapsed) return;
    event.preventDefault();
    choose(piece, label);
  });

  panel.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.go) go(Number(button.dataset.go));
    if (button && "close" in button.dataset) close();
  });

  const STEPS = { n: 1, ArrowRight: 1, p: -1, ArrowLeft: -1 };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!STEPS[event.key] || !scope.contains(document.activeElement)) return;
    if (document.activeElement.matches("input, textarea, select")) return;
    event.preventDefault();
    go(STEPS[event.key]);
  });

  window.addEventListener("beforeprint", close);
})();
