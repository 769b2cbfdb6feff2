// @ts-check
/** Draw: a game as a tree, a graph, a strategy or whatever else can be drawn of it, to look at and to take along. */

import { ask } from './api.js';
import { addressOf, embedded, movesOf, statementOf, titleOf } from './address.js';
import { errorLine, fill, h, say, svgOf } from './dom.js';
import { exports } from './exports.js';
import { statementBox } from './statement_box.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {import('./address.js').Move} Move */

/** @type {Record<string, string>} */
const ABOUT = {
  board: 'the position',
  tree: 'every move and reply, as deep as you say; where there are too many, branches are folded and counted',
  graph: 'every position once, in layers by the number of moves that lead to it',
  strategy: 'what the winner plays against every reply',
  polytope: 'the points that keep all rows',
  thermograph: 'what a move is worth at every tax',
  bounds: 'what either side can make sure of by a thermostat',
};
const DEEP = ['tree', 'strategy'];

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} said
 */
export async function show(main, said) {
  const statement = statementOf(said);
  if (!statement) {
    main.append(h('h1', {}, 'Draw a game'), h('p', { class: 'lead' }, 'As a tree, a graph, a strategy. Which game?'), statementBox('draw', 'nim:1,2'));
    return undefined;
  }
  const view = new Draw(main, statement, movesOf(said), said);
  await view.begin();
  return view;
}

class Draw {
  /**
   * @param {HTMLElement} main
   * @param {Statement} statement
   * @param {Move[]} moves
   * @param {URLSearchParams} said
   */
  constructor(main, statement, moves, said) {
    this.statement = statement;
    this.moves = moves;
    this.what = said.get('what') || 'tree';
    this.depth = Number(said.get('depth')) || 0;
    this.turn = 0;
    this.parts = { form: h('div', { class: 'row controls start' }), about: h('p', { class: 'quiet' }), told: h('div', { 'aria-live': 'polite' }), picture: h('div', { class: 'drawing scroll', tabindex: '0', role: 'group', 'aria-label': 'Picture' }) };
    const after = moves.length ? ` after ${moves.join(' ')}` : '';
    const links = h('div', { class: 'row' }, h('a', { class: 'button', href: addressOf('play', statement, moves) }, 'Play it'), exports(() => this.parts.picture.querySelector('svg'), 'drawing', () => this.address()));
    main.append(
      h('div', { class: 'row between heading' }, h('h1', {}, `${titleOf(statement)}${after}`), !embedded() && links),
      h('section', { class: 'panel', 'aria-label': 'What is drawn' }, !embedded() && this.parts.form, this.parts.about, this.parts.told, this.parts.picture),
    );
  }

  leave() {
    this.turn++;
  }

  address() {
    return addressOf('draw', this.statement, this.moves, { what: this.what, depth: this.depth ? String(this.depth) : '' });
  }

  async begin() {
    const { offered } = await ask('/picture', { game: this.statement });
    if (!offered.includes(this.what)) this.what = offered[0];
    const what = h(
      'select',
      {
        id: 'what',
        onchange: () => {
          this.what = what.value;
          void this.look();
        },
      },
      ...offered.map((/** @type {string} */ name) => h('option', { value: name, selected: name === this.what }, name)),
    );
    const depth = h('input', {
      type: 'number',
      id: 'depth',
      class: 'short',
      min: 1,
      max: 12,
      value: this.depth || '',
      placeholder: 'as it fits',
      onchange: () => {
        this.depth = Number(depth.value) || 0;
        void this.look();
      },
    });
    this.deep = h('span', { class: 'row' }, h('label', { for: 'depth' }, 'moves deep'), depth);
    fill(this.parts.form, h('label', { for: 'what' }, 'Draw the'), what, this.deep);
    await this.look();
  }

  async look() {
    const mine = ++this.turn;
    history.replaceState(null, '', location.search + this.address());
    if (this.deep) this.deep.hidden = !DEEP.includes(this.what);
    this.parts.about.textContent = ABOUT[this.what] ? `The ${this.what}: ${ABOUT[this.what]}.` : '';
    fill(this.parts.told, h('p', { class: 'quiet working' }, 'Drawing …'));
    try {
      const told = await ask('/picture', { game: this.statement, moves: this.moves, what: this.what, depth: this.depth || undefined });
      if (mine !== this.turn) return;
      fill(this.parts.told);
      const svg = svgOf(told.svg);
      svg.setAttribute('role', 'img');
      svg.setAttribute('aria-label', `${this.what} of ${titleOf(this.statement)}`);
      fill(this.parts.picture, svg);
      say(`The ${this.what} is drawn.`);
    } catch (error) {
      if (mine !== this.turn) return;
      fill(this.parts.picture);
      fill(this.parts.told, errorLine(error));
    }
  }
}
