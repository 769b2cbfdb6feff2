// @ts-check
/** A strategy as a tree that unfolds where somebody looks: the server is asked for one node at a time. */

import { ask } from './api.js';
import { addressOf } from './address.js';
import { button, errorLine, fill, h, sentence } from './dom.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {import('./address.js').Move} Move */

/**
 * @param {string} job
 * @param {number} claim
 * @param {Statement} statement
 * @param {Move[]} before
 */
export function strategyTree(job, claim, statement, before) {
  const element = h('div', { class: 'tree' });
  void unfold(element, []);

  /**
   * @param {HTMLElement} place
   * @param {Move[]} moves
   */
  async function unfold(place, moves) {
    fill(place, h('p', { class: 'quiet' }, '…'));
    try {
      const node = await ask(`/jobs/${job}/strategy`, { claim, moves });
      if (node.ending) {
        fill(place, h('p', { class: 'ending' }, sentence(node.ending)));
        return;
      }
      const who = node.turn.join(' and ');
      const rows = node.moves.map((/** @type {string} */ move) => row(move, moves, node.own));
      fill(
        place,
        h('p', { class: 'quiet' }, node.own ? `${who} plays` : `whatever ${who} plays:`, ' ', h('a', { href: addressOf('play', statement, [...before, ...moves], { as: 'both' }) }, 'see the board')),
        h('ul', {}, ...rows),
        node.more > 0 && h('p', { class: 'quiet' }, `and ${node.more} more replies`),
      );
      if (node.own && rows.length === 1) rows[0].querySelector('button')?.click();
    } catch (error) {
      fill(place, errorLine(error));
    }
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
