// A participant of a run: a player with a form for its parameters. A championship or a tuning tries
// several values of those that are left open.

import { h } from "../dom.js";
import { field, paramForm } from "../form.js";
import { defaultOf, nameOf, specOf, valuesOf } from "../spec.js";

/** The choice of a player and its parameters. */
export class Entrant {
  /** @param {string} label @param {() => void} changed @param {string} [none] label of the empty choice */
  constructor(label, changed, none) {
    this.changed = changed;
    this.none = none;
    this.select = h("select", { onchange: () => { this.sit(this.select.value); changed(); } });
    this.open = h("div", { class: "open-params", hidden: true });
    this.said = h("summary", {}, "Parameters");
    this.more = h("details", { onchange: () => this.say() }, this.said);
    this.element = h("div", { class: "entrant" }, field(label, this.select), this.open, this.more);
  }

  /** Offers `players` and chooses `spec`. @param {any[]} players @param {string} spec */
  offer(players, spec) {
    this.players = players;
    const options = this.none ? [h("option", { value: "" }, this.none)] : [];
    this.select.replaceChildren(...options, ...players.map((player) =>
      h("option", { value: player.name, title: player.help }, player.name)));
    const name = nameOf(spec);
    const known = players.some((player) => player.name === name) || (this.none && spec === "");
    this.sit(known ? spec : players[0].name);
  }

  sit(spec) {
    const name = nameOf(spec);
    const info = this.players.find((player) => player.name === name);
    this.select.value = name;
    this.form = info ? this.formOf(spec, info) : null;
    this.more.hidden = !info || info.params.length === 0;
    this.more.replaceChildren(this.said, h("p", { class: "quiet-text" }, info?.help ?? ""), this.form?.element ?? "");
    this.say();
  }

  /** Summarises the parameters that differ from their defaults. */
  say() {
    const values = this.spec.match(/\((.*)\)$/s)?.[1];
    this.said.textContent = values ? `Parameters: ${values}` : "Parameters";
  }

  formOf(spec, info) {
    return paramForm(spec, info.params, info.name, this.changed);
  }

  get spec() {
    return this.form ? this.form.spec() : "";
  }

  valid() {
    return this.form ? this.form.valid() : true;
  }
}

/** Formats a number with two significant digits. */
const short = (value) => String(Number(value.toPrecision(2)));

/** Returns the values that are suggested for a parameter when it is left open. */
function suggested(param, tuned) {
  if (param.kind === "flag") return tuned ? "?" : "no|yes";
  if (param.kind === "choice") return tuned ? "?" : param.options.join("|");
  const least = Math.max(param.min, param.kind === "int" ? 1 : -Infinity);
  const base = param.default > 0 ? param.default : Math.min(param.max, Math.max(least, 1));
  const [low, high] = [Math.max(least, base / 4), Math.min(param.max, base * 4)];
  const ends = param.kind === "int"
    ? [Math.ceil(low), Math.floor(high)].map(String) : [low, high].map(short);
  if (tuned) return `?${ends.join("..")}`;
  if (param.kind === "int" && high - low > 20) return `${ends.join("..")}*2`;
  return param.kind === "int" ? ends.join("..") : `${ends.join("..")}:${short((high - low) / 6)}`;
}

/** Whether a value stands for several values, so that the parameter is open. */
const isOpen = (text) => /^\?|\.\.|\|/.test(text);

/** The choice of a player whose parameters can be left open: varied in a championship, searched in a tuning. */
export class OpenEntrant extends Entrant {
  /** @param {string} label @param {() => void} changed @param {boolean} tuned */
  constructor(label, changed, tuned) {
    super(label, changed);
    this.tuned = tuned;
  }

  formOf(spec, info) {
    const given = valuesOf(spec, info.params);
    const closed = Object.fromEntries(Object.entries(given).filter(([, text]) => !isOpen(text)));
    const form = paramForm(specOf(info.name, info.params, closed), info.params, info.name, this.changed);
    const open = info.params.map((param) => this.openOf(param, given[param.name]));
    this.open.hidden = false;
    this.open.replaceChildren(h("p", { class: "quiet-text" }, this.tuned
      ? "Search some of these; behind the question mark may stand a range, such as ?1..50."
      : "Vary one or two of these: 1..50, 0.5..3:0.5 (step), 1..1000*10 (factor), 1|2|5 or words."),
    ...open.map((one) => one.element));
    return {
      wrong: form.wrong,
      element: form.element,
      valid: () => form.valid() && open.every((one) => one.text.reportValidity()),
      spec: () => {
        const values = valuesOf(form.spec(), info.params);
        for (const one of open) if (one.box.checked) values[one.param.name] = one.text.value.trim();
        const said = info.params.filter((param) => param.name in values && values[param.name] !== defaultOf(param));
        const words = said.map((param) => `${param.name}=${isOpen(values[param.name]) ? values[param.name] : this.closed(param, values)}`);
        return words.length > 0 ? `${info.name}(${words.join(", ")})` : info.name;
      },
    };
  }

  /** Returns a fixed value as text, in quotes where the library's parser needs them. */
  closed(param, values) {
    const spec = specOf("x", [param], values);
    return spec.startsWith(`x(${param.name}=`) ? spec.slice(param.name.length + 3, -1) : values[param.name];
  }

  openOf(param, given) {
    const text = h("input", { type: "text", "aria-label": `Values of ${param.name}`, spellcheck: "false", required: true,
      value: given && isOpen(given) ? given : suggested(param, this.tuned), onchange: () => { this.say(); this.changed(); } });
    const show = () => { text.hidden = !box.checked; };
    const box = h("input", { type: "checkbox", "data-open": param.name, checked: Boolean(given && isOpen(given)),
      onchange: () => { show(); this.say(); this.changed(); } });
    show();
    const element = param.kind === "text" ? "" : h("div", { class: "open-param" }, h("label", {}, box, ` ${param.name}`), text);
    return { param, box, text, element };
  }
}
