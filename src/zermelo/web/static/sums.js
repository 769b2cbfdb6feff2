// @ts-check
/** Sums: a calculator for games side by side, in brackets or on boards of any ruleset. */

import { ask, thumbnailOf } from './api.js';
import { addressOf, embedded } from './address.js';
import { calculator } from './calculator.js';
import { cards } from './cards.js';
import { button, errorLine, fill, h, sentence, svgOf } from './dom.js';
import { exports } from './exports.js';
import { number, shown, thermograph } from './thermographs.js';

const BEGIN = ['{5|-5}', '{3||2|-1}'];
const BRACKETS = ['{10|2||-4}', '{1|0}', '*', '^'];
/** Dots and boxes counts boxes: its boards are no terms of such sums. */
const NO_TERMS = ['dots'];
/** @type {Record<string, string>} */
const OUTCOMES = { L: 'left wins, whoever starts', R: 'right wins, whoever starts', N: 'whoever starts wins', P: 'whoever starts loses' };

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} said
 */
export async function show(main, said) {
  const given = said.getAll('term');
  const boards = (await cards()).filter((card) => card.group === 'Boards with values' && !NO_TERMS.includes((card.statement.target || '').split(':')[0]));
  const sums = new Sums(main, given.length ? given : BEGIN, boards);
  await sums.work();
  return sums;
}

class Sums {
  /**
   * @param {HTMLElement} main
   * @param {string[]} terms
   * @param {import('./cards.js').Card[]} boards
   */
  constructor(main, terms, boards) {
    this.terms = terms;
    this.turn = 0;
    this.tax = 0;
    this.parts = { terms: h('ol', { class: 'terms' }), told: h('div', { 'aria-live': 'polite' }), shapes: h('div', { class: 'shapes' }), facts: h('div', {}) };
    const drop = h(
      'section',
      {
        class: 'panel',
        'aria-label': 'The sum',
        ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
        ondrop: (/** @type {DragEvent} */ event) => {
          event.preventDefault();
          const text = event.dataTransfer?.getData('text/plain');
          if (text) this.add(text);
        },
      },
      this.parts.terms,
      h('div', { class: 'row' }, button('Add a term', () => this.add('')), h('span', { class: 'quiet' }, 'or drag one of these into the sum, or click it:')),
      h('ul', { class: 'chips palette' }, ...BRACKETS.map((text) => this.offer(text)), ...boards.map((card) => this.offer(card.statement.target, card))),
      this.parts.told,
    );
    main.append(
      h('div', { class: 'row between heading' }, h('h1', {}, 'Sums of games'), embedded() ? '' : exports(() => this.parts.shapes.querySelector('svg'), 'thermograph', () => this.address())),
      h('p', { class: 'lead' }, 'Two sides move in turn, each on whichever board it likes. What is the whole worth, and where should one move?'),
      embedded() ? '' : drop,
      this.parts.facts,
      this.parts.shapes,
      embedded() ? '' : calculator(),
    );
  }

  leave() {
    this.turn++;
  }

  /**
   * Something to be dragged into the sum, or clicked: brackets, or a board with its picture.
   * @param {string} text
   * @param {import('./cards.js').Card} [card]
   */
  offer(text, card) {
    const made = button('', () => this.add(text), { class: 'move offer', draggable: 'true', title: card?.words || null, ondragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData('text/plain', text) });
    if (card) made.append(h('img', { src: thumbnailOf(card.statement), alt: '', width: 72, height: 54, loading: 'lazy', draggable: 'false' }));
    made.append(h('span', {}, text));
    return h('li', {}, made);
  }

  address() {
    return `#/sums?${new URLSearchParams(this.terms.map((term) => ['term', term.trim()]).filter(([, term]) => term))}`;
  }

  /** @param {string} text */
  add(text) {
    this.terms.push(text);
    void this.work();
    if (!text) /** @type {HTMLElement | null} */ (this.parts.terms.querySelector('li:last-child input'))?.focus();
  }

  renderTerms() {
    fill(
      this.parts.terms,
      ...this.terms.map((term, place) => {
        const input = h('input', {
          type: 'text',
          value: term,
          'aria-label': `Term ${place + 1}`,
          spellcheck: 'false',
          onchange: () => {
            this.terms[place] = input.value;
            void this.work();
          },
        });
        const remove = button('Remove', () => {
          this.terms.splice(place, 1);
          void this.work();
        }, { class: 'small', 'aria-label': `Remove term ${place + 1}`, disabled: this.terms.length < 2 });
        return h('li', {}, h('span', { class: 'plus', 'aria-hidden': 'true' }, place ? '+' : ''), input, remove);
      }),
    );
  }

