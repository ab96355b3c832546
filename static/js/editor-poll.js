// Asks every three seconds what others did, while somebody looks and nothing of one's own is on
// its way.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const EVERY = 3000;
  let isAsking = false;
  let isComposing = false;

  async function ask() {
    const url = new URL(editor.root.dataset.changesUrl, window.location.href);
    url.searchParams.set("since", editor.revision());
    url.searchParams.set("open", editor.opened().join(" "));
    const headers = { "HX-Request": "true" };
    const response = await fetch(url, { headers, redirect: "manual" });
    const html = await response.text();
    if (editor.queue.waiting()) return; // an edit went out meanwhile; its answer brings all
    take(response, html);
  }

  function take(response, html) {
    if (response.type === "opaqueredirect") editor.connection.show(401, 0);
    else if (!response.ok) editor.connection.show(response.status, 0);
    else {
      if (response.headers.has("HX-Refresh")) window.location.reload();
      else if (response.status === 200) editor.answer.apply(html, { mine: false });
      editor.connection.hide();
    }
  }

  async function poll() {
    const isOpen = document.querySelector("dialog[open]") !== null;
    if (document.hidden || isAsking || isComposing || isOpen || editor.queue.waiting()) return;
    isAsking = true;
    try {
      await ask();
    } catch {
      editor.connection.show("lost", editor.queue.waiting());
    }
    isAsking = false;
  }

  document.addEventListener("compositionstart", () => { isComposing = true; });
  document.addEventListener("compositionend", () => { isComposing = false; });
  document.addEventListener("visibilitychange", poll);
  document.addEventListener("DOMContentLoaded", () => window.setInterval(poll, EVERY));
})();
