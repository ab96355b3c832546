// What the files of the editor share. They talk by events on document.body besides:
// "editor-edit" (detail: the fields of an edit) asks for an edit to be sent, "draft-changed" tells
// that the draft is another one, "selection-changed" that other words of a text are chosen.
window.pyrevalEditor = (() => {
  "use strict";

  const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

  const root = document.getElementById("editor");
  let current = null; // number of the idea that was opened or visited last

  const card = (uid) => document.getElementById(`scu-${uid}`);

  function say(words) {
    const voice = document.getElementById("editor-voice");
    voice.textContent = "";
    // A sentence that is said twice is a new one for screen readers only after a pause.
    window.setTimeout(() => { voice.textContent = words; }, 30);
  }

  // Why a key does nothing now: for the eye as well as for the ear.
  function hint(words) {
    const told = document.createElement("p");
    told.textContent = words;
    document.getElementById("editor-status").replaceChildren(told);
  }

  function setCurrent(uid) {
    const changed = uid !== current;
    current = uid;
    if (!changed) return;
    root.querySelectorAll(".idea.is-current").forEach((one) => one.classList.remove("is-current"));
    if (card(uid)) card(uid).classList.add("is-current");
    document.body.dispatchEvent(new CustomEvent("current-idea-changed"));
  }

  function quote(words, longest = 60) {
    const folded = words.replace(/\s+/g, " ").trim();
    return `“${folded.length > longest ? `${folded.slice(0, longest - 1)}…` : folded}”`;
  }

  function remember(key, value) {
    try {
      window.localStorage.setItem(`pyreval-editor-${key}`, value);
    } catch {
      // Private windows may have no storage: the choice then lasts as long as the page.
    }
  }

  function remembered(key) {
    try {
      return window.localStorage.getItem(`pyreval-editor-${key}`);
    } catch {
      return null;
    }
  }

  return {
    root,
    card,
    say,
    hint,
    quote,
    remember,
    remembered,
    setCurrent,
    mayEdit: root.hasAttribute("data-may-edit"),
    revision: () => Number(document.getElementById("editor-history").dataset.revision),
    opened: () => [...root.querySelectorAll(".idea.is-open")].map((one) => one.dataset.idea),
    current: () => (card(current) ? current : null),
    label: (uid) => card(uid).querySelector(".idea-open").textContent.trim(),
    isTyping: (target) => target instanceof Element && target.matches(FIELDS),
    calm: window.matchMedia("(prefers-reduced-motion: reduce)"),
    edit: (fields) => {
      document.body.dispatchEvent(new CustomEvent("editor-edit", { detail: fields }));
    },
  };
})();
