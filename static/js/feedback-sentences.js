// The signs behind a sentence are a link to a page with its ideas beside the text. Here they come
// without loading the page, a click on the words brings them as well, and keys work while the focus
// is in the text or beside it: n and → next, p and ← previous, Escape closes.
(() => {
  "use strict";

  const scope = document.querySelector("[data-sentences]");
  const panel = document.getElementById("chosen");
  if (!scope || !panel) return;

  const AIR = 16;
  const narrow = window.matchMedia("(max-width: 899px)");
  const KEYS = { n: "n", ArrowRight: "n", p: "p", ArrowLeft: "p" };

  const shown = () => panel.firstElementChild;
  const sentence = () => shown() && document.getElementById(`s${shown().dataset.shown}`);
  const isChoice = (link) => link.search.includes("sentence=") && link.pathname === location.pathname;

  function bringIntoView(words) {
    const box = words.getBoundingClientRect();
    const foot = narrow.matches ? shown().getBoundingClientRect().top : window.innerHeight;
    if (box.top >= AIR && box.bottom <= foot - AIR) return;
    window.scrollBy({ top: box.top - Math.max(AIR, (foot - box.height) / 2), behavior: "instant" });
  }

  function update() {
    scope.querySelectorAll(".is-chosen").forEach((other) => other.classList.remove("is-chosen"));
    const lit = [...panel.querySelectorAll("[data-lit]")].map((card) => card.dataset.lit);
    window.pyrevalLight(lit);
    if (!sentence()) return;
    sentence().classList.add("is-chosen");
    shown().focus({ preventScroll: true });
    bringIntoView(sentence());
  }

  function choose(link) {
    const address = link.getAttribute("href").split("#")[0];
    window.htmx.ajax("GET", address, { target: panel, swap: "innerHTML" }).then(() => {
      window.history.replaceState(null, "", link.href);
      update();
    });
  }

  function close() {
    const words = sentence();
    if (!words) return;
    const { href } = panel.querySelector("[data-close]");
    panel.replaceChildren();
    update();
    window.history.replaceState(null, "", href.split("#")[0]);
    words.querySelector(".match-label[href]").focus({ preventScroll: true });
  }

  scope.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
    const words = event.target.closest("[data-sentence]");
    const own = words && window.getSelection().isCollapsed && words.querySelector(".match-label[href]");
    const link = event.target.closest("a") || own;
    if (!link) return;
    const closes = "close" in link.dataset;
    if (!closes && !isChoice(link)) return;
    event.preventDefault();
    if (closes) close();
    else choose(link);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const way = KEYS[event.key];
    if (!way || !scope.contains(document.activeElement)) return;
    const first = scope.querySelector(".match-label[href]");
    const link = shown() ? panel.querySelector(`[data-go=${way}]`) : first;
    if (!link || !isChoice(link)) return;
    event.preventDefault();
    choose(link);
  });

  if (shown()) update();
})();
