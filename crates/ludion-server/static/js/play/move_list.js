// The moves of a game with their variations, comments, and what each move has lost. The main line is
// a list; variations follow the move they replace.

import { h } from "../dom.js";

/** @typedef {import("./tree_text.js").MoveNode} MoveNode */

/** The list of moves. */
export class MoveList {
  /**
   * @param {{ chosen: (node: MoveNode) => void, promoted?: (node: MoveNode) => void, removed?: (node: MoveNode) => void, commented?: (node: MoveNode, text: string) => void }} actions
   */
  constructor(actions) {
    this.actions = actions;
    this.list = h("ol", { id: "moves", class: "moves", "aria-label": "Moves" });
    this.note = h("p", { id: "judgement", class: "judgement", "aria-live": "polite" });
    this.comment = h("input", {
      id: "comment", type: "text", placeholder: "comment on this move", autocomplete: "off", maxlength: 300,
      "aria-label": "Comment on the shown move", onchange: () => this.node?.parent && actions.commented(this.node, this.comment.value.trim()),
    });
    this.promote = h("button", { type: "button", id: "promote", class: "small", title: "Make this line the main line", onclick: () => actions.promoted(this.node) }, "Promote");
    this.remove = h("button", { type: "button", id: "delete", class: "small", title: "Delete this move and what follows", onclick: () => actions.removed(this.node) }, "Delete");
    // A game that is only looked at cannot be changed.
    const tools = actions.removed ? h("div", { class: "row move-tools" }, this.comment, this.promote, this.remove) : null;
    this.element = h("div", { class: "move-list" }, this.list, this.note, tools);
  }

  /**
   * Shows the tree. `judgementOf` says what a node's move has lost.
   * @param {MoveNode} root @param {MoveNode} node @param {(node: MoveNode) => any} judgementOf
   */
  show(root, node, judgementOf) {
    this.node = node;
    this.judgementOf = judgementOf;
    const items = [];
    let ply = 1;
    for (let at = root; at.children.length > 0; at = at.children[0], ply++) {
      const [main, ...others] = at.children;
      const variations = others.length > 0 ? [h("div", { class: "variations" }, others.map((other) => this.variation(other, ply)))] : [];
      items.push(h("li", {}, this.button(main, ply), this.commentOf(main), variations));
    }
    this.list.replaceChildren(...items);
    this.tools(root, node);
    const current = this.list.querySelector("[aria-current]");
    if (current) {
      const top = current.getBoundingClientRect().top - this.list.getBoundingClientRect().top + this.list.scrollTop;
      const bottom = top + current.getBoundingClientRect().height;
      // The list stays where it is if the move is in sight.
      if (top < this.list.scrollTop) this.list.scrollTop = top;
      else if (bottom > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = bottom - this.list.clientHeight;
    }
  }

  tools(root, node) {
    const judgement = node.parent ? this.judgementOf(node) : null;
    this.note.textContent = judgement ? `${node.move}${judgement.sign} ${judgement.sign === "!" ? "" : `${judgement.name}: `}${judgement.text}` : "";
    this.note.className = `judgement ${judgement?.name.split(" ")[0] ?? ""}`;
    this.comment.value = node.comment;
    this.comment.disabled = this.remove.disabled = !node.parent;
    let main = true;
    for (let at = node; at.parent; at = at.parent) main &&= at.parent.children[0] === at;
    this.promote.disabled = main;
  }

  button(node, ply) {
    const judgement = this.judgementOf(node);
    return h("button", {
      type: "button", class: `quiet move ${judgement?.name.split(" ")[0] ?? ""}`, "data-ply": ply, "data-move": node.move, title: judgement?.text,
      "aria-current": node === this.node ? "step" : null, onclick: () => this.actions.chosen(node),
    }, h("span", { class: "ply", "aria-hidden": "true" }, ply), node.move, judgement ? h("b", { class: "sign", "aria-label": judgement.name }, judgement.sign) : null);
  }

  commentOf(node) {
    return node.comment ? h("span", { class: "comment" }, node.comment) : null;
  }

  /** Writes a variation in one line, its own variations in parentheses. */
  variation(node, ply) {
    const words = [];
    for (let at = node, n = ply; at; at = at.children[0], n++) {
      words.push(this.button(at, n), this.commentOf(at));
      const others = at === node ? [] : at.parent.children.slice(1);
      words.push(...others.map((other) => h("span", { class: "variation nested" }, this.variation(other, n))));
    }
    return h("div", { class: "variation" }, words);
  }
}
