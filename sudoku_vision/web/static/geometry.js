// @ts-check
/** Plane geometry of a grid in a photo: homographies of its cells, and places of its lattice. */

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Crossings} Crossings */
/** @typedef {[number, number, number, number, number, number, number, number]} Homography
 *  Of the matrix [[a, b, c], [d, e, f], [g, h, 1]] the first eight numbers. */
/** @typedef {[number, number, number, number, number, number]} Affine As in SVG's matrix(a b c d e f). */

/**
 * Return the homography that takes the unit square to four corners, clockwise from its top left.
 * (P. Heckbert, Fundamentals of Texture Mapping, 1989.)
 * @param {Point[]} corners @returns {Homography}
 */
export function homographyOfSquare([p, q, r, s]) {
  const [sx, sy] = [p[0] - q[0] + r[0] - s[0], p[1] - q[1] + r[1] - s[1]];
  const [ax, ay] = [q[0] - r[0], q[1] - r[1]];
  const [bx, by] = [s[0] - r[0], s[1] - r[1]];
  const across = ax * by - bx * ay || 1e-9;
  const g = (sx * by - bx * sy) / across;
  const h = (ax * sy - sx * ay) / across;
  return [
    q[0] - p[0] + g * q[0],
    s[0] - p[0] + h * s[0],
    p[0],
    q[1] - p[1] + g * q[1],
    s[1] - p[1] + h * s[1],
    p[1],
    g,
    h,
  ];
}

/** Map a point through a homography. @param {Homography} m @param {Point} point @returns {Point} */
export function project([a, b, c, d, e, f, g, h], [x, y]) {
  const depth = g * x + h * y + 1;
  return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
}

/**
 * Return the affine map that touches a homography at a point of the unit square.
 * @param {Homography} m @param {Point} point @returns {Affine}
 */
export function affineAt(m, [x, y]) {
  const [a, b, , d, e, , g, h] = m;
  const depth = g * x + h * y + 1;
  const [px, py] = project(m, [x, y]);
  const [xx, xy] = [(a - px * g) / depth, (b - px * h) / depth];
  const [yx, yy] = [(d - py * g) / depth, (e - py * h) / depth];
  return [xx, yx, xy, yy, px - xx * x - xy * y, py - yx * x - yy * y];
}

/** Map a point back through an affine map. @param {Affine} m @param {Point} point @returns {Point} */
export function affineBack([a, b, c, d, e, f], [x, y]) {
  const area = a * d - b * c || 1e-9;
  return [(d * (x - e) - c * (y - f)) / area, (a * (y - f) - b * (x - e)) / area];
}

/** Return the affine map of the unit square to a cell: within one cell perspective hardly shows. @param {Crossings} crossings @param {number} cell */
export const cellAffine = (crossings, cell) =>
  affineAt(homographyOfSquare(cellCorners(crossings, cell)), [0.5, 0.5]);

/**
 * Return the corners of a cell, clockwise from its top left.
 * @param {Crossings} crossings @param {number} cell @returns {Point[]}
 */
export function cellCorners(crossings, cell) {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  return [
    crossings[row][column],
    crossings[row][column + 1],
    crossings[row + 1][column + 1],
    crossings[row + 1][column],
  ];
}

/**
 * Return the ends of a border, by its number as `borderBetween` has it.
 * @param {Crossings} crossings @param {number} border @returns {Point[]}
 */
export function borderEnds(crossings, border) {
  const [, right, end, below] = cellCorners(crossings, Math.floor(border / 10));
  return [border % 10 > 1 ? below : right, end];
}

/** Return the four outer corners of a grid. @param {Crossings} crossings @returns {Point[]} */
export function gridCorners(crossings) {
  return [crossings[0][0], crossings[0][9], crossings[9][9], crossings[9][0]];
}

/** Return the border of a grid, bends included. @param {Crossings} crossings @returns {Point[]} */
export function gridBorder(crossings) {
  const right = crossings.map((row) => row[9]);
  const left = crossings.map((row) => row[0]);
  return [
    ...crossings[0].slice(0, 9),
    ...right.slice(0, 9),
    ...crossings[9].slice(1).reverse(),
    ...left.slice(1).reverse(),
  ];
}

/**
 * Return where a place in lattice units lies in the photo, by the homography of its own cell.
 * @param {Crossings} crossings @param {Point} place @returns {Point}
 */
export function latticePoint(crossings, [u, v]) {
  const column = Math.min(8, Math.max(0, Math.floor(u)));
  const row = Math.min(8, Math.max(0, Math.floor(v)));
  const corners = cellCorners(crossings, 9 * row + column);
  return project(homographyOfSquare(corners), [u - column, v - row]);
}

/**
 * Return the crossings of a flat grid with four given corners.
 * @param {Point[]} corners @returns {Crossings}
 */
export function flatCrossings(corners) {
  const m = homographyOfSquare(corners);
  const lines = Array.from({ length: 10 }, (_, i) => i / 9);
  return lines.map((v) => lines.map((u) => project(m, [u, v])));
}

/** Tell whether a point lies within an outline. @param {Point[]} outline @param {Point} point */
export function isInside(outline, [x, y]) {
  let inside = false;
  outline.forEach(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length];
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
  });
  return inside;
}

/**
 * Return the cell that a point of the photo lies in, -1 for none.
 * @param {Crossings} crossings @param {Point} point
 */
export function cellAt(crossings, point) {
  for (let cell = 0; cell < 81; cell += 1) {
    if (isInside(cellCorners(crossings, cell), point)) return cell;
  }
  return -1;
}

/** Return the side of the square that has the area of an outline. @param {Point[]} outline */
export function meanSide(outline) {
  const doubled = outline.reduce((sum, [ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length];
    return sum + ax * by - bx * ay;
  }, 0);
  return Math.sqrt(Math.abs(doubled) / 2);
}

/**
 * Tell whether four corners are convex, run clockwise as seen, and leave room for cells.
 * @param {Point[]} corners
 */
export function isProperQuad(corners) {
  return (
    meanSide(corners) > 20 &&
    corners.every(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % 4];
      const [cx, cy] = corners[(i + 2) % 4];
      return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0;
    })
  );
}
