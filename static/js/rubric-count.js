// Says how many statements the list has while it is typed; the server is what judges them.
(() => {
  "use strict";

  const LEAST = 2;
  const MOST = 200;
  const PAUSE = 600; // milliseconds: so that a screen reader is not told at every key

  for (const line of document.querySelectorAll("[data-rubric-count]")) {
    const field = document.getElementById(line.dataset.rubricCount);
    let waiting;

    const tell = () => {
      const statements = field.value.split("\n").filter((one) => one.trim()).length;
      const few = statements && statements < LEAST ? ` At least ${LEAST} are needed.` : "";
      const many = statements > MOST ? ` At most ${MOST} can be taken.` : "";
      const words = statements === 1 ? "1 statement." : `${statements} statements.`;
      line.textContent = statements ? words + few + many : "";
    };

    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(tell, PAUSE);
    });
    tell();
  }
})();
