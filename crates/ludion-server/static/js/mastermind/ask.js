// Requests for advice; a new request replaces the one in progress.

import { stream } from "../api.js";

export class Adviser {
  /** @param {AbortSignal} signal @param {(text: string) => void} waits */
  constructor(signal, waits) {
    this.waits = waits;
    signal.addEventListener("abort", () => this.abort?.abort());
  }

  /** Returns the advice, or nothing if a newer request has replaced this one. @param {any} question */
  async ask(question) {
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    try {
      for await (const { event, data } of stream("/api/mastermind/advise", question, abort.signal)) {
        if (event === "waiting") this.waits("Waiting for its turn …");
        if (event === "error") throw new Error(data.error);
        if (event === "advice") return data;
      }
      throw new Error("the server broke off; is the laboratory still open?");
    } catch (error) {
      if (error.name === "AbortError" || abort.signal.aborted) return null;
      throw error;
    }
  }
}
