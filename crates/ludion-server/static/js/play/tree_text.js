// A tree of moves as text, after PGN: variations in parentheses behind the move they replace,
// comments in braces. It stands in links and files.

/** @typedef {{ move: string, parent: MoveNode | null, children: MoveNode[], comment: string, last: MoveNode | null }} MoveNode */

/** Creates a node. @param {string} move @param {MoveNode | null} parent @returns {MoveNode} */
export const newNode = (move, parent) => ({ move, parent, children: [], comment: "", last: null });

/** Returns the child of a node with this move, added if it is new. @param {MoveNode} node @param {string} move */
export function childOf(node, move) {
  const known = node.children.find((child) => child.move === move);
  if (known) return known;
  const child = newNode(move, node);
  node.children.push(child);
  return child;
}

/** The moves to nodes as text. A node never changes its parent, so they stay. @type {WeakMap<MoveNode, string>} */
const keys = new WeakMap();

/** Returns the moves from the first one to a node, separated by spaces. @param {MoveNode} node @returns {string} */
export function keyTo(node) {
  const missing = [];
  for (let at = node; at.parent && !keys.has(at); at = at.parent) missing.push(at);
  for (const one of missing.reverse()) {
    const before = one.parent.parent ? `${keys.get(one.parent)} ` : "";
    keys.set(one, before + one.move);
  }
  return keys.get(node) ?? "";
}

const commentOf = (node) => (node.comment ? [`{${node.comment.replaceAll(/[{}]/g, "")}}`] : []);

/** Returns the words of the moves after a node. @param {MoveNode} node @returns {string[]} */
function wordsAfter(node) {
  const words = [];
  for (let at = node; at.children.length > 0; at = at.children[0]) {
    const [main, ...others] = at.children;
    words.push(main.move, ...commentOf(main));
    for (const other of others) words.push("(", other.move, ...commentOf(other), ...wordsAfter(other), ")");
  }
  return words;
}

/** Writes a tree. @param {MoveNode} root */
export const treeText = (root) => [...commentOf(root), ...wordsAfter(root)].join(" ").replaceAll("( ", "(").replaceAll(" )", ")");

/** Whether a tree has more than one line of moves. @param {MoveNode} root */
export function hasMore(root) {
  for (let at = root; at; at = at.children[0]) {
    if (at.children.length > 1 || at.comment) return true;
  }
  return false;
}

/** Reads a tree; what does not belong there is left out. @param {string} text @returns {MoveNode} */
export function readTree(text) {
  const root = newNode("", null);
  const open = [];
  let at = root;
  for (const [, comment, sign, word] of text.matchAll(/\{([^}]*)\}|([()])|([^\s(){}]+)/g)) {
    if (comment !== undefined) at.comment = comment.trim();
    else if (sign === "(") {
      open.push(at);
      at = at.parent ?? root;
    } else if (sign === ")") at = open.pop() ?? at;
    else if (word) at = childOf(at, word);
  }
  return root;
}
