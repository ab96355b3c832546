// Which text is shown, texts as tabs or columns, words on the cards, suggestions, and on phones
// which pane. What was chosen is remembered in the browser.
(() => {
  "use strict";

  const editor = window.pyrevalEditor;
  const VIEWS = { words: "shows-words", columns: "shows-columns", suggestions: "shows-suggestions" };
  const WIDE = window.matchMedia("(min-width: 1200px)");

  function showText(number) {
    const wanted = String(number);
    editor.root.querySelectorAll("[data-text-panel]").forEach((panel) => {
      panel.classList.toggle("is-current", panel.dataset.textPanel === wanted);
    });
    editor.root.querySelectorAll("[data-text-tab]").forEach((tab) => {
      if (tab.dataset.textTab === wanted) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    });
    if (!editor.root.classList.contains(VIEWS.columns)) return;
    document.getElementById(`panel-${wanted}`).scrollIntoView({ block: "nearest" });
  }

  function setView(name, isOn) {
    editor.root.classList.toggle(VIEWS[name], isOn);
    document.getElementById(`toggle-${name}`).setAttribute("aria-pressed", String(isOn));
    editor.remember(name, isOn ? "on" : "off");
  }

  function showPane(name) {
    editor.root.dataset.pane = name;
    editor.root.querySelectorAll("[data-show-pane]").forEach((button) => {
      if (button.dataset.showPane === name) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  editor.panes = {
    showText,
    showPane,
    // A text, and on a phone its pane, comes into view.
    reveal: (text) => {
      showText(text.dataset.text);
      if (editor.root.dataset.pane !== "texts") showPane("texts");
    },
    isPhone: () => window.getComputedStyle(document.querySelector(".pane-switch")).display !== "none",
  };

  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-text-tab]");
    const toggle = event.target.closest("[data-toggle-view]");
    const pane = event.target.closest("[data-show-pane]");
    if (tab) showText(tab.dataset.textTab);
    if (toggle) setView(toggle.dataset.toggleView, toggle.getAttribute("aria-pressed") !== "true");
    if (pane) showPane(pane.dataset.showPane);
    if (pane) editor.root.scrollIntoView(); // not where the pane before was scrolled to
  });

  editor.root.classList.add("is-scripted");
  showPane("ideas");
  ["words", "columns"].forEach((name) => setView(name, editor.remembered(name) === "on"));
  const kept = editor.remembered("suggestions");
  setView("suggestions", kept ? kept === "on" : WIDE.matches);
})();
