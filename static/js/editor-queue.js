// Edits on their way to the server, one after another. An edit stays here, and in the window's own
// storage, until the server has answered: a lost connection or a reload loses nothing. Each has a
// token, so that one that is sent twice is made once, and the revision that its author saw.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const KEY = `pyreval-edits-${editor.root.dataset.draft}`;
  const AGAIN = [429, 502, 503, 504];
  const FIRST_WAIT = 1000;
  const LONGEST_WAIT = 15000;

  let items = load();
  let isSending = false;
  let isHeld = false; // by a conflict, until somebody chooses
  let wait = FIRST_WAIT;
  let timer = 0;

  function load() {
    try {
      return JSON.parse(window.sessionStorage.getItem(KEY)) || [];
    } catch {
      return [];
    }
  }

  function save() {
    try {
      window.sessionStorage.setItem(KEY, JSON.stringify(items));
    } catch {
      // No storage: the edits then wait in this page alone.
    }
  }

  function post(item) {
    const body = new URLSearchParams(item.fields);
    body.set("token", item.token);
    body.set("revision", item.revision);
    body.set("open", editor.opened().join(" "));
    const csrf = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    const headers = { "HX-Request": "true", "X-CSRFToken": csrf };
    return fetch(item.url, { method: "POST", body, headers, redirect: "manual" });
  }

  function later(why) {
    editor.connection.show(why, items.length);
    timer = window.setTimeout(pump, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }

  // What waits was meant for what the page now shows: its author has seen it.
  function raise(from, revision) {
    items.filter((item) => item.revision >= from).forEach((item) => { item.revision = revision; });
    document.querySelectorAll("form[data-base]").forEach((form) => {
      if (Number(form.dataset.base) === from) form.dataset.base = revision;
    });
  }

  function finish(html) {
    const done = items.shift();
    editor.answer.apply(html, { mine: true, travels: /\/(undo|redo)\/$/.test(done.url) });
    // Where others' edits came along with it, what waits has not been seen against them.
    if (editor.revision() === done.revision + 1) raise(done.revision, editor.revision());
  }

  function conflict(html) {
    isHeld = true;
    editor.answer.apply(html, { mine: false });
    document.getElementById("editor-conflict").showModal();
  }

  function settle({ again }) {
    document.getElementById("editor-conflict").close();
    const stale = items[0].revision;
    if (!again) {
      items.shift();
      document.getElementById("editor-status").textContent = "Cancelled. Your edit was not made.";
    }
    raise(stale, editor.revision());
    isHeld = false;
    save();
    if (document.querySelector("#editor-conflict [data-reload]")) window.location.reload();
    else pump();
  }

  async function take(response) {
    const html = await response.text();
    if (response.headers.has("HX-Refresh")) {
      if (response.ok) items.shift();
      save();
      window.location.reload();
    } else if (response.ok) finish(html);
    else if (response.status === 409) conflict(html);
    else {
      items.shift();
      editor.answer.refuse(html);
    }
    save();
  }

  async function sendFirst() {
    let response;
    try {
      response = await post(items[0]);
      if (AGAIN.includes(response.status)) return later("lost");
    } catch {
      return later("lost");
    }
    if (response.type === "opaqueredirect") return editor.connection.show(401, items.length);
    if (![200, 409, 422].includes(response.status)) {
      return editor.connection.show(response.status, items.length, true);
    }
    wait = FIRST_WAIT;
    await take(response);
    editor.connection.hide();
    return window.setTimeout(pump, 0);
  }

  async function pump() {
    window.clearTimeout(timer);
    if (isSending || isHeld || !items.length) return;
    isSending = true;
    editor.root.setAttribute("aria-busy", "true");
    await sendFirst();
    isSending = false;
    editor.root.removeAttribute("aria-busy");
  }

  function add(item) {
    items.push(item);
    save();
    pump();
  }

  function drop() {
    items.shift();
    save();
    editor.connection.hide();
    pump();
  }

  editor.queue = { add, pump, drop, settle, waiting: () => items.length };
  // Not before the scripts that its answer needs are there.
  document.addEventListener("DOMContentLoaded", pump);
})();
