// Says in plain words that htmx got no answer, once. A lost connection is taken back by any answer,
// a refused request only by its own success: a panel that polls must not wipe it away.
// Panels that ask again by hx-trigger="every …" need no help: htmx goes on asking after an error.
// Only where what they ask for is no longer there (a result held back in mid-scoring, say) the page
// loads itself again; once, so that a fault cannot make it go round and round.
(() => {
  "use strict";

  const LOST =
    "Connection lost. What you see may be out of date. This page keeps trying where it can.";
  const WORDS = {
    401: "You have been logged out. Log in again in another tab, then repeat this step.",
    403: "That was not allowed. If the page has been open for long, reload it and try again.",
    404: "That no longer exists. Reload the page.",
    413: "That is too large to upload.",
    429: "Too many requests at once. Wait a minute, then try again.",
  };
  const FAULT =
    "Something went wrong on the server. Wait a moment, then try again. Your words are still here.";
  const ANY = "any";

  const current = () => document.querySelector("#messages [data-request-error]");

  const pathOf = (event) => event.detail.pathInfo.requestPath;

  function show(text, endedBy) {
    const region = document.getElementById("messages");
    const shown = current();
    if (!region || (shown && shown.textContent === text)) return;
    if (shown) shown.remove();
    const message = document.createElement("div");
    message.className = "message message-error";
    message.dataset.requestError = endedBy;
    message.setAttribute("role", "alert");
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    message.append(paragraph);
    region.append(message);
  }

  function asksInVain(event) {
    const trigger = event.detail.elt.getAttribute("hx-trigger") || "";
    const [loaded] = performance.getEntriesByType("navigation");
    const isFresh = !loaded || loaded.type !== "reload";
    return isFresh && event.detail.xhr.status === 404 && trigger.startsWith("every");
  }

  function takeBack(path) {
    const shown = current();
    if (shown && [ANY, path].includes(shown.dataset.requestError)) shown.remove();
  }

  document.addEventListener("htmx:sendError", () => show(LOST, ANY));
  document.addEventListener("htmx:timeout", () => show(LOST, ANY));
  document.addEventListener("htmx:responseError", (event) => {
    if (asksInVain(event)) window.location.reload();
    else show(WORDS[event.detail.xhr.status] || FAULT, pathOf(event));
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) takeBack(pathOf(event));
  });
})();
