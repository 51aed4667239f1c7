/** Geometry of a grid in a photo: its cells, outline and corners. */
/**
 * Return an affine map from the unit square to a cell. It is exact enough: in a single cell, perspective is hardly visible.
 * @param {Crossings} crossings @param {number} cell @returns {Affine}
 */
export function cellAffine(crossings, cell) {
  const [p, q, r, s] = cellCorners(crossings, cell);
  const [a, b] = [0, 1].map((axis) => (q[axis] - p[axis] + r[axis] - s[axis]) / 2);
  const [c, d] = [0, 1].map((axis) => (s[axis] - p[axis] + r[axis] - q[axis]) / 2);
  const [x, y] = [0, 1].map((axis) => (p[axis] + q[axis] + r[axis] + s[axis]) / 4);
  return [a, b, c, d, x - (a + c) / 2, y - (b + d) / 2];
}

/** Return the corners of a cell, clockwise from its top left. @param {Crossings} crossings @param {number} cell @returns {Point[]} */
export function cellCorners(crossings, cell) {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  const [above, below] = [crossings[row], crossings[row + 1]];
  return [above[column], above[column + 1], below[column + 1], below[column]];
}

/** Return the corners of a grid, clockwise from its top left. @param {Crossings} crossings @returns {Point[]} */
export const gridCorners = (crossings) => [crossings[0][0], crossings[0][9], crossings[9][9], crossings[9][0]];

/** Return the outline of a grid. It runs through all 36 outer crossings, because paper may be bent. @param {Crossings} crossings @returns {Point[]} */
export function gridBorder(crossings) {
  const [left, right] = [0, 9].map((column) => crossings.map((row) => row[column]));
  return [crossings[0].slice(0, 9), right.slice(0, 9), crossings[9].slice(1).reverse(), left.slice(1).reverse()].flat();
}

/**
 * Return the crossings of a grid on flat paper, from the homography that maps the unit square to the grid's corners
 * (P. Heckbert, Fundamentals of Texture Mapping, 1989).
 * @param {Point[]} corners clockwise from the grid's top left @returns {Crossings}
 */
export function flatCrossings([p, q, r, s]) {
  const [sx, sy] = [p[0] - q[0] + r[0] - s[0], p[1] - q[1] + r[1] - s[1]];
  const [ax, ay] = [q[0] - r[0], q[1] - r[1]];
  const [bx, by] = [s[0] - r[0], s[1] - r[1]];
  const across = ax * by - bx * ay || 1e-9;
  const g = (sx * by - bx * sy) / across;
  const h = (ax * sy - sx * ay) / across;
  /** @type {(u: number, v: number) => Point} */
  const seen = (u, v) => {
    const depth = g * u + h * v + 1;
    const along = (/** @type {number} */ axis) =>
      ((q[axis] - p[axis] + g * q[axis]) * u + (s[axis] - p[axis] + h * s[axis]) * v + p[axis]) / depth;
    return [along(0), along(1)];
  };
  const lines = Array.from({ length: 10 }, (_, i) => i / 9);
  return lines.map((v) => lines.map((u) => seen(u, v)));
}

/** Return the side of a square that has the same area as an outline. @param {Point[]} outline */
export function meanSide(outline) {
  const doubled = outline.reduce((sum, [ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length];
    return sum + ax * by - bx * ay;
  }, 0);
  return Math.sqrt(Math.abs(doubled) / 2);
}

/** Return whether corners form a convex shape that runs clockwise and is large enough to be read. @param {Point[]} corners */
export const isProperQuad = (corners) =>
  meanSide(corners) > 20 &&
  corners.every(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % 4];
    const [cx, cy] = corners[(i + 2) % 4];
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0;
  });
