// @ts-check
/** What a person takes away: the picture as a file, shared or on paper, the board as text, and links. */
/** @import { Workspace } from "./types.js" */
import { askBoard } from "./api.js";
import { buttonById, byId, inputById, jpegOf, make, say } from "./dom.js";
import { addressOf, LAYERS } from "./draw.js";
import { t } from "./language.js";
import { fail } from "./views.js";

const QUALITY = 0.92;
const FILE_NAME = "sudoku.jpg";
/** Pixels: some browsers paint no larger canvas. */
const MAX_CANVAS = 16_000_000;

/** Return the photo with its drawings, as large as the file that a person chose. @param {Workspace} space */
async function paintPicture({ photo: { image: shown, size }, session }) {
  const original = session?.original;
  const image = (original && (await createImageBitmap(original).catch(() => null))) ?? shown;
  const [width, height] = image === shown ? size : [image.width, image.height];
  const canvas = document.createElement("canvas");
  const scale = Math.min(1, Math.sqrt(MAX_CANVAS / (width * height)));
  [canvas.width, canvas.height] = [width, height].map((side) => Math.round(side * scale));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  for (const name of LAYERS) {
    const drawing = byId(`layer-${name}`);
    if (!drawing.childElementCount) continue;
    const layer = new Image();
    layer.src = addressOf(drawing, size);
    await layer.decode();
    pen.globalCompositeOperation = name === "multiply" || name === "screen" ? name : "source-over";
    pen.drawImage(layer, 0, 0, canvas.width, canvas.height);
  }
  const blob = await jpegOf(canvas, QUALITY);
  if (!blob) throw new Error("no picture");
  return blob;
}

export class TakeAway {
  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("save-picture").addEventListener("click", () => this.#try(() => this.#save()));
    buttonById("share-picture").addEventListener("click", () => this.#try(() => this.#share()));
    buttonById("copy-board").addEventListener("click", () => this.#copy());
    buttonById("print-picture").addEventListener("click", () => window.print());
    byId("sites").addEventListener("toggle", () => this.#try(() => this.#link()));
    const picture = new File([""], FILE_NAME, { type: "image/jpeg" });
    buttonById("share-picture").hidden = !navigator.canShare?.({ files: [picture] });
  }

  /** Forget the links of the board before. */
  begin() {
    /** @type {HTMLDetailsElement} */ (byId("sites")).open = false;
    byId("site-list").replaceChildren();
    byId("board-digits-field").hidden = true;
  }

  /** @param {() => Promise<void>} act */
  async #try(act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) fail(error);
    }
  }

  async #save() {
    const address = URL.createObjectURL(await paintPicture(this.space));
    const link = /** @type {HTMLAnchorElement} */ (make("a", { href: address, download: FILE_NAME }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    say(t("away.saved"));
  }

  async #share() {
    const file = new File([await paintPicture(this.space)], FILE_NAME, { type: "image/jpeg" });
    await navigator.share({ files: [file], title: t("title") });
  }

  async #copy() {
    const board = this.space.current?.grid.puzzle ?? "";
    try {
      await navigator.clipboard.writeText(board);
      say(t("away.copied"));
    } catch {
      // Pages over plain http from another machine have no clipboard: show the text instead.
      const digits = inputById("board-digits");
      byId("board-digits-field").hidden = false;
      digits.value = board;
      digits.select();
      say(t("away.notCopied"));
    }
  }

  async #link() {
    const { current: one } = this.space;
    const { open } = /** @type {HTMLDetailsElement} */ (byId("sites"));
    if (!one || !open) return;
    const { links } = await askBoard(one.grid.puzzle, "links", one.rules);
    const items = Object.entries(links).map(([site, address]) => {
      const set = { href: String(address), target: "_blank", rel: "noopener noreferrer" };
      return make("li", {}, make("a", set, t("away.open", { site })));
    });
    byId("site-list").replaceChildren(...items);
  }
}
