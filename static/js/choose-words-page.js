// Words of a text can be chosen on pages without the editor: this stands for what the editor's
// files share (editor-api.js), so that editor-words, -select and -cursor work there as they do here.
window.pyrevalEditor = (() => {
  "use strict";

  const root = document.querySelector("[data-choose-words]");

  function say(words) {
    const voice = root.querySelector("[data-choose-voice]");
    voice.textContent = "";
    // A sentence that is said twice is a new one for screen readers only after a pause.
    window.setTimeout(() => { voice.textContent = words; }, 30);
  }

  function quote(words, longest = 60) {
    const folded = words.replace(/\s+/g, " ").trim();
    return `“${folded.length > longest ? `${folded.slice(0, longest - 1)}…` : folded}”`;
  }

  const goToIdeas = (uids) => {
    root.dispatchEvent(new CustomEvent("idea-wanted", { bubbles: true, detail: { uid: uids[0] } }));
  };

  return { root, say, quote, goToIdeas, mayEdit: true };
})();
