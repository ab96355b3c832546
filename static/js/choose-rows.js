// One tick for all rows of a page, and what is chosen in words. Without script each row has its own.
(() => {
  "use strict";

  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  for (const form of document.querySelectorAll("[data-choose-rows]")) {
    const all = form.querySelector("[data-choose-all]");
    const allBox = all.querySelector("input");
    const line = form.querySelector("[data-choose-count]");
    const [one, part] = line.dataset.chooseCount.split(" ");
    const unticked = line.textContent;
    const rows = [...form.querySelectorAll("[data-choose]")];

    const tell = () => {
      const chosen = rows.filter((row) => row.checked);
      const parts = chosen.reduce((sum, row) => sum + Number(row.dataset.choose), 0);
      const words = `${counted(chosen.length, one)} ticked below${part ? `, ${counted(parts, part)}` : ""}`;
      line.textContent = chosen.length ? words : unticked;
      allBox.checked = chosen.length === rows.length;
      allBox.indeterminate = chosen.length > 0 && !allBox.checked;
    };

    form.addEventListener("change", (event) => {
      if (event.target === allBox) {
        for (const row of rows) row.checked = allBox.checked;
      } else if (event.target.dataset.choose !== undefined && event.target.checked) {
        const who = form.querySelector('[name="who"][value="chosen"]');
        if (who) who.checked = true;
      }
      tell();
    });
    all.hidden = false;
    tell();
  }
})();
