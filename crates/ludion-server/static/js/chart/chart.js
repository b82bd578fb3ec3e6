// A chart to read values from: a crosshair with the values of all series follows the pointer or the
// arrow keys; dragging sideways zooms into a stretch of the x axis, Escape or a double click leaves it.

import { h, s } from "../dom.js";
import { Scale, rangeOf, written } from "./axis.js";

/** @typedef {{ x: number, y: number, low: number, high: number }} Point */
/** @typedef {{ name: string, points: Point[], line: Point[] }} Series */
/** @typedef {{ title: string, note: string, x: import("./axis.js").AxisData, y: import("./axis.js").AxisData, series: Series[], level: number | null, optimum?: any }} ChartData */

/** Height of a chart before it is laid out, in pixels. */
const USUAL_HEIGHT = 320;
/** Least width of a stretch that a drag selects, in pixels. */
const LEAST_DRAG = 12;
/** Number of colours of series; further series begin again. */
const COLOURS = 8;

const isFinitePoint = (point) => [point.x, point.y].every((value) => typeof value === "number" && Number.isFinite(value));
const low = (point) => point.low ?? point.y;
const high = (point) => point.high ?? point.y;

/** Returns the points of a series that can be drawn: those of its line, then its dots. */
const pointsOf = (series) => [...series.line, ...series.points].filter(isFinitePoint);

export class InteractiveChart {
  constructor() {
    this.clip = `clip-${Math.random().toString(36).slice(2)}`;
    this.svg = s("svg", { class: "chart-svg", role: "img" });
    this.box = h("div", { class: "chart-values", hidden: true });
    this.frame = h("div", { class: "chart-frame", tabindex: 0, role: "group", "aria-roledescription": "chart",
      onpointermove: (event) => this.move(event), onpointerdown: (event) => this.press(event), onpointerup: (event) => this.release(event),
      onpointerleave: () => this.leave(), ondblclick: () => this.zoom(null), onkeydown: (event) => this.key(event),
      onfocus: () => this.point(this.at ?? this.places().at(-1)), onblur: () => this.leave() }, this.svg, this.box);
    this.legend = h("p", { class: "chart-legend" });
    this.said = h("p", { class: "skip", role: "status", "aria-live": "polite" });
    this.back = h("button", { type: "button", class: "small", hidden: true, onclick: () => this.zoom(null) }, "Whole chart");
    this.title = h("figcaption", { class: "chart-title" });
    this.note = h("p", { class: "chart-note quiet-text" });
    this.element = h("figure", { class: "live-chart" }, h("div", { class: "chart-head" }, this.title, this.back), this.frame, this.legend, this.note, this.said);
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }

  /** Shows a chart; a zoom stays. @param {ChartData} data */
  show(data) {
    this.data = data;
    this.title.textContent = data.title;
    this.note.textContent = data.note;
    // Before the chart has a place on the page it is not drawn, but it has its name.
    this.svg.setAttribute("aria-label", data.title);
    this.frame.setAttribute("aria-label", `${data.title}: ${data.y.label} by ${data.x.label}; arrow keys read values`);
    const named = data.series.length > 1;
    this.legend.replaceChildren(...(named ? data.series.map((one, i) => h("span", { class: `chart-key c${i % COLOURS}` }, one.name)) : []));
    this.legend.hidden = !named;
    this.draw();
  }

  /** Returns the series whose values are read: not the bounds of others. */
  read() {
    const { series } = this.data;
    return series.length > 1 ? series.filter((one) => !isBound(one)) : series;
  }

  /** Returns all places on the x axis that have a value, in order. */
  places() {
    const [least, most] = this.range ?? [-Infinity, Infinity];
    const all = new Set(this.read().flatMap(pointsOf).map(({ x }) => x));
    return [...all].filter((x) => x >= least && x <= most).sort((a, b) => a - b);
  }

