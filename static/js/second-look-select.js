// Words that are selected in a student's text: a bar offers to ask for a second look at them
// (a link that carries the place), or to take them into the form of the page. Any selection will
// do: mouse, finger or caret. The server counts characters (code points), the browser UTF-16 units.
(() => {
  "use strict";

  const PAUSE = 150;
  const SHOWN = 80;
  const SPOKEN = 700;
  const NOT_TEXT = ".match-label, .visually-hidden";
  const bar = document.querySelector("[data-selection-bar]");
  if (!bar) return;

  const link = bar.querySelector("[data-selection-link]");
  const base = link ? link.getAttribute("href") : "";
  const words = document.querySelector("[data-chosen-words]");
  const place = document.querySelector("[data-chosen-place]");
  const sentence = document.querySelector("[data-chosen-sentence]");
  let chosen = null;
  let range = null; // of the document, where the chosen words are
  let timer = null;
  let speaking = null;
  let dragging = false; // words that are half chosen are not offered

  const length = (string) => [...string].length;

  // The text nodes of a piece without the numbers and notes that stand in it.
  function textNodes(piece) {
    const walker = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT, (node) => {
      const isOwn = node.parentElement.closest("[data-start]") === piece;
      const isText = isOwn && !node.parentElement.closest(NOT_TEXT);
      return isText ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
    });
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    return nodes;
  }

  // What of the piece is selected: {start, end, words} in characters of the whole text, or null.
  function selectedOf(piece, range) {
    let position = Number(piece.dataset.start);
    let found = null;
    for (const node of textNodes(piece)) {
      if (range.intersectsNode(node)) {
        const from = node === range.startContainer ? range.startOffset : 0;
        const to = node === range.endContainer ? range.endOffset : node.data.length;
        const inside = node.data.slice(from, to);
        const start = position + length(node.data.slice(0, from));
        if (inside && !found) found = { start, end: start, words: "" };
        if (inside) {
          found.end = start + length(inside);
          found.words += inside;
        }
      }
      position += length(node.data);
    }
    return found;
  }

  function selected() {
    const selection = window.getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    range = selection.getRangeAt(0).cloneRange();
    const texts = [...document.querySelectorAll(".student-text")];
    const text = texts.find((one) => range.intersectsNode(one));
    if (!text) return null;
    const pieces = [...text.querySelectorAll("[data-start]")];
    const parts = pieces.filter((one) => range.intersectsNode(one)).map((one) => selectedOf(one, range));
    const found = parts.filter(Boolean);
    if (!found.length) return null;
    return wholeWords(pieces, found[0].start, found.at(-1).end);
  }

  // Cut words are taken whole, white space at the ends is left out.
  function wholeWords(pieces, start, end) {
    const content = [...pieces.flatMap(textNodes).map((node) => node.data).join("")];
    const first = Number(pieces[0].dataset.start);
    const isSpace = (at) => /\s/u.test(content[at - first] ?? " ");
    let [from, to] = [start, end];
    while (from < to && isSpace(from)) from += 1;
    while (to > from && isSpace(to - 1)) to -= 1;
    if (from === to) return null;
    while (!isSpace(from - 1)) from -= 1;
    while (!isSpace(to)) to += 1;
    return { start: from, end: to, words: content.slice(from - first, to - first).join("") };
  }

  function show() {
    chosen = selected();
    bar.hidden = !chosen;
    clearTimeout(speaking);
    const status = bar.querySelector("[data-selection-status]");
    status.textContent = "";
    if (!chosen) return;
    const quoted = chosen.words.replace(/\s+/gu, " ");
    const short = quoted.length > SHOWN ? `${quoted.slice(0, SHOWN).trimEnd()}…` : quoted;
    bar.querySelector("[data-selection-words]").textContent = `“${short}”`;
    if (link) link.href = `${base}?spans=${chosen.start}-${chosen.end}`;
    const count = quoted.split(" ").length;
    speaking = setTimeout(() => {
      status.textContent = `${count} ${count === 1 ? "word" : "words"} selected.`;
    }, SPOKEN);
  }

  function showSoon() {
    clearTimeout(timer);
    // A press on the bar may end the selection: what it is about stays until the press is done.
    if (!dragging && !bar.contains(document.activeElement)) timer = setTimeout(show, PAUSE);
  }

  document.addEventListener("selectionchange", showSoon);
  document.addEventListener("pointerdown", (event) => { dragging = event.pointerType === "mouse"; });
  ["pointerup", "pointercancel"].forEach((name) => document.addEventListener(name, () => {
    if (dragging) {
      dragging = false;
      showSoon();
    }
  }));

  show(); // something may have been selected before the script was here

  bar.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, a")) event.preventDefault();
  });

  bar.addEventListener("click", (event) => {
    if (!event.target.closest("[data-selection-take]") || !chosen) return;
    words.value = chosen.words.replace(/\s+/gu, " ");
    place.value = `${chosen.start}-${chosen.end}`;
    if (sentence) sentence.value = "";
    paint();
    window.getSelection().removeAllRanges();
    bar.hidden = true;
    words.focus();
  });

  // Penalty is painted; on the student's own form it takes the place of what was marked.
  function paint() {
    if ("highlights" in CSS && range) CSS.highlights.set("chosen", new Highlight(range));
    if (!bar.hasAttribute("data-selection-replaces")) return;
    document.querySelectorAll(".is-chosen").forEach((mark) => {
      mark.classList.remove("is-chosen", "second-look-chosen");
    });
    document.querySelectorAll(".second-look-edge").forEach((edge) => edge.remove());
  }

  // Words that are typed stand wherever they stand.
  if (words) words.addEventListener("input", () => { place.value = ""; });
})();
