// @ts-check
/** A run under way: what each engine reports of itself. */

import { fill, grouped, h } from './dom.js';

/** @typedef {{engine: string, seconds: number, nodes: number, depth: number, bounds: (string | null)[], memory: number}} Progress */

export function progressTable() {
  /** @type {Map<string, HTMLTableRowElement>} */
  const rows = new Map();
  const head = h('tr', {}, ...['engine', 'seconds', 'nodes', 'nodes/s', 'depth', 'memory', 'value between'].map((name) => h('th', { scope: 'col' }, name)));
  const body = h('tbody', {});
  const note = h('p', { class: 'quiet working' }, 'Waiting for a free process …');
  const element = h('div', { class: 'scroll', role: 'group', 'aria-label': 'Progress' }, note, h('table', { class: 'figures' }, h('thead', {}, head), body));
  return {
    element,
    begun() {
      note.textContent = 'Working …';
    },
    /** @param {Progress} told */
    show(told) {
      let row = rows.get(told.engine);
      if (!row) {
        row = h('tr', {});
        rows.set(told.engine, row);
        body.append(row);
      }
      const [lower, upper] = told.bounds;
      const known = lower === null && upper === null ? '' : `${lower ?? '?'} and ${upper ?? '?'}`;
      const rate = told.seconds > 0 ? grouped(Math.round(told.nodes / told.seconds)) : '';
      const cells = [told.seconds.toFixed(1), grouped(told.nodes), rate, told.depth || '', told.memory ? `${Math.round(told.memory / (1 << 20))} MB` : '', known];
      fill(row, h('th', { scope: 'row' }, told.engine), ...cells.map((cell) => h('td', {}, String(cell))));
    },
    done() {
      note.remove();
      if (!rows.size) element.replaceChildren();
    },
  };
}
