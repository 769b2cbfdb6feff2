// @ts-check
/** Taking a view along: its address, its picture as a file, and the lines that show it in slides or a notebook. */

import { ask } from './api.js';
import { button, download, errorLine, fill, h, say } from './dom.js';
import { snapshot, standalone } from './snapshot.js';

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
  const view = () => snapshot(/** @type {HTMLElement} */ (document.getElementById('main')));
  const shown = () => {
    const svg = picture?.();
    return svg ? standalone(svg) : view();
  };
  const paper = async (/** @type {string} */ svg) => {
    fill(told, 'Writing …');
    try {
      const { pdf } = await ask('/pdf', { svg });
      download(`${name}.pdf`, new Blob([Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0))], { type: 'application/pdf' }));
      fill(told, 'The PDF is written.');
    } catch (error) {
      fill(told, errorLine(error));
    }
  };
  const menu = h(
    'details',
    { class: 'menu' },
    h('summary', { class: 'button' }, 'Share'),
    h(
      'div',
      { class: 'sheet' },
      button('Copy the address', () => (address().includes('kept=') ? fill(told, 'The text is too long for an address: share the file instead.') : void copy(full(), 'The address is copied.'))),
      button('Copy a frame for slides', () => void copy(frame(), 'The frame is copied: paste it into slides or a notebook.')),
      button('Save as SVG', () => download(`${name}.svg`, `${shown()}\n`, 'image/svg+xml')),
      button('Save as PNG', () => void pngFile(shown(), name)),
      button('Save as PDF', () => void paper(shown())),
      picture && button('Save the whole view as PNG', () => void pngFile(view(), name)),
      picture && button('Save the whole view as PDF', () => void paper(view())),
      button('Print', () => print()),
      told,
    ),
  );
  return menu;
}

/**
 * @param {string} svg
 * @param {string} name
 */
async function pngFile(svg, name) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = reject;
    image.src = url;
  });
  const canvas = h('canvas', { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => blob && download(`${name}.png`, blob));
}
