// @ts-check
/** How difficult a puzzle is, told beside what became of it. */
import { askBoard } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./language.js";

/** Tell how difficult the puzzle in hand is, where it is a proper one. @param {import("./workspace.js").Workspace} space */
export async function tellRating(space) {
  const chip = byId("rating");
  const grid = space.current?.grid;
  const puzzle = grid?.puzzle ?? "";
  const key = `${document.documentElement.lang} ${puzzle}`;
  if (chip.dataset.told === key && !chip.hidden) return;
  chip.hidden = true;
  if (!grid?.solution || grid.status === "many_solutions") return;
  const rating = await askBoard(puzzle, "rate").catch(() => null);
  if (!rating?.difficulty || space.current?.grid.puzzle !== puzzle) return;
  chip.textContent = t("rated", { difficulty: t(`difficulty.${rating.difficulty}`) });
  chip.dataset.told = key;
  chip.hidden = false;
}
