// <form data-edit>: an edit is sent by script and the page stays. data-saves-itself: what was typed
// is sent as one leaves the field. Other files ask for edits by the event "editor-edit".
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const OURS = ["csrfmiddlewaretoken", "token", "revision", "open"];

  // crypto.randomUUID is there on https and localhost only.
  function newToken() {
    if (window.crypto.randomUUID) return window.crypto.randomUUID();
    const bytes = window.crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  function send(url, fields, base) {
    const revision = base === undefined ? editor.revision() : Number(base);
    editor.queue.add({ url, fields, revision, token: newToken() });
  }

  function fieldsOf(form, submitter) {
    const data = new FormData(form, submitter);
    return [...data].filter(([name]) => !OURS.includes(name));
  }

  const typedIn = (form) => form.querySelector("textarea");

  function isSent(form) {
    const field = typedIn(form);
    return field.value === field.defaultValue;
  }

  function needsOther(button) {
    const select = button && document.getElementById(button.dataset.needsOther);
    if (!select || select.value) return false;
    editor.answer.refuse("<p>Choose the other idea first.</p>");
    document.getElementById(`${select.id}-field`).focus();
    return true;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-conflict-again]")) {
      event.preventDefault();
      editor.queue.settle({ again: true });
      return;
    }
    if (!form.matches("[data-edit]")) return;
    event.preventDefault();
    if (needsOther(event.submitter)) return;
    if (form.matches("[data-saves-itself]")) {
      if (isSent(form)) return; // by leaving the field for the button
      typedIn(form).defaultValue = typedIn(form).value;
    }
    send(form.action, fieldsOf(form, event.submitter), form.dataset.base);
    delete form.dataset.base;
    if (form.matches("[data-starts-anew]")) form.reset();
  });

  document.body.addEventListener("editor-edit", (event) => {
    send(editor.root.dataset.editUrl, Object.entries(event.detail));
  });

  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (!form || editor.answer.isSwapping()) return;
    if (form.matches("[data-saves-itself]")) form.requestSubmit();
  });

  // Enter saves a label, which is one line; in a comment Ctrl-Enter does.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    const form = event.target.form;
    if (!form || !form.matches("[data-saves-itself]") || !event.target.matches("textarea")) return;
    const isLine = event.target.matches("[data-one-line]");
    if (!isLine && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    form.requestSubmit();
    if (isLine) form.closest(".idea").querySelector(".idea-open").focus({ preventScroll: true });
  });

  // Escape gives what was typed up, and goes back to the idea.
  document.addEventListener("keydown", (event) => {
    const card = event.key === "Escape" && event.target.closest(".idea.is-open");
    if (!card || !editor.isTyping(event.target)) return;
    if (event.target.matches("textarea, input")) event.target.value = event.target.defaultValue;
    card.querySelector(".idea-open").focus({ preventScroll: true });
    event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-send-again]")) editor.queue.pump();
    if (event.target.closest("[data-drop-edit]")) editor.queue.drop();
    if (event.target.closest("[data-conflict-leave]")) {
      event.preventDefault();
      editor.queue.settle({ again: false });
    }
  });

  document.addEventListener("cancel", (event) => {
    if (event.target.id !== "editor-conflict") return;
    event.preventDefault();
    editor.queue.settle({ again: false });
  }, true);

  window.addEventListener("online", () => editor.queue.pump());
})();
