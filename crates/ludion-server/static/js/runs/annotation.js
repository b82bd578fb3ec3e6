// Tags and a note of a run, which are kept in the store.

import { post } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";

/** A form that keeps what is typed when it is left. */
export class Annotation {
  /** @param {number} run @param {AbortSignal} signal */
  constructor(run, signal) {
    this.run = run;
    this.signal = signal;
    this.tags = h("input", { type: "text", id: "tags", spellcheck: "false", placeholder: "baseline, paper", onchange: () => this.keep() });
    this.note = h("textarea", { id: "note", rows: 2, onchange: () => this.keep() });
    this.error = errorPlace();
    this.said = h("span", { class: "quiet-text", role: "status" });
    this.element = h("section", { class: "panel annotation", "aria-label": "Tags and note" },
      h("div", { class: "annotation-fields" }, field("tags", this.tags, "separated by commas"), field("note", this.note)), this.said, this.error);
  }

  /** @param {{ tags: string[], note: string }} kept */
  show({ tags, note }) {
    if (!this.element.contains(document.activeElement)) {
      this.tags.value = tags.join(", ");
      this.note.value = note;
    }
  }

  async keep() {
    this.error.say();
    const tags = this.tags.value.split(",").map((tag) => tag.trim()).filter(Boolean);
    try {
      const kept = await post(`/api/runs/${this.run}/annotation`, { tags, note: this.note.value }, this.signal);
      this.tags.value = kept.tags.join(", ");
      this.said.textContent = "Kept.";
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
  }
}
