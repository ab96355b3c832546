// <form data-writing data-url data-student>: what is typed is kept at the server. One request at a
// time; what went wrong is said once in words, and tried again. Nothing is handed in by this file.
(() => {
  "use strict";

  const form = document.querySelector("form[data-writing]");
  if (!form) return;

  const PAUSE = 1000; // after the last key
  const LONGEST = 3000; // without saving, while keys are pressed
  const AGAIN = 5000;
  const KEEPALIVE = 15000; // characters: a request that outlives its page has 64 kB at most
  const HERE = "Your text is in this window";
  const WORDS = {
    lost: `Not saved – no connection. ${HERE}; it will be saved when the connection is back.`,
    out: `Not saved – you have been logged out. ${HERE}: log in again in another tab, then come back.`,
    other: `Not saved – somebody else is logged in now. ${HERE}: copy it before you close it.`,
    fault: `Not saved – the server could not save it just now. ${HERE}; it will try again.`,
    conflict: "Not saved – another window has saved a different text. Choose above which one to continue.",
  };
  const part = (name) => form.querySelector(`[data-writing-${name}]`);
  const { text: field, revision, seen } = form.elements;

  let state = part("conflict").hidden ? "" : "conflict";
  let kept = field.value; // what the server has, as far as is known here
  let busy = null;
  let timer = 0;
  let since = 0;
  let leaving = false;

  const isDirty = () => field.value !== kept;

  // The eye sees each time of saving; a screen reader hears only that something has changed.
  function tell(next, words) {
    part("seen").textContent = words;
    part("seen").classList.toggle("is-lost", next !== "saved");
    if (next !== state) part("said").textContent = words;
    state = next;
  }

  function plan() {
    if (state === "conflict") return;
    since = since || Date.now();
    clearTimeout(timer);
    timer = setTimeout(save, Math.max(0, Math.min(PAUSE, since + LONGEST - Date.now())));
  }

  function fail(next) {
    tell(next, WORDS[next]);
    clearTimeout(timer);
    timer = setTimeout(save, AGAIN);
  }

  function send(text, base, more = {}) {
    return fetch(form.dataset.url, {
      method: "POST",
      body: new URLSearchParams({ text, revision: base, ...more }),
      headers: { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value, "HX-Request": "true" },
      keepalive: text.length < KEEPALIVE,
    });
  }

  // Who logs in again gets another token; the page of somebody else must not take this text.
  async function renewed() {
    const answer = await fetch(form.action, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return answer.status === 401 ? "out" : "fault";
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("form[data-writing]");
    if (!fresh) return "fault";
    if (fresh.dataset.student !== form.dataset.student) return "other";
    form.elements.csrfmiddlewaretoken.value = fresh.elements.csrfmiddlewaretoken.value;
    return "";
  }

  async function post(isSecond = false) {
    const text = field.value;
    since = 0;
    const answer = await send(text, revision.value);
    if (answer.status === 401) return fail("out");
    if (answer.status === 403) {
      const problem = isSecond ? "fault" : await renewed();
      return problem ? fail(problem) : post(true);
    }
    if (![200, 409, 422].includes(answer.status)) return fail("fault");
    return take(answer.status, await answer.json(), text);
  }

  function take(status, told, text) {
    if (status === 422) return tell("refused", `Not saved – ${told.error}`);
    seen.value = told.revision;
    if (status === 409) {
      part("when").textContent = told.saved ? ` at ${told.saved}` : "";
      part("other").textContent = told.text;
      part("conflict").hidden = false;
      return tell("conflict", WORDS.conflict);
    }
    revision.value = told.revision;
    kept = text;
    form.querySelector(".writing-replaced").hidden = !told.has_replaced;
    return tell("saved", told.saved ? `Saved ${told.saved}. ${told.next}` : "Saved.");
  }

  function save() {
    clearTimeout(timer);
    if (!busy) {
      busy = post().catch(() => fail("lost")).finally(() => {
        busy = null;
        if (isDirty() && state === "saved") plan();
      });
    }
    return busy;
  }

  form.addEventListener("input", (event) => { if (event.target === field) plan(); });
  window.addEventListener("online", () => { if (isDirty() && state !== "conflict") save(); });
  document.addEventListener("visibilitychange", () => {
    if (isDirty() && state !== "conflict") save();
  });

  // The last words of a page that is closed. A request under way will have counted one revision.
  window.addEventListener("pagehide", () => {
    if (!isDirty() || leaving) return;
    const more = state === "conflict" ? { choice: "take", seen: seen.value } : {};
    send(field.value, Number(revision.value) + (busy ? 1 : 0), more).catch(() => {});
  });
  window.addEventListener("beforeunload", (event) => {
    if (isDirty() && !leaving && ["lost", "out", "other", "fault"].includes(state)) {
      event.preventDefault();
    }
  });

  // Before the form goes, what is under way or unsaved; where that fails, the form stays.
  document.addEventListener("submit", async (event) => {
    if (event.target !== form) return;
    leaving = state === "conflict" || (!busy && (!isDirty() || state === "refused"));
    if (leaving) return;
    event.preventDefault();
    const { submitter } = event;
    await save();
    if (isDirty() && state === "saved") await save();
    if (["saved", "refused"].includes(state)) form.requestSubmit(submitter);
    else part("seen").scrollIntoView({ block: "center" });
  }, true);

  window.addEventListener("pageshow", () => { leaving = false; });
  part("plain").hidden = true;
})();
