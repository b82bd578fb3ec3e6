// A picture of a run, drawn by the server. Charts take the colours of the page (`style.css`); heat maps
// keep their own, because the text in a cell has a colour that is readable on that of the cell.

import { h } from "../dom.js";

/** Shows the picture of a run, and reserves its width before it is loaded. */
export class Plot {
  constructor() {
    this.place = h("div", { class: "plot-place" });
    this.link = h("a", { download: "" }, "SVG");
    this.element = h("figure", { class: "plot", hidden: true }, this.place, h("figcaption", {}, this.link));
  }

  /** @param {number} run @param {"chart" | "heat" | "panels" | null} kind @param {AbortSignal} signal */
  async show(run, kind, signal) {
    this.element.hidden = !kind;
    if (!kind) return;
    const address = `/api/runs/${run}/plot.svg`;
    this.link.href = address;
    const response = await fetch(address, { signal });
    if (!response.ok) throw new Error((await response.json()).error);
    const svg = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    if (signal.aborted || svg.tagName !== "svg") return;
    this.place.className = `plot-place ${kind}`;
    this.place.replaceChildren(document.adoptNode(svg));
  }
}
