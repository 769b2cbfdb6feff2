// @ts-check
/** A run under way: what each engine reports of itself. */

import { fill, grouped, h } from './dom.js';

/** @typedef {{at_least: string, proof: number | null, disproof: number | null}} Question */
/** @typedef {{engine: string, seconds: number, nodes: number, depth: number, bounds: (string | null)[], memory: number, question: Question | null, checked: number | null, to_check: number}} Progress */

const COLUMNS = ['engine', 'seconds', 'nodes', 'nodes/s', 'depth', 'memory', 'value between', 'proof / disproof number'];

export function progressTable() {
  /** @type {Map<string, HTMLTableRowElement>} */
  const rows = new Map();
  const head = h('tr', {}, ...COLUMNS.map((name) => h('th', { scope: 'col' }, name)));
  const body = h('tbody', {});
  const note = h('p', { class: 'quiet working' }, 'Waiting for a free process …');
  const table = h('table', { class: 'figures live' }, h('thead', {}, head), body);
  const element = h('div', { class: 'scroll', role: 'group', 'aria-label': 'Progress' }, note, table);
  return {
    element,
    begun() {
      note.textContent = 'Working …';
    },
    /** @param {Progress} told */
    show(told) {
      if (told.checked !== null) {
        note.textContent = checkingWords(told);
        return;
      }
      let row = rows.get(told.engine);
      if (!row) {
        row = h('tr', {});
        rows.set(told.engine, row);
        body.append(row);
      }
      const [lower, upper] = told.bounds;
      const known = lower === null && upper === null ? '' : `${lower ?? '?'} and ${upper ?? '?'}`;
      const rate = told.seconds > 0 ? grouped(Math.round(told.nodes / told.seconds)) : '';
      const cells = [told.seconds.toFixed(1), grouped(told.nodes), rate, told.depth || '', told.memory ? `${Math.round(told.memory / (1 << 20))} MB` : '', known, numbers(told.question)];
      fill(row, h('th', { scope: 'row' }, told.engine), ...cells.map((cell, place) => h('td', { 'data-label': COLUMNS[place + 1] }, String(cell))));
      if (told.question) table.classList.add('by-proof');
    },
    done() {
      note.remove();
      if (!rows.size) element.replaceChildren();
    },
  };
}

/**
 * How far the checker is.
 * @param {Progress} told
 */
export function checkingWords(told) {
  return `Checking the proof: ${grouped(told.checked || 0)}${told.to_check ? ` of ${grouped(told.to_check)}` : ''} positions …`;
}

/**
 * How many positions are estimated to be missing to a proof, and to a disproof, and of what.
 * @param {Question | null} asked
 */
function numbers(asked) {
  if (!asked) return '';
  const shown = (/** @type {number | null} */ number) => (number === null ? '∞' : grouped(number));
  return `${shown(asked.proof)} / ${shown(asked.disproof)} (of “at least ${asked.at_least}”)`;
}
