// @ts-check
/**
 * The paper of a cell without its ink, as output/drawing has it: a plane in each channel, fitted to the pixels
 * that no ink darkens. What is laid over the ink has the light of its place; where there is none it is clear.
 * Plain loops over typed arrays: a page full of pencil marks is covered within one frame of a phone's camera.
 */

/** The numbers of BACKGROUND. Lengths in cells; levels of 255. */
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
  const ink = new Uint8Array(side * side);
  inside.forEach((at, place) => (ink[at] = Number(offsets[place] > least)));
  const cover = softened(withoutLines(ink, placesWithin(side, INSET + LINES), side), side);
  const within = new Uint8Array(side * side);
  for (const at of inside) within[at] = 1;
  for (let at = 0; at < side * side; at += 1) {
    for (let channel = 0; channel < 3; channel += 1)
      pixels[4 * at + channel] = levelAt(planes[channel], at, side);
    pixels[4 * at + 3] = within[at] * 255 * strength * cover[at];
  }
}

/** @param {number} side @param {number} inset @returns {Uint16Array} places of pixels at least so far from the rim */
function placesWithin(side, inset) {
  const from = Math.round(inset * side);
  const length = side - 2 * from;
  const place = (/** @type {number} */ at) => (from + Math.floor(at / length)) * side + from + (at % length);
  return new Uint16Array(length * length).map((_, at) => place(at));
}

/** @param {Plane} plane @param {number} at @param {number} side */
function levelAt(plane, at, side) {
  const half = (side - 1) / 2;
  return plane[0] + plane[1] * ((at % side) - half) + plane[2] * (Math.floor(at / side) - half);
}

/** @param {Uint8ClampedArray} pixels @param {number} side @param {Uint16Array} places @param {Plane[]} planes */
function offsetsOf(pixels, side, places, planes) {
  const offsets = new Float32Array(places.length);
  planes.forEach((plane, channel) => {
    for (let place = 0; place < places.length; place += 1) {
      const at = places[place];
      const offset = Math.abs(pixels[4 * at + channel] - levelAt(plane, at, side));
      if (offset > offsets[place]) offsets[place] = offset;
    }
  });
  return offsets;
}

/** @param {Float32Array} offsets */
const leastInk = (offsets) => Math.max(FAINTEST, GRAINS * SPREAD * median(offsets));

/** @param {Float32Array | Uint16Array} values */
const median = (values) => values.slice().sort()[Math.floor(values.length / 2)] ?? 0;

/**
 * Return the plane that fits some pixels best, by least squares.
 * @param {Uint8ClampedArray} pixels @param {number} side @param {Uint16Array} places @param {number} channel
 * @returns {Plane}
 */
function fittedPlane(pixels, side, places, channel) {
  const half = (side - 1) / 2;
  const count = places.length || 1;
  let [mx, my, ml, xx, xy, yy, xl, yl] = new Float64Array(8);
  for (const at of places) {
    const x = (at % side) - half;
    const y = Math.floor(at / side) - half;
    const level = pixels[4 * at + channel];
    mx += x / count;
    my += y / count;
    ml += level / count;
    xx += (x * x) / count;
    xy += (x * y) / count;
    yy += (y * y) / count;
    xl += (x * level) / count;
    yl += (y * level) / count;
  }
  [xx, xy, yy, xl, yl] = [xx - mx * mx, xy - mx * my, yy - my * my, xl - mx * ml, yl - my * ml];
  const area = xx * yy - xy * xy;
  if (area < 1e-6) return [ml, 0, 0];
  const [right, down] = [(xl * yy - yl * xy) / area, (yl * xx - xl * xy) / area];
  return [ml - right * mx - down * my, right, down];
}

/**
 * Return ink that reaches the inner pixels, without what is long and lies outside them: edges of lines.
 * @param {Uint8Array} ink @param {Uint16Array} inner @param {number} side
 */
function withoutLines(ink, inner, side) {
  const outer = ink.slice();
  for (const at of inner) outer[at] = 0;
  for (let at = outer.indexOf(1); at >= 0; at = outer.indexOf(1, at)) {
    const part = taken(outer, at, side);
    const spans = [part.map((one) => one % side), part.map((one) => Math.floor(one / side))].map(
      (places) => Math.max(...places) - Math.min(...places) + 1,
    );
    if (Math.max(...spans) > LONG * side) for (const one of part) ink[one] = 0;
  }
  const left = new Float32Array(side * side);
  for (const at of inner) if (ink[at]) for (const one of taken(ink, at, side)) left[one] = 1;
  return left;
}

/**
 * Take the ink away that hangs together with a pixel, and return its places.
 * @param {Uint8Array} ink @param {number} start @param {number} side @returns {number[]}
 */
function taken(ink, start, side) {
  const part = [start];
  ink[start] = 0;
  for (let place = 0; place < part.length; place += 1) {
    for (let down = -side; down <= side; down += side) {
      for (let next = part[place] + down - 1; next <= part[place] + down + 1; next += 1) {
        if (ink[next]) part.push(next);
        ink[next] = 0;
      }
    }
  }
  return part;
}

/**
 * Return how much of each pixel is covered, 0..1: ink and what it smears into, with a soft edge.
 * @param {Float32Array} ink @param {number} side
 */
function softened(ink, side) {
  const reach = Math.max(1, Math.round(SMEARED * side));
  let now = ink;
  for (const [widening, step] of /** @type {[boolean, number][]} */ ([
    [true, 1],
    [true, side],
    [false, 1],
    [false, side],
  ])) {
    now = now.map((_, at, before) => {
      const place = Math.floor(at / step) % side;
      const from = Math.max(-reach, -place);
      const to = Math.min(reach, side - 1 - place);
      let most = 0;
      let sum = 0;
      for (let by = from; by <= to; by += 1) {
        const value = before[at + by * step];
        most = Math.max(most, value);
        sum += value;
      }
      return widening ? most : sum / (to - from + 1);
    });
  }
  return now;
}
