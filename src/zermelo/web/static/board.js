// @ts-check
/** Board: play any game by pointing at it, see what every move is worth, and ask why one fails. */

import { ask, Job } from './api.js';
import { addressOf, embedded, movesOf, moveText, statementOf, titleOf } from './address.js';
import { introduce, legend, mixing, rest, rolled } from './beside_board.js';
import { Node } from './branches.js';
import { button, errorLine, fill, grouped, h, say, sentence } from './dom.js';
import { exports } from './exports.js';
import { playable } from './pointing.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {import('./address.js').Move} Move */
/** @typedef {import('./beside_board.js').Legal} Legal */
/** @typedef {{title: string, kind: string, noun: string, format: string | null, roles: string[], moves: Move[], turn: string[], legal: Legal[], more: number, over: boolean, ending: string | null, svg: string, text: string}} State */
/** @typedef {{move: string, role: string | null, chance: string | null, own: boolean, proved: boolean, words: string, grade: number | null, colour: string | null}} Valued */
/** @typedef {{headline: string, best: string | null, complete: boolean, moves: Valued[], svg: string, status: string, bounds: (string | null)[]}} Analysis */

const PAUSE = 350;
const MOST_SHOWN = 120;
/** Who can sit at the other side. */
const PLAYERS = [
  ['', 'the engine'],
  ['exact', 'exact search'],
  ['mac-ucb', 'mac-ucb'],
  ['uct', 'uct'],
  ['random', 'at random'],
];

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} said
 */
export async function show(main, said) {
  const statement = statementOf(said) || { target: 'tictactoe' };
  const board = new Board(main, statement, said);
  await board.begin(movesOf(said));
  return board;
}

class Board {
  /**
   * @param {HTMLElement} main
   * @param {Statement} statement
   * @param {URLSearchParams} said
   */
  constructor(main, statement, said) {
    this.statement = statement;
    this.root = new Node(null, null);
    this.node = this.root;
    this.side = said.get('as') || '';
    this.valued = said.has('values');
    /** Who plays for the machine, by the place of the role. */
    this.players = (said.get('players') || '').split(',');
    /** The strategy that plays its role, where somebody plays against one: the job that found it, and the claim. */
    this.strategy = said.get('strategy') || '';
    /** @type {State | null} */
    this.state = null;
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {Set<Job>} */
    this.jobs = new Set();
    /** @type {Record<string, string>} */
    this.chosen = {};
    this.turn = 0;
    this.paused = false;
    this.parts = {
      picture: h('div', { class: 'picture' }),
      status: h('p', { class: 'status', 'aria-live': 'polite' }),
      remark: h('div', { class: 'remark' }),
      moves: h('div', { class: 'moves' }),
      searching: h('p', { class: 'quiet searching' }),
      history: h('div', { class: 'history' }),
      controls: h('div', { class: 'row controls' }),
      why: h('div', { class: 'why', 'aria-live': 'polite' }),
      elsewhere: h('span', {}),
      drawings: h('a', { class: 'button' }, 'Tree and graph'),
    };
    const { picture, status, remark, moves, history, controls, why } = this.parts;
    const title = h('h1', {}, titleOf(statement));
    const rules = h('p', { class: 'lead rules' });
    void introduce(statement, title, rules);
    fill(picture, h('p', { class: 'quiet' }, 'Reading the game …'));
    main.append(
      h('div', { class: 'row between heading' }, h('div', {}, title, rules), this.links()),
      h(
        'div',
        { class: 'table' },
        h('section', { class: 'stage', 'aria-label': 'Board' }, picture, status, remark, controls),
        h('section', { class: 'side', 'aria-label': 'Moves' }, why, h('h2', {}, 'Moves'), moves, this.parts.searching, h('h2', {}, 'Played'), history),
      ),
    );
  }

