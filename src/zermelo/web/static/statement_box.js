// @ts-check
/** A line in which a game is named, or a text pasted; the server tells what it is. */

import { ask } from './api.js';
import { addressOf } from './address.js';
import { button, errorLine, fill, h } from './dom.js';

/**
 * @param {string} view that is opened with it
 * @param {string} example
 */
export function statementBox(view, example) {
  const told = h('div', { 'aria-live': 'polite' });
  const text = h('textarea', { rows: 2, id: 'statement', spellcheck: 'false', placeholder: example });
  const open = async () => {
    try {
      const found = await ask('/recognise', { text: text.value || example });
      location.hash = addressOf(view, found.statement);
    } catch (error) {
      fill(told, errorLine(error));
    }
  };
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !text.value.includes('\n')) {
      event.preventDefault();
      void open();
    }
  });
  return h(
    'section',
    { class: 'drop', 'aria-label': 'Game' },
    h('label', { for: 'statement' }, 'A name with sizes, or the text of a file:'),
    text,
    h('div', { class: 'row' }, button('Open', () => void open(), { class: 'primary' }), h('span', { class: 'quiet' }, `An empty box takes ${example}.`)),
    told,
  );
}
