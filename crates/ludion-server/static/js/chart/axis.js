// Axes of charts: scales from values to places, ticks, and how values are written.

/** @typedef {{ label: string, scale: "linear" | "log" | { names: string[] }, unit: "plain" | "percent" | "count" }} AxisData */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Writes a value of an axis. @param {AxisData} axis @param {number} value */
export function written(axis, value) {
  if (typeof axis.scale === "object") return axis.scale.names[Math.round(value) - 1] ?? "";
  if (axis.unit === "percent") return `${(100 * value).toFixed(1)} %`;
  if (axis.unit === "count") return whole.format(value);
  const text = Math.abs(value) >= 1000 ? whole.format(value) : String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}

/** Writes the label of a tick, without digits that all ticks share. */
function tickLabel(axis, value, step) {
  if (axis.unit === "percent") return `${Number((100 * value).toFixed(step < 0.01 ? 1 : 0))} %`;
  if (axis.unit === "count" || Math.abs(value) >= 1000) return whole.format(value);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toFixed(Math.min(digits, 6)).replace("-", "−");
}

/** Returns a step of 1, 2 or 5 times a power of ten that makes about `count` ticks. */
function niceStep(length, count) {
  const raw = length / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10);
}

const linearTicks = (axis, [low, high], count) => {
  const step = Math.max(niceStep(high - low, count), axis.unit === "count" ? 1 : 0);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const value = (first + i) * step;
    return { value, label: tickLabel(axis, value, step) };
  });
};

function logTicks(axis, [low, high]) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of high / low > 1000 ? [1] : [1, 2, 5]) {
      const value = factor * 10 ** power;
      if (value >= low && value <= high) ticks.push({ value, label: written(axis, value) });
    }
  }
  return ticks;
}

/** A scale of an axis: its visible range on a stretch of pixels. */
export class Scale {
  /** @param {AxisData} axis @param {[number, number]} range @param {[number, number]} pixels */
  constructor(axis, range, pixels) {
    this.axis = axis;
    this.range = range;
    this.pixels = pixels;
    this.log = axis.scale === "log";
  }

  /** Returns the place of a value in pixels. @param {number} value */
  at(value) {
    const of = (v) => (this.log ? Math.log(Math.max(v, 1e-300)) : v);
    const [low, high] = this.range.map(of);
    return this.pixels[0] + ((of(value) - low) / (high - low)) * (this.pixels[1] - this.pixels[0]);
  }

  /** Returns the value at a place in pixels. @param {number} place */
  value(place) {
    const share = (place - this.pixels[0]) / (this.pixels[1] - this.pixels[0]);
    const [low, high] = this.range;
    return this.log ? low * (high / low) ** share : low + share * (high - low);
  }

  /** Returns the ticks with their labels. @param {number} count about how many */
  ticks(count) {
    const { scale } = this.axis;
    if (typeof scale === "object") {
      return scale.names.map((label, i) => ({ value: i + 1, label })).filter(({ value }) => value >= this.range[0] && value <= this.range[1]);
    }
    return this.log ? logTicks(this.axis, this.range) : linearTicks(this.axis, this.range, count);
  }
}

/** Returns the range of some values with a margin. @param {AxisData} axis @param {number[]} values @param {number} margin @returns {[number, number]} */
export function rangeOf(axis, values, margin) {
  if (typeof axis.scale === "object") return [0.5, axis.scale.names.length + 0.5];
  const log = axis.scale === "log";
  const seen = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  if (seen.length === 0) return log ? [1, 10] : [0, 1];
  let [low, high] = [Math.min(...seen), Math.max(...seen)];
  if (log) {
    if (low === high) [low, high] = [low / 2, high * 2];
    const extra = (high / low) ** margin;
    return [low / extra, high * extra];
  }
  if (high - low < 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-300)) [low, high] = [low - 0.5, high + 0.5];
  return [low - margin * (high - low), high + margin * (high - low)];
}
