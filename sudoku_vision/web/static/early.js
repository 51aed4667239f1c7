/**
 * This script runs before the browser first paints the page; modules would run later. It chooses light or dark colours,
 * leaves room for the list of kept puzzles, and asks for the texts. If a person taps a button before the page is ready, main.js
 * clicks this button later.
 */
(() => {
  const root = document.documentElement;
  const night = matchMedia("(prefers-color-scheme: dark)");
  const stored = (/** @type {string} */ key) => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null");
    } catch {
      return null;
    }
  };
  const paint = () => {
    const theme = stored("sudoku-vision")?.theme || (night.matches ? "dark" : "light");
    root.dataset.theme = theme;
    const colour = theme === "dark" ? "#101318" : "#f1f3f6";
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", colour);
  };
  paint();
  night.addEventListener("change", paint);
  for (const name of ["storage", "settings"]) addEventListener(name, paint);
  root.toggleAttribute("data-kept", Boolean(stored("sudoku-vision-grids")));
  const code = stored("sudoku-vision")?.language || root.lang;
  const texts = fetch(`/texts/${code}.json`).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)));
  texts.catch(() => {}); // after a failure, the page asks for the texts again
  const early = { code, texts, tapped: /** @type {HTMLElement | null} */ (null) };
  Object.assign(window, { early });
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && !document.body.dataset.ready) early.tapped = target.closest("button");
  });
})();
