// Downloads of files that a page creates.

import { h } from "./dom.js";

/** @param {string} name @param {string} type @param {string | Blob} text */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Formats rows as CSV. @param {(string | number)[][]} rows */
export const csv = (rows) =>
  rows.map((row) => row.map((cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(",")).join("\n") + "\n";
