// @ts-check
/** Thermographs side by side on one scale of taxes: the slider draws one line through all of them. */

import { h } from './dom.js';

/** @typedef {{left: string[][], right: string[][]}} Shape */

const WIDTH = 250;
const HEIGHT = 200;
const EDGE = { left: 34, right: 12, top: 14, bottom: 28 };
const SPACE = 'http://www.w3.org/2000/svg';

/**
 * An exact number as one that can be drawn.
 * @param {string} text
 */
export function number(text) {
  const [over, under = '1'] = text.split('/');
  return Number(over) / Number(under);
}

/**
 * Where a wall stands at a tax; above its last corner it is a mast.
 * @param {string[][]} wall
 * @param {number} tax
 */
export function wallAt(wall, tax) {
  const corners = wall.map(([value, t]) => [number(value), number(t)]);
  for (let place = 1; place < corners.length; place++) {
    const [v0, t0] = corners[place - 1];
    const [v1, t1] = corners[place];
    if (tax <= t1) return v0 + ((v1 - v0) * Math.max(0, tax - t0)) / (t1 - t0);
  }
  return corners[corners.length - 1][0];
}

/**
 * @param {Shape} shape
 * @param {string} name
 * @param {number} hottest the top of the scale of taxes
 */
export function thermograph(shape, name, hottest) {
  const top = Math.max(hottest * 1.2, 1);
  const values = [...shape.left, ...shape.right].filter(([, t]) => number(t) >= 0).map(([value]) => number(value));
  values.push(wallAt(shape.left, 0), wallAt(shape.right, 0));
  const low = Math.min(...values);
  const high = Math.max(...values);
  const margin = Math.max((high - low) * 0.12, 0.5);
  // Larger values stand on the left, as in every book on the subject.
  const x = (/** @type {number} */ value) => EDGE.left + ((high + margin - value) / (high - low + 2 * margin)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (/** @type {number} */ tax) => HEIGHT - EDGE.bottom - (tax / top) * (HEIGHT - EDGE.top - EDGE.bottom);
  const svg = element('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `Thermograph of ${name}`, 'text-anchor': 'middle' });
  svg.append(element('path', { class: 'z-line', d: `M${EDGE.left} ${y(0)}H${WIDTH - EDGE.right}M${EDGE.left} ${y(0)}V${EDGE.top}` }));
  for (const tax of ticks(0, top, 4)) svg.append(words(EDGE.left - 8, y(tax) + 4, shown(tax), 'end'));
  for (const value of ticks(low, high, 4)) svg.append(words(x(value), HEIGHT - 8, shown(value)));
  for (const [wall, kind] of /** @type {[string[][], string][]} */ ([[shape.left, 'first'], [shape.right, 'second']])) {
    const corners = wall.map(([value, t]) => [number(value), number(t)]).filter(([, t]) => t > 0);
    const points = [[wallAt(wall, 0), 0], ...corners, [wallAt(wall, top), top]];
    svg.append(element('path', { class: `z-${kind}-line`, 'stroke-width': '2.5', d: points.map(([value, tax], place) => `${place ? 'L' : 'M'}${x(value).toFixed(1)} ${y(tax).toFixed(1)}`).join('') }));
  }
  const line = element('path', { class: 'z-ink-line', 'stroke-dasharray': '4 3' });
  const dots = ['first', 'second'].map((kind) => element('circle', { class: `z-${kind}`, r: '4' }));
  svg.append(line, ...dots);
  const told = h('p', { class: 'quiet' });
  return {
    element: h('figure', { class: 'thermograph' }, h('figcaption', {}, name), svg, told),
    /** @param {number} tax */
    at(tax) {
      const level = y(Math.min(tax, top));
      line.setAttribute('d', `M${EDGE.left} ${level}H${WIDTH - EDGE.right}`);
      const [left, right] = [wallAt(shape.left, tax), wallAt(shape.right, tax)];
      [left, right].forEach((value, place) => {
        dots[place].setAttribute('cx', String(x(value)));
        dots[place].setAttribute('cy', String(level));
      });
      told.textContent = `Left ${shown(left)}, Right ${shown(right)}`;
    },
  };
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 */
function element(tag, attributes) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} [anchor]
 */
function words(x, y, text, anchor = 'middle') {
  const made = element('text', { class: 'z-faint', x: String(x), y: String(y), 'font-size': '11', 'text-anchor': anchor });
  made.textContent = text;
  return made;
}

/** @param {number} value */
export function shown(value) {
  return String(Math.round(value * 1000) / 1000).replace('-', '−');
}

/**
 * Round numbers between two others.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 */
function ticks(low, high, most) {
  const raw = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) || raw;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) found.push(Math.round(value * 1e6) / 1e6);
  return found;
}
