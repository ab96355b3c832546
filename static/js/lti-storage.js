// The storage of an LMS, by messages between frames: what a browser that blocks cookies in frames
// shall remember of a launch. Only messages of the LMS's own origin are believed.
// [data-lti-put] keeps data-value under data-name, and goes on to data-next.
// form[data-lti-get] is shown once the storage gives data-value again.
(() => {
  "use strict";

  const PATIENCE = 2000; // ms; an LMS that does not answer has no storage
  let messages = 0;

  const frameOf = (name) => {
    const around = window.opener || window.parent;
    if (name === "_parent") return around;
    try {
      return around.frames[name] || around;
    } catch {
      return around;
    }
  };

  function ask(element, subject, extra) {
    const { target, origin, name } = element.dataset;
    const id = `pyreval-${Date.now()}-${messages += 1}`;
    return new Promise((resolve) => {
      const finish = (value) => {
        window.removeEventListener("message", hear);
        window.clearTimeout(timer);
        resolve(value);
      };
      const hear = (event) => {
        const data = event.data;
        if (event.origin !== origin || !data || data.message_id !== id) return;
        if (data.subject === `${subject}.response`) finish(data.error ? null : data.value);
      };
      const timer = window.setTimeout(() => finish(null), PATIENCE);
      window.addEventListener("message", hear);
      frameOf(target).postMessage({ subject, message_id: id, key: name, ...extra }, origin);
    });
  }

  async function put(element) {
    await ask(element, "lti.put_data", { value: element.dataset.value });
    window.location.replace(element.dataset.next);
  }

  async function get(form) {
    const stored = await ask(form, "lti.get_data", {});
    document.querySelector("[data-lti-waiting]").hidden = true;
    const isOurs = stored === form.dataset.value;
    form.elements.stored.value = isOurs ? stored : "";
    form.hidden = !isOurs;
    document.querySelector("[data-lti-failed]").hidden = isOurs;
  }

  document.querySelectorAll("[data-lti-put]").forEach(put);
  document.querySelectorAll("form[data-lti-get]").forEach(get);
})();
