// Shortcuts, listed in the sheet that ? opens. Those of a single key can be switched off; they rest
// while somebody types.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const sheet = document.getElementById("editor-sheet");
  const toggle = document.querySelector("[data-single-keys]");

  const button = (id) => document.getElementById(id);

  function visibleCards() {
    const cards = [...editor.root.querySelectorAll("#bands .idea")];
    return cards.filter((card) => card.getClientRects().length);
  }

  function step(by) {
    const cards = visibleCards();
    if (!cards.length) return;
    const at = cards.findIndex((card) => card.dataset.idea === editor.current());
    const next = cards[at < 0 ? 0 : Math.max(0, Math.min(cards.length - 1, at + by))];
    editor.panes.showPane("ideas");
    const link = next.querySelector(".idea-open");
    link.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest", behavior: "auto" });
  }

  // Opens the current idea if it is closed, then does something with what is in it.
  function within(prefix, use) {
    const uid = editor.current();
    if (!uid) {
      editor.hint("Go to an idea first, with j.");
      return;
    }
    const there = button(`${prefix}-${uid}`);
    if (there) {
      use(there);
      return;
    }
    // Other parts of the page settle as well: the suggestions, for one.
    const later = () => {
      const card = editor.current() === uid && editor.card(uid);
      if (card && !card.matches(".is-open")) return;
      document.body.removeEventListener("htmx:afterSettle", later);
      const made = button(`${prefix}-${uid}`);
      if (made) use(made);
    };
    document.body.addEventListener("htmx:afterSettle", later);
    if (!editor.card(uid).matches(".is-open")) button(`open-${uid}`).click();
  }

  function reorder(by) {
    const uid = editor.current();
    const card = uid && editor.card(uid);
    const list = card ? [...card.parentElement.children] : [];
    const at = list.indexOf(card);
    const next = by < 0 ? list[at - 1] : list[at + 2];
    if (card && list[at + by]) {
      editor.edit({ command: "reorder", uid, before: next ? next.dataset.idea : "" });
    } else editor.hint(by < 0 ? "This is the first idea of its weight." : "This is the last idea of its weight.");
  }

  const focus = (element) => {
    element.focus();
    if (element.select) element.select();
  };

  // combobox.js makes the field of a list a moment after the card is there.
  function toList(list) {
    window.setTimeout(() => focus(document.getElementById(`${list.id}-field`)), 0);
  }

  function remove() {
    const uid = editor.current();
    const card = document.activeElement.closest("#bands .idea");
    if (uid && card && card.dataset.idea === uid) editor.edit({ command: "delete_scu", uid });
  }

  function toText(key) {
    const panel = key === "t" ? ".text-panel.is-current" : `#panel-${Number(key) - 1}`;
    const text = editor.root.querySelector(`${panel} [data-text]`);
    if (!text) return;
    editor.panes.reveal(text);
    text.focus();
  }

  const LOOKING = {
    "/": () => focus(button("find")),
    "?": () => sheet.showModal(),
    j: () => step(1),
    k: () => step(-1),
    s: () => editor.suggestions.next(),
    t: toText,
  };

  const EDITING = {
    n: () => editor.withSelection("new_scu"),
    a: () => editor.withSelection("add_contributor"),
    p: () => editor.withSelection("add_part"),
    e: () => within("label", focus),
    m: () => within("other", toList),
    u: () => reorder(-1),
    d: () => reorder(1),
    y: () => editor.suggestions.answer("take"),
    x: () => editor.suggestions.answer("dismiss"),
    Delete: remove,
  };

  function single(event) {
    const act = LOOKING[event.key] || (editor.mayEdit && EDITING[event.key]) ||
      (/^[1-9]$/.test(event.key) && toText);
    if (!act) return;
    event.preventDefault();
    act(event.key);
  }

  function undo(event) {
    event.preventDefault();
    const wanted = button(event.shiftKey || event.key.toLowerCase() === "y" ? "redo" : "undo");
    if (wanted && !wanted.disabled) wanted.form.requestSubmit(wanted);
    else editor.hint(wanted && wanted.id === "redo" ? "There is nothing to redo." : "There is nothing to undo.");
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && editor.mayEdit) {
      window.getSelection().removeAllRanges();
      editor.selection.clear();
    }
    if (editor.isTyping(event.target)) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && ["z", "y"].includes(event.key.toLowerCase())) undo(event);
    else if (!isControl && !event.altKey && toggle.checked) single(event);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-open-sheet]")) sheet.showModal();
  });

  toggle.checked = editor.remembered("single-keys") !== "off";
  toggle.addEventListener("change", () => {
    editor.remember("single-keys", toggle.checked ? "on" : "off");
  });
})();