  async work() {
    const mine = ++this.turn;
    this.renderTerms();
    const terms = this.terms.map((term) => term.trim()).filter(Boolean);
    history.replaceState(null, '', location.search + this.address());
    if (!terms.length) return;
    try {
      const told = await ask('/sum', { terms });
      if (mine !== this.turn) return;
      fill(this.parts.told);
      this.render(told, terms);
    } catch (error) {
      if (mine === this.turn) fill(this.parts.told, errorLine(error));
    }
  }

  /**
   * @param {any} told
   * @param {string[]} terms
   */
  render(told, terms) {
    const { whole, scores, best } = told;
    const starts = (/** @type {'left' | 'right'} */ side) => {
      const name = side === 'left' ? 'left_first' : 'right_first';
      const move = best[side];
      const score = scores[name] ?? scores[`${name}_bounds`].join(' to ');
      const how = move ? `: best is ${terms[move.term]} to ${move.to}${move.sente ? ', which has to be answered (sente)' : ''}` : '';
      return `score ${score}${how}`;
    };
    const bounds = (/** @type {string} */ side) =>
      h(
        'table',
        { class: 'figures slim' },
        h('caption', {}, `If ${side} starts`),
        h('thead', {}, h('tr', {}, ...['bound', 'at least', 'at most', 'tax'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, ...told.bounds.filter((/** @type {any} */ row) => row.starts === side).map((/** @type {any} */ row) => h('tr', {}, h('th', { scope: 'row' }, row.method), h('td', {}, row.lower), h('td', {}, row.upper), h('td', {}, row.tax)))),
      );
    const facts = [
      ['Outcome', OUTCOMES[whole.outcome] || 'not worked out'],
      ['Value', whole.value || 'too long to write'],
      ['Mean', whole.mean ?? '?'],
      ['Temperature', whole.temperature ?? '?'],
      ['Left starts', starts('left')],
      ['Right starts', starts('right')],
    ];
    fill(
      this.parts.facts,
      h('div', { class: 'row between' }, h('h2', {}, 'The whole'), h('a', { class: 'button primary', href: addressOf('play', { target: told.play }), id: 'play' }, 'Play it')),
      h('dl', { class: 'facts' }, ...facts.flatMap(([name, words]) => [h('dt', {}, name), h('dd', {}, words)])),
      h('h2', {}, 'Bounds that need no search'),
      h('div', { class: 'row scroll top-aligned' }, bounds('left'), bounds('right')),
    );
    this.renderShapes(told, terms);
  }

  /**
   * @param {any} told
   * @param {string[]} terms
   */
  renderShapes(told, terms) {
    const all = [{ name: 'the sum', ...told.whole }, ...told.terms.map((/** @type {any} */ term, /** @type {number} */ place) => ({ name: terms[place], ...term }))].filter((each) => each.thermograph);
    const hottest = Math.max(1, ...all.map((each) => number(each.temperature)));
    const shapes = all.map((each) => ({ ...thermograph(each.thermograph, each.name, hottest), each }));
    const output = h('output', {});
    const slider = h('input', { type: 'range', id: 'tax', min: 0, max: 1000, value: Math.min(1000, (this.tax / (hottest * 1.2)) * 1000), oninput: () => move() });
    const move = () => {
      this.tax = (Number(slider.value) / 1000) * hottest * 1.2;
      output.textContent = shown(this.tax);
      for (const shape of shapes) shape.at(this.tax);
    };
    fill(
      this.parts.shapes,
      h('h2', {}, 'Thermographs'),
      h('p', { class: 'quiet' }, 'How much it is worth to move first: values to the left, the tax on a move upwards. Where the walls meet nobody wants to move any more.'),
      h('label', { class: 'row tax', for: 'tax' }, 'Tax', slider, output),
      h('div', { class: 'grid' }, ...shapes.map(({ element, each }) => {
        if (each.svg) element.append(h('div', { class: 'small-board' }, svgOf(each.svg)));
        if (each.value) element.append(h('p', { class: 'line' }, `value ${each.value}`));
        element.append(h('p', { class: 'quiet' }, sentence(`mean ${each.mean}, temperature ${each.temperature}`)));
        return element;
      })),
    );
    move();
  }
}
