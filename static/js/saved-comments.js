// Saved comments: “/key” and Tab in a comment becomes the words that are saved under the key; the
// list beside the field inserts them too.
(() => {
  "use strict";

  function insert(field, text, from) {
    field.setRangeText(text, from, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const listOf = (field) => document.querySelector(`[data-saved-comments="${field.id}"]`);

  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Tab" || event.shiftKey || !field.matches("[data-comment]")) return;
    const typed = field.value.slice(0, field.selectionStart).match(/(?:^|\s)\/([\p{L}\p{N}-]+)$/u);
    const list = typed && listOf(field);
    const saved = list && [...list.options].find(({ dataset }) => dataset.key === typed[1].toLowerCase());
    if (!saved) return;
    event.preventDefault();
    insert(field, saved.value, field.selectionStart - typed[1].length - 1);
  });

  document.addEventListener("change", (event) => {
    const list = event.target;
    if (!list.matches("[data-saved-comments]") || !list.value) return;
    const field = document.getElementById(list.dataset.savedComments);
    const gap = field.value && !/\s$/.test(field.value) ? " " : "";
    field.selectionStart = field.selectionEnd = field.value.length;
    insert(field, gap + list.value, field.selectionStart);
    list.value = "";
    field.focus();
  });
})();
