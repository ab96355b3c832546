// Pointing at an idea, or moving the focus to it, brings its words into view (highlight-link.js
// lights them up); a click on words goes to their idea, or lets one choose among several.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const PATIENCE = 350; // ms that a pointer rests on an idea before the texts move
  const menu = document.getElementById("idea-menu");
  let timer = 0;
  let pointedAt = null;

  const behavior = () => (editor.calm.matches ? "auto" : "smooth");

  function wordsOf(uid) {
    return [...editor.root.querySelectorAll(`.text-words [data-scu~="${uid}"]`)];
  }

  const isShown = (piece) => piece.getClientRects().length > 0;

  // While words are being chosen the texts stay where they are.
  function scrollTo(uid) {
    if (!editor.selection.isEmpty() || editor.root.matches(".is-selecting, .is-dragging")) return;
    const found = wordsOf(uid);
    if (!found.length) return;
    if (!found.some(isShown)) editor.panes.showText(found[0].closest("[data-text]").dataset.text);
    const shown = found.filter(isShown);
    if (shown.length && !shown.some(isInView)) scrollInside(shown[0]);
  }

  const HEAD = 60; // what is stuck to the top of the pane

  function isInView(piece) {
    const box = piece.getBoundingClientRect();
    const pane = piece.closest(".pane").getBoundingClientRect();
    const isBeside = box.left < pane.left || box.right > pane.right;
    return box.top >= pane.top + HEAD && box.bottom <= pane.bottom && !isBeside;
  }

  // Only the pane moves, never the window.
  function scrollInside(piece) {
    const pane = piece.closest(".pane");
    const columns = piece.closest(".text-panels");
    const box = piece.getBoundingClientRect();
    const view = pane.getBoundingClientRect();
    const top = pane.scrollTop + box.top - view.top - view.height / 3;
    pane.scrollTo({ top, behavior: behavior() });
    const left = columns.scrollLeft + box.left - columns.getBoundingClientRect().left - 40;
    columns.scrollTo({ left, behavior: behavior() });
  }

  function goToIdea(uid) {
    menu.hidden = true;
    const card = editor.card(uid);
    if (!card) return;
    editor.panes.showPane("ideas");
    card.scrollIntoView({ block: "nearest", behavior: behavior() });
    document.getElementById(`open-${uid}`).focus({ preventScroll: true });
  }

  function choose(uids, box) {
    const items = uids.filter((uid) => editor.card(uid)).map((uid) => {
      const item = document.createElement("button");
      item.type = "button";
      item.setAttribute("role", "menuitem");
      item.dataset.goTo = uid;
      item.textContent = `${uid} · ${editor.label(uid)}`;
      return item;
    });
    menu.replaceChildren(...items);
    menu.hidden = false;
    const left = Math.min(box.left, window.innerWidth - menu.offsetWidth - 8);
    menu.style.left = `${Math.max(8, left)}px`;
    menu.style.top = `${Math.min(box.bottom + 4, window.innerHeight - menu.offsetHeight - 8)}px`;
    items[0].focus();
  }

  editor.goToIdeas = (uids, box) => {
    if (uids.length === 1) goToIdea(uids[0]);
    else if (uids.length) choose(uids, box);
  };

  document.addEventListener("mouseover", (event) => {
    const card = event.target.closest("#bands .idea");
    if (card === pointedAt) return;
    pointedAt = card;
    window.clearTimeout(timer);
    if (card) timer = window.setTimeout(() => scrollTo(card.dataset.idea), PATIENCE);
  });

  document.addEventListener("focusin", (event) => {
    const card = event.target.closest("#bands .idea");
    if (card && event.target.matches(".idea-open")) scrollTo(card.dataset.idea);
    if (!menu.hidden && !menu.contains(event.target)) menu.hidden = true;
  });

  document.addEventListener("click", (event) => {
    const item = event.target.closest("[data-go-to]");
    if (item) goToIdea(item.dataset.goTo);
    else if (!menu.contains(event.target)) menu.hidden = true;
    const piece = event.target.closest(".text-words [data-scu]");
    if (!piece || !window.getSelection().isCollapsed) return;
    event.preventDefault();
    editor.goToIdeas(piece.dataset.scu.split(" "), { left: event.clientX, bottom: event.clientY });
  }, true);

  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const items = [...menu.children];
    if (step) {
      event.preventDefault();
      items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
    }
    if (event.key === "Escape") menu.hidden = true;
  });
})();