  links() {
    const more = h('div', { class: 'row' });
    if (embedded()) return more;
    more.append(
      this.parts.elsewhere,
      h('a', { class: 'button', href: addressOf('solve', this.statement) }, 'Solve this game'),
      this.parts.drawings,
      exports(() => this.parts.picture.querySelector('svg'), 'board', () => addressOf('play', this.statement, this.node.line(), this.said())),
    );
    return more;
  }

  said() {
    /** @type {Record<string, string>} */
    const more = {};
    if (this.side) more.as = this.side;
    if (this.valued) more.values = '1';
    if (this.strategy) more.strategy = this.strategy;
    if (this.players.some(Boolean)) more.players = this.players.join(',');
    return more;
  }

  /** @param {Move[]} moves */
  async begin(moves) {
    for (const move of moves) this.node = this.node.play(move);
    await this.look();
  }

  leave() {
    this.turn++;
    this.stop();
  }

  stop() {
    for (const job of this.jobs) job.drop();
    this.jobs.clear();
  }

  /** Asks where play stands, shows it, and lets whoever is to move go on. */
  async look() {
    const mine = ++this.turn;
    this.stop();
    this.analysis = null;
    this.chosen = {};
    fill(this.parts.searching);
    try {
      const state = await ask('/state', { game: this.statement, moves: this.node.line() });
      if (mine !== this.turn) return;
      this.state = state;
    } catch (error) {
      if (mine !== this.turn) return;
      if (!this.state) throw error;
      fill(this.parts.why, errorLine(error));
      if (this.node.parent) this.node = this.node.parent;
      return;
    }
    fill(this.parts.why);
    history.replaceState(null, '', location.search + addressOf('play', this.statement, this.node.line(), this.said()));
    this.render();
    void this.goOn(mine);
  }

  /** The view that is made for games that are stated so. */
  renderElsewhere() {
    const { statement } = this;
    const format = this.state?.format;
    const known = format && format !== 'dgr';
    const terms = statement.target ? `#/sums?${new URLSearchParams([['term', statement.target]])}` : '';
    const [href, words] = format === 'sgf' ? [addressOf('go', statement), 'See the regions'] : (format === 'cgt' || format === 'board') && terms ? [terms, 'As a sum'] : [addressOf('edit', statement), 'Edit the text'];
    fill(this.parts.elsewhere, known && h('a', { class: 'button', href }, words));
    this.parts.drawings.href = addressOf('draw', statement, this.node.line());
  }

  /** The roles that people play. */
  humans() {
    const roles = this.state?.roles || [];
    if (this.side === 'both') return roles;
    if (this.side === 'none') return [];
    return roles.includes(this.side) ? [this.side] : roles.slice(0, 1);
  }

  /** @param {number} mine */
  async goOn(mine) {
    const state = /** @type {State} */ (this.state);
    if (state.over) return;
    const humans = this.humans();
    if (this.valued && state.turn[0] !== 'chance') void this.analyse(mine);
    if (state.turn[0] === 'chance') {
      await rest(PAUSE);
      if (mine === this.turn) this.play(rolled(state.legal), 'chance', '');
      return;
    }
    if (this.paused) return;
    for (const role of state.turn) {
      if (humans.includes(role)) continue;
      if (!(await this.reply(mine, role))) return;
    }
    this.together();
  }

  /**
   * The machine's move for a role.
   * @param {number} mine
   * @param {string} role
   */
  async reply(mine, role) {
    const state = /** @type {State} */ (this.state);
    if (!this.humans().length) await rest(PAUSE * 2);
    if (mine !== this.turn) return false;
    this.status(`${role} is thinking …`);
    try {
      const asked = { task: 'reply', game: this.statement, moves: this.node.line(), role, seconds: 4, player: this.players[state.roles.indexOf(role)] || undefined };
      const told = (await this.byStrategy(role)) || (await this.run(asked));
      if (mine !== this.turn) return false;
      if (state.turn.length === 1) {
        this.play(told.move, role, told.reason);
        return false;
      }
      this.chosen[role] = told.move;
      return true;
    } catch (error) {
      if (mine !== this.turn) return false;
      this.status(`${state.turn.join(' and ')} to move`);
      fill(this.parts.why, errorLine(error));
      return false;
    }
  }

