// <select data-combobox> becomes a field to type in, with a list of what has all the words typed:
// the pattern "combobox with list autocomplete" of WAI-ARIA. The select stays as what is sent, in
// the order that the server gave it, and without script it is used as it is. With data-options-url
// the options are fetched each time that the list opens.
(() => {
  "use strict";

  const MOST = 60; // shown at once: whoever sees more types another letter

  function enhance(select) {
    const box = document.createElement("div");
    const field = document.createElement("input");
    const list = document.createElement("ul");
    const id = select.id;
    let active = -1;
    let opening = 0; // counts: what was fetched for a list that has been closed since is left alone

    box.className = "combobox";
    field.id = `${id}-field`;
    field.className = "input";
    field.autocomplete = "off";
    field.placeholder = select.options[0].text;
    const given = { type: "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}-list` };
    Object.entries(given).forEach(([name, value]) => field.setAttribute(name, value));
    list.id = `${id}-list`;
    list.setAttribute("role", "listbox");
    list.hidden = true;
    document.querySelectorAll(`label[for="${id}"]`).forEach((label) => {
      label.htmlFor = field.id;
      list.setAttribute("aria-label", label.textContent.trim());
    });
    select.hidden = true;
    select.dataset.combobox = "made";
    select.before(box);
    box.append(field, list, select);

    const choices = () => [...list.children];
    const chosen = () => (select.value ? select.options[select.selectedIndex].text.trim() : "");

    function activate(place) { // -1: none
      const all = choices();
      active = place;
      all.forEach((choice, at) => choice.setAttribute("aria-selected", String(at === active)));
      if (active < 0) field.removeAttribute("aria-activedescendant");
      else {
        field.setAttribute("aria-activedescendant", all[active].id);
        all[active].scrollIntoView({ block: "nearest" });
      }
    }

    function show(isOpen) {
      list.hidden = !isOpen;
      field.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) activate(-1);
    }

    function close() {
      opening += 1;
      show(false);
    }

    function fill() {
      const words = field.value === chosen() ? [] : field.value.toLowerCase().split(/\s+/);
      const fitting = [...select.options].filter(({ value, text }) => {
        return value && words.every((word) => text.toLowerCase().includes(word));
      });
      list.replaceChildren(...fitting.slice(0, MOST).map((option, at) => {
        const choice = document.createElement("li");
        choice.id = `${id}-choice-${at}`;
        choice.setAttribute("role", "option");
        choice.dataset.at = option.index;
        choice.textContent = option.text.trim();
        return choice;
      }));
      show(fitting.length > 0);
      activate(fitting.length && words.some(Boolean) ? 0 : -1);
    }

    async function open() {
      if (select.dataset.optionsUrl) {
        const mine = (opening += 1);
        const answer = await fetch(select.dataset.optionsUrl).catch(() => null);
        const options = answer && answer.ok ? await answer.text() : null; // null: those there were
        if (mine !== opening) return;
        if (options !== null) {
          const value = select.value;
          const first = select.options[0];
          select.innerHTML = options;
          select.prepend(first);
          select.value = value;
        }
      }
      fill();
    }

    function take(choice) {
      select.selectedIndex = Number(choice.dataset.at);
      field.value = chosen();
      close();
      select.dispatchEvent(new Event("change", { bubbles: true }));
      if (!select.value) field.value = ""; // whoever listens has used it up
    }

    field.addEventListener("focus", open);
    field.addEventListener("input", () => {
      if (select.options.length > 1) fill();
      else open(); // what was fetched has not come
    });
    field.addEventListener("blur", () => {
      close();
      if (!field.value) select.value = "";
      field.value = chosen();
    });
    field.addEventListener("keydown", (event) => {
      const isOpen = !list.hidden;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (!isOpen) fill();
        const count = choices().length;
        const to = event.key === "ArrowDown" ? active + 1 : Math.max(active, 0) - 1;
        if (count) activate((to + count) % count);
      } else if (event.key === "Enter" && isOpen) {
        event.preventDefault();
        if (active >= 0) take(choices()[active]);
      } else if (event.key === "Tab" && isOpen && active >= 0) {
        take(choices()[active]);
      } else if (event.key === "Escape" && isOpen) {
        event.preventDefault();
        event.stopPropagation();
        close();
      }
    });
    list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    list.addEventListener("click", (event) => {
      const choice = event.target.closest("[role=option]");
      if (choice) take(choice);
    });
  }

  const all = () => document.querySelectorAll("select[data-combobox='']").forEach(enhance);

  all();
  new MutationObserver(all).observe(document.body, { childList: true, subtree: true });
})();
