// Ticks of next steps are kept in this browser, by submission and by what the step says: a step that
// says something else after a new score is not done. Only a number is kept, not the sentence.
(() => {
  "use strict";

  const list = document.querySelector("[data-steps]");
  if (!list) return;

  const key = `pyreval-steps-${list.dataset.steps}`;
  const boxes = [...list.querySelectorAll("input[type=checkbox]")];

  function numberOf(box) {
    let number = 0;
    for (const letter of box.labels[0].textContent) {
      number = (Math.imul(number, 31) + letter.codePointAt(0)) | 0;
    }
    return String(number);
  }

  function kept() {
    try {
      return (window.localStorage.getItem(key) || "").split(" ");
    } catch {
      return []; // Private windows may have no storage: ticks last as long as the page.
    }
  }

  function keep() {
    const done = boxes.filter((box) => box.checked).map(numberOf);
    try {
      if (done.length) window.localStorage.setItem(key, done.join(" "));
      else window.localStorage.removeItem(key);
    } catch {
      // As above.
    }
  }

  const done = kept();
  boxes.forEach((box) => { box.checked = done.includes(numberOf(box)); });
  list.addEventListener("change", keep);
})();
