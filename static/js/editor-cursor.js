// Words by keyboard alone: in a text the arrow keys go from word to word and from line to line,
// with Shift they select, Ctrl and Space keeps what is selected, Enter goes to the idea.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const { words, selection } = editor;
  const cursors = new WeakMap(); // text -> {at, anchor}: numbers of words

  const boxOf = (text, word) => words.rangeOf(text, word.start, word.end).getBoundingClientRect();

  const middleOf = (box) => box.left + box.width / 2;

  // The word that stands nearest to the same place in the next line.
  function lineStep(text, all, at, step) {
    const here = boxOf(text, all[at]);
    let best = at;
    let nearest = Infinity;
    let line = null;
    for (let next = at + step; next >= 0 && next < all.length; next += step) {
      const box = boxOf(text, all[next]);
      if (Math.abs(box.top - here.top) < here.height / 2) continue;
      if (line !== null && Math.abs(box.top - line) > here.height / 2) break;
      line = box.top;
      const away = Math.abs(middleOf(box) - middleOf(here));
      if (away < nearest) [best, nearest] = [next, away];
    }
    return best;
  }

  function target(text, all, at, event) {
    const last = all.length - 1;
    const moves = {
      ArrowLeft: () => at - 1,
      ArrowRight: () => at + 1,
      ArrowUp: () => lineStep(text, all, at, -1),
      ArrowDown: () => lineStep(text, all, at, 1),
      Home: () => 0,
      End: () => last,
    };
    return moves[event.key] ? Math.max(0, Math.min(last, moves[event.key]())) : null;
  }

  function paint(text, word) {
    if (!("highlights" in CSS)) return;
    const marks = word ? [words.rangeOf(text, word.start, word.end)] : [];
    CSS.highlights.set("word-cursor", new Highlight(...marks));
  }

  function keepVisible(text, word) {
    const pane = text.closest(".pane").getBoundingClientRect();
    const box = boxOf(text, word);
    if (box.top > pane.top + 100 && box.bottom < pane.bottom - 60) return;
    const piece = words.rangeOf(text, word.start, word.end).startContainer.parentElement;
    const scroller = text.closest(".pane");
    scroller.scrollTop += box.top - pane.top - pane.height / 2;
    if (boxOf(text, word).top < 0) piece.scrollIntoView({ block: "center" });
  }

  function tellWord(text, word) {
    const ideas = words.ideasAt(text, word);
    const idea = ideas.length > 1 ? "ideas" : "idea";
    editor.say(`${word.words}, in ${ideas.length ? `${idea} ${ideas.join(" and ")}` : "no idea"}`);
  }

  function move(text, event) {
    const all = words.wordsOf(text);
    if (!all.length) return;
    const cursor = cursors.get(text);
    const first = /^(Arrow|Home|End)/.test(event.key) ? 0 : null; // other keys are not for the text
    const wanted = cursor ? target(text, all, cursor.at, event) : first;
    if (wanted === null) return;
    event.preventDefault();
    const isSelecting = event.shiftKey && cursor;
    const anchor = isSelecting ? cursor.anchor ?? cursor.at : null;
    cursors.set(text, { at: wanted, anchor });
    if (isSelecting) {
      const [first, last] = [all[Math.min(anchor, wanted)], all[Math.max(anchor, wanted)]];
      selection.choose(text, first.start, last.end);
      editor.say(selection.tell());
    } else tellWord(text, all[wanted]);
    paint(text, all[wanted]);
    keepVisible(text, all[wanted]);
  }

  function select(text) {
    const all = words.wordsOf(text);
    const cursor = cursors.get(text);
    if (!cursor || !all[cursor.at]) return;
    if (cursor.anchor === null) selection.choose(text, all[cursor.at].start, all[cursor.at].end);
    selection.keep();
    cursors.set(text, { at: cursor.at, anchor: null });
    editor.say(`${selection.tell()} Kept. Go on and select more.`);
  }

  function enter(text) {
    const all = words.wordsOf(text);
    const cursor = cursors.get(text);
    if (!cursor || !all[cursor.at]) return;
    const ideas = words.ideasAt(text, all[cursor.at]);
    if (ideas.length) editor.goToIdeas(ideas, boxOf(text, all[cursor.at]));
    else editor.say("This word isn't in any idea.");
  }

  function act(text, event) {
    const isSpace = event.key === " ";
    if (isSpace && editor.mayEdit && (event.ctrlKey || event.shiftKey)) select(text);
    else if (event.key === "Enter") enter(text);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (isSpace) selectOne(text);
    else move(text, event);
    if (isSpace || event.key === "Enter") event.preventDefault();
  }

  function selectOne(text) {
    const cursor = cursors.get(text);
    const word = cursor && words.wordsOf(text)[cursor.at];
    if (!word || !editor.mayEdit) return;
    selection.choose(text, word.start, word.end);
    editor.say(selection.tell());
  }

  document.addEventListener("keydown", (event) => {
    if (event.target.matches("[data-text]")) act(event.target, event);
  });

  document.addEventListener("focusin", (event) => {
    const text = event.target.matches("[data-text]") ? event.target : null;
    const cursor = text && cursors.get(text);
    paint(text, cursor ? words.wordsOf(text)[cursor.at] : null);
  });

  // After a click the arrow keys go on from there.
  document.addEventListener("pointerup", () => {
    const native = window.getSelection();
    const text = words.textOf(native.focusNode);
    if (!text) return;
    const offset = words.offsetAt(text, native.focusNode, native.focusOffset);
    const at = words.wordsOf(text).findIndex((word) => word.end >= offset);
    if (at >= 0) cursors.set(text, { at, anchor: null });
  });
})();
