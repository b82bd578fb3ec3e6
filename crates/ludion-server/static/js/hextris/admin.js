// Teams, managed by who holds the admin token. The token stays in the memory of the page.

import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { moment } from "../runs/words.js";

export class TeamAdmin {
  /** @param {() => void} changed called when a team was added or removed @param {AbortSignal} signal */
  constructor(changed, signal) {
    this.changed = changed;
    this.signal = signal;
    this.token = h("input", { type: "password", id: "admin-token", autocomplete: "off", required: true });
    this.name = h("input", { type: "text", id: "team-name", maxlength: 100, required: true });
    this.error = errorPlace();
    this.told = h("p", { class: "told", role: "status", hidden: true });
    this.list = h("ul", { class: "earlier", id: "team-list" });
    this.inside = h("div", { hidden: true },
      h("form", { class: "row", onsubmit: (event) => this.submit(event, () => this.add()) }, field("new team", this.name), h("button", { type: "submit", id: "add-team" }, "Add")),
      this.list);
    this.element = h("details", { class: "admin" }, h("summary", {}, "Manage teams"),
      h("p", { class: "quiet-text" }, "For who holds the admin token, which “ludion lab --admin” prints."),
      h("form", { class: "row", onsubmit: (event) => this.submit(event, () => this.open()) }, field("admin token", this.token), h("button", { type: "submit", id: "use-admin" }, "Use it")),
      this.error, this.told, this.inside);
  }

  async submit(event, work) {
    event.preventDefault();
    if (event.target.reportValidity()) await this.attempt(work);
  }

  /** Runs an action and shows its error. */
  async attempt(work) {
    this.error.say();
    this.told.hidden = true;
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
  }

  /** Sends a request with the admin token. @param {string} path @param {any} [body] */
  async ask(path, body) {
    const response = await fetch(`/api/hextris/teams${path}`, {
      method: body === undefined ? "GET" : "POST", signal: this.signal,
      headers: { "content-type": "application/json", "x-ludion-admin": this.token.value.trim() },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }

  async open() {
    const { teams } = await this.ask("");
    this.inside.hidden = false;
    this.list.replaceChildren(...teams.map((team) => this.row(team)));
  }

  row(team) {
    const button = (text, label, work) => h("button", { type: "button", class: "small", "aria-label": `${label} ${team.name}`, onclick: () => this.attempt(work) }, text);
    const remove = h("button", { type: "button", class: "small", "aria-label": `Remove ${team.name}`, onclick: () => {
      // A second click confirms.
      if (remove.dataset.sure) this.attempt(() => this.remove(team));
      remove.dataset.sure = "yes";
      remove.textContent = "Really, with all it submitted?";
    } }, "Remove");
    return h("li", { class: "row" }, h("strong", {}, team.name), h("span", { class: "quiet-text" }, `team ${team.id}, ${moment(team.created)}`),
      button("New token", "New token for", async () => this.tell(await this.ask(`/${team.id}/token`, {}))), remove);
  }

  async add() {
    const added = await this.ask("", { name: this.name.value });
    this.name.value = "";
    await this.renew();
    this.tell(added);
  }

  async remove(team) {
    await this.ask(`/${team.id}/remove`, {});
    await this.renew();
  }

  async renew() {
    await this.open();
    this.changed();
  }

  /** Shows a token, which is shown this once. */
  tell({ team, name, token }) {
    this.told.hidden = false;
    this.told.replaceChildren(`The token of team ${team}, ${name}, which is shown this once: `, h("code", { id: "team-token" }, token));
  }
}
