// The report of a reproduction: its items with comparisons, tables, figures and verdicts.

import { h } from "../dom.js";

/** Converts code in backticks and emphasis in stars, which texts of works use. @param {string} text */
function inline(text) {
  return text.split(/(`[^`]*`|\*\*[^*]+\*\*|\*[^*]+\*)/).filter(Boolean).map((part) => {
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, part.slice(1, -1));
    return part;
  });
}

/** A table that scrolls within its frame. @param {string[]} head @param {string[][]} rows @param {string} name */
const table = (head, rows, name) => h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": name },
  h("table", {},
    h("thead", {}, h("tr", {}, head.map((cell) => h("th", {}, inline(cell))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell))))))));

/** An SVG that the server drew, as an image, so that its styles stay its own. */
const figure = ({ caption, svg }) => h("figure", {},
  h("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: caption }),
  h("figcaption", {}, caption));

/** @param {any} finding @param {string} name */
function finding({ verdict, reason, comparisons, tables, figures }, name) {
  return [
    comparisons.length > 0
      ? table(["what", "published", "here", "verdict"], comparisons.map((one) => [one.what, one.published || "–", one.ours, one.published ? one.verdict : "–"]), `${name}: comparisons`)
      : "",
    ...tables.flatMap((one) => [h("p", {}, one.caption, one.verdict ? ` (${one.verdict})` : ""), table(one.columns, one.rows, `${name}: ${one.caption}`)]),
    ...figures.map(figure),
    h("p", {}, h("strong", {}, `${verdict}: `), inline(reason)),
  ];
}

/** @param {any} item @param {number} number */
function section(item, number) {
  return h("section", { class: "panel", id: item.id, "aria-label": item.title },
    h("h2", {}, `${number + 1}. `, inline(item.title)),
    h("p", { class: "quiet-text" }, `${item.kind}, ${item.place}`),
    h("p", {}, h("strong", {}, "Published. "), inline(item.published)),
    item.method ? h("p", {}, h("strong", {}, "Here. "), inline(item.method)) : "",
    item.finding ? finding(item.finding, item.title) : h("p", {}, "Not measured yet."),
    h("p", {}, h("code", {}, item.command)));
}

/** The whole report. @param {any} figures The report as the command line writes it with --json. @returns {HTMLElement} */
export function report(figures) {
  const verdict = (item) => item.finding?.verdict ?? "not measured yet";
  return h("div", { class: "report" },
    h("h1", {}, figures.title),
    h("p", { class: "lead" }, `${figures.authors}, ${figures.year}; ${figures.size}, seed ${figures.seed}`),
    h("p", {}, inline(figures.about)),
    table(["item", "verdict"], figures.items.map((item) => [item.title, verdict(item)]), "Verdicts"),
    figures.terms.length > 0
      ? h("details", {}, h("summary", {}, "Words"), h("dl", {}, figures.terms.flatMap(([term, meaning]) => [h("dt", {}, inline(term)), h("dd", {}, inline(meaning))])))
      : "",
    figures.items.map(section));
}