  /**
   * The move of the strategy that somebody plays against; nothing where it has none, or is forgotten.
   * @param {string} role
   * @returns {Promise<{move: string, reason: string} | null>}
   */
  async byStrategy(role) {
    const [job, claim, before = '0', checked = ''] = this.strategy.split(',');
    const line = this.node.line();
    if (!job || line.length < Number(before)) return null;
    try {
      const node = await ask(`/jobs/${job}/strategy`, { claim: Number(claim), moves: line.slice(Number(before)) });
      if (!node.own || !node.moves.length || node.role !== role) return null;
      return { move: node.moves[0], reason: `by the strategy that was ${checked ? 'checked' : 'found'}` };
    } catch {
      fill(this.parts.why, h('p', { class: 'note' }, 'The strategy is no longer kept: the engine plays on.'));
      this.strategy = '';
      return null;
    }
  }

  /** Plays the moves of roles that move at once, when all have chosen. */
  together() {
    const state = this.state;
    if (!state || state.turn.length < 2 || !state.turn.every((role) => this.chosen[role] !== undefined)) {
      this.render();
      return;
    }
    this.play(state.turn.map((role) => this.chosen[role]), 'all', '');
  }

  /**
   * @param {Record<string, any>} asked
   * @param {Record<string, (data: any) => void>} [listeners]
   */
  async run(asked, listeners = {}) {
    const { job, result } = Job.start(asked, listeners);
    result.catch(() => {});
    const started = await job;
    this.jobs.add(started);
    return result.finally(() => this.jobs.delete(started));
  }

  /** @param {number} mine */
  async analyse(mine) {
    const asked = { task: 'analyse', game: this.statement, moves: this.node.line(), seconds: 20 };
    /** @param {Analysis} told */
    const hear = (told) => {
      if (mine !== this.turn) return;
      this.analysis = told;
      this.render();
    };
    try {
      await this.run(asked, { analysis: hear, progress: (told) => mine === this.turn && this.searching(told) });
      fill(this.parts.searching);
      if (mine === this.turn && this.analysis) say(`Values: ${this.analysis.headline}`);
    } catch (error) {
      if (mine === this.turn) fill(this.parts.why, errorLine(error));
    }
  }

  /**
   * What the analysis is at: how much was searched, and between which bounds the value lies.
   * @param {import('./progress.js').Progress} told
   */
  searching(told) {
    if (told.checked !== null) return;
    const [lower, upper] = told.bounds;
    const known = lower === null && upper === null ? '' : `; the value lies between ${lower ?? '?'} and ${upper ?? '?'}`;
    fill(this.parts.searching, `${told.engine}: ${grouped(told.nodes)} nodes${told.depth ? `, depth ${told.depth}` : ''}${known}`);
  }

  /**
   * @param {Move} move
   * @param {string} mover
   * @param {string} remark
   */
  play(move, mover, remark) {
    this.node = this.node.play(move);
    this.node.mover = mover;
    this.node.remark = remark;
    if (remark) say(`${mover} plays ${moveText(move)}, ${remark}`);
    void this.look();
  }

  /**
   * A move of a person; where several move at once it waits for the others.
   * @param {string} move
   * @param {string} role
   */
  choose(move, role) {
    const state = /** @type {State} */ (this.state);
    if (state.over) return;
    if (state.turn.length > 1) {
      if (!this.mayChoose(role || state.turn[0])) return;
      this.chosen[role || state.turn[0]] = move;
      this.together();
      return;
    }
    if (!this.humans().includes(state.turn[0]) && state.turn[0] !== 'chance') this.paused = false;
    this.play(move, state.turn[0], '');
  }

  /**
   * Whether a person chooses for this role now: not for the machine's, whose choice stays hidden until all have chosen.
   * @param {string} role
   */
  mayChoose(role) {
    const humans = this.humans();
    return this.paused || !humans.length || humans.includes(role);
  }

