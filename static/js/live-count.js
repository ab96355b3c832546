// Live count in <textarea data-live-count="id of the text" data-unit="word" data-min data-max>;
// the unit is word or character.
// The eye sees every change; a screen reader hears it once the writer has paused.
(() => {
  "use strict";

  const PAUSE = 1200;
  const timers = new WeakMap();

  const COUNTED = {
    word: (text) => (text ? text.split(/\s+/u).length : 0),
    character: (text) => [...text].length,
  };

  function judge(field) {
    const { unit, min, max } = field.dataset;
    const least = Number(min || 0);
    const most = max ? Number(max) : Infinity;
    const count = COUNTED[unit](field.value.trim());
    const counted = `${count} ${unit}${count === 1 ? "" : "s"}`;
    if (count > most) {
      const over = count - most;
      return { state: "is-over", text: `${counted}: ${over} too many (at most ${most})` };
    }
    if (count < least) {
      const missing = least - count;
      return { state: "is-short", text: `${counted}: ${missing} more to reach ${least}` };
    }
    const limit = most < Infinity ? ` of at most ${most}` : "";
    return { state: min ? "is-good" : "is-within", text: counted + limit };
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
    const output = document.getElementById(field.dataset.liveCount);
    if (!output) return;
    const { state, text } = judge(field);
    const [seen, spoken] = parts(output);
    seen.textContent = text;
    output.classList.remove("is-short", "is-within", "is-good", "is-over");
    output.classList.add(state);
    clearTimeout(timers.get(field));
    if (speak) timers.set(field, setTimeout(() => { spoken.textContent = text; }, PAUSE));
  }

  function updateAll(root) {
    root.querySelectorAll("[data-live-count]").forEach((field) => update(field, false));
  }

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-live-count]")) update(event.target, true);
  });
  document.addEventListener("htmx:load", (event) => updateAll(event.target));
  window.addEventListener("pageshow", () => updateAll(document));
})();
