// Annotating a text: ideas are found by typing and ticked by key; words that are chosen in the text
// go to the idea that is ticked next. htmx saves what changes (see the form's hx-trigger).
(() => {
  "use strict";

  const form = document.querySelector("[data-annotation]");
  const { say, quote } = window.pyrevalEditor;
  const place = form.querySelector("[data-chosen-place]");
  const field = form.querySelector("[data-find-field]");
  const count = form.querySelector("[data-find-count]");
  const ideas = [...form.querySelectorAll("[data-idea]")];
  let quoted = "";

  const tickOf = (idea) => idea.querySelector('input[type="checkbox"]');
  const shown = () => ideas.filter((idea) => !idea.hidden);
  const folded = (words) => words.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

  // --- finding ---

  const haystacks = ideas.map((idea) => folded(idea.textContent));

  function find() {
    const wanted = folded(field.value).split(/\s+/).filter(Boolean);
    ideas.forEach((idea, number) => {
      idea.hidden = !wanted.every((word) => haystacks[number].includes(word));
    });
    const found = shown().length;
    count.textContent = wanted.length ? `${found} of ${ideas.length}` : "";
  }

  function goTo(idea) {
    if (!idea) return;
    tickOf(idea).focus();
    idea.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const there = shown();
    const now = there.indexOf(document.activeElement.closest("[data-idea]"));
    goTo(there[Math.max(0, Math.min(there.length - 1, now + by))]);
  }

  field.addEventListener("input", find);
  field.addEventListener("change", (event) => event.stopPropagation()); // nothing to save
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      goTo(shown()[0]);
    } else if (event.key === "Escape" && field.value) {
      field.value = "";
      find();
    }
  });

  // --- ticking ---

  form.addEventListener("words-chosen", (event) => { quoted = event.detail.quoted; });

  const sentences = () => [...form.querySelectorAll('input[name="sentence"]:checked')];

  function chosenWords() {
    const ticked = sentences().map((box) => box.closest("label").textContent.trim());
    return [place.value ? quoted : "", ...ticked].filter(Boolean).join(" … ");
  }

  function keepWords(idea, words) {
    const line = idea.querySelector("[data-quoted]");
    idea.querySelector("[data-words]").value = words && !sentences().length ? place.value : "";
    line.textContent = words.replace(/\s+/g, " ");
    line.hidden = !words;
  }

  // Before htmx hears of the change, so that the words are sent with it.
  form.addEventListener("change", (event) => {
    const idea = event.target.closest("[data-idea]");
    if (!idea) {
      if (event.target.matches("[data-chosen-sentence], [name=sentence]")) event.stopPropagation();
      return;
    }
    form.querySelector("[data-no-idea]")?.remove(); // the question is answered
    const words = event.target.checked ? chosenWords() : "";
    keepWords(idea, words);
    if (!words) return;
    say(`Ticked with the words ${quote(words)}.`);
    if (place.value) window.pyrevalEditor.letGo();
  }, true);

  // Sentences that were ticked are sent as they are, and are free again once that is saved.
  form.addEventListener("htmx:afterRequest", () => {
    sentences().forEach((box) => { box.checked = false; });
  });

  // --- sending ---

  // “Done” comes after what is being saved, and nothing is saved after it: either would undo it.
  let waiting = null;
  let isSent = false;

  form.addEventListener("submit", (event) => {
    isSent = !form.classList.contains("htmx-request");
    if (isSent) return;
    event.preventDefault();
    waiting = event.submitter;
  });

  form.addEventListener("htmx:beforeRequest", (event) => {
    if (isSent) event.preventDefault();
  });

  form.addEventListener("htmx:afterRequest", () => {
    if (!waiting) return;
    form.requestSubmit(waiting);
    waiting = null;
  });

  window.addEventListener("pageshow", () => { isSent = false; }); // back from the next text

  // --- keys ---

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("[data-done]"));
    } else if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
    } else if (event.target.closest("[data-idea]") && !isTyping && /^Arrow(Up|Down)$/.test(event.key)) {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    }
  });

  // Enter in a tick would send the form as “Save”, which is not what is meant.
  form.addEventListener("keydown", (event) => {
    const isPlain = event.key === "Enter" && !event.ctrlKey && !event.metaKey;
    if (isPlain && event.target.matches('input[type="checkbox"]')) event.preventDefault();
  });

  form.querySelector("[data-find]").hidden = false;
  form.querySelector("[data-keys]").hidden = false;
})();
