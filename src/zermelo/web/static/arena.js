// @ts-check
/** Arena: the standings of a tournament, live while it runs, and two programs to watch. */

import { ask } from './api.js';
import { addressOf, embedded } from './address.js';
import { button, errorLine, fill, grouped, h, sentence } from './dom.js';
import { exports } from './exports.js';

const EVERY = 3000;
const GAMES = ['connect:4,4,4', 'hex:4', 'breakthrough:4,4', 'othello:4,4', 'gdl:connectfour', 'gdl:checkers', 'dotsandboxes:2,2'];
const PLAYERS = ['mac-ucb', 'uct', 'exact', 'random'];

/** @param {HTMLElement} main */
export async function show(main) {
  const table = h('div', {});
  main.append(h('div', { class: 'row between heading' }, h('h1', {}, 'Arena'), embedded() ? '' : exports(null, 'arena', () => addressOf('arena'))), h('p', { class: 'lead' }, 'Programs play against each other under one clock. How good are they, and how sure can we be?'), watching(), table);
  let left = false;
  const look = async () => {
    try {
      const told = await ask('/arena');
      if (told.plan === null) {
        fill(table, h('h2', {}, 'Standings'), h('p', {}, 'Start the server with a tournament to see its standings here, live while it runs:'), h('pre', { class: 'text' }, 'zermelo serve --arena examples/cup.toml'));
        return;
      }
      render(table, told);
    } catch (error) {
      fill(table, errorLine(error));
    }
    if (!left) timer = window.setTimeout(look, EVERY);
  };
  let timer = 0;
  await look();
  return {
    leave() {
      left = true;
      clearTimeout(timer);
    },
  };
}

/** Two programs and a game. */
function watching() {
  const choice = (/** @type {string} */ label, /** @type {string[]} */ names, /** @type {number} */ place) => h('select', { 'aria-label': label }, ...names.map((name, at) => h('option', { value: name, selected: at === place }, name)));
  const game = choice('Game', GAMES, 0);
  const first = choice('First program', PLAYERS, 0);
  const second = choice('Second program', PLAYERS, 3);
  const watch = () => {
    location.hash = addressOf('play', { target: game.value }, [], { as: 'none', players: `${first.value},${second.value}` });
  };
  return h('section', { class: 'panel', 'aria-label': 'Watch two programs' }, h('h2', { class: 'flush' }, 'Watch two programs play'), h('div', { class: 'row' }, first, 'against', second, 'at', game, button('Watch', watch, { class: 'primary' })));
}

/**
 * @param {HTMLElement} place
 * @param {any} told
 */
function render(place, told) {
  const rows = told.pairings.flatMap((/** @type {any} */ pairing) => {
    const name = h('th', { scope: 'row' }, pairing.game);
    const state = pairing.failure ? sentence(pairing.failure) : pairing.over ? 'over' : 'running';
    if (!pairing.result) return [h('tr', {}, name, h('td', { class: 'words' }, pairing.clock), h('td', { class: 'words', colspan: 4 }, 'no game yet'), h('td', {}, `0 of ${pairing.planned}`), h('td', { class: 'words' }, state))];
    return pairing.result.players.map((/** @type {any} */ player, /** @type {number} */ at) =>
      h(
        'tr',
        {},
        at ? h('th', { scope: 'row' }) : name,
        h('td', { class: 'words' }, at ? '' : pairing.clock),
        h('td', { class: 'words' }, player.player),
        h('td', {}, percent(player.score)),
        h('td', { class: 'words' }, interval(player.interval)),
        h('td', {}, bar(player.score, player.interval)),
        h('td', {}, at ? '' : `${grouped(pairing.finished)} of ${grouped(pairing.planned)}`),
        h('td', { class: 'words' }, at ? '' : state),
      ),
    );
  });
  fill(
    place,
    h('h2', {}, `Standings of ${told.plan}`),
    rows.length
      ? h('div', { class: 'scroll' }, h('table', { class: 'figures' }, h('thead', {}, h('tr', {}, ...['game', 'clock', 'player', 'score', '95 % interval', '', 'games', ''].map((word) => h('th', { scope: 'col' }, word)))), h('tbody', {}, ...rows)))
      : h('p', { class: 'quiet' }, 'No game has been played yet.'),
  );
}

/** @param {number | null} part */
function percent(part) {
  return part === null || part === undefined ? '' : `${(100 * part).toFixed(1)} %`;
}

/** @param {[number, number] | null} ends */
function interval(ends) {
  return ends ? `${percent(ends[0])} to ${percent(ends[1])}` : '';
}

/**
 * A score and its interval as a small picture.
 * @param {number | null} mean
 * @param {[number, number] | null} ends
 */
function bar(mean, ends) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 104 16');
  svg.setAttribute('width', '104');
  svg.setAttribute('height', '16');
  svg.setAttribute('aria-hidden', 'true');
  const draw = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
    const made = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    svg.append(made);
  };
  draw('path', { class: 'z-line', d: 'M2 8H102M52 3V13' });
  if (ends) draw('path', { class: 'z-second-line', 'stroke-width': '4', d: `M${2 + 100 * ends[0]} 8H${2 + 100 * ends[1]}` });
  if (mean !== null && mean !== undefined) draw('circle', { class: 'z-ink', cx: String(2 + 100 * mean), cy: '8', r: '4' });
  return svg;
}
