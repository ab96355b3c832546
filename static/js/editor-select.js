// Which words of a text are chosen, by mouse, touch or keyboard: the browser's own selection, taken
// as whole words. Ranges can be kept, so that the next ones are chosen besides (Ctrl, "Select
// more"). They stay chosen while one goes to a button or a field.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const { words } = editor;
  const canPaint = "highlights" in CSS;

  let text = null;
  let kept = [];
  let latest = null;
  let isKeeping = false; // the next range comes besides those that there are
  let isAsked = false; // for that, by the button or a key: the next press keeps as well
  let isPressed = false;

  const ranges = () => words.joined(latest ? [...kept, latest] : kept);

  function paint() {
    if (!canPaint) return;
    const marked = text && text.isConnected ? ranges() : [];
    const found = marked.map((range) => words.rangeOf(text, range.start, range.end));
    CSS.highlights.set("chosen", new Highlight(...found));
  }

  function quoted() {
    return ranges().map((range) => words.contentAt(text, range)).join(" … ");
  }

  function tell() {
    const chosen = ranges();
    if (!chosen.length) return "Nothing is selected.";
    const count = chosen.reduce((sum, range) => {
      return sum + words.wordsOf(text).filter((w) => w.start >= range.start && w.end <= range.end).length;
    }, 0);
    const ideas = [...new Set(chosen.flatMap((range) => words.ideasAt(text, range)))];
    const where = ideas.length ? `in ${ideas.length > 1 ? "ideas" : "idea"} ${ideas.join(" and ")}` : "in no idea";
    return `${editor.quote(quoted())} selected, ${count} ${count === 1 ? "word" : "words"}, ${where}.`;
  }

  function changed() {
    paint();
    document.body.dispatchEvent(new CustomEvent("selection-changed"));
  }

  function clear() {
    const had = ranges().length > 0;
    text = latest = null;
    kept = [];
    isKeeping = isAsked = false;
    if (had) changed();
  }

  function keep() {
    kept = ranges();
    latest = null;
    isKeeping = isAsked = true;
  }

  function choose(where, start, end) {
    if (where !== text) kept = [];
    if (!isKeeping) kept = [];
    text = where;
    latest = words.wholeWords(where, start, end);
    changed();
  }

  // What is selected outside the text where the selection began is left out.
  function read() {
    const native = window.getSelection();
    const where = words.textOf(native.anchorNode);
    if (!where || native.isCollapsed) return;
    const range = native.getRangeAt(0);
    const inside = document.createRange();
    inside.selectNodeContents(where);
    const isBefore = range.compareBoundaryPoints(Range.START_TO_START, inside) < 0;
    const isBehind = range.compareBoundaryPoints(Range.END_TO_END, inside) > 0;
    const from = isBefore ? inside : range;
    const to = isBehind ? inside : range;
    const start = words.offsetAt(where, from.startContainer, from.startOffset);
    choose(where, start, words.offsetAt(where, to.endContainer, to.endOffset));
  }

  document.addEventListener("pointerdown", (event) => {
    if (!words.textOf(event.target)) return;
    isPressed = true;
    editor.root.classList.add("is-selecting");
    if (event.ctrlKey || event.metaKey) keep();
    else isKeeping = isAsked;
  });

  document.addEventListener("pointerup", () => {
    const wasPressed = isPressed;
    isPressed = false;
    editor.root.classList.remove("is-selecting");
    if (!wasPressed) return;
    // A plain click in a text lets go; the browser collapses its selection after this event. Where
    // a field of the bar has the focus by then, the words stay chosen.
    window.setTimeout(() => {
      const native = window.getSelection();
      const isLetGo = native.isCollapsed && words.textOf(native.anchorNode);
      if (isLetGo && !isKeeping) clear();
      else if (latest) editor.say(tell());
      isAsked = false;
    }, 0);
  });

  // A finger that selects or scrolls: the browser takes over, and the press never ends.
  document.addEventListener("pointercancel", () => {
    isPressed = false;
    editor.root.classList.remove("is-selecting");
  });

  if (editor.mayEdit) document.addEventListener("selectionchange", read);

  document.body.addEventListener("draft-changed", () => {
    if (text && !text.isConnected) clear();
    else paint();
  });

  editor.selection = {
    choose,
    clear,
    keep,
    quoted,
    tell,
    text: () => text,
    isAskingForMore: () => isAsked,
    isEmpty: () => ranges().length === 0,
    spans: () => ranges().map(({ start, end }) => `${start}-${end}`).join(" "),
    box: () => {
      const last = ranges().at(-1);
      return words.rangeOf(text, last.start, last.end).getBoundingClientRect();
    },
  };
})();
