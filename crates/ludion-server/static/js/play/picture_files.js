// Pictures of positions as files: SVG and PNG of one position, an animated SVG of a game. The colours of
// the page are written into the elements, so that a file looks the same elsewhere.

import { s } from "../dom.js";
import { frame, layers, plan } from "../scene.js";

/** Attributes that are copied from the styles of the page. */
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "font-family", "font-weight", "font-size", "opacity"];

/** Draws an SVG where the styles of the page apply, and returns it with these styles as attributes. */
function styled(svg, home) {
  home.append(svg);
  const all = [...svg.querySelectorAll("g, path, rect, circle, ellipse, line, text")];
  // All styles are read before the first class is removed, because they depend on those of parents.
  const styles = all.map((element) => {
    const style = getComputedStyle(element);
    return STYLES.filter((name) => name !== "font-size" || element.tagName === "text").map((name) => [name, style.getPropertyValue(name)]);
  });
  svg.remove();
  all.forEach((element, i) => {
    for (const [name, value] of styles[i]) if (value) element.setAttribute(name, value);
    element.removeAttribute("class");
  });
  return svg;
}

/** Draws the background and the frame of a picture. */
function sheet(where, paper) {
  const { viewBox } = frame(where);
  return s("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox, width: (2 * where.width).toFixed(0), height: (2 * where.height).toFixed(0), class: "scene" },
    s("rect", { width: "100%", height: "100%", fill: paper }));
}

const paperOf = () => getComputedStyle(document.documentElement).getPropertyValue("--panel").trim() || "#ffffff";

/** Returns a picture of a scene as the text of an SVG file. @param {any} scene @param {boolean} flipped @param {HTMLElement} home an element whose styles apply */
export function svgText(scene, flipped, home) {
  const where = plan(scene, flipped);
  const { cells, marks, pieces, winning, names } = layers(scene, where);
  const svg = sheet(where, paperOf());
  svg.append(cells, marks, pieces, winning, names);
  return styled(svg, home).outerHTML;
}

/** Returns a game as the text of an animated SVG file. @param {any[]} scenes @param {boolean} flipped @param {HTMLElement} home @param {number} [seconds] for each position */
export function animationText(scenes, flipped, home, seconds = 0.8) {
  const where = plan(scenes[0], flipped);
  const { cells, names } = layers(scenes[0], where);
  const svg = sheet(where, paperOf());
  const total = seconds * (scenes.length + 2);
  const frames = scenes.map((scene, i) => {
    const { marks, pieces, winning } = layers(scene, where);
    const [from, to] = [i / (scenes.length + 2), i === scenes.length - 1 ? 1 : (i + 1) / (scenes.length + 2)];
    const times = from === 0 ? `0;${to.toFixed(5)}` : `0;${from.toFixed(5)};${to.toFixed(5)}`;
    const values = from === 0 ? "visible;hidden" : `hidden;visible;${to === 1 ? "visible" : "hidden"}`;
    const animate = s("animate", { attributeName: "visibility", calcMode: "discrete", dur: `${total.toFixed(2)}s`, repeatCount: "indefinite", keyTimes: times, values });
    return s("g", { visibility: i === 0 ? "visible" : "hidden" }, marks, pieces, winning, animate);
  });
  svg.append(cells, names, ...frames);
  return styled(svg, home).outerHTML;
}

/** Returns a picture as a PNG file. @param {string} svg @returns {Promise<Blob>} */
export async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the browser cannot draw this picture as PNG"))), "image/png");
  });
}
