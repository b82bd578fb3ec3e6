// A learning run while it learns: how far it is, its curve, and the end of it.

import { get, stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { Plot } from "../runs/plot.js";
import { addressOf, time } from "../runs/words.js";

/** Interval of updates of the curve, in milliseconds. */
const UPDATE_INTERVAL = 2000;

export class RunWatch {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = signal;
    this.bar = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
    this.status = h("p", { class: "status", id: "learning-status", role: "status" });
    this.link = h("a", {}, "The run with all its figures");
    this.plot = new Plot();
    this.error = errorPlace();
    this.element = h("div", { class: "watch", hidden: true }, this.status, this.bar, this.error, this.plot.element, h("p", {}, this.link));
  }

  /** Follows a run until it ends; returns its last phase. @param {number} run */
  async follow(run) {
    this.element.hidden = false;
    this.link.href = addressOf(run);
    this.status.textContent = "Waits for its turn …";
    let next = 0;
    for await (const { event, data } of stream(`/api/runs/${run}/live`, undefined, this.signal)) {
      if (event === "end") {
        await this.draw(run);
        if (data.error) this.error.say(data.error);
        this.bar.value = 1;
        return data.phase;
      }
      this.bar.value = data.total ? data.done / data.total : 0;
      this.status.textContent = [data.what || "Learns …", data.seconds ? time(data.seconds) : null].filter(Boolean).join(" · ");
      if (performance.now() > next) {
        next = performance.now() + UPDATE_INTERVAL;
        await this.draw(run);
      }
    }
    return null;
  }

  async draw(run) {
    const { picture } = await get(`/api/runs/${run}`, this.signal);
    await this.plot.show(run, picture, this.signal).catch(() => {});
  }
}
