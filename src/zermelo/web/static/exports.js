// @ts-check
/** Taking a view along: its address, its picture as a file, and the lines that show it in slides or a notebook. */

import { button, download, fill, h, say } from './dom.js';

const SCALE = 2;

/**
 * A small menu.
 * @param {(() => SVGSVGElement | null) | null} picture where there is one
 * @param {string} name of the files
 * @param {() => string} address
 */
export function exports(picture, name, address) {
  const told = h('p', { class: 'quiet', role: 'status' });
  const full = () => location.origin + location.pathname + address();
  const copy = async (/** @type {string} */ text, /** @type {string} */ words) => {
    try {
      await navigator.clipboard.writeText(text);
      fill(told, words);
    } catch {
      fill(told, h('input', { type: 'text', value: text, 'aria-label': 'To be copied', class: 'copy' }));
    }
    say(words);
  };
  const frame = () => `<iframe src="${full().replace(location.pathname, `${location.pathname}?embed=1`)}" width="640" height="640" title="Zermelo"></iframe>`;
  const menu = h(
    'details',
    { class: 'menu' },
    h('summary', { class: 'button' }, 'Share'),
    h(
      'div',
      { class: 'sheet' },
      button('Copy the address', () => (address().includes('kept=') ? fill(told, 'The text is too long for an address: share the file instead.') : void copy(full(), 'The address is copied.'))),
      button('Copy a frame for slides', () => void copy(frame(), 'The frame is copied: paste it into slides or a notebook.')),
      picture && button('Save as SVG', () => svgFile(picture(), name)),
      picture && button('Save as PNG', () => void pngFile(picture(), name)),
      button('Print, or save as PDF', () => print()),
      told,
    ),
  );
  return menu;
}

/**
 * The text of a picture as it looks now: what the page's style sheet says is written into it.
 * @param {SVGSVGElement} svg
 */
export function standalone(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const from = [svg, ...svg.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, place) => {
    const look = getComputedStyle(element);
    for (const name of ['fill', 'stroke', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor']) {
      if (element instanceof SVGSVGElement && name !== 'font-family' && name !== 'text-anchor') continue;
      to[place].setAttribute(name, look.getPropertyValue(name));
    }
    to[place].removeAttribute('class');
  });
  const box = svg.viewBox.baseVal;
  copy.setAttribute('width', String(box.width));
  copy.setAttribute('height', String(box.height));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}

/**
 * @param {SVGSVGElement | null} svg
 * @param {string} name
 */
function svgFile(svg, name) {
  if (svg) download(`${name}.svg`, `${standalone(svg)}\n`, 'image/svg+xml');
}

/**
 * @param {SVGSVGElement | null} svg
 * @param {string} name
 */
async function pngFile(svg, name) {
  if (!svg) return;
  const box = svg.viewBox.baseVal;
  const image = new Image();
  const url = URL.createObjectURL(new Blob([standalone(svg)], { type: 'image/svg+xml' }));
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = reject;
    image.src = url;
  });
  const canvas = h('canvas', { width: box.width * SCALE, height: box.height * SCALE });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => blob && download(`${name}.png`, blob));
}
