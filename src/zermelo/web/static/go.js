// @ts-check
/** Go: the endgame of a record, region by region, after any move of it and after moves that somebody tries. */

import { ask } from './api.js';
import { addressOf, movesOf, statementOf } from './address.js';
import { button, download, errorLine, fill, h, say, sentence } from './dom.js';
import { exports } from './exports.js';
import { playable } from './pointing.js';

/** @typedef {import('./address.js').Statement} Statement */

const COLUMNS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} said
 */
export async function show(main, said) {
  const view = new Go(main, statementOf(said) || { sample: 'thirteen.sgf' }, movesOf(said).map(String));
  await view.look();
  return view;
}

class Go {
  /**
   * @param {HTMLElement} main
   * @param {Statement} statement
   * @param {string[]} moves that were made after the record
   */
  constructor(main, statement, moves) {
    const options = (statement.options || '').split(',');
    const said = (/** @type {string} */ name) => (options.find((option) => option.startsWith(`${name}=`)) || '').slice(name.length + 1);
    this.safe = new Set(said('safe').split('/').filter(Boolean));
    this.number = said('move');
    this.area = options.includes('area');
    this.statement = statement;
    this.moves = moves;
    /** @type {(name: string) => string[]} the stones that are connected with one */
    this.chain = (name) => [name];
    this.turn = 0;
    this.parts = { picture: h('div', { class: 'picture go' }), told: h('div', { 'aria-live': 'polite' }), facts: h('div', {}), steps: h('div', { class: 'row controls' }), controls: h('div', { class: 'row controls' }) };
    const file = h('input', { type: 'file', class: 'unseen', id: 'record', accept: '.sgf', onchange: () => void this.take(file.files?.[0]) });
    main.append(
      h('div', { class: 'row between heading' }, h('h1', {}, 'The endgame of a Go record'), h('div', { class: 'row' }, h('label', { class: 'button', for: 'record' }, 'Open a record (SGF)'), file, exports(() => this.parts.picture.querySelector('svg'), 'endgame', () => addressOf('go', this.said(), this.moves)))),
      h('p', { class: 'lead' }, 'Late in a game the board falls into regions that have nothing to do with each other. Each is worth something, and some are more urgent than others.'),
      h(
        'div',
        { class: 'table' },
        h('section', { class: 'stage', 'aria-label': 'Board' }, this.parts.picture, h('p', { class: 'quiet centre' }, 'Click a point to play there; click a stone to mark its chain as alive, or to remove the mark.'), this.parts.steps, this.parts.controls),
        h('section', { class: 'side', 'aria-label': 'Regions' }, this.parts.told, this.parts.facts),
      ),
    );
  }

  leave() {
    this.turn++;
  }

  /** @returns {Statement} */
  said() {
    const options = [this.area ? 'area' : '', this.number ? `move=${this.number}` : '', this.safe.size ? `safe=${[...this.safe].join('/')}` : ''].filter(Boolean).join(',');
    return { ...this.statement, options };
  }

  /** @param {File | undefined} given */
  async take(given) {
    if (!given) return;
    /** @type {HTMLInputElement} */ (document.getElementById('record')).value = '';
    this.statement = { text: await given.text(), name: given.name, format: 'sgf' };
    this.safe.clear();
    this.number = '';
    this.moves = [];
    await this.look();
  }

  /** @returns {Promise<boolean>} whether the server could tell */
  async look() {
    const mine = ++this.turn;
    const statement = this.said();
    fill(this.parts.told, h('p', { class: 'quiet' }, 'Playing the regions out …'));
    try {
      const told = await ask('/go', { game: statement, moves: this.moves });
      if (mine !== this.turn) return true;
      history.replaceState(null, '', location.search + addressOf('go', statement, this.moves));
      fill(this.parts.told);
      this.render(told);
      return true;
    } catch (error) {
      if (mine === this.turn) fill(this.parts.told, errorLine(error));
      return false;
    }
  }

  /**
   * Makes a move, and takes it back where it is not one.
   * @param {string} point
   */
  async play(point) {
    this.moves = [...this.moves, point];
    if (!(await this.look())) this.moves = this.moves.slice(0, -1);
    else say(`${point} is played`);
  }

