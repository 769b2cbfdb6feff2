// @ts-check
/** Home: every game that can be named, and a place to drop or paste anything that states one. */

import { ask, thumbnailOf } from './api.js';
import { addressOf } from './address.js';
import { cards as known } from './cards.js';
import { button, errorLine, fill, h } from './dom.js';

/** @typedef {import('./cards.js').Card} Card */

const MOST_BYTES = 1_800_000;

/** @type {Record<string, string>} */
const ABOUT = {
  Games: 'Classics on boards of any size: change the numbers in the name.',
  'Boards with values': 'The player who cannot move loses. Every position has a value, and boards add up.',
  Rulesheets: 'Games stated in logic, in the language of general game playing.',
  Statements: 'Formulas, programs, networks, sums, graphs, Go records and files of Gambit: what the files look like.',
};

/** @param {HTMLElement} main */
export async function show(main) {
  const cards = await known();
  const list = h('div', {});
  const own = open();
  const wanted = h('input', {
    type: 'search',
    id: 'wanted',
    placeholder: 'hex, chess, nim …',
    oninput: () => render(list, cards, wanted.value),
  });
  main.append(
    h('h1', {}, 'Who wins, how, and is it proved?'),
    h('p', { class: 'lead' }, 'Choose a game and play it, or have it solved. Answers come with a proof that an independent checker has read. You can also ', h('a', { href: addressOf('home'), onclick: stateYourOwn }, 'state a game of your own'), '.'),
    h('label', { class: 'search' }, h('span', { class: 'unseen' }, 'Search the games'), wanted),
    list,
    own.box,
  );
  render(list, cards, '');
  return { leave: own.leave };
}

/** @param {Event} event */
function stateYourOwn(event) {
  event.preventDefault();
  const box = /** @type {HTMLElement} */ (document.getElementById('statement'));
  box.scrollIntoView({ block: 'center' });
  box.focus();
}

/**
 * @param {HTMLElement} list
 * @param {Card[]} cards
 * @param {string} wanted
 */
function render(list, cards, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cards.filter((card) => words.every((word) => `${card.title} ${card.words} ${Object.values(card.statement)}`.toLowerCase().includes(word)));
  const groups = [...new Set(found.map((card) => card.group))];
  fill(
    list,
    ...groups.map((group) =>
      h(
        'section',
        { 'aria-label': group },
        h('h2', {}, group),
        h('p', { class: 'quiet' }, ABOUT[group] || ''),
        h('ul', { class: 'cards' }, ...found.filter((card) => card.group === group).map(cardOf)),
      ),
    ),
    !found.length && h('p', { class: 'quiet' }, 'No game has that name. You can paste the text of any game below.'),
  );
}

/** @param {Card} card */
function cardOf(card) {
  return h(
    'li',
    { class: 'card' },
    h(
      'a',
      { href: addressOf('play', card.statement) },
      h('img', { src: thumbnailOf(card.statement), alt: '', loading: 'lazy', width: 150, height: 120 }),
      h('span', { class: 'title' }, card.title),
      h('span', { class: 'words' }, card.words),
      h('code', {}, card.statement.target || card.statement.sample || ''),
    ),
  );
}

/** The place where anything can be pasted or, as anywhere on the page, dropped. */
function open() {
  const told = h('div', { 'aria-live': 'polite' });
  const text = h('textarea', {
    id: 'statement',
    rows: 2,
    placeholder: 'nim:3,4,5   or   {5|-5} + {3||2|-1}   or the text of any file',
    spellcheck: 'false',
  });
  const file = h('input', { type: 'file', class: 'unseen', id: 'file', onchange: () => void take(file.files?.[0]) });
  const read = (/** @type {string} */ name) => void recognise(text.value, name, told);
  /** @param {File | undefined} given */
  async function take(given) {
    if (!given) return;
    file.value = ''; // the same file, changed, can be chosen again
    if (given.size > MOST_BYTES) {
      fill(told, errorLine(`${given.name} is too large for the page: files of more than 1.8 MB are for the command line`));
      return;
    }
    text.value = await given.text();
    read(given.name);
  }
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    box.classList.add('over');
  };
  const out = () => box.classList.remove('over');
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    out();
    const given = event.dataTransfer?.files[0];
    if (!given) return;
    box.scrollIntoView({ block: 'nearest' });
    void take(given);
  };
  document.addEventListener('dragover', over);
  document.addEventListener('dragleave', out);
  document.addEventListener('drop', drop);
  const leave = () => {
    document.removeEventListener('dragover', over);
    document.removeEventListener('dragleave', out);
    document.removeEventListener('drop', drop);
  };
  const box = h(
    'section',
    { class: 'drop', 'aria-label': 'Your own game' },
    h('h2', { class: 'flush' }, 'A game of your own'),
    h('label', { for: 'statement' }, 'Type a name with sizes, or paste a formula, a program, a rulesheet, a sum, a graph, a Go record, a file of Gambit:'),
    text,
    h('div', { class: 'row' }, button('Open', () => read(''), { class: 'primary' }), h('label', { class: 'button', for: 'file' }, 'Choose a file'), file, h('span', { class: 'quiet' }, 'or drop one anywhere on this page. What it is, is told by its content.')),
    told,
  );
  return { box, leave };
}

/**
 * @param {string} text
 * @param {string} name
 * @param {HTMLElement} told
 */
async function recognise(text, name, told) {
  if (!text.trim()) return;
  fill(told, h('p', { class: 'quiet' }, 'Reading …'));
  try {
    const found = await ask('/recognise', { text, name });
    location.hash = addressOf('play', found.statement);
  } catch (error) {
    fill(told, errorLine(error));
  }
}