  /** Takes back to the last position in which a person was to move. */
  undo() {
    if (!this.node.parent) return;
    const humans = this.humans();
    let node = this.node.parent;
    while (humans.length && node.parent && node.children.every((child) => child.mover && !humans.includes(child.mover))) node = node.parent;
    this.node = node;
    this.paused = humans.length === 0;
    void this.look();
  }

  /** @param {Node} node */
  goTo(node) {
    this.node = node;
    this.paused = true;
    void this.look();
  }

  /** @param {string} words */
  status(words) {
    this.parts.status.textContent = words;
  }

  render() {
    const state = /** @type {State} */ (this.state);
    this.status(state.over ? state.ending || 'The game is over.' : `${state.turn.join(' and ')} to move`);
    this.parts.status.classList.toggle('over', state.over);
    const svg = playable(this.analysis?.svg || state.svg, (found) => this.pointedAt(found), (found, places, next) => this.gathered(found, places, next));
    fill(this.parts.picture, svg);
    this.renderElsewhere();
    this.renderRemark();
    this.renderControls();
    this.renderMoves();
    this.renderHistory();
  }

  /** @param {import('./pointing.js').Pointed[]} found */
  pointedAt(found) {
    const state = /** @type {State} */ (this.state);
    if (state.over || this.waits()) return;
    if (found.length === 1) this.choose(found[0].move, found[0].role);
    else {
      const buttons = found.map((each) => button(each.move, () => this.choose(each.move, each.role)));
      fill(this.parts.why, h('p', {}, 'Which of these moves?'), h('div', { class: 'row' }, ...buttons));
      buttons[0].focus();
    }
  }

  /**
   * Places that were chosen one by one, and the move that they make, if any.
   * @param {import('./pointing.js').Pointed | null} found
   * @param {string[]} places
   * @param {string} [next]
   */
  gathered(found, places, next = '') {
    const state = /** @type {State} */ (this.state);
    if (state.over || this.waits()) return;
    const chosen = places.length ? `Chosen: ${places.join(', ')}. ${next}` : 'Nothing is chosen.';
    fill(
      this.parts.remark,
      h('div', { class: 'row centred' }, h('span', { class: 'quiet' }, chosen), found && button('Play it', () => this.choose(found.move, found.role), { class: 'primary', id: 'gathered', title: found.move })),
    );
    say(chosen);
  }

  /** Whether it is the machine's turn, and nobody has paused it. */
  waits() {
    const state = /** @type {State} */ (this.state);
    return !this.paused && !state.turn.some((role) => this.humans().includes(role)) && state.turn[0] !== 'chance';
  }

  renderRemark() {
    const { node } = this;
    const said = node.move !== null && node.mover && node.mover !== 'all' ? `${node.mover} played ${moveText(node.move)}` : '';
    const why = node.remark ? ` (${node.remark})` : '';
    const known = !this.analysis ? '' : this.analysis.status === 'solved' ? `Best play: ${this.analysis.headline}` : this.analysis.complete ? `Best play: ${this.analysis.moves[0].words}` : 'Not solved yet: hollow marks are estimates';
    fill(this.parts.remark, said && h('p', {}, `${said}${why}.`), known && h('p', {}, sentence(known)));
  }

