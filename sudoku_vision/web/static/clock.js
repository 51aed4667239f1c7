// @ts-check
/** The time spent on the open puzzle: it runs while a person sees the puzzle in Solve, until all cells are filled. */
/** @import { Workspace } from "./types.js" */
import { byId } from "./dom.js";
import { offerChoice, settings } from "./settings.js";

/** Return seconds as "1:02:03". @param {number} seconds */
export const timeOf = (seconds) => new Date(1000 * seconds).toISOString().slice(seconds < 3600 ? 14 : 11, 19).replace(/^0/, "");

/** Start the clock, and show the time if the settings say so. @param {Workspace} space */
export function startClock(space) {
  const chip = byId("clock");
  const show = () => {
    const { current: one, mode, solve } = space;
    chip.hidden = !settings.showTime || !one?.seconds || mode !== solve;
    if (one && !chip.hidden) chip.textContent = timeOf(one.seconds);
  };
  setInterval(() => {
    const { current: one, mode, solve } = space;
    const isSeen = !document.hidden && document.body.dataset.view === "work";
    if (one && isSeen && mode === solve && !one.isTyped && one.board.includes("0")) one.seconds += 1;
    show();
  }, 1000);
  offerChoice("settings-time", "showTime", show);
}
