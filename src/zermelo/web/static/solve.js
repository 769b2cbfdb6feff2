// @ts-check
/** Solve: have engines find out who wins, watch them, and look at the strategy and its proof. */

import { ask, certificateOf, Job } from './api.js';
import { addressOf, embedded, movesOf, statementOf, titleOf } from './address.js';
import { checking } from './checking.js';
import { button, errorLine, fill, grouped, h, say, sentence } from './dom.js';
import { exports } from './exports.js';
import { progressTable } from './progress.js';
import { statementBox } from './statement_box.js';
import { strategyTree } from './strategy_tree.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {import('./address.js').Move} Move */

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} said
 */
export async function show(main, said) {
  const statement = statementOf(said);
  if (!statement) {
    main.append(
      h('h1', {}, 'Solve a game'),
      h('p', { class: 'lead' }, 'Say who wins and how, with a proof that can be checked. Which game?'),
      statementBox('solve', 'connect:4,4,4'),
    );
    return undefined;
  }
  const view = new Solve(main, statement, movesOf(said));
  await view.begin(said.get('engine') || 'auto', Number(said.get('seconds')) || 60);
  if (said.has('run')) void view.solve();
  return view;
}

class Solve {
  /**
   * @param {HTMLElement} main
   * @param {Statement} statement
   * @param {Move[]} moves
   */
  constructor(main, statement, moves) {
    this.statement = statement;
    this.moves = moves;
    /** @type {Job | null} */
    this.job = null;
    this.parts = {
      form: h('div', { class: 'row controls start' }),
      progress: h('div', {}),
      answer: h('section', { 'aria-label': 'Answer', 'aria-live': 'polite' }),
      others: h('div', {}),
    };
    /** What runs: the name of an engine, several joined by a plus, auto or all. */
    this.engine = () => 'auto';
    this.seconds = () => 60;
    const after = moves.length ? ` after ${moves.join(' ')}` : '';
    const links = h(
      'div',
      { class: 'row' },
      h('a', { class: 'button', href: addressOf('play', statement, moves) }, 'Play it'),
      h('a', { class: 'button', href: addressOf('draw', statement, moves) }, 'Tree and graph'),
      exports(null, 'solve', () => addressOf('solve', statement, moves, { engine: this.engine(), seconds: String(this.seconds()), run: '1' })),
    );
    main.append(
      h('div', { class: 'row between heading' }, h('h1', {}, `Solve ${titleOf(statement)}${after}`), !embedded() && links),
      h('section', { class: 'panel', 'aria-label': 'How to solve it' }, this.parts.form, this.parts.others, this.parts.progress),
      this.parts.answer,
      embedded() ? '' : checking(statement, moves),
    );
  }

  /**
   * @param {string} engine
   * @param {number} most seconds
   */
  async begin(engine, most) {
    /** @type {{engine: string, summary: string, by: string | null, why_not: string | null}[]} */
    const engines = await ask('/engines', { game: this.statement });
    // An engine that takes the game in several ways is named once, with the first of them.
    const named = new Map(engines.filter((each) => !each.why_not).reverse().map((each) => [each.engine, each]));
    const able = engines.filter((each) => named.get(each.engine) === each);
    const wanted = engine.split('+');
    const several = wanted.length > 1;
    const choice = h(
      'select',
      { id: 'engine', onchange: () => (ticks.hidden = choice.value !== 'several') },
      h('option', { value: 'auto' }, 'the best engine for it'),
      h('option', { value: 'all', selected: engine === 'all' }, 'all engines, which must agree'),
      h('option', { value: 'several', selected: several }, 'several engines side by side …'),
      ...able.map((each) => h('option', { value: each.engine, selected: each.engine === engine }, `${each.engine}${each.by ? ` (as a ${each.by})` : ''}: ${each.summary}`)),
    );
    const boxes = able.map((each) => h('input', { type: 'checkbox', value: each.engine, checked: several && wanted.includes(each.engine) }));
    const ticks = h('fieldset', { class: 'ticks', hidden: !several }, h('legend', {}, 'Whichever answers first ends the run:'), ...boxes.map((box) => h('label', { class: 'check' }, box, box.value)));
    const seconds = h('input', { type: 'number', id: 'seconds', min: 1, max: 600, value: most, class: 'short' });
    this.engine = () => (choice.value !== 'several' ? choice.value : boxes.filter((box) => box.checked).map((box) => box.value).join('+') || 'auto');
    this.seconds = () => Number(seconds.value) || 60;
    const start = button('Solve', () => void this.solve(), { class: 'primary', id: 'start' });
    const cancel = button('Cancel', () => void this.cancel(), { id: 'cancel', disabled: true });
    this.buttons = { start, cancel };
    fill(this.parts.form, h('label', { for: 'engine' }, 'With'), choice, h('label', { for: 'seconds' }, 'for at most'), seconds, h('span', {}, 'seconds'), start, cancel, ticks);
    const refused = engines.filter((each, place) => !named.has(each.engine) && engines.findIndex((other) => other.engine === each.engine) === place);
    fill(
      this.parts.others,
      refused.length > 0 &&
        h('details', { class: 'quiet' }, h('summary', {}, `${refused.length} engines do not take this game`), h('ul', {}, ...refused.map((each) => h('li', {}, h('strong', {}, each.engine), `: ${each.why_not}`)))),
    );
  }

