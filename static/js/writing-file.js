// <input type="file" data-largest="bytes">: a file that is too large is refused before it is sent.
(() => {
  "use strict";

  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!input.matches("input[type=file][data-largest]")) return;
    const said = input.closest(".field").querySelector("[data-file-refused]");
    const file = input.files[0];
    const isTooLarge = Boolean(file) && file.size > Number(input.dataset.largest);
    said.hidden = !isTooLarge;
    said.textContent = "";
    if (!isTooLarge) return;
    const size = (file.size / 1e6).toFixed(1);
    const most = Math.floor(Number(input.dataset.largest) / 1e6);
    said.textContent = `“${file.name}” has ${size} MB; at most ${most} MB can be read.`;
    input.value = "";
  });
})();
