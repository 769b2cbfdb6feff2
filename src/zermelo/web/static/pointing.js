// @ts-check
/**
 * Moves by mouse, finger and keyboard on a picture. Pictures tell by attributes what can be pointed at: `data-move` is
 * a legal move, `data-from` and `data-to` its ends, `data-set` the places that it is a choice of (`data-also` where that
 * is a second way to tell it), `data-with` what a move is made with, such as a die, `data-cell` a place.
 */

import { svgOf } from './dom.js';

/** @typedef {{move: string, role: string, from: string, to: string, tool: string}} Pointed */

/**
 * The picture as something to play on; `choose` hears of moves, all those that a click may mean. Where a move is a choice
 * of several places, such as the dice to be thrown again, clicks choose places, and `gather` hears which move they make.
 * Where moves are made with something, such as a die, a click takes it up, and then a click on a piece is enough.
 * @param {string} text
 * @param {(moves: Pointed[]) => void} choose
 * @param {(found: Pointed | null, places: string[], next?: string) => void} [gather]
 */
export function playable(text, choose, gather) {
  const svg = svgOf(text);
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  const ways = [...svg.querySelectorAll('[data-move][data-from]')].map(pointed);
  const spots = [...svg.querySelectorAll('[data-move]:not([data-from]):not([data-set])')];
  for (const spot of spots) spot.classList.add('can');
  /** @type {Map<string, Element>} */
  const cells = new Map();
  for (const cell of svg.querySelectorAll('[data-cell]')) cells.set(cell.getAttribute('data-cell') || '', cell);
  for (const way of ways) for (const end of [way.from, way.to]) cells.get(end)?.classList.add('can');
  const sets = gather ? setsOf(svg, spots) : new Map();
  const many = new Set([...sets.keys()].flatMap((key) => key.split('|')));
  const tools = new Set(ways.map((way) => way.tool).filter(Boolean));
  for (const name of [...many, ...tools]) cells.get(name)?.classList.add('can');
  /** @type {Set<string>} */
  const taken = new Set();
  let held = '';
  let tool = '';

  /** The ways that are open: those made with what was taken up, if anything was. */
  const open = () => (tool ? ways.filter((way) => way.tool === tool) : ways);

  /** The other ends of the ways that begin or end at a place. @param {string} name */
  const others = (name) => {
    const to = open().filter((way) => way.from === name).map((way) => way.to);
    return to.length ? to : open().filter((way) => way.to === name).map((way) => way.from);
  };

  const lift = (/** @type {string} */ name) => {
    held = name;
    const near = name ? others(name) : tool ? open().map((way) => way.from) : [];
    for (const [cell, element] of cells) {
      element.classList.toggle('lifted', (cell !== '' && (cell === name || cell === tool)) || taken.has(cell));
      element.classList.toggle('reach', near.includes(cell));
    }
  };

  /** @param {string} cell */
  const toggle = (cell) => {
    if (!taken.delete(cell)) taken.add(cell);
    lift('');
    gather?.(sets.get([...taken].sort().join('|')) || null, [...taken]);
  };

  /**
   * @param {Element} spot
   * @param {boolean} dropped
   */
  const point = (spot, dropped) => {
    const cell = spot.getAttribute('data-cell') || '';
    if (many.has(cell)) {
      if (!dropped) toggle(cell);
      return;
    }
    if (tools.has(cell)) {
      tool = dropped || tool === cell ? '' : cell;
      lift('');
      gather?.(null, tool ? [tool] : [], tool && 'Now click a piece.');
      return;
    }
    const only = tool ? open().filter((way) => way.from === cell) : [];
    if (only.length && !dropped) {
      lift('');
      choose(only);
      return;
    }
    if (held && held !== cell) {
      // Where a piece stands it is taken up; a move without one, such as a pair of columns, may be told from either end.
      const found = open().filter((way) => way.from === held && way.to === cell);
      const back = found.length ? found : open().filter((way) => way.to === held && way.from === cell && !open().some((other) => other.from === held));
      if (back.length) {
        lift('');
        choose(back);
        return;
      }
    }
    if (held === cell && !dropped) {
      lift('');
      return;
    }
    if (spot.hasAttribute('data-move')) {
      lift('');
      choose([pointed(spot)]);
    } else if (!dropped) lift(others(cell).length ? cell : '');
  };

  const spotAt = (/** @type {EventTarget | null} */ target) =>
    target instanceof Element ? target.closest('[data-move]:not([data-from]):not([data-set]), [data-cell]') : null;

  let pressed = '';
  svg.addEventListener('pointerdown', (event) => {
    const cell = spotAt(event.target)?.getAttribute('data-cell') || '';
    pressed = ways.some((way) => way.from === cell) ? cell : '';
  });
  svg.addEventListener('pointerup', (event) => {
    const spot = spotAt(document.elementFromPoint(event.clientX, event.clientY));
    const cell = spot?.getAttribute('data-cell') || '';
    if (pressed && spot && cell !== pressed && svg.contains(spot)) {
      lift(pressed);
      point(spot, true);
    }
    pressed = '';
  });
  svg.addEventListener('click', (event) => {
    const spot = spotAt(event.target);
    if (spot) point(spot, false);
  });
  return svg;
}

/**
 * The moves that are choices of places, by these places; those of one place that belongs to them as well.
 * @param {SVGSVGElement} svg
 * @param {Element[]} spots
 */
function setsOf(svg, spots) {
  /** @type {Map<string, Pointed>} */
  const sets = new Map();
  for (const each of svg.querySelectorAll('[data-set]')) {
    sets.set((each.getAttribute('data-set') || '').split('|').sort().join('|'), pointed(each));
  }
  const many = new Set([...sets.keys()].flatMap((key) => key.split('|')));
  for (const spot of spots) {
    const cell = spot.getAttribute('data-cell') || '';
    if (many.has(cell)) sets.set(cell, pointed(spot));
  }
  return sets;
}

/**
 * @param {Element} element
 * @returns {Pointed}
 */
function pointed(element) {
  const said = (/** @type {string} */ name) => element.getAttribute(`data-${name}`) || '';
  return { move: said('move') || said('also'), role: said('role'), from: said('from'), to: said('to'), tool: said('with') };
}
