// @ts-check
/** What stands around a board: its rules in words, the meaning of marks, and dice that are thrown. */

import { titleOf } from './address.js';
import { cardOf } from './cards.js';
import { fill, h } from './dom.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {{move: string, role: string, probability?: string}} Legal */

/**
 * The title of a known game, and its rules in words.
 * @param {Statement} statement
 * @param {HTMLElement} title
 * @param {HTMLElement} rules
 */
export async function introduce(statement, title, rules) {
  const card = await cardOf(statement).catch(() => undefined);
  if (!card) return;
  if (card.title !== titleOf(statement)) fill(title, card.title, ' ', h('code', {}, titleOf(statement)));
  rules.textContent = card.words;
}

/**
 * What the marks mean; where roles play for scores of their own, a best move looks like the role that makes it.
 * @param {string[]} roles
 * @param {string[]} own the roles that move and play for themselves
 */
export function legend(roles, own) {
  const [first, second] = roles;
  const mark = (/** @type {string} */ kind, /** @type {string} */ words) => h('span', {}, h('span', { class: `value ${kind}`, 'aria-hidden': 'true' }), words);
  if (own.length) return h('p', { class: 'legend quiet' }, ...own.map((role) => mark(`${role === first ? 'first' : 'second'} proved`, `best for ${role}`)), mark('draw proved', own.length > 1 ? 'worse for its role' : `worse for ${own[0]}`), mark('draw estimated', 'hollow: estimated, not proved'));
  return h(
    'p',
    { class: 'legend quiet' },
    mark('first proved', `${first} ${roles.length > 1 ? 'wins' : 'succeeds'}`),
    second && mark('second proved', `${second} wins`),
    mark('draw proved', 'even'),
    mark('draw estimated', 'hollow: estimated, not proved'),
  );
}

/**
 * What is said where several roles move at once.
 * @param {{moves: {chance: string | null}[]} | null} analysis
 */
export function mixing(analysis) {
  if (analysis && !analysis.moves.some((move) => move.chance !== null)) return 'Several roles move at once. How best to mix moves is not worked out yet.';
  return 'Several roles move at once, so the best play may be a mixture: the percentage says how often a move is played in it. The colour says what a move comes to against the mixture of the others.';
}

/**
 * An outcome of chance, by its probability.
 * @param {Legal[]} outcomes
 */
export function rolled(outcomes) {
  let left = Math.random();
  for (const outcome of outcomes) {
    const [over, under = '1'] = (outcome.probability || '0').split('/');
    left -= Number(over) / Number(under);
    if (left <= 0) return outcome.move;
  }
  return outcomes[outcomes.length - 1].move;
}

/** @param {number} milliseconds */
export function rest(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
