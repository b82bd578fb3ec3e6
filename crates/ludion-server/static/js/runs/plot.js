// A picture that the server drew. Charts take the colours of the page (`style.css`); heat maps
// keep their own, for what is written in their cells is chosen for the colour of the cell.

import { h } from "../dom.js";

/** A place for the picture of a run, as wide as it may be, before and after it comes. */
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
