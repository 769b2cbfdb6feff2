// @ts-check
/**
 * Moves by mouse, finger and keyboard on a picture. Pictures tell by attributes what can be pointed at: `data-move` is
 * a legal move, `data-from` and `data-to` its ends, `data-cell` a place.
 */

import { svgOf } from './dom.js';

/** @typedef {{move: string, role: string, from: string, to: string}} Pointed */

/**
 * The picture as something to play on; `choose` hears of moves, all those that a click may mean.
 * @param {string} text
 * @param {(moves: Pointed[]) => void} choose
 */
export function playable(text, choose) {
  const svg = svgOf(text);
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  const ways = [...svg.querySelectorAll('[data-move][data-from]')].map(pointed);
  const spots = [...svg.querySelectorAll('[data-move]:not([data-from])')];
  for (const spot of spots) spot.classList.add('can');
  /** @type {Map<string, Element>} */
  const cells = new Map();
  for (const cell of svg.querySelectorAll('[data-cell]')) cells.set(cell.getAttribute('data-cell') || '', cell);
  for (const way of ways) cells.get(way.from)?.classList.add('can');
  let from = '';

  const lift = (/** @type {string} */ name) => {
    from = name;
    for (const [cell, element] of cells) {
      element.classList.toggle('lifted', cell === name);
      element.classList.toggle('reach', name !== '' && ways.some((way) => way.from === name && way.to === cell));
    }
  };

  /**
   * @param {Element} spot
   * @param {boolean} dropped
   */
  const point = (spot, dropped) => {
    const cell = spot.getAttribute('data-cell') || '';
    if (from && from !== cell) {
      const found = ways.filter((way) => way.from === from && way.to === cell);
      if (found.length) {
        lift('');
        choose(found);
        return;
      }
    }
    if (from === cell && !dropped) {
      lift('');
      return;
    }
    if (spot.hasAttribute('data-move')) {
      lift('');
      choose([pointed(spot)]);
    } else if (!dropped && ways.some((way) => way.from === cell)) lift(cell);
    else if (!dropped) lift('');
  };

  const spotAt = (/** @type {EventTarget | null} */ target) =>
    target instanceof Element ? target.closest('[data-move]:not([data-from]), [data-cell]') : null;

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
 * @param {Element} element
 * @returns {Pointed}
 */
function pointed(element) {
  const said = (/** @type {string} */ name) => element.getAttribute(`data-${name}`) || '';
  return { move: said('move'), role: said('role'), from: said('from'), to: said('to') };
}
