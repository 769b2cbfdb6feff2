// @ts-check
/** A strategy as a tree that unfolds where somebody looks: the server is asked for one node at a time. */

import { ask } from './api.js';
import { addressOf } from './address.js';
import { button, errorLine, fill, grouped, h, sentence, svgOf } from './dom.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {import('./address.js').Move} Move */

/**
 * @param {string} job
 * @param {number} claim
 * @param {Statement} statement
 * @param {Move[]} before
 * @param {() => boolean} boards whether each node shows its position
 */
export function strategyTree(job, claim, statement, before, boards) {
  const element = h('div', { class: 'tree' });
  void unfold(element, []);

  /**
   * @param {HTMLElement} place
   * @param {Move[]} moves
   */
  async function unfold(place, moves) {
    fill(place, h('p', { class: 'quiet' }, moves.length ? '…' : 'Writing the strategy out …'));
    try {
      const node = await ask(`/jobs/${job}/strategy`, { claim, moves, picture: boards() });
      const board = node.svg && h('div', { class: 'node-board' }, still(node.svg));
      if (node.ending) {
        fill(place, board, h('p', { class: 'ending' }, sentence(node.ending)));
        return;
      }
      const who = node.turn.join(' and ');
      const list = h('ul', {}, ...node.moves.map((/** @type {string} */ move) => row(move, moves, node.own)));
      fill(
        place,
        board,
        h('p', { class: 'quiet' }, node.own ? `${who} plays${node.by ? `, ${node.by}` : ''}` : `whatever ${who} plays:`, ' ', h('a', { href: addressOf('play', statement, [...before, ...moves], { as: 'both' }) }, 'see the board')),
        list,
        node.more > 0 && further(list, moves, node.more),
      );
      if (node.own && node.moves.length === 1) list.querySelector('button')?.click();
    } catch (error) {
      fill(place, errorLine(error));
    }
  }

  /**
   * A button for the replies that are not shown yet.
   * @param {HTMLElement} list
   * @param {Move[]} moves
   * @param {number} left
   */
  function further(list, moves, left) {
    const more = button(
      `Show more of the other ${grouped(left)} replies`,
      async () => {
        const node = await ask(`/jobs/${job}/strategy`, { claim, moves, skip: list.childElementCount });
        list.append(...node.moves.map((/** @type {string} */ move) => row(move, moves, node.own)));
        if (node.more > 0) more.textContent = `Show more of the other ${grouped(node.more)} replies`;
        else more.remove();
      },
      { class: 'small' },
    );
    return more;
  }

  /**
   * @param {string} move
   * @param {Move[]} moves
   * @param {boolean} own
   */
  function row(move, moves, own) {
    const below = h('div', {});
    const opener = button(
      move,
      () => {
        const opened = opener.getAttribute('aria-expanded') === 'true';
        opener.setAttribute('aria-expanded', String(!opened));
        if (opened) fill(below);
        else void unfold(below, [...moves, move]);
      },
      { class: `move${own ? ' best' : ''}`, 'aria-expanded': 'false' },
    );
    return h('li', {}, opener, below);
  }

  return element;
}

/**
 * A board to look at: without the buttons of moves.
 * @param {string} text
 */
function still(text) {
  const svg = svgOf(text);
  for (const button of svg.querySelectorAll('.z-chip')) button.remove();
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  return svg;
}
