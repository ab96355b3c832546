// Live count of the words in <textarea data-word-count="id of the text" data-min data-max>.
// The eye sees every change; a screen reader hears it once the writer has paused.
(() => {
  "use strict";

  const PAUSE = 1200;
  const timers = new WeakMap();

  const countWords = (text) => (text.trim() ? text.trim().split(/\s+/u).length : 0);

  const words = (count) => (count === 1 ? "1 word" : `${count} words`);

  function judge(count, least, most) {
    if (count > most) {
      const over = count - most;
      return { state: "is-over", text: `${words(count)}: ${over} too many (at most ${most})` };
    }
    if (count < least) {
      const missing = least - count;
      return { state: "is-short", text: `${words(count)}: ${missing} more to reach ${least}` };
    }
    const limit = most < Infinity ? ` of at most ${most}` : "";
    return { state: "is-good", text: words(count) + limit };
  }

  function parts(output) {
    if (!output.firstElementChild) {
      const seen = document.createElement("span");
      seen.setAttribute("aria-hidden", "true");
      const spoken = document.createElement("span");
      spoken.className = "visually-hidden";
      spoken.setAttribute("role", "status");
      output.replaceChildren(seen, spoken);
    }
    return output.children;
  }

  function update(field, speak) {
    const output = document.getElementById(field.dataset.wordCount);
    if (!output) return;
    const least = Number(field.dataset.min || 0);
    const most = field.dataset.max ? Number(field.dataset.max) : Infinity;
    const { state, text } = judge(countWords(field.value), least, most);
    const [seen, spoken] = parts(output);
    seen.textContent = text;
    output.classList.remove("is-short", "is-good", "is-over");
    output.classList.add(state);
    clearTimeout(timers.get(field));
    if (speak) timers.set(field, setTimeout(() => { spoken.textContent = text; }, PAUSE));
  }

  function updateAll(root) {
    root.querySelectorAll("[data-word-count]").forEach((field) => update(field, false));
  }

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-word-count]")) update(event.target, true);
  });
  document.addEventListener("htmx:load", (event) => updateAll(event.target));
  window.addEventListener("pageshow", () => updateAll(document));
})();
