// Parses and formats specs, `name(value, name=value)`, as the library does: values by name, flags and
// choices by a bare word, others by position.

/** @typedef {{ name: string, kind: string, help: string, default?: any, min?: number, max?: number, options?: string[] }} Param */

/** Returns the default of a parameter as text. @param {Param} param */
export const defaultOf = (param) => (param.kind === "flag" ? "no" : String(param.default));

/** Splits at commas outside quotes and parentheses. */
function parts(text) {
  const found = [];
  let part = "", depth = 0, quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === "\\") part += c + (text[++i] ?? "");
    else if (c === "," && depth === 0 && !quoted) {
      found.push(part.trim());
      part = "";
    } else {
      if (c === '"') quoted = !quoted;
      if (!quoted) depth += c === "(" ? 1 : c === ")" ? -1 : 0;
      part += c;
    }
  }
  return [...found, part.trim()].filter((text) => text !== "");
}

const unquoted = (text) =>
  text.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replace(/\\(.)/g, "$1")
    : text;

/** Returns the name in a spec. @param {string} spec */
export const nameOf = (spec) => spec.split("(")[0].trim();

/** Returns the values of a spec that differ from the defaults, by name of the parameter. @param {string} spec @param {Param[]} params */
export function valuesOf(spec, params) {
  const open = spec.indexOf("(");
  const values = {};
  if (open < 0) return values;
  for (const part of parts(spec.slice(open + 1, spec.lastIndexOf(")")))) {
    const named = part.match(/^([a-z_][\w-]*)\s*=\s*(.*)$/s);
    const word = params.find((param) =>
      (param.kind === "flag" && param.name === part) || param.options?.includes(part));
    if (named) values[named[1]] = unquoted(named[2]);
    else if (word) values[word.name] = word.kind === "flag" ? "yes" : part;
    else {
      const free = params.find((param) => !(param.name in values));
      if (free) values[free.name] = unquoted(part);
    }
  }
  return values;
}

const quoted = (text) => (/^[^,()="\\\s]+$/.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`);

/** Returns the shortest spec with these values. @param {string} name @param {Param[]} params @param {Record<string, string>} values */
export function specOf(name, params, values) {
  const said = params
    .filter((param) => (values[param.name] ?? defaultOf(param)) !== defaultOf(param))
    .map((param) => {
      const value = values[param.name];
      if (param.kind === "flag") return param.name;
      return `${param.name}=${param.kind === "text" ? quoted(value) : value}`;
    });
  return said.length > 0 ? `${name}(${said.join(", ")})` : name;
}
