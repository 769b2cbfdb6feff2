// @ts-check
/** Edit: rulesheets, formulas, programs, networks and whatever else is stated by a text, checked as they are typed. */

import { ask, Job, Refused } from './api.js';
import { addressOf, statementOf } from './address.js';
import { editor } from './code.js';
import { button, download, errorLine, fill, grouped, h, sentence, svgOf } from './dom.js';
import { exports } from './exports.js';

/** @typedef {import('./address.js').Statement} Statement */

/** @type {Record<string, string>} */
const NAMES = { rulesheet: 'rulesheet', qcir: 'formula (QCIR)', qdimacs: 'formula (QDIMACS)', qlp: 'program (QLP)', network: 'network', xcsp: 'network (XCSP3)', cgt: 'sum of games', sgf: 'Go record', graph: 'graph', board: 'board', dgr: 'network whose edges fail', efg: "tree of choices (Gambit's .efg)", nfg: "table of payoffs (Gambit's .nfg)" };
const BEGIN = ['gdl:tictactoe', 'gdl:connectfour', 'gdl:nim', 'heap.kif', 'choices.qcir', 'bakery.qlp', 'threevariables.qlp', 'umbrella.json', 'thesis.graph', 'endgame.cgt', 'toss.efg', 'pennies.nfg'];
const FORMS = ['graph', 'qcir', 'qdimacs', 'qlp', 'lp', 'mps', 'sum', 'network', 'xcsp', 'efg', 'nfg'];

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} said
 */
export async function show(main, said) {
  const statement = statementOf(said) || { sample: 'heap.kif' };
  const told = await ask('/text', { game: statement }).catch((error) => {
    // A text that states no game yet is what editors are for.
    if (statement.text !== undefined) return { text: statement.text, format: statement.format, name: statement.name };
    throw error;
  });
  const view = new Edit(main, told);
  await view.check();
  return view;
}

class Edit {
  /**
   * @param {HTMLElement} main
   * @param {{text: string, format?: string, name?: string}} told
   */
  constructor(main, told) {
    this.name = told.name || 'text';
    /** @type {string | undefined} */
    this.format = undefined;
    this.turn = 0;
    /** How many moves of the game are written in another form, at most. @type {() => number | undefined} */
    this.plies = () => undefined;
    this.code = editor(told.text, () => void this.check());
    this.parts = { kind: h('p', { class: 'quiet' }), actions: h('div', { class: 'row' }), picture: h('div', { class: 'picture' }), more: h('div', { class: 'made' }), told: h('div', { 'aria-live': 'polite' }) };
    const begin = h(
      'select',
      {
        'aria-label': 'Begin with',
        onchange: () => {
          if (begin.value) location.hash = addressOf('edit', begin.value.startsWith('gdl:') ? { target: begin.value } : { sample: begin.value });
        },
      },
      h('option', { value: '' }, 'Begin with …'),
      ...BEGIN.map((name) => h('option', { value: name }, name)),
    );
    main.append(
      h('div', { class: 'row between heading' }, h('h1', {}, 'Edit'), begin),
      h('p', { class: 'lead' }, 'Type rules, a formula, a program, a network, a graph, a sum or a file of Gambit. Mistakes are marked where they are.'),
      h('div', { class: 'table wide' }, h('section', { 'aria-label': 'Editor' }, this.parts.kind, this.code.element), h('section', { class: 'side', 'aria-label': 'What it states' }, this.parts.actions, this.parts.told, this.parts.picture, this.parts.more)),
    );
  }

  leave() {
    this.turn++;
    this.job?.drop();
  }

  /** @returns {Statement} */
  statement() {
    return { text: this.code.text(), format: this.format, name: this.name };
  }

  async check() {
    const mine = ++this.turn;
    const text = this.code.text();
    history.replaceState(null, '', location.search + addressOf('edit', { text, name: this.name }));
    if (!text.trim()) return;
    try {
      const told = await ask('/lint', { text, name: this.name });
      if (mine !== this.turn) return;
      this.format = told.format;
      this.parts.kind.textContent = `This is a ${NAMES[told.format] || told.format}.`;
      this.code.mark(told.findings, 'Nothing is wrong with it.');
      const broken = told.findings.some((/** @type {any} */ finding) => finding.severity === 'error');
      fill(this.parts.told);
      if (broken) {
        fill(this.parts.actions);
        fill(this.parts.picture);
        fill(this.parts.more);
      } else await this.look(mine);
    } catch (error) {
      if (mine !== this.turn) return;
      const place = error instanceof Refused && error.told.line ? error.told : null;
      if (place) this.code.mark([{ severity: 'error', message: place.message || '', line: place.line || 1, column: place.column || 1 }], '');
      fill(this.parts.told, errorLine(error));
    }
  }

  /** @param {number} mine */
  async look(mine) {
    const statement = this.statement();
    try {
      const [state, drawn] = await Promise.all([ask('/state', { game: statement }), ask('/picture', { game: statement })]);
      if (mine !== this.turn) return;
      fill(this.parts.picture, svgOf(state.svg));
      const rulesheet = this.format === 'rulesheet';
      fill(
        this.parts.actions,
        h('a', { class: 'button primary', href: addressOf('play', statement) }, 'Play it'),
        h('a', { class: 'button', href: addressOf('solve', statement) }, 'Solve it'),
        rulesheet && button('Measure its speed', () => void this.bench()),
        rulesheet && button('Find symmetries', () => void this.symmetries()),
        rulesheet && button('Take it apart', () => void this.decompose()),
        this.drawing(drawn.offered),
        this.encoding(),
        exports(() => this.parts.picture.querySelector('svg'), 'picture', () => addressOf('edit', this.statement())),
      );
    } catch (error) {
      if (mine === this.turn) fill(this.parts.told, errorLine(error));
    }
  }

