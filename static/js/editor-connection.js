// Says what is the matter where edits cannot be sent, and how many wait. Nothing is dropped unless
// somebody asks for it.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const panel = document.getElementById("editor-connection");

  const WORDS = {
    lost: "Connection lost.",
    401: "You have been logged out. Log in again in another tab, then reload this page.",
    403: "You have been logged out, or may not edit any more. Log in again in another tab, then reload this page.",
    413: "Your edit is too large to be sent.",
    fault: "Something went wrong on the server.",
  };

  function kept(waiting) {
    if (!waiting) return "What you see may be out of date; the page keeps trying.";
    const edits = waiting === 1 ? "Your edit is kept" : `Your ${waiting} edits are kept`;
    return `${edits} and will be sent again.`;
  }

  function button(words, hook) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button button-secondary button-small";
    made.textContent = words;
    made.dataset[hook] = "";
    return made;
  }

  // `why` is a key of WORDS; `mayDrop` where sending again may never help.
  function show(why, waiting, mayDrop = false) {
    const text = `${WORDS[why] || WORDS.fault} ${kept(waiting)}`;
    if (!panel.hidden && panel.dataset.told === text) return;
    panel.dataset.told = text;
    const words = document.createElement("span");
    words.textContent = text;
    panel.replaceChildren(words, button("Try again now", "sendAgain"));
    if (mayDrop && waiting) panel.append(button("Discard this edit", "dropEdit"));
    panel.hidden = false;
  }

  function hide() {
    if (panel.hidden) return;
    panel.hidden = true;
    panel.replaceChildren();
    editor.say("Connected again. Everything is saved.");
  }

  editor.connection = { show, hide };
})();
