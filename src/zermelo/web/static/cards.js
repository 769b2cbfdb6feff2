// @ts-check
/** What is known of the games that can be named: titles, and rules in words. */

import { ask } from './api.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {{group: string, title: string, words: string, roles: string[], usage?: string, statement: Record<string, string>}} Card */

/** @type {Promise<Card[]> | null} */
let asked = null;

/** @returns {Promise<Card[]>} */
export function cards() {
  asked ??= ask('/gallery').catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

/**
 * The card of a game, whatever its size.
 * @param {Statement} statement
 * @returns {Promise<Card | undefined>}
 */
export async function cardOf(statement) {
  const known = await cards();
  const name = familyOf(statement.target || '');
  return known.find((card) => (statement.sample ? card.statement.sample === statement.sample : name !== '' && familyOf(card.statement.target || '') === name));
}

/**
 * The name of a target without its sizes.
 * @param {string} target
 */
function familyOf(target) {
  const [first, second = ''] = target.split(':');
  return first === 'gdl' ? `gdl:${second}` : first;
}
