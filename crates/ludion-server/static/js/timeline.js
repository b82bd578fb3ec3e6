// A time slider with play, pause, single steps and a speed.

import { h } from "./dom.js";
import { field } from "./form.js";

const button = (text, label, onclick) =>
  h("button", { type: "button", title: label, "aria-label": label, onclick }, text);

export class Timeline {
  /**
   * @param {{ label: string, moments: string, speeds: [number, string][], speed: number, moved: (at: number) => void, leaps?: [(at: number) => number, (at: number) => number, string] }} options
   * A moment is a place on the slider, from 0; `moments` is what one is called. `speeds` are moments a
   * second. `leaps` return the moments of the previous and the next event, and name what they are.
   */
  constructor({ label, moments, speeds, speed, moved, leaps }) {
    this.moved = moved;
    this.last = 0;
    this.at = 0;
    this.range = h("input", { type: "range", min: 0, max: 0, value: 0, class: "timeline", "aria-label": label,
      oninput: () => { this.pause(); this.go(Number(this.range.value)); } });
    this.toggle = button("▶", "Play", () => (this.timer ? this.pause() : this.play()));
    this.toggle.classList.add("play-pause");
    this.speed = h("select", {}, speeds.map(([rate, text]) => h("option", { value: rate, selected: rate === speed }, text)));
    this.count = h("output", { class: "count" });
    const jump = (to) => () => { this.pause(); this.go(to()); };
    const far = leaps ? [
      button("◀◀", `Back ${leaps[2]}`, jump(() => leaps[0](this.at))),
      button("▶▶", `Forward ${leaps[2]}`, jump(() => leaps[1](this.at))),
    ] : [null, null];
    this.buttons = [
      button("|◀", "To the start", jump(() => 0)), far[0],
      button("◀", `One ${moments} back`, jump(() => this.at - 1)), this.toggle,
      button("▶", `One ${moments} forward`, jump(() => this.at + 1)), far[1],
      button("▶|", "To the end", jump(() => this.last)),
    ].filter(Boolean);
    // All buttons but play have smaller symbols.
    this.buttons.forEach((one) => one !== this.toggle && one.classList.add("step"));
    this.element = h("div", { class: "timeline-box" }, this.range,
      h("div", { class: "row controls" }, this.buttons, field("speed", this.speed), this.count));
    this.set(0, 0);
  }

  /** Sets the last moment and the current one. */
  set(last, at) {
    this.last = last;
    this.range.max = last;
    this.range.disabled = last === 0;
    this.buttons.forEach((one) => { one.disabled = last === 0; });
    this.go(at, true);
  }

  go(to, always = false) {
    const at = Math.max(0, Math.min(this.last, to));
    this.range.value = at;
    this.count.textContent = `${at} / ${this.last}`;
    if (at === this.at && !always) return;
    this.at = at;
    this.moved(at);
  }

  play() {
    if (this.last === 0) return;
    if (this.at === this.last) this.go(0);
    this.sign("❚❚", "Pause");
    let before = performance.now();
    let owed = 0;
    const tick = (now) => {
      owed += ((now - before) / 1000) * Number(this.speed.value);
      before = now;
      const steps = Math.floor(owed);
      if (steps > 0) {
        owed -= steps;
        this.go(this.at + steps);
      }
      if (this.at >= this.last) this.pause();
      else this.timer = requestAnimationFrame(tick);
    };
    this.timer = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.sign("▶", "Play");
  }

  sign(text, label) {
    this.toggle.textContent = text;
    this.toggle.title = label;
    this.toggle.setAttribute("aria-label", label);
  }
}
