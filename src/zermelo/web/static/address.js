// @ts-check
/** Addresses: the view, the game and the moves stand in the part behind the #, so that every view can be shared. */

/** @typedef {{target?: string, sample?: string, text?: string, format?: string, name?: string, options?: string}} Statement */
/** @typedef {string | string[]} Move */

/** Longer texts do not fit into an address: browsers cut them. They are kept beside it, for this tab alone. */
const LONGEST = 50_000;
/** @type {Map<string, string>} */
const kept = new Map();

const STATES = ['target', 'sample', 'text', 'format', 'name', 'options'];

/** The view and what is said of it. */
export function here() {
  const [path, query = ''] = split(location.hash.replace(/^#/, '') || '/');
  return { view: path.replace(/^\//, '') || 'home', said: new URLSearchParams(query) };
}

/** @param {string} hash */
function split(hash) {
  const place = hash.indexOf('?');
  return place < 0 ? [hash] : [hash.slice(0, place), hash.slice(place + 1)];
}

/**
 * The game that an address names.
 * @param {URLSearchParams} said
 * @returns {Statement | null}
 */
export function statementOf(said) {
  /** @type {Record<string, string>} */
  const statement = {};
  for (const name of STATES) {
    const value = said.get(name);
    if (value) statement[name] = value;
  }
  const key = said.get('kept');
  const text = key && (kept.get(key) ?? stored(key));
  if (text) statement.text = text;
  return statement.target || statement.sample || statement.text ? statement : null;
}

/**
 * @param {URLSearchParams} said
 * @returns {Move[]}
 */
export function movesOf(said) {
  const text = said.get('moves') || '';
  if (!text.startsWith('[')) return text.split(' ').filter(Boolean);
  try {
    const moves = JSON.parse(text);
    return Array.isArray(moves) ? moves : [];
  } catch {
    return [];
  }
}

/** @param {Move[]} moves */
function written(moves) {
  const plain = moves.every((move) => typeof move === 'string' && !/\s/.test(move) && !move.startsWith('['));
  return plain ? moves.join(' ') : JSON.stringify(moves);
}

/**
 * The address of a view.
 * @param {string} view
 * @param {Statement | null} [statement]
 * @param {Move[]} [moves]
 * @param {Record<string, string>} [more]
 */
export function addressOf(view, statement = null, moves = [], more = {}) {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(statement || {})) {
    if (name === 'text' && value && value.length > LONGEST) said.set('kept', keep(value));
    else if (value) said.set(name, value);
  }
  if (moves.length) said.set('moves', written(moves));
  for (const [name, value] of Object.entries(more)) if (value) said.set(name, value);
  const query = said.toString();
  return `#/${view === 'home' ? '' : view}${query ? `?${query}` : ''}`;
}

/**
 * Keeps a text and gives the key to it, which is the same for the same text.
 * @param {string} text
 */
function keep(text) {
  let sum = 5381;
  for (let place = 0; place < text.length; place++) sum = (Math.imul(sum, 33) ^ text.charCodeAt(place)) >>> 0;
  const key = `${text.length}-${sum.toString(36)}`;
  kept.set(key, text);
  try {
    sessionStorage.setItem(`text ${key}`, text);
  } catch {
    // There is no room: the text lasts until the page is loaded again.
  }
  return key;
}

/** @param {string} key */
function stored(key) {
  try {
    return sessionStorage.getItem(`text ${key}`);
  } catch {
    return null;
  }
}

/** Whether the page stands in slides or a notebook, without what surrounds the view. */
export function embedded() {
  return new URLSearchParams(location.search).has('embed');
}

/**
 * What a game is called.
 * @param {Statement} statement
 */
export function titleOf(statement) {
  return statement.target || statement.sample || statement.name || 'your text';
}

/** @param {Move} move */
export function moveText(move) {
  return Array.isArray(move) ? move.join(' and ') : move;
}
