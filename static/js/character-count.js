// Live count of the characters in <textarea data-character-count="id of the text" data-most>.
// The eye sees every change; a screen reader hears it once the writer has paused.
(() => {
  "use strict";

  const PAUSE = 1200;
  const timers = new WeakMap();

  const plural = (count) => (count === 1 ? "1 character" : `${count} characters`);

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
    const output = document.getElementById(field.dataset.characterCount);
    if (!output) return;
    const most = Number(field.dataset.most);
    const count = [...field.value.trim()].length;
    const isOver = count > most;
    const text = isOver
      ? `${plural(count)}: ${count - most} too many (at most ${most})`
      : `${plural(count)} of at most ${most}`;
    const [seen, spoken] = parts(output);
    seen.textContent = text;
    output.classList.toggle("is-over", isOver);
    clearTimeout(timers.get(field));
    if (speak) timers.set(field, setTimeout(() => { spoken.textContent = text; }, PAUSE));
  }

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-character-count]")) update(event.target, true);
  });
  window.addEventListener("pageshow", () => {
    document.querySelectorAll("[data-character-count]").forEach((field) => update(field, false));
  });
})();