  draw() {
    const width = this.frame.clientWidth;
    const height = this.frame.clientHeight || USUAL_HEIGHT;
    if (!this.data || width === 0) return;
    const { x, y, series, level } = this.data;
    const all = series.flatMap(pointsOf);
    const ends = this.data.optimum ? [this.data.optimum.low, this.data.optimum.high].filter(Number.isFinite) : [];
    const wide = this.range ?? rangeOf(x, [...all.map((point) => point.x), ...ends], 0.02);
    const seen = all.filter((point) => point.x >= wide[0] && point.x <= wide[1]);
    const tall = rangeOf(y, [...seen.flatMap((point) => [point.y, low(point), high(point)]), ...(level === null ? [] : [level])], 0.06);
    const turned = typeof x.scale === "object" && (width - 60) / x.scale.names.length < 90;
    const [left, right, top, bottom] = [58, 14, 10, turned ? 96 : 44];
    this.xs = new Scale(x, wide, [left, width - right]);
    this.ys = new Scale(y, tall, [height - bottom, top]);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.cross = s("line", { class: "chart-cross", y1: top, y2: height - bottom, x1: -9, x2: -9 });
    this.brush = s("rect", { class: "chart-brush", y: top, height: height - bottom - top, x: -9, width: 0 });
    this.marks = s("g");
    const clip = s("clipPath", { id: this.clip },
      s("rect", { x: left - 4, y: top - 4, width: width - left - right + 8, height: height - bottom - top + 8 }));
    this.svg.replaceChildren(s("defs", {}, clip), this.axes([width, height], [left, right, bottom], turned),
      s("g", { "clip-path": `url(#${this.clip})`, class: series.length > 3 ? "many" : null }, this.optimum(), ...series.map((one, i) => this.series(one, i)), this.brush, this.cross, this.marks));
    // The focus may have come before the first drawing.
    if (!this.box.hidden || document.activeElement === this.frame) this.point(this.at ?? this.places().at(-1));
  }

