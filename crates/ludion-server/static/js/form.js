// Forms generated from parameters: a number with its range, a check box, a choice or a text, each with
// a line of help.

import { h } from "./dom.js";
import { defaultOf, specOf, valuesOf } from "./spec.js";

let count = 0;

/** Creates a label with its input, and help under it. @param {string} label @param {any} input @param {string} [help] */
export function field(label, input, help) {
  input.id ||= `field-${++count}`;
  const flag = input.type === "checkbox";
  const note = help ? h("small", { id: `${input.id}-help` }, help) : null;
  if (note) input.setAttribute("aria-describedby", note.id);
  const name = h("label", { for: input.id }, label);
  return h("div", { class: flag ? "field flag" : "field" }, flag ? [input, name] : [name, input], note);
}

/** @param {import("./spec.js").Param} param @param {string} value */
function inputOf(param, value) {
  const attributes = { name: param.name, "data-param": param.name };
  if (param.kind === "flag") return h("input", { ...attributes, type: "checkbox", checked: value === "yes" });
  if (param.kind === "choice") {
    return h("select", attributes,
      param.options.map((option) => h("option", { value: option, selected: option === value }, option)));
  }
  if (param.kind === "text") return h("input", { ...attributes, type: "text", value, spellcheck: "false" });
  const bounded = Number.isSafeInteger(param.max) || param.kind === "real";
  return h("input", {
    ...attributes, type: "number", value, min: param.min, max: bounded ? param.max : null,
    step: param.kind === "int" ? 1 : "any", required: true,
  });
}

const valueOf = (input) => (input.type === "checkbox" ? (input.checked ? "yes" : "no") : input.value);

/** Describes the range of a number. @param {import("./spec.js").Param} param */
const rangeOf = ({ kind, min, max }) =>
  `${kind === "int" ? "whole numbers " : ""}${max > 1e15 ? `${min} or more` : `${min} to ${max}`}`;

/** Returns the help of a parameter with its range. */
function helpOf(param) {
  if (param.kind !== "int" && param.kind !== "real") return param.help;
  return `${param.help} (${rangeOf(param).replace("whole numbers ", "")})`;
}

/**
 * Creates the fields for the parameters of a game or player. `spec()` returns the spec with their values.
 * @param {string} spec @param {import("./spec.js").Param[]} params @param {string} name
 * @param {() => void} [changed]
 */
export function paramForm(spec, params, name, changed) {
  const given = valuesOf(spec, params);
  const inputs = params.map((param) => inputOf(param, given[param.name] ?? defaultOf(param)));
  const element = h("div", { class: "fields", onchange: () => changed?.() },
    params.map((param, i) => field(param.name, inputs[i], helpOf(param))));
  return {
    element,
    /** Returns the error of the first invalid field. @returns {string | undefined} */
    wrong: () => {
      const at = inputs.findIndex((input) => !input.checkValidity());
      if (at < 0) return undefined;
      const { value } = inputs[at];
      return value === "" ? `${params[at].name} is missing; ${rangeOf(params[at])}` : `${params[at].name} = ${value} is not allowed; ${rangeOf(params[at])}`;
    },
    /** Whether every field is valid; shows the browser's message if not. */
    valid: () => inputs.every((input) => input.reportValidity()),
    spec: () => specOf(name, params, Object.fromEntries(params.map((p, i) => [p.name, valueOf(inputs[i])]))),
  };
}
