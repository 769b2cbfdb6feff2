// @ts-check
/** An editor: a text with numbered lines, on which findings stand at their place. */

import { button, fill, h } from './dom.js';

/** Further lines have no numbers: they would take longer to draw than to type. */
const MOST_LINES = 3000;

/** @typedef {{severity: string, message: string, line: number | null, column: number | null}} Finding */

/**
 * @param {string} text
 * @param {(text: string) => void} changed
 */
export function editor(text, changed) {
  const gutter = h('div', { class: 'gutter', 'aria-hidden': 'true' });
  const under = h('pre', { class: 'under', 'aria-hidden': 'true' });
  const area = h('textarea', { id: 'code', spellcheck: 'false', wrap: 'off', 'aria-label': 'Text of the game', autocapitalize: 'off', value: text });
  const list = h('ul', { class: 'findings', id: 'findings', 'aria-live': 'polite' });
  /** @type {Finding[]} */
  let findings = [];
  let waiting = 0;

  const lines = () => {
    const bad = new Map(findings.filter((finding) => finding.line).map((finding) => [finding.line, finding.severity]));
    const count = Math.min(area.value.split('\n').length, MOST_LINES);
    fill(gutter, ...Array.from({ length: count }, (_, place) => h('span', { class: bad.get(place + 1) || null }, String(place + 1))));
    underline();
    area.setAttribute('aria-invalid', String(findings.some((finding) => finding.severity === 'error')));
  };

  const underline = () => {
    const rows = area.value.split('\n');
    /** @type {(Node | string)[]} */
    const pieces = [];
    rows.forEach((row, place) => {
      const found = findings.find((finding) => finding.line === place + 1);
      if (found) {
        const begin = Math.max(0, Math.min((found.column || 1) - 1, Math.max(0, row.length - 1)));
        const word = /^[\w?]+|^./.exec(row.slice(begin))?.[0] || ' ';
        pieces.push(row.slice(0, begin), h('mark', { class: found.severity }, word), row.slice(begin + word.length));
      } else pieces.push(row);
      pieces.push('\n');
    });
    fill(under, ...pieces);
    scroll();
  };

  const scroll = () => {
    gutter.scrollTop = under.scrollTop = area.scrollTop;
    under.scrollLeft = area.scrollLeft;
  };

  const jump = (/** @type {Finding} */ finding) => {
    const rows = area.value.split('\n');
    const line = Math.max(1, Math.min(finding.line || 1, rows.length));
    const place = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + Math.max(0, (finding.column || 1) - 1);
    area.focus();
    area.setSelectionRange(place, Math.min(place + 1, area.value.length));
  };

  area.addEventListener('input', () => {
    lines();
    clearTimeout(waiting);
    waiting = window.setTimeout(() => changed(area.value), 350);
  });
  area.addEventListener('scroll', scroll);
  lines();
  return {
    element: h('div', {}, h('div', { class: 'code' }, gutter, h('div', { class: 'layers' }, under, area)), list),
    text: () => area.value,
    /** @param {string} value */
    set(value) {
      area.value = value;
      findings = [];
      lines();
    },
    /**
     * @param {Finding[]} found
     * @param {string} good what is said where nothing was found
     */
    mark(found, good) {
      findings = found;
      lines();
      fill(
        list,
        ...(found.length
          ? found.map((finding) => h('li', { class: finding.severity }, finding.line ? button(`${finding.line}:${finding.column || 1}`, () => jump(finding), { class: 'small', 'aria-label': `Go to line ${finding.line}` }) : h('span', { class: 'quiet' }, 'all'), h('span', {}, `${finding.severity === 'warning' ? 'Warning: ' : ''}${finding.message}`)))
          : [h('li', { class: 'good' }, good)]),
      );
    },
  };
}