  axes([width, height], [left, right, bottom], turned) {
    const { xs, ys, data } = this;
    const base = height - bottom;
    const named = typeof data.x.scale === "object";
    const across = xs.ticks(Math.max(2, Math.floor((width - left - right) / 90)));
    const every = named && turned ? Math.ceil(across.length / Math.max(1, Math.floor((width - left) / 18))) : 1;
    const label = (tick, i) => {
      if (i % every > 0) return null;
      const place = xs.at(tick.value);
      const text = tick.label.length > 22 ? `${tick.label.slice(0, 21)}…` : tick.label;
      return turned
        ? s("text", { x: place, y: base + 12, "text-anchor": "end", transform: `rotate(-35 ${place} ${base + 12})` }, text)
        : s("text", { x: place, y: base + 17, "text-anchor": "middle" }, text);
    };
    return s("g", { class: "chart-axes" },
      ys.ticks(5).flatMap(({ value, label: text }) => [
        s("line", { x1: left, x2: width - right, y1: ys.at(value), y2: ys.at(value) }),
        s("text", { x: left - 7, y: ys.at(value) + 4, "text-anchor": "end" }, text)]),
      across.map(label),
      data.level === null ? null : s("line", { class: "chart-level", x1: left, x2: width - right, y1: ys.at(data.level), y2: ys.at(data.level) }),
      s("text", { class: "chart-label", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, data.x.label),
      s("text", { class: "chart-label", x: 12, y: base / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${base / 2})` }, data.y.label));
  }

  /** Draws the best value on the x axis with its interval. */
  optimum() {
    const { optimum } = this.data;
    if (!optimum || !Number.isFinite(optimum.x)) return null;
    const [from, to] = [this.xs.at(optimum.low ?? optimum.x), this.xs.at(optimum.high ?? optimum.x)];
    const [top, base] = [this.ys.pixels[1], this.ys.pixels[0]];
    return s("g", { class: "chart-optimum" },
      s("rect", { x: from, width: Math.max(1, to - from), y: top, height: base - top }),
      s("line", { x1: this.xs.at(optimum.x), x2: this.xs.at(optimum.x), y1: top, y2: base }),
      s("text", { x: this.xs.at(optimum.x) + 6, y: top + 14 }, optimum.label));
  }

  series(one, i) {
    const { xs, ys } = this;
    const place = (x, y) => `${xs.at(x).toFixed(1)} ${ys.at(y).toFixed(1)}`;
    const line = one.line.filter(isFinitePoint);
    const hasBand = line.some((point) => high(point) > low(point));
    const band = hasBand ? s("path", { class: "chart-band", d: `M${line.map((p) => place(p.x, high(p))).join("L")}L${[...line].reverse().map((p) => place(p.x, low(p))).join("L")}Z` }) : null;
    return s("g", { class: `c${i % COLOURS}${isBound(one) ? " bound" : ""}` }, band,
      line.length > 0 ? s("path", { class: "chart-line", d: `M${line.map((p) => place(p.x, p.y)).join("L")}` }) : null,
      one.points.filter(isFinitePoint).flatMap((p) => [
        high(p) > low(p) ? s("line", { class: "chart-error", x1: xs.at(p.x), x2: xs.at(p.x), y1: ys.at(low(p)), y2: ys.at(high(p)) }) : null,
        s("circle", { class: "chart-dot", cx: xs.at(p.x), cy: ys.at(p.y), r: 3.6 })]));
  }

  /** Shows the values at the place of the x axis that is nearest. @param {number | undefined} x */
  point(x) {
    if (!this.data || x === undefined || !this.xs) return;
    const { xs, ys, data } = this;
    this.at = x;
    const read = this.read();
    const found = data.series.map((one, i) => ({ one, i, point: nearest(pointsOf(one), x, xs) })).filter(({ point, one }) => point && read.includes(one));
    if (found.length === 0) return;
    const at = xs.at(x);
    this.cross.setAttribute("x1", at);
    this.cross.setAttribute("x2", at);
    this.marks.replaceChildren(...found.map(({ point, i }) => s("circle", { class: `chart-mark c${i % COLOURS}`, cx: xs.at(point.x), cy: ys.at(point.y), r: 5 })));
    const value = (point) => `${written(data.y, point.y)}${high(point) > low(point) ? ` (${written(data.y, low(point))} to ${written(data.y, high(point))})` : ""}`;
    const head = `${data.x.label} ${written(data.x, x)}`;
    this.box.replaceChildren(h("strong", {}, head), ...found.map(({ one, point, i }) =>
      h("span", { class: `chart-key c${i % COLOURS}` }, `${found.length > 1 ? `${one.name}: ` : ""}${value(point)}`)));
    this.said.textContent = `${head}: ${found.map(({ one, point }) => `${found.length > 1 ? `${one.name} ` : ""}${value(point)}`).join(", ")}`;
    this.box.hidden = false;
    const side = at > this.frame.clientWidth / 2;
    this.box.style.left = side ? "auto" : `${at + 12}px`;
    this.box.style.right = side ? `${this.frame.clientWidth - at + 12}px` : "auto";
  }

  /** Returns the place of the pointer in the frame. */
  place(event) {
    return event.clientX - this.frame.getBoundingClientRect().left;
  }

  move(event) {
    if (!this.xs) return;
    const at = this.place(event);
    if (this.from !== undefined && Math.abs(at - this.from) >= LEAST_DRAG) {
      this.brush.setAttribute("x", Math.min(at, this.from));
      this.brush.setAttribute("width", Math.abs(at - this.from));
    }
    const places = this.places();
    if (places.length > 0) this.point(places.reduce((a, b) => (Math.abs(this.xs.at(b) - at) < Math.abs(this.xs.at(a) - at) ? b : a)));
  }

  press(event) {
    if (event.pointerType === "mouse" && event.button === 0) this.from = this.place(event);
    else this.move(event);
  }

  release(event) {
    const { from } = this;
    this.from = undefined;
    const to = this.place(event);
    if (from === undefined || Math.abs(to - from) < LEAST_DRAG) return;
    const ends = [from, to].map((place) => this.xs.value(place)).sort((a, b) => a - b);
    this.zoom(/** @type {[number, number]} */ (ends));
  }

  leave() {
    this.from = undefined;
    if (document.activeElement === this.frame) return;
    this.box.hidden = true;
    this.cross?.setAttribute("x1", -9);
    this.cross?.setAttribute("x2", -9);
    this.marks?.replaceChildren();
  }

  /** Shows a stretch of the x axis, or all of it. @param {[number, number] | null} range */
  zoom(range) {
    this.range = range ?? undefined;
    this.back.hidden = !range;
    this.draw();
  }

  key(event) {
    const places = this.places();
    const at = places.indexOf(this.at);
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -places.length, End: places.length }[event.key];
    if (step !== undefined) this.point(places[Math.max(0, Math.min(places.length - 1, at + step))]);
    else if (event.key === "Escape") this.zoom(null);
    else if (event.key === "+" && this.at !== undefined) this.closer();
    else return;
    event.preventDefault();
    // The keys do not reach handlers of the page.
    event.stopPropagation();
  }

  /** Zooms by a factor of two around the crosshair. */
  closer() {
    const [least, most] = this.xs.pixels;
    const [at, half] = [this.xs.at(this.at), (most - least) / 4];
    this.zoom([this.xs.value(at - half), this.xs.value(at + half)]);
  }
}

/** Whether a series is a horizontal line that bounds others, such as that of a test. */
const isBound = (series) => series.points.length === 0 && series.line.length === 2 && series.line[0].y === series.line[1].y;

/** Returns the point that is nearest on the x axis, if one is near. */
function nearest(points, x, scale) {
  if (points.length === 0) return null;
  const far = (point) => Math.abs(scale.at(point.x) - scale.at(x));
  const best = points.reduce((a, b) => (far(b) < far(a) ? b : a));
  return far(best) < 40 ? best : null;
}
