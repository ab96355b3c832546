// <form data-submit-once>: a second click sends nothing. Its buttons come back with the page
// (back button) or with htmx's answer. Not for forms that answer with a download.
(() => {
  "use strict";

  const HTMX_FORM = "[hx-get], [hx-post], [hx-put], [hx-patch], [hx-delete]";

  // aria-disabled instead of disabled: the focus stays, and the button's own value is sent.
  const buttonsOf = (form) => [...form.elements].filter((element) => element.type === "submit");

  function hold(form, submitter) {
    form.dataset.sent = "";
    buttonsOf(form).forEach((button) => button.setAttribute("aria-disabled", "true"));
    if (submitter && submitter.dataset.busyText) {
      submitter.dataset.idleText = submitter.textContent;
      submitter.dataset.busy = "";
      submitter.textContent = submitter.dataset.busyText;
    }
  }

  function release(form) {
    delete form.dataset.sent;
    buttonsOf(form).forEach((button) => {
      button.removeAttribute("aria-disabled");
      if (button.dataset.idleText === undefined) return;
      button.textContent = button.dataset.idleText;
      delete button.dataset.idleText;
      delete button.dataset.busy;
    });
  }

  // In the capture phase, so that htmx never sees the second submit.
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-submit-once][data-sent]")) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-submit-once]")) return;
    if (event.defaultPrevented && !form.matches(HTMX_FORM)) return;
    hold(form, event.submitter);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target.matches("[data-submit-once]")) release(event.target);
  });

  window.addEventListener("pageshow", () => {
    document.querySelectorAll("[data-submit-once][data-sent]").forEach(release);
  });
})();
