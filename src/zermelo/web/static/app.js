// @ts-check
/** The page: a view for each address, each in a module that is loaded when it is first needed. */

import { addressOf, embedded, here } from './address.js';
import { errorLine, fill, h } from './dom.js';

/** @typedef {{leave?: () => void}} View */
/** @typedef {(main: HTMLElement, said: URLSearchParams) => Promise<View | void> | View | void} Show */

/** @type {Record<string, {title: string, load: () => Promise<{show: Show}>, hidden?: boolean}>} */
const VIEWS = {
  home: { title: 'Games', load: () => import('./home.js') },
  solve: { title: 'Solve', load: () => import('./solve.js') },
  sums: { title: 'Sums', load: () => import('./sums.js') },
  edit: { title: 'Edit', load: () => import('./edit.js') },
  go: { title: 'Go', load: () => import('./go.js') },
  arena: { title: 'Arena', load: () => import('./arena.js') },
  draw: { title: 'Draw', load: () => import('./draw.js'), hidden: true },
  play: { title: 'Board', load: () => import('./board.js'), hidden: true },
};

/** @type {View | void} */
let current;
let turn = 0;

async function route() {
  const mine = ++turn;
  const { view, said } = here();
  const main = /** @type {HTMLElement} */ (document.getElementById('main'));
  const found = VIEWS[view];
  current?.leave?.();
  current = undefined;
  mark(view);
  if (!found) {
    fill(main, h('h1', {}, 'No such page'), h('p', {}, h('a', { href: '#/' }, 'All games')));
    return;
  }
  document.title = `${found.title} · Zermelo`;
  try {
    const module = await found.load();
    if (mine !== turn) return;
    main.replaceChildren();
    main.dataset.view = view;
    const shown = await module.show(main, said);
    if (mine === turn) current = shown;
    else shown?.leave?.();
  } catch (error) {
    if (mine === turn) fill(main, errorLine(error), h('p', {}, h('a', { href: '#/' }, 'All games')));
  }
}

/** @param {string} view */
function mark(view) {
  for (const link of document.querySelectorAll('#views a')) {
    if (link.getAttribute('data-view') === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

async function begin() {
  if (embedded()) document.documentElement.classList.add('embedded');
  const views = /** @type {HTMLElement} */ (document.getElementById('views'));
  for (const [name, view] of Object.entries(VIEWS)) {
    if (view.hidden) continue;
    views.append(h('a', { href: addressOf(name), 'data-view': name }, view.title));
  }
  addEventListener('hashchange', route);
  addEventListener('pagehide', () => current?.leave?.()); // nobody waits for what the server still works on
  await route();
}

void begin();
