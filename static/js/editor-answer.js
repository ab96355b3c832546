// Puts the parts that the server sends in their places. What somebody types at the moment stays,
// the focus stays or goes to what changed, and what happened is said.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const TYPED = ".idea.is-open :is(input:not([type=hidden], [type=checkbox]), textarea)";

  // Parts come as they are: a style that htmx carried over would be against the page's policy.
  window.htmx.config.attributesToSettle = [];

  let isSwapping = false; // a field that is taken away tells that it changed

  const cardOf = (element) => (element instanceof Element ? element.closest(".idea") : null);

  function unsaved() {
    const fields = [...editor.root.querySelectorAll(TYPED)];
    const typed = fields.filter((field) => field.value !== field.defaultValue);
    return typed.map((field) => ({ id: field.id, value: field.value, card: cardOf(field) }));
  }

  function ticked() {
    return [...editor.root.querySelectorAll(".idea.is-open :checked")].map((one) => one.id);
  }

  // Others changed the card: what is typed was meant for the state before, and is sent as such.
  function putBack(typed, mine, revision) {
    typed.forEach(({ id, value, card }) => {
      const field = document.getElementById(id);
      if (!field) return;
      field.value = value;
      const now = cardOf(field);
      if (mine || now === card) return;
      field.form.dataset.base ??= revision;
      now.querySelector("[data-changed-by-others]").hidden = false;
    });
  }

  function caretOf(element) {
    if (!element.matches("textarea, input[type=text], input[type=search]")) return null;
    return [element.selectionStart, element.selectionEnd];
  }

  function focusAgain(before, caret, uids) {
    const again = before.id && document.getElementById(before.id);
    if (again && !again.disabled && again.getClientRects().length) {
      again.focus({ preventScroll: true });
      if (caret) again.setSelectionRange(...caret);
      return;
    }
    goHome(uids);
  }

  function goHome(uids) {
    const links = uids.map((uid) => document.getElementById(`open-${uid}`));
    const home = links.find(Boolean) || document.getElementById("pane-ideas-name");
    home.focus({ preventScroll: true });
  }

  // Where the focus goes if the idea that has it is deleted: the one after it, or the one before.
  function neighbours(card) {
    const list = card ? [...editor.root.querySelectorAll("#bands .idea")] : [];
    const at = list.indexOf(card);
    const near = [list[at + 1], list[at - 1]].filter(Boolean);
    return at < 0 ? [] : near.map((one) => one.dataset.idea);
  }

  function show(card) {
    if (!card) return;
    const pane = card.closest(".pane");
    const box = card.getBoundingClientRect();
    const onScreen = editor.panes.isPhone() // there a pane is as long as what is in it
      ? { top: 0, bottom: window.innerHeight }
      : pane.getBoundingClientRect();
    const isOut = box.top < onScreen.top || box.bottom > onScreen.bottom;
    if (isOut) card.scrollIntoView({ block: "nearest" });
    card.classList.add("is-fresh");
    window.setTimeout(() => card.classList.remove("is-fresh"), 2500);
  }

  // The card that is worked on stays where it is on the screen, however much changes above it.
  function keepInPlace(card, change) {
    const pane = card && card.closest(".pane");
    const top = card ? card.getBoundingClientRect().top : 0;
    change();
    const now = card && document.getElementById(card.id);
    if (now && pane) pane.scrollTop += now.getBoundingClientRect().top - top;
  }

  // `travels`: undo and redo by key take the focus along, unless it is in a text or on a button.
  function apply(html, { mine, travels = false }) {
    const typed = unsaved();
    const ticks = mine ? [] : ticked();
    const revision = editor.revision();
    const before = document.activeElement;
    const caret = caretOf(before);
    const near = neighbours(cardOf(before));
    const there = editor.root.querySelectorAll("#bands .idea");
    const known = new Set([...there].map((card) => card.dataset.idea));
    const held = cardOf(before) || (editor.current() && editor.card(editor.current()));
    isSwapping = true;
    keepInPlace(held, () => {
      window.htmx.swap(document.body, html, { swapStyle: "none", settleDelay: 0, swapDelay: 0 });
      putBack(typed, mine, revision);
      ticks.map((id) => document.getElementById(id)).forEach((one) => one && (one.checked = true));
    });
    isSwapping = false;
    const said = document.querySelector("#editor-status [data-status-message]");
    const uid = said && said.dataset.focus;
    if (mine) document.getElementById("editor-refusal").hidden = true; // the focus may be in it
    const isGone = !before.isConnected || before.disabled || before.getClientRects().length === 0;
    if (before !== document.body && isGone) focusAgain(before, caret, [uid, ...near]);
    else if (travels && uid && !before.closest(".pane-texts, .editor-toolbar")) goHome([uid]);
    if (mine && uid) show(editor.card(uid));
    // Words are mostly added to the idea that one has just made.
    if (mine && uid && !travels && !known.has(uid)) editor.setCurrent(uid);
    editor.root.querySelector("[data-empty]").hidden = Boolean(editor.root.querySelector(".idea"));
    document.body.dispatchEvent(new CustomEvent("draft-changed", { detail: { mine } }));
  }

  function refuse(html) {
    const panel = document.getElementById("editor-refusal");
    panel.innerHTML = html; // ours, escaped by the template
    const close = document.createElement("button");
    close.type = "button";
    close.className = "button button-quiet button-small refusal-close";
    close.textContent = "Close";
    close.dataset.refusalClose = "";
    panel.append(close);
    panel.hidden = false;
    (panel.querySelector("#join-part") || panel).focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-refusal-close]")) return;
    event.preventDefault();
    document.getElementById("editor-refusal").hidden = true;
    const uid = editor.current();
    if (uid) document.getElementById(`open-${uid}`).focus({ preventScroll: true });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.getElementById("editor-refusal").hidden = true;
  });

  editor.answer = { apply, refuse, unsaved, isSwapping: () => isSwapping };
})();
