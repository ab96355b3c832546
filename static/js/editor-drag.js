// Drag and drop with the mouse; each has its button and key besides. What one expert says dropped
// on another idea moves there; an idea dropped on another one is merged into it; dropped at the edge
// of an idea of the same weight it is put in order.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const STATES = ["is-drop-into", "is-drop-before", "is-drop-after"];
  const EDGE = 0.25; // of a card's height

  let dragged = null; // {uid, reference}

  const cardAt = (event) => (event.target instanceof Element ? event.target.closest("#bands .idea") : null);

  function clear() {
    const marked = editor.root.querySelectorAll(STATES.map((state) => `.${state}`).join());
    marked.forEach((card) => {
      card.classList.remove(...STATES);
      delete card.dataset.drop;
    });
  }

  // What dropping here would do: a class of STATES, or null.
  function dropAt(event, card) {
    if (!card || card.dataset.idea === dragged.uid) return null;
    if (dragged.reference) return "is-drop-into";
    const band = editor.card(dragged.uid).closest(".band");
    if (card.closest(".band") !== band || band.dataset.band === "aside") return "is-drop-into";
    const box = card.getBoundingClientRect();
    const part = (event.clientY - box.top) / box.height;
    if (part < EDGE) return "is-drop-before";
    return part > 1 - EDGE ? "is-drop-after" : "is-drop-into";
  }

  function words(state) {
    if (state !== "is-drop-into") return "";
    return dragged.reference ? `Move ${dragged.reference} here` : "Merge into this idea";
  }

  function drop(state, card) {
    const { uid, reference } = dragged;
    const target = card.dataset.idea;
    if (state === "is-drop-into") {
      if (reference) editor.edit({ command: "move_contributor", uid, reference, to: target });
      else editor.edit({ command: "merge_scus", uid, into: target });
      return;
    }
    const next = card.nextElementSibling;
    const before = state === "is-drop-before" ? target : next ? next.dataset.idea : "";
    if (before !== uid) editor.edit({ command: "reorder", uid, before });
  }

  document.addEventListener("dragstart", (event) => {
    const source = event.target instanceof Element ? event.target.closest("[data-drag-idea]") : null;
    if (!source || !editor.mayEdit) return;
    dragged = { uid: source.dataset.dragIdea, reference: source.dataset.dragReference || "" };
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", editor.label(dragged.uid));
    editor.root.classList.add("is-dragging");
  });

  document.addEventListener("dragover", (event) => {
    if (!dragged) return;
    const card = cardAt(event);
    const state = dropAt(event, card);
    if (state) event.preventDefault();
    if (card && state && card.classList.contains(state)) return;
    clear();
    if (!state) return;
    card.classList.add(state);
    card.dataset.drop = words(state);
  });

  document.addEventListener("drop", (event) => {
    if (!dragged) return;
    event.preventDefault();
    const card = cardAt(event);
    const state = dropAt(event, card);
    if (state) drop(state, card);
  });

  document.addEventListener("dragend", () => {
    clear();
    dragged = null;
    editor.root.classList.remove("is-dragging");
  });
})();
