// The picture of a run: charts to read values from, or, for heat maps, a picture that the server draws.
// Such a picture keeps its own colours, because the text in a cell is readable on that of the cell.

import { get } from "../api.js";
import { InteractiveChart } from "../chart/chart.js";
import { h } from "../dom.js";

/** Shows the picture of a run. */
export class Plot {
  constructor() {
    this.place = h("div", { class: "plot-place" });
    this.link = h("a", { download: "" }, "SVG");
    this.element = h("div", { class: "plot", hidden: true }, this.place, h("p", { class: "plot-links" }, "Download ", this.link));
    /** @type {InteractiveChart[]} */
    this.charts = [];
  }

  /** @param {number} run @param {"chart" | "heat" | "panels" | null} kind @param {AbortSignal} signal */
  async show(run, kind, signal) {
    this.element.hidden = !kind;
    if (!kind) return;
    this.link.href = `/api/runs/${run}/plot.svg`;
    const { charts, partial } = await get(`/api/runs/${run}/charts`, signal);
    if (signal.aborted) return;
    if (partial || charts.length === 0) await this.draw(kind, signal);
    else this.fill(charts);
  }

  /** Shows charts; those that are shown already keep their zoom. */
  fill(charts) {
    if (this.charts.length !== charts.length) {
      this.charts = charts.map(() => new InteractiveChart());
      this.place.className = "plot-place chart interactive";
      this.place.replaceChildren(...this.charts.map((chart) => chart.element));
    }
    this.charts.forEach((chart, i) => chart.show(charts[i]));
  }

  /** Shows the picture that the server draws. */
  async draw(kind, signal) {
    const response = await fetch(this.link.href, { signal });
    if (!response.ok) throw new Error((await response.json()).error);
    const svg = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    if (signal.aborted || svg.tagName !== "svg") return;
    this.charts = [];
    this.place.className = `plot-place ${kind}`;
    this.place.replaceChildren(document.adoptNode(svg));
  }
}
