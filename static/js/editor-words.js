// Where words stand in a reference. The server counts characters (code points), the browser counts
// UTF-16 units: each piece of a text knows the character that it starts with (data-start).
window.pyrevalEditor.words = (() => {
  "use strict";

  // As grading/pyramid/editing/changes.py: letters with their accents, hyphens, apostrophes.
  const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_\u0300-\u036f]*(?:['\u2019-][\p{L}\p{N}_][\p{L}\p{N}_\u0300-\u036f]*)*/gu;

  const length = (string) => [...string].length;

  const textOf = (node) => {
    const element = node instanceof Element ? node : node && node.parentElement;
    return element ? element.closest("[data-text]") : null;
  };

  const pieces = (text) => [...text.querySelectorAll("[data-start]")];

  // A place in the document as a character of its text.
  function offsetAt(text, node, offset) {
    const range = document.createRange();
    range.selectNodeContents(text);
    range.setEnd(node, offset);
    return length(range.toString());
  }

  // Characters of a text as a range of the document.
  function rangeOf(text, start, end) {
    const range = document.createRange();
    const first = place(text, start, false);
    const last = place(text, end, true);
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset);
    return range;
  }

  function place(text, offset, isEnd) {
    const all = pieces(text);
    let low = 0;
    let high = all.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const start = Number(all[middle].dataset.start);
      if (start < offset || (start === offset && !isEnd)) low = middle;
      else high = middle - 1;
    }
    const node = all[low].firstChild;
    const before = [...node.data].slice(0, offset - Number(all[low].dataset.start)).join("");
    return { node, offset: before.length };
  }

  // The words of a text in order: {start, end, words}, in characters.
  function wordsOf(text) {
    const content = text.textContent;
    let units = 0;
    let characters = 0;
    return [...content.matchAll(WORD)].map((found) => {
      characters += length(content.slice(units, found.index));
      units = found.index + found[0].length;
      const start = characters;
      characters += length(found[0]);
      return { start, end: characters, words: found[0] };
    });
  }

  // Cut words are taken whole; null where there is no word.
  function wholeWords(text, start, end) {
    const inside = wordsOf(text).filter((word) => word.end > start && word.start < end);
    if (!inside.length) return null;
    return { start: inside[0].start, end: inside.at(-1).end };
  }

  const contentAt = (text, { start, end }) => rangeOf(text, start, end).toString();

  // Numbers of the ideas that some of these characters belong to.
  function ideasAt(text, { start, end }) {
    const found = pieces(text).filter((piece) => {
      const from = Number(piece.dataset.start);
      return piece.dataset.scu && from < end && from + length(piece.textContent) > start;
    });
    return [...new Set(found.flatMap((piece) => piece.dataset.scu.split(" ")))];
  }

  // In order; what overlaps or touches is one.
  function joined(ranges) {
    const result = [];
    [...ranges].sort((a, b) => a.start - b.start).forEach((range) => {
      const last = result.at(-1);
      if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
      else result.push({ ...range });
    });
    return result;
  }

  return { textOf, offsetAt, rangeOf, wordsOf, wholeWords, contentAt, ideasAt, joined };
})();
