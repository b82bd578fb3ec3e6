// The search tree of a player that has one: branches that can be opened, with bars for their visits.

import { h } from "../dom.js";

/** Shows the top of a search tree. */
export class TreeView {
  constructor() {
    this.root = h("div", { id: "tree", class: "tree" });
    this.element = h("div", { class: "tree-view", id: "tree-view" }, this.root);
    this.opened = new Set();
    /** Whether the tree is visible, so that the server is asked for it. */
    this.isWanted = false;
    this.clear();
  }

  clear() {
    this.branches = null;
    this.root.replaceChildren(h("p", { class: "quiet-text" }, "Players such as mcts show the tree they search here."));
  }

  /** @param {any[]} branches */
  show(branches) {
    this.branches = branches;
    const most = Math.max(1, ...branches.map((branch) => branch.visits));
    this.root.replaceChildren(this.level(branches, most, ""));
  }

  level(branches, most, path) {
    const sorted = [...branches].sort((a, b) => b.visits - a.visits);
    return h("ul", {}, sorted.map((branch) => h("li", {}, this.branch(branch, most, `${path} ${branch.move}`))));
  }

  branch(branch, most, path) {
    const value = branch.proven ?? (branch.value === null ? "" : branch.value.toFixed(2));
    const row = [
      h("span", { class: "name" }, branch.move),
      h("meter", { min: 0, max: most, value: branch.visits, "aria-hidden": "true" }),
      h("span", { class: "num" }, branch.visits.toLocaleString("en")),
      h("span", { class: `num ${branch.proven ?? ""}` }, value),
    ];
    if (branch.children.length === 0) return h("div", { class: "leaf" }, row);
    const details = h("details", { open: this.opened.has(path) }, h("summary", {}, row));
    const fill = () => {
      if (details.childElementCount === 1) details.append(this.level(branch.children, most, path));
    };
    details.addEventListener("toggle", () => {
      if (details.open) this.opened.add(path);
      else this.opened.delete(path);
      if (details.open) fill();
    });
    if (details.open) fill();
    return details;
  }
}
