// Find: cards without the words are put out of sight, the words are marked in texts and cards, and
// the number of places is told. Enter goes from place to place in the texts.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const field = document.querySelector("[data-find]");
  const told = document.getElementById("found");
  const canPaint = "highlights" in CSS;
  const WAIT = 120;
  let timer = 0;
  let places = [];
  let visited = -1;

  const plain = (words) => words.toLowerCase().replace(/\s/g, " ");

  // Every place of the words in an element, as ranges, across its pieces.
  function placesIn(element, wanted) {
    const content = plain(element.textContent);
    const found = [];
    if (content.length !== element.textContent.length) return found; // letters of two units
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    let before = 0;
    const seek = (offset) => {
      while (node && before + node.length < offset) {
        before += node.length;
        node = walker.nextNode();
      }
      return [node, offset - before];
    };
    for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(...seek(at));
      range.setEnd(...seek(at + wanted.length));
      found.push(range);
    }
    return found;
  }

  function filterCards(wanted) {
    const cards = [...editor.root.querySelectorAll("#bands .idea")];
    const shown = cards.filter((card) => {
      const isFound = !wanted || plain(card.textContent).includes(wanted);
      card.classList.toggle("is-filtered-out", !isFound);
      return isFound;
    });
    editor.root.querySelectorAll(".band").forEach((band) => {
      const isBare = !band.querySelector(".idea:not(.is-filtered-out)");
      band.classList.toggle("is-filtered-out", Boolean(wanted) && isBare);
    });
    return shown;
  }

  function find() {
    const wanted = plain(field.value.trim());
    const cards = filterCards(wanted);
    const texts = wanted ? [...editor.root.querySelectorAll("[data-text], .source-words")] : [];
    places = texts.flatMap((text) => placesIn(text, wanted));
    visited = -1;
    if (canPaint) {
      const labels = wanted ? cards.flatMap((card) => placesIn(card, wanted)) : [];
      CSS.highlights.set("found", new Highlight(...places, ...labels));
    }
    const ideas = `${cards.length} ${cards.length === 1 ? "idea" : "ideas"}`;
    told.textContent = wanted ? `${ideas}, ${places.length} in the texts` : "";
  }

  function goToNext(step) {
    if (!places.length) return;
    visited = (visited + step + places.length) % places.length;
    const range = places[visited];
    const element = range.startContainer.parentElement;
    const panel = element.closest("[data-text-panel]");
    editor.panes.showPane("texts");
    editor.panes.showText(panel.dataset.textPanel);
    element.scrollIntoView({ block: "center", behavior: "auto" });
    if (canPaint) CSS.highlights.set("found-here", new Highlight(range));
    told.textContent = `${visited + 1} of ${places.length} in the texts`;
  }

  field.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(find, WAIT);
  });

  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") goToNext(event.shiftKey ? -1 : 1);
    if (event.key === "Escape" && field.value) {
      field.value = "";
      find();
      event.stopPropagation();
    }
  });

  document.body.addEventListener("draft-changed", () => {
    if (field.value.trim()) find();
  });
})();
