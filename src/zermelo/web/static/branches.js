// @ts-check
/** The moves of a game as a tree: what was tried is kept when somebody goes back and plays something else. */

/** @typedef {import('./address.js').Move} Move */

export class Node {
  /**
   * @param {Move | null} move
   * @param {Node | null} parent
   */
  constructor(move, parent) {
    this.move = move;
    this.parent = parent;
    /** @type {Node[]} */
    this.children = [];
    /** Who made the move, and what was said of it. */
    this.mover = '';
    this.remark = '';
  }

  /**
   * The node after a move: the one that is there, or a new one.
   * @param {Move} move
   */
  play(move) {
    const same = JSON.stringify(move);
    const known = this.children.find((child) => JSON.stringify(child.move) === same);
    if (known) return known;
    const child = new Node(move, this);
    this.children.push(child);
    return child;
  }

  /** The nodes from the start to this one, the start left out. */
  path() {
    /** @type {Node[]} */
    const nodes = [];
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** @returns {Move[]} */
  line() {
    return this.path().map((node) => /** @type {Move} */ (node.move));
  }
}