  /** @param {string[]} offered */
  drawing(offered) {
    const what = h('select', { 'aria-label': 'Draw', onchange: () => what.value && void this.draw(what.value) }, h('option', { value: '' }, 'Draw …'), ...offered.map((name) => h('option', { value: name }, `the ${name}`)));
    return what;
  }

  encoding() {
    const form = h('select', { 'aria-label': 'Write it as', onchange: () => form.value && void this.encode(form.value) }, h('option', { value: '' }, 'Write it as …'), ...FORMS.map((name) => h('option', { value: name }, name)));
    const plies = h('input', { type: 'number', class: 'short', min: 1, max: 10000, placeholder: 'all', 'aria-label': 'Moves that are written at most', title: 'Moves that are written at most', onchange: () => form.value && void this.encode(form.value) });
    this.plies = () => Number(plies.value) || undefined;
    return h('span', { class: 'row' }, form, plies, h('span', { class: 'quiet' }, 'moves'));
  }

  /** @param {string} form */
  async encode(form) {
    await this.making(`Writing ${form} …`, async () => {
      const told = await ask('/encode', { game: this.statement(), form, horizon: this.plies() });
      const shown = told.text.length > 20_000 ? `${told.text.slice(0, 20_000)}\n… and ${grouped(told.text.length - 20_000)} more letters` : told.text;
      return [h('div', { class: 'row between' }, h('h2', { class: 'flush' }, form), button('Save', () => download(`game.${form}`, told.text))), h('pre', { class: 'text', tabindex: '0' }, shown)];
    });
  }

  /** @param {string} what */
  async draw(what) {
    await this.making(`Drawing the ${what} …`, async () => {
      const told = await ask('/picture', { game: this.statement(), what });
      const svg = svgOf(told.svg);
      fill(this.parts.picture, svg);
      const depth = what === 'strategy' || what === 'tree';
      return [h('p', {}, h('a', { class: 'button', href: addressOf('draw', this.statement(), [], { what }) }, depth ? 'See it larger and deeper' : 'See it larger'))];
    });
  }

  async decompose() {
    await this.making('Looking for games that are played side by side …', async () => {
      const started = Job.start({ task: 'decompose', game: this.statement(), seconds: 40 });
      this.job = await started.job;
      const told = await started.result;
      const many = told.parts.length > 1;
      return [
        h('h2', { class: 'flush' }, 'Its parts'),
        h('p', {}, sentence(told.headline)),
        many ? h('ol', { class: 'parts' }, ...told.parts.map(partOf)) : h('p', { class: 'quiet' }, 'Parts are games in which no fact looks at facts of another, and no move changes another.'),
        told.common.length > 0 && h('p', { class: 'quiet' }, 'No move changes ', h('code', {}, told.common.join(' ')), many ? ', which belongs to all parts.' : '.'),
      ];
    });
  }

  async bench() {
    await this.making('Playing random games …', async () => {
      const started = Job.start({ task: 'bench', game: this.statement(), seconds: 20 });
      this.job = await started.job;
      const told = await started.result;
      const size = told.kind === 'ground' ? `${grouped(told.fluents)} facts, ${grouped(told.moves)} moves, ${grouped(told.gates)} gates from ${grouped(told.rules)} rules` : told.reason;
      const rows = Object.entries(told.kernels).map(([name, played]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, grouped(Math.round(played.playouts_per_second))), h('td', {}, grouped(Math.round(played.steps_per_second)))));
      return [h('h2', { class: 'flush' }, 'Speed'), h('p', {}, size), h('table', { class: 'figures slim' }, h('thead', {}, h('tr', {}, ...['kernel', 'games/s', 'moves/s'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, ...rows))];
    });
  }

  async symmetries() {
    await this.making('Looking for symmetries …', async () => {
      const told = await ask('/symmetries', { game: this.statement() });
      const count = told.order === 1 ? 'There is no symmetry.' : `There are ${grouped(told.order)} symmetries${told.complete ? '' : ', perhaps more'}. All are made of these:`;
      return [h('h2', { class: 'flush' }, 'Symmetries'), h('p', {}, count), h('ol', {}, ...told.generators.map((/** @type {string[]} */ lines) => h('li', {}, lines.join('; '))))];
    });
  }

  /**
   * @param {string} words
   * @param {() => Promise<(Node | false)[]>} make
   */
  async making(words, make) {
    const mine = this.turn;
    fill(this.parts.more, h('p', { class: 'quiet' }, words));
    try {
      const made = await make();
      if (mine === this.turn) fill(this.parts.more, ...made);
    } catch (error) {
      if (mine === this.turn) fill(this.parts.more, errorLine(error));
    }
  }
}

/**
 * A part of a rulesheet: its facts in short, and its moves where somebody looks.
 * @param {{described: string[], facts: string[], moves: string[]}} part
 */
function partOf(part) {
  return h('li', {}, h('code', {}, part.described.join(' ')), h('details', { class: 'quiet' }, h('summary', {}, `${grouped(part.facts.length)} facts, ${grouped(part.moves.length)} moves`), h('p', { class: 'line' }, part.facts.join(' ')), h('p', { class: 'line' }, part.moves.join(', '))));
}
