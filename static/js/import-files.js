// Work in bulk: what is too large is refused before it is sent, and a folder keeps its ways.
(() => {
  "use strict";

  const form = document.querySelector("[data-import-files]");
  if (!form) return;
  const inputs = [...form.querySelectorAll("input[type=file]")];
  const limits = form.querySelector("[data-largest-whole]").dataset;
  const ways = form.querySelector("[data-paths]");
  const said = form.querySelector("[data-files-refused]");
  const button = form.querySelector("button");

  const refusal = (files) => {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const most = Number(limits.mostFiles);
    if (files.length > most) {
      return `You chose ${files.length} files; at most ${most} can be sent at once. Zip them first.`;
    }
    if (size <= Number(limits.largestWhole)) return "";
    return `You chose ${(size / 1e6).toFixed(1)} MB; at most 50 MB can be sent at once. Send them in parts.`;
  };

  form.addEventListener("change", () => {
    const why = refusal(inputs.flatMap((input) => [...input.files]));
    said.hidden = !why;
    said.textContent = why;
    button.disabled = Boolean(why);
    const folder = inputs.find((input) => input.dataset.folder !== undefined);
    ways.value = [...folder.files].map((file) => file.webkitRelativePath).join("\n");
  });
})();
