// Creates elements: `h("p", { class: "quiet" }, "text", child)`. An attribute whose value is a function
// becomes a listener, `true` an empty attribute; `null`, `undefined` and `false` are left out.

const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} element @param {Record<string, any>} attributes @param {any[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates an HTML element. @returns {any} */
export const h = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** Creates an SVG element. @returns {any} */
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Creates a hidden place for an error message, which `say` shows and screen readers announce. @returns {HTMLElement & { say(error?: any): void }} */
export function errorPlace() {
  const place = h("p", { class: "error", role: "alert", hidden: true });
  place.say = (error) => {
    place.hidden = !error;
    place.textContent = error ? String(error.message ?? error) : "";
  };
  return place;
}

/** Copies a text to the clipboard, also where pages without TLS may not use its interface. @param {string} text */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h("textarea", { class: "skip", readonly: true }, text);
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error(`this browser does not let pages copy; here it is: ${text}`);
  return undefined;
}
