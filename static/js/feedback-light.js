// Underlines words of the student's text that something on the page is about: data-lit holds their
// places as “12-16 30-35”, counted in characters from the start of the text. The text's elements
// stay as they are; the browser paints the words (::highlight(lit)).
(() => {
  "use strict";

  const text = document.querySelector("[data-marked-text]");

  const pieces = () =>
    [...text.querySelectorAll("[data-start]")]
      .map((element) => ({ start: Number(element.dataset.start), node: element.firstChild }))
      .filter((piece) => piece.node && piece.node.nodeType === Node.TEXT_NODE);

  // Characters as the server counts them: 🌳 is one there, and two in a string here.
  const lengthHere = (words, count) => [...words].slice(0, count).join("").length;

  function rangesOf(start, end, all) {
    return all.flatMap(({ start: first, node }) => {
      const last = first + [...node.data].length;
      if (last <= start || first >= end) return [];
      const range = document.createRange();
      range.setStart(node, lengthHere(node.data, Math.max(0, start - first)));
      range.setEnd(node, lengthHere(node.data, Math.min(end, last) - first));
      return [range];
    });
  }

  function light(places) {
    if (!text || !CSS.highlights) return;
    CSS.highlights.delete("lit");
    const spans = places.filter(Boolean).flatMap((place) => place.split(" "));
    if (!spans.length) return;
    const all = pieces();
    const ranges = spans.flatMap((span) => rangesOf(...span.split("-").map(Number), all));
    CSS.highlights.set("lit", new Highlight(...ranges));
  }

  window.pyrevalLight = light;

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-lit]") : null;
    if (link) light([link.dataset.lit]);
  });
})();