  renderControls() {
    const state = /** @type {State} */ (this.state);
    const sides = state.roles.length > 1 ? [...state.roles.map((role) => [role, `You play ${role}`]), ['both', state.roles.length > 2 ? 'You play all' : 'You play both'], ['none', 'Watch the machine']] : [[state.roles[0], 'You play'], ['none', 'Watch the machine']];
    const humans = this.humans();
    const now = this.side === 'both' || this.side === 'none' ? this.side : humans[0];
    const side = h(
      'select',
      {
        'aria-label': 'Who you play',
        onchange: () => {
          this.side = side.value;
          this.paused = false;
          void this.look();
        },
      },
      ...sides.map(([value, words]) => h('option', { value, selected: value === now }, words)),
    );
    const values = h('input', {
      type: 'checkbox',
      checked: this.valued,
      onchange: () => {
        this.valued = values.checked;
        void this.look();
      },
    });
    const holds = !state.over && this.paused && !state.turn.some((role) => humans.includes(role));
    // Whoever presses a button with the keyboard finds it again after it was drawn anew.
    const focused = document.activeElement?.getAttribute('data-control');
    fill(
      this.parts.controls,
      side,
      ...this.opponents(),
      h('label', { class: 'check' }, values, 'Show what moves are worth'),
      button('Undo', () => this.undo(), { disabled: !this.node.parent, 'data-control': 'undo' }),
      button('New game', () => this.goAnew(), { disabled: !this.node.parent, 'data-control': 'new' }),
      !state.over && humans.length > 0 && button('Hint', () => void this.hint(), { 'data-control': 'hint' }),
      holds && button('Let the machine go on', () => this.resume(), { class: 'primary', 'data-control': 'on' }),
    );
    if (focused) /** @type {HTMLElement | null} */ (this.parts.controls.querySelector(`[data-control="${focused}"]`))?.focus();
  }

  /** Who plays each role that no person plays. */
  opponents() {
    const state = /** @type {State} */ (this.state);
    const humans = this.humans();
    return state.roles.map((role, place) => {
      if (humans.includes(role)) return null;
      const choice = h(
        'select',
        {
          'aria-label': `Who plays ${role}`,
          onchange: () => {
            this.players[place] = choice.value;
            this.strategy = '';
            void this.look();
          },
        },
        this.strategy && h('option', { value: '', selected: true }, `${role}: the strategy`),
        ...PLAYERS.map(([name, words]) => h('option', { value: name, selected: !this.strategy && (this.players[place] || '') === name }, `${role}: ${words}`)),
      );
      return choice;
    });
  }

  resume() {
    this.paused = false;
    void this.look();
  }

  goAnew() {
    this.node = this.root;
    this.paused = false;
    void this.look();
  }

  async hint() {
    const mine = this.turn;
    fill(this.parts.why, h('p', { class: 'quiet' }, 'Looking for the best move …'));
    try {
      const told = await this.run({ task: 'reply', game: this.statement, moves: this.node.line(), role: this.state?.turn[0], seconds: 4 });
      if (mine !== this.turn) return;
      const words = `Play ${told.move}: ${told.reason}`;
      fill(this.parts.why, h('p', { class: 'note' }, sentence(words)));
    } catch (error) {
      if (mine === this.turn) fill(this.parts.why, errorLine(error));
    }
  }

  renderMoves() {
    const state = /** @type {State} */ (this.state);
    const several = state.turn.length > 1;
    const named = (/** @type {{move: string, role: string | null}} */ each) => (several ? `${each.role}: ${each.move}` : each.move);
    const known = new Map((this.analysis?.moves || []).map((move) => [named(move), move])), order = [...known.keys()];
    const legal = state.legal.filter((each) => !several || this.mayChoose(each.role));
    if (order.length) legal.sort((a, b) => order.indexOf(named(a)) - order.indexOf(named(b)));
    const shown = legal.slice(0, MOST_SHOWN);
    const rows = shown.map((each) => this.moveRow(each, known.get(named(each)), several));
    const rest = legal.length - shown.length + state.more;
    fill(
      this.parts.moves,
      state.over ? h('p', { class: 'quiet' }, 'No moves are left.') : h('ul', { class: known.size ? 'valued' : 'chips' }, ...rows),
      rest > 0 && h('p', { class: 'quiet' }, `and ${grouped(rest)} more, on the board`),
      this.valued && !state.over && !this.analysis && h('p', { class: 'quiet' }, 'Working out what they are worth …'),
      this.valued && !state.over && several && h('p', { class: 'quiet' }, mixing(this.analysis)),
      known.size > 0 && legend(state.roles, this.analysis?.moves.some((move) => move.own) ? state.turn : []),
    );
  }

