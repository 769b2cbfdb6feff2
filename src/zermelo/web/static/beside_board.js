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

/** @param {string[]} roles */
export function legend(roles) {
  const [first, second] = roles;
  const mark = (/** @type {string} */ kind) => h('span', { class: `value ${kind}`, 'aria-hidden': 'true' });
  return h(
    'p',
    { class: 'legend quiet' },
    mark('first proved'),
    `${first} ${roles.length > 1 ? 'wins' : 'succeeds'}`,
    ...(second ? [mark('second proved'), `${second} wins`] : []),
    mark('draw proved'),
    'even',
    mark('draw estimated'),
    'hollow: estimated, not proved',
  );
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