  /** @param {any} told */
  render(told) {
    const svg = playable(told.svg, () => {});
    this.chain = (name) => chainOf(name, told.stones, told.size);
    const alive = new Set([...this.safe].flatMap(this.chain));
    for (const spot of svg.querySelectorAll('[data-cell]')) {
      const name = spot.getAttribute('data-cell') || '';
      const stone = told.stones[placeOf(name, told.size)];
      spot.classList.add('can');
      if (alive.has(name)) spot.classList.add('lifted');
      spot.addEventListener('click', () => (stone === '.' ? void this.play(name) : void this.toggle(name)));
    }
    fill(this.parts.picture, svg);
    this.renderSteps(told);
    const area = h('input', {
      type: 'checkbox',
      checked: this.area,
      onchange: () => {
        this.area = area.checked;
        void this.look();
      },
    });
    fill(
      this.parts.controls,
      h('label', { class: 'check' }, area, 'Count by area'),
      this.safe.size > 0 && button('Forget the marks', () => this.forget()),
      button('Save the record with remarks', () => download('annotated.sgf', told.sgf, 'application/x-go-sgf')),
    );
    fill(
      this.parts.facts,
      h('h2', {}, 'Result'),
      ...told.outcome.map((/** @type {string} */ line) => h('p', {}, sentence(line))),
      this.safe.size > 0 && h('p', { class: 'quiet' }, `Taken as alive by your word: ${[...this.safe].join(', ')}.`),
      h('h2', {}, 'Regions'),
      told.regions.length ? h('div', { class: 'scroll' }, this.table(told.regions)) : h('p', { class: 'quiet' }, 'Everything is settled.'),
      told.order.length > 0 && h('h2', {}, 'Best order of play'),
      told.order.length > 0 && h('ol', { class: 'walk' }, ...told.order.map((/** @type {any} */ step) => h('li', {}, `${step.mover} `, button(step.move, () => void this.play(step.move), { class: 'move', disabled: step !== told.order[0], 'aria-label': `${step.mover} ${step.move}` }), ` in ${step.region}`))),
      told.order.length > 0 && button('Play the next move of it', () => void this.play(told.order[0].move), { id: 'next' }),
      told.exact && !this.moves.length && h('p', {}, h('a', { class: 'button', href: addressOf('play', this.said()) }, 'Play the regions as a sum')),
    );
  }

  /**
   * Back and forth through the record, and the moves that follow it.
   * @param {any} told
   */
  renderSteps(told) {
    const slider = h('input', {
      type: 'range',
      id: 'number',
      min: 0,
      max: told.length,
      value: told.move_number,
      onchange: () => {
        this.number = Number(slider.value) === told.length ? '' : slider.value;
        this.moves = [];
        void this.look();
      },
    });
    fill(
      this.parts.steps,
      told.length > 0 && h('label', { class: 'row', for: 'number' }, 'Move', slider, h('output', {}, `${told.move_number} of ${told.length}`)),
      h('span', { class: 'quiet' }, `${told.to_move} to move${this.moves.length ? `, after ${this.moves.join(' ')}` : ''}`),
      this.byName(),
      button('Pass', () => void this.play('pass'), { class: 'small' }),
      this.moves.length > 0 &&
        button('Undo', () => {
          this.moves = this.moves.slice(0, -1);
          void this.look();
        }, { class: 'small', id: 'undo' }),
    );
  }

  /** A point by its name, for whoever uses no mouse. */
  byName() {
    const point = h('input', { type: 'text', id: 'point', class: 'short', placeholder: 'C4', 'aria-label': 'Point', autocomplete: 'off', maxlength: 3 });
    const named = (/** @type {(name: string) => void} */ act) => () => {
      const name = point.value.trim().toUpperCase();
      if (name) act(name);
    };
    const play = named((name) => void this.play(name));
    point.addEventListener('keydown', (event) => event.key === 'Enter' && play());
    return h('span', { class: 'row' }, point, button('Play there', play, { class: 'small' }), button('Alive', named((name) => void this.toggle(name)), { class: 'small', 'aria-label': 'Take the chain there as alive, or no longer' }));
  }

  /** @param {any[]} regions */
  table(regions) {
    const cells = (/** @type {any} */ region) => {
      if (region.status === 'refused' || region.status === 'bounded') return [h('td', { colspan: 4, class: 'words' }, sentence(region.reason || 'unsettled'))];
      const kind = region.status === 'ko' ? 'a ko matters' : region.kind;
      return [h('td', { class: 'words' }, region.values.join(' or ')), h('td', {}, region.means.join(' or ')), h('td', {}, region.temperatures.join(' or ')), h('td', { class: 'words' }, kind)];
    };
    return h(
      'table',
      { class: 'figures slim' },
      h('thead', {}, h('tr', {}, ...['region', 'value', 'mean', 'temperature', ''].map((name) => h('th', { scope: 'col', class: name === 'value' ? 'words' : null }, name)))),
      h('tbody', {}, ...regions.map((region) => h('tr', {}, h('th', { scope: 'row' }, region.name), ...cells(region)))),
    );
  }

  /**
   * Marks a chain as alive by one of its stones, or takes the mark from it, whichever of its stones has it.
   * @param {string} name
   */
  async toggle(name) {
    const before = new Set(this.safe);
    const marked = this.chain(name).filter((each) => this.safe.delete(each));
    if (!marked.length) this.safe.add(name);
    if (!(await this.look())) this.safe = before;
  }

  forget() {
    this.safe.clear();
    void this.look();
  }
}

/**
 * Where a point stands in the text of a board.
 * @param {string} name
 * @param {number} size
 */
function placeOf(name, size) {
  return (size - Number(name.slice(1))) * size + COLUMNS.indexOf(name[0]);
}

/**
 * The names of the stones that are connected with one.
 * @param {string} name
 * @param {string} stones
 * @param {number} size
 */
function chainOf(name, stones, size) {
  const first = placeOf(name, size);
  const found = new Set([first]);
  for (const place of found) {
    const column = place % size;
    const near = [place - size, place + size, column > 0 ? place - 1 : -1, column < size - 1 ? place + 1 : -1];
    for (const other of near) if (stones[other] !== undefined && stones[other] === stones[first]) found.add(other);
  }
  return [...found].map((place) => `${COLUMNS[place % size]}${size - Math.floor(place / size)}`);
}