  /**
   * @param {Legal} each
   * @param {Valued | undefined} value
   * @param {boolean} several
   */
  moveRow(each, value, several) {
    const chosen = several && this.chosen[each.role] === each.move;
    const words = several ? `${each.role}: ${each.move}` : each.probability ? `${each.move} (${each.probability})` : each.move;
    const grades = (this.analysis?.moves || []).filter((move) => !several || move.role === each.role).map((move) => move.grade);
    const best = !several && value !== undefined && value.grade !== null && value.grade === grades[0] && grades.some((grade) => grade !== grades[0]);
    const act = button(words, () => this.choose(each.move, each.role), {
      class: `move${best ? ' best' : ''}`,
      disabled: this.waits(),
      'aria-pressed': several ? String(chosen) : null,
    });
    if (!value) return h('li', {}, act);
    const look = `value ${value.colour || 'open'} ${value.proved ? 'proved' : 'estimated'}`;
    const fails = !several && value.proved && (value.grade || 0) < (this.analysis?.moves[0]?.grade ?? 0);
    return h(
      'li',
      {},
      act,
      h('span', { class: look, 'aria-hidden': 'true' }),
      h('span', { class: 'words' }, `${value.words}${value.proved ? ', proved' : ''}${!best ? '' : value.proved ? ' · best' : ' · looks best'}`),
      fails && button('Why?', () => void this.why(each.move), { class: 'small', 'aria-label': `Why not ${each.move}?` }),
    );
  }

  /** @param {string} move */
  async why(move) {
    const mine = this.turn;
    fill(this.parts.why, h('p', { class: 'quiet' }, `Looking for the reply to ${move} …`));
    try {
      const told = await this.run({ task: 'why', game: this.statement, moves: this.node.line(), move });
      if (mine !== this.turn) return;
      const reply = told.reply ? `After ${move} comes ${told.reply}: ${told.words}` : `${move} ends the game: ${told.words}`;
      fill(
        this.parts.why,
        h('p', { class: 'note' }, sentence(reply)),
        told.line.length > 1 && h('p', { class: 'line' }, `${move} ${told.line.join(' ')}`),
        told.line.length > 0 && button('Walk this line', () => this.walk([move, ...told.line])),
      );
    } catch (error) {
      if (mine === this.turn) fill(this.parts.why, errorLine(error));
    }
  }

  /** @param {Move[]} line */
  walk(line) {
    const begin = this.node;
    let node = begin;
    for (const move of line) node = node.play(move);
    this.goTo(begin.children[begin.children.length - 1] || begin);
    if (line.length) this.goTo(begin.play(line[0]));
  }

  renderHistory() {
    const path = this.node.path();
    /** @type {HTMLElement[]} */
    const rows = [];
    for (const node of path) {
      const others = (node.parent?.children || []).filter((child) => child !== node);
      rows.push(
        h(
          'li',
          { 'aria-current': node === this.node ? 'true' : null },
          button(moveText(/** @type {Move} */ (node.move)), () => this.goTo(node), { class: 'move', title: node.remark || null }),
          node.mover && node.mover !== 'all' && h('span', { class: 'quiet' }, ` ${node.mover}`),
          others.length > 0 && h('span', { class: 'branches' }, ' instead: ', ...others.map((other) => button(moveText(/** @type {Move} */ (other.move)), () => this.goTo(other), { class: 'small' }))),
        ),
      );
    }
    const next = this.node.children;
    fill(
      this.parts.history,
      rows.length ? h('ol', {}, ...rows) : h('p', { class: 'quiet' }, 'Nothing yet.'),
      next.length > 0 && h('p', { class: 'branches' }, 'Played before from here: ', ...next.map((child) => button(moveText(/** @type {Move} */ (child.move)), () => this.goTo(child), { class: 'small' }))),
    );
  }
}
