// Which match the keys of the review desk are about, and its words lit in the text.
(() => {
  "use strict";

  const { root } = window.pyrevalEditor;
  const text = root.querySelector("[data-text]");
  let chosenCard = null; // the one that was visited last

  const ideas = () => document.getElementById("desk-ideas");

  const isPhone = () => window.getComputedStyle(root.querySelector(".desk-switch")).display !== "none";

  // The card that confirming and removing by key are about: the open idea, the card in which one
  // is, or the first that needs review.
  function current() {
    const here = document.activeElement.closest(".scu");
    if (here && ideas().contains(here)) return here;
    const chosen = chosenCard && chosenCard.isConnected ? chosenCard : null;
    return ideas().querySelector(".desk-focus") || chosen || ideas().querySelector(".desk-doubtful .scu");
  }

  root.addEventListener("focusin", (event) => {
    const card = event.target.closest(".desk-ideas .scu");
    if (!card) return;
    chosenCard = card;
    light();
  });

  // The words of the current idea are lit in the text, and come into view.
  function light() {
    const card = current();
    ideas().querySelectorAll(".is-current").forEach((one) => one.classList.remove("is-current"));
    if (card) card.classList.add("is-current");
    const focus = card && card.dataset.scu;
    text.querySelectorAll(".is-active").forEach((piece) => piece.classList.remove("is-active"));
    if (!focus) return;
    const told = [...text.querySelectorAll("[data-scu]")].filter((piece) => piece.dataset.scu.split(" ").includes(focus));
    told.forEach((piece) => piece.classList.add("is-active"));
    if (told.length && !isPhone()) told[0].scrollIntoView({ block: "nearest" });
  }

  window.pyrevalDesk = { ideas, isPhone, current, light };
})();
