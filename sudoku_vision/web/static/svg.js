// @ts-check
/** Descriptions of SVG elements made into elements, or into text. */

import { byId } from "./dom.js";
import { LAYERS } from "./draw.js";

/** @typedef {import("./draw.js").Node} Node */

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Make the element that a node describes. @param {Node} node @returns {SVGElement} */
export function svgElement(node) {
  const element = document.createElementNS(NAMESPACE, node.tag);
  for (const [name, value] of Object.entries(node.set)) element.setAttribute(name, String(value));
  element.append(...(node.inside ?? []).map(svgElement), node.text ?? "");
  return element;
}

/** Show a drawing in the layers whose ids begin so. @param {string} place @param {import("./draw.js").Drawing} drawing */
export function drawInto(place, drawing) {
  for (const name of LAYERS) byId(`${place}-${name}`).replaceChildren(...drawing[name].map(svgElement));
}

/** Say how large the picture below layers is, in pixels. @param {string} place @param {[number, number]} size */
export function measureLayers(place, [width, height]) {
  for (const name of LAYERS) byId(`${place}-${name}`).setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
}

/**
 * Write nodes as the text of an SVG file of a given size in pixels; (0, 0) is the middle of its first pixel.
 * @param {Node[]} nodes @param {[number, number]} size
 */
export function svgText(nodes, [width, height]) {
  const set = { width, height, viewBox: `-0.5 -0.5 ${width} ${height}` };
  return new XMLSerializer().serializeToString(svgElement({ tag: "svg", set, inside: nodes }));
}
