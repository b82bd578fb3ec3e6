// Tabs: one panel of several is visible; arrow keys move between tabs.

import { h } from "./dom.js";

let count = 0;

/**
 * @param {string} label @param {{ id: string, name: string, panel: HTMLElement }[]} parts
 * @param {string | null} chosen @param {(id: string) => void} [shown]
 */
export function tabs(label, parts, chosen, shown) {
  const prefix = `tabs-${++count}`;
  const buttons = parts.map(({ id, name }) => h("button", {
    type: "button", role: "tab", id: `${prefix}-${id}`, "data-tab": id, "aria-controls": `${prefix}-${id}-panel`,
    onclick: () => show(id),
  }, name));
  const panels = parts.map(({ id, panel }) => h("div", {
    class: "tab-panel", role: "tabpanel", id: `${prefix}-${id}-panel`, "aria-labelledby": `${prefix}-${id}`,
  }, panel));
  const show = (id) => {
    parts.forEach((part, i) => {
      const own = part.id === id;
      buttons[i].setAttribute("aria-selected", String(own));
      buttons[i].tabIndex = own ? 0 : -1;
      panels[i].hidden = !own;
    });
    shown?.(id);
  };
  const key = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = buttons.indexOf(document.activeElement);
    const next = (at + step + parts.length) % parts.length;
    show(parts[next].id);
    buttons[next].focus();
  };
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: key }, buttons);
  show(parts.some((part) => part.id === chosen) ? chosen : parts[0].id);
  return { element: h("div", { class: "tabbed" }, list, panels), show };
}