  leave() {
    this.job?.drop();
  }

  /** @param {boolean} running */
  running(running) {
    if (!this.buttons) return;
    this.buttons.start.disabled = running;
    this.buttons.cancel.disabled = !running;
  }

  async cancel() {
    if (this.buttons) this.buttons.cancel.disabled = true;
    say('Cancelling');
    await this.job?.cancel();
  }

  async solve() {
    const [engine, seconds] = [this.engine(), this.seconds()];
    this.job?.drop();
    this.running(true);
    fill(this.parts.answer);
    const table = progressTable();
    fill(this.parts.progress, table.element);
    const { job, result } = Job.start({ task: 'solve', game: this.statement, moves: this.moves, engine, seconds }, { begun: () => table.begun(), progress: (told) => table.show(told), proved: (told) => this.proved(told) });
    try {
      this.job = await job;
      const told = await result;
      table.done();
      this.answer(told);
    } catch (error) {
      table.done();
      const cancelled = error instanceof Error && error.message === 'cancelled';
      fill(this.parts.answer, cancelled ? h('p', { class: 'note' }, 'Cancelled before anything was found.') : errorLine(error));
    }
    this.running(false);
  }

  /**
   * What an engine has proved, while the proof is still written and checked.
   * @param {{headline: string}} told
   */
  proved(told) {
    fill(this.parts.answer, h('h2', { class: 'answer' }, sentence(told.headline)), h('p', { class: 'verdict' }, 'An engine has proved it; the independent checker has not read the proof yet.'));
  }

  /** @param {any} told */
  answer(told) {
    const solved = told.status === 'solved';
    const verdict = told.verified ? 'Checked: the independent checker has accepted the proof.' : solved ? `Not verified${told.note ? `: ${told.note}` : ''}.` : 'This is what was proved until then, and a guess.';
    /** @type {string[][]} */
    const rows = told.report.map((/** @type {string} */ line) => [line.slice(0, 11).trim(), line.slice(11).trim()]);
    const line = told.line;
    const id = this.job?.id || '';
    fill(
      this.parts.answer,
      h('h2', { class: 'answer' }, sentence(told.headline)),
      h('p', { class: told.verified ? 'verdict good' : 'verdict' }, verdict),
      h('dl', { class: 'facts' }, ...rows.flatMap(([name, words]) => (name ? [h('dt', {}, name), h('dd', {}, words)] : [h('dd', {}, words)]))),
      h(
        'div',
        { class: 'row' },
        line.length > 0 && h('a', { class: 'button', href: addressOf('play', this.statement, [...this.moves, ...line], { as: 'both' }) }, 'Look at the main line on the board'),
        told.certificate?.kept && h('a', { class: 'button', href: certificateOf(id), download: told.certificate.name }, `Download the certificate (${size(told.certificate.bytes)})`),
        told.certificate && !told.certificate.kept && h('span', { class: 'quiet' }, 'The certificate is too long for the page: zermelo solve --certificate writes it.'),
      ),
      ...this.claims(told, id),
    );
    say(`${told.headline}. ${verdict}`);
  }

  /**
   * What is proved: each claim with its strategy, to be unfolded and to be played against.
   * @param {any} told
   * @param {string} id
   */
  claims(told, id) {
    if (!told.claims.length) return [];
    const places = told.claims.map((/** @type {any} */ claim) => h('div', {}, !claim.unfolds && h('p', { class: 'quiet' }, 'This claim rests on an argument, not on a table of moves.')));
    const boards = h('input', { type: 'checkbox', id: 'boards', onchange: () => places.forEach((/** @type {HTMLElement} */ place, /** @type {number} */ number) => place.hasChildNodes() && grow(number)) });
    // A tree grows when its claim is opened: its table may take the server a while.
    const grow = (/** @type {number} */ number) => told.claims[number].unfolds && fill(places[number], strategyTree(id, number, this.statement, this.moves, () => boards.checked));
    const details = told.claims.map((/** @type {any} */ claim, /** @type {number} */ number) =>
      h('details', { class: 'claim', open: number === 0 && claim.unfolds, ontoggle: () => details[number].open && !places[number].hasChildNodes() && grow(number) }, h('summary', {}, `${claim.promise} ${claim.context} `, h('span', { class: 'quiet' }, claim.how)), claim.unfolds && this.against(`${id},${number},${this.moves.length}${told.verified ? ',checked' : ''}`, claim.role, told.roles), places[number]),
    );
    return [
      h('div', { class: 'row between' }, h('h2', {}, 'What is proved, and how it is played'), h('label', { class: 'check' }, boards, 'Show boards in the tree')),
      ...details,
    ];
  }

  /**
   * A way to play against a strategy.
   * @param {string} strategy where it is kept, and from where it plays
   * @param {string} role that it plays
   * @param {string[]} roles
   */
  against(strategy, role, roles) {
    const other = roles.find((each) => each !== role);
    const href = addressOf('play', this.statement, this.moves, { as: other || 'none', strategy });
    return h('p', {}, h('a', { class: 'button small', href }, other ? `Play against it as ${other}` : 'Watch it play'));
  }
}

/** @param {number} bytes */
function size(bytes) {
  return bytes < 1 << 20 ? `${grouped(Math.max(1, Math.round(bytes / 1024)))} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;
}
