// One tick for all rows of a page, and what is chosen in words. Without script each row has its own.
(() => {
  "use strict";

  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  for (const form of document.querySelectorAll("[data-choose-rows]")) {
    const all = form.querySelector("[data-choose-all]");
    const allBox = all.querySelector("input");
    const line = form.querySelector("[data-choose-count]");
    const unticked = line.textContent;
    const rows = [...form.querySelectorAll("[data-choose]")];

    const tell = () => {
      const chosen = rows.filter((row) => row.checked);
      const attempts = chosen.reduce((sum, row) => sum + Number(row.dataset.choose), 0);
      const words = `${counted(chosen.length, "student")} ticked below, ${counted(attempts, "attempt")}`;
      line.textContent = chosen.length ? words : unticked;
      allBox.checked = chosen.length === rows.length;
      allBox.indeterminate = chosen.length > 0 && !allBox.checked;
    };

    form.addEventListener("change", (event) => {
      if (event.target === allBox) {
        for (const row of rows) row.checked = allBox.checked;
      } else if (event.target.dataset.choose !== undefined && event.target.checked) {
        form.querySelector('[name="who"][value="chosen"]').checked = true;
      }
      tell();
    });
    all.hidden = false;
    tell();
  }
})();
