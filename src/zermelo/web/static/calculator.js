// @ts-check
/** A calculator for values of games: the lines of `zermelo cgt`, one below the other. */

import { ask } from './api.js';
import { button, errorLine, fill, h, say } from './dom.js';

/** What there is to try. */
const EXAMPLES = ['G = {3|^*}', 'G + G', 'cool(G, 1)', 'H = {0|H}', 'H < 1/1024', 'on + off', 'misere *2 + *2', 'genus kayles:5', 'domineering:..|.. + 1', 'help'];

export function calculator() {
  /** @type {string[]} */
  let lines = [];
  /** @type {string[]} */
  let typed = [];
  let back = 0;
  let asking = false;
  const answers = h('dl', { class: 'calculated', 'aria-live': 'polite' });
  const told = h('div', {});
  const input = h('input', { type: 'text', id: 'expression', class: 'expression', spellcheck: 'false', autocomplete: 'off', placeholder: '{3|1} + *', onkeydown: (/** @type {KeyboardEvent} */ event) => recall(event) });

  /** Earlier lines come back with the arrow keys. @param {KeyboardEvent} event */
  function recall(event) {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!step || !typed.length) return;
    event.preventDefault();
    back = Math.max(0, Math.min(typed.length, back + step));
    input.value = typed[back] || '';
  }

  /** @param {string} line */
  async function work(line) {
    if (!line.trim() || asking) return;
    asking = true;
    typed = [...typed.filter((each) => each !== line), line];
    back = typed.length;
    fill(told);
    try {
      const { answers: all } = await ask('/calculate', { lines: [...lines, line] });
      const last = all[all.length - 1];
      if (last.error === undefined) {
        // Names are kept; other lines need not be worked out again.
        if (/^\s*[A-Za-z]\w*\s*=(?!=)/.test(line)) lines = [...lines, line];
        answers.append(h('dt', {}, line), h('dd', {}, h('pre', {}, last.said)));
        answers.lastElementChild?.scrollIntoView({ block: 'nearest' });
        input.value = '';
      } else {
        fill(told, errorLine(last.error));
        say(last.error);
      }
    } catch (error) {
      fill(told, errorLine(error));
    }
    asking = false;
  }

  return h(
    'section',
    { class: 'panel', 'aria-label': 'Calculator' },
    h('h2', {}, 'Calculator'),
    h('p', { class: 'quiet' }, 'Values of games, line by line: names, comparisons, loopy games, misère play. Type help for all that can be asked, or try one of these:'),
    h('ul', { class: 'chips' }, ...EXAMPLES.map((text) => h('li', {}, button(text, () => void work(text), { class: 'move' })))),
    answers,
    told,
    h('form', { class: 'row', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void work(input.value); } },
      h('label', { class: 'unseen', for: 'expression' }, 'A line for the calculator'),
      input,
      h('button', { type: 'submit', id: 'calculate' }, 'Work it out'),
      button('Clear', () => { lines = []; fill(answers); fill(told); input.focus(); }),
    ),
  );
}
