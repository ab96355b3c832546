// The marking desk: chosen words, or an open idea, ask for the pane of ideas anew; after a step the
// text has other marks, what was chosen is let go, and the focus goes to what comes next.
(() => {
  "use strict";

  const { root, selection, letGo } = window.pyrevalEditor;
  const text = root.querySelector("[data-text]");
  let byKey = false; // the pane was asked for by a key: its first button takes the focus
  let step = null; // what is being done, and where its button stood
  let isCommenting = false;

  const { ideas, isPhone, light } = window.pyrevalDesk; // marking-current.js

  function showPane(name) {
    root.dataset.pane = name;
    root.querySelectorAll("[data-show-pane]").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.showPane === name));
    });
    if (isPhone()) root.querySelector(".desk-panes").scrollIntoView();
  }

  function ask(query) {
    const address = `${root.dataset.url}?${new URLSearchParams(query)}`;
    window.htmx.ajax("GET", address, { target: "#desk-ideas", swap: "outerHTML" });
  }

  function openIdea(uid, isByKey) {
    letGo();
    byKey = isByKey;
    ask({ idea: uid });
    showPane("ideas");
  }

  // On a phone words are chosen in several moves, and a button says when that is done.
  root.addEventListener("words-taken", (event) => {
    if (isPhone()) return;
    byKey = event.detail.byKey;
    const { focus } = ideas().dataset;
    ask({ spans: event.detail.place, ...(focus ? { idea: focus } : {}) });
  });

  root.addEventListener("idea-wanted", (event) => openIdea(event.detail.uid, true));

  // All pieces of a part of the text ("part-3") are chosen at once.
  function choosePart(name) {
    const pieces = [...text.querySelectorAll(`.${name}`)];
    selection.clear();
    pieces.forEach((piece, place) => {
      if (place) selection.keep();
      const start = Number(piece.dataset.start);
      selection.choose(text, start, start + [...piece.textContent].length);
    });
    byKey = false;
    if (!isPhone()) ask({ spans: selection.spans().replaceAll(" ", ",") });
  }

  text.addEventListener("click", (event) => {
    const piece = event.target.closest("[data-start]");
    if (!piece || event.ctrlKey || event.metaKey || !window.getSelection().isCollapsed) return;
    const part = [...piece.classList].find((name) => /^(part|out)-\d+$/.test(name));
    const uid = piece.dataset.scu && piece.dataset.scu.split(" ")[0];
    // After editor-select.js, which lets go of what was chosen.
    if (uid) window.setTimeout(() => openIdea(uid, false), 0);
    else if (part) window.setTimeout(() => choosePart(part), 0);
  });

  root.addEventListener("click", (event) => {
    const open = event.target.closest("[data-open-idea]");
    const all = event.target.closest("[data-show-all]");
    const pane = event.target.closest("[data-show-pane]");
    if (pane) showPane(pane.dataset.showPane);
    if (event.target.closest("[data-close-same]")) document.getElementById("desk-same").replaceChildren();
    if (event.target.closest("[data-choose-more]")) showPane("text");
    if ((!open && !all) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (open) openIdea(open.dataset.openIdea, true);
    else ask({});
  });

  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    isCommenting = elt.id === "desk-comment";
    if (elt.id !== "desk-form" || requestConfig.verb !== "post") return;
    const button = requestConfig.triggeringEvent && requestConfig.triggeringEvent.submitter;
    step = { isFinding: Boolean(button && "find" in button.dataset), isInText: !button || text === document.activeElement };
    step.isDoubtful = Boolean(button && button.closest(".desk-doubtful"));
  });

  function afterStep(done) {
    document.body.dispatchEvent(new CustomEvent("draft-changed")); // other pieces
    if (!done) return;
    letGo();
    const next = step.isDoubtful && ideas().querySelector(".desk-doubtful [data-step]");
    if (isPhone() && !next) showPane("text");
    if (document.activeElement.matches("textarea, input[type=search]")) return; // somebody was quicker
    (next || text).focus({ preventScroll: !next });
  }

  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id !== "desk-ideas" && event.detail.elt.id !== "desk-ideas") return;
    const wanted = ideas().querySelector("[role=alert]") || (byKey && ideas().querySelector("[data-take-focus], .scu-actions button"));
    if (step && !step.isFinding) afterStep(!ideas().querySelector("[role=alert]"));
    if (step && step.isFinding) showPane("ideas");
    if (wanted) wanted.focus();
    else if (isCommenting) text.focus({ preventScroll: true });
    step = null;
    byKey = isCommenting = false;
    about();
    light();
  });

  // What a comment would be on, as its form says.
  function about() {
    const { focus } = ideas().dataset;
    const line = root.querySelector("[data-comment-about]");
    line.textContent = "on the whole text";
    if (focus) line.textContent = `on idea ${focus}`;
    if (!selection.isEmpty()) line.textContent = `on ${window.pyrevalEditor.quote(selection.quoted(), 40)}`;
  }

  root.addEventListener("words-chosen", about);

  root.classList.add("is-scripted");
  light();
  window.pyrevalDesk.ask = ask;
})();
