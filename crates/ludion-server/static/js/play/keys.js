// The keys of the page Play: arrows step, space plays the best move, letters press buttons.

/** Elements that take keys themselves. */
const OWN_KEYS = "input, select, textarea, dialog, .moves, .scroll, .wide, [role=tablist], [role=slider]";

/**
 * Returns the action of a key, or nothing.
 * @param {KeyboardEvent} event @param {import("./table.js").Table} table
 */
export function keyAction(event, table) {
  const target = /** @type {Element} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest?.(OWN_KEYS)) return null;
  const { parts, record } = table;
  // On the board, arrows select a cell and space touches it.
  const board = target.closest?.(".board");
  const press = (button) => () => button.click();
  return {
    ArrowLeft: board ? null : () => table.look(record.at - 1),
    ArrowRight: board ? null : () => table.look(record.at + 1),
    Home: () => table.look(0),
    End: () => table.look(record.moves.length),
    " ": board || target.closest?.("button, a, summary") ? null : () => table.playBest(),
    f: () => table.flip(),
    h: parts.hint.disabled ? null : press(parts.hint),
    e: () => {
      parts.tabs.show("position");
      return parts.editor.start();
    },
  }[event.key] ?? null;
}
