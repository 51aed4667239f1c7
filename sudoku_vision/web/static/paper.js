// @ts-check
/**
 * The paper of a cell without its ink, as overlay/paper.py has it: a plane in each channel, fitted to the pixels
 * that no ink darkens. What is laid over the ink has the light of its place; where there is none it is clear.
 */

/** The numbers of overlay/paper.py. Lengths in cells; levels of 255. */
const INSET = 0.05;
const LINES = 0.06;
const LONG = 0.3;
const SMEARED = 0.03;
const FAINTEST = 6;
const GRAINS = 3;
const SPREAD = 1.48;
const ROUNDS = 3;

/** @typedef {[number, number, number]} Plane level in the middle, and what is added to the right and down */

/**
 * Turn the pixels of a cell, RGBA and set straight, into the paper that covers its ink, in place.
 * @param {Uint8ClampedArray} pixels side * side of them @param {number} side @param {number} strength 0..1
 */
export function coverInk(pixels, side, strength) {
  const inside = placesWithin(side, INSET);
  let planes = [0, 1, 2].map(
    (channel) => /** @type {Plane} */ ([median(inside.map((at) => pixels[4 * at + channel])), 0, 0]),
  );
  let offsets = offsetsOf(pixels, side, inside, planes);
  for (let round = 0; round < ROUNDS; round += 1) {
    const least = leastInk(offsets);
    const blank = inside.filter((_, place) => offsets[place] <= least);
    planes = [0, 1, 2].map((channel) => fittedPlane(pixels, side, blank, channel));
    offsets = offsetsOf(pixels, side, inside, planes);
  }
  const least = leastInk(offsets);
  const ink = new Set(inside.filter((_, place) => offsets[place] > least));
  const inner = placesWithin(side, INSET + LINES);
  const cover = softened(reachedFrom(withoutLines(ink, new Set(inner), side), inner, side), side);
  const within = new Set(inside);
  for (let at = 0; at < side * side; at += 1) {
    planes.forEach((plane, channel) => (pixels[4 * at + channel] = levelAt(plane, at, side)));
    pixels[4 * at + 3] = within.has(at) ? 255 * strength * cover[at] : 0;
  }
}

/** @param {number} side @param {number} inset @returns {number[]} places of pixels at least so far from the rim */
function placesWithin(side, inset) {
  const from = Math.round(inset * side);
  const line = Array.from({ length: side - 2 * from }, (_, at) => from + at);
  return line.flatMap((y) => line.map((x) => y * side + x));
}

/** @param {Plane} plane @param {number} at @param {number} side */
function levelAt([middle, right, down], at, side) {
  const half = (side - 1) / 2;
  return middle + right * ((at % side) - half) + down * (Math.floor(at / side) - half);
}

/** @param {Uint8ClampedArray} pixels @param {number} side @param {number[]} places @param {Plane[]} planes */
const offsetsOf = (pixels, side, places, planes) =>
  places.map((at) =>
    Math.max(
      ...planes.map((plane, channel) => Math.abs(pixels[4 * at + channel] - levelAt(plane, at, side))),
    ),
  );

/** @param {number[]} offsets */
const leastInk = (offsets) => Math.max(FAINTEST, GRAINS * SPREAD * median(offsets));

/** @param {number[]} values */
function median(values) {
  const sorted = Float32Array.from(values).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * Return the plane that fits some pixels best, by least squares.
 * @param {Uint8ClampedArray} pixels @param {number} side @param {number[]} places @param {number} channel
 * @returns {Plane}
 */
function fittedPlane(pixels, side, places, channel) {
  const half = (side - 1) / 2;
  const count = places.length || 1;
  const x = places.map((at) => (at % side) - half);
  const y = places.map((at) => Math.floor(at / side) - half);
  const levels = places.map((at) => pixels[4 * at + channel]);
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / count;
  const [mx, my, ml] = [mean(x), mean(y), mean(levels)];
  const about = (
    /** @type {number[]} */ one,
    /** @type {number} */ m,
    /** @type {number[]} */ other,
    /** @type {number} */ n,
  ) => mean(one.map((value, at) => (value - m) * (other[at] - n)));
  const [xx, xy, yy] = [about(x, mx, x, mx), about(x, mx, y, my), about(y, my, y, my)];
  const [xl, yl] = [about(x, mx, levels, ml), about(y, my, levels, ml)];
  const area = xx * yy - xy * xy;
  if (area < 1e-6) return [ml, 0, 0];
  const [right, down] = [(xl * yy - yl * xy) / area, (yl * xx - xl * xy) / area];
  return [ml - right * mx - down * my, right, down];
}

/**
 * Return ink without what is long and lies outside the inner pixels: edges of lines.
 * @param {Set<number>} ink @param {Set<number>} inner @param {number} side
 */
function withoutLines(ink, inner, side) {
  const outer = new Set([...ink].filter((at) => !inner.has(at)));
  const left = new Set(ink);
  while (outer.size) {
    const part = [...reachedFrom(outer, outer, side, 1)];
    const spans = [part.map((at) => at % side), part.map((at) => Math.floor(at / side))].map(
      (places) => Math.max(...places) - Math.min(...places) + 1,
    );
    for (const at of part) {
      outer.delete(at);
      if (Math.max(...spans) > LONG * side) left.delete(at);
    }
  }
  return left;
}

/**
 * Return the pixels of ink that hang together with some of *seeds*, or with the first *most* of them.
 * @param {Set<number>} ink @param {Iterable<number>} seeds @param {number} side @param {number} [most]
 */
function reachedFrom(ink, seeds, side, most = Infinity) {
  const open = [...seeds].filter((at) => ink.has(at)).slice(0, most);
  const reached = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const down of [-side, 0, side]) {
      for (const right of [-1, 0, 1]) {
        const next = at + down + right;
        if (ink.has(next) && !reached.has(next)) {
          reached.add(next);
          open.push(next);
        }
      }
    }
  }
  return reached;
}

/**
 * Return how much of each pixel is covered, 0..1: ink and what it smears into, with a soft edge.
 * @param {Set<number>} ink @param {number} side
 */
function softened(ink, side) {
  const reach = Math.max(1, Math.round(SMEARED * side));
  /** @type {Float32Array} */
  let wide = new Float32Array(side * side);
  for (const at of ink) wide[at] = 1;
  wide = alongBoth(wide, side, (window) => Math.max(...window), reach);
  return alongBoth(wide, side, (window) => window.reduce((sum, one) => sum + one, 0) / window.length, reach);
}

/**
 * Put in place of each value what comes of those up to *reach* beside it, along rows and then along columns.
 * @param {Float32Array} values @param {number} side @param {(window: number[]) => number} take @param {number} reach
 */
function alongBoth(values, side, take, reach) {
  let now = values;
  for (const step of [1, side]) {
    const before = now;
    now = before.map((_, at) => {
      const place = Math.floor(at / step) % side;
      const window = [];
      for (let by = -Math.min(reach, place); by <= Math.min(reach, side - 1 - place); by += 1) {
        window.push(before[at + by * step]);
      }
      return take(window);
    });
  }
  return now;
}
