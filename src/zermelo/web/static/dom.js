// @ts-check
/** Small helpers for the document: elements, pictures, and words for screen readers. */

/**
 * An element with attributes, listeners (`onclick`) and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'disabled' || name === 'selected') {
      /** @type {any} */ (element)[name] = value;
    } else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/**
 * A picture of the server, ready to stand in the page. The page's own style sheet colours it: styles inside would be
 * refused by the content security policy, and scripts are never let in.
 * @param {string} text
 * @returns {SVGSVGElement}
 */
export function svgOf(text) {
  const parsed = new DOMParser().parseFromString(text.replace(/<style>[^]*?<\/style>/g, ''), 'image/svg+xml');
  const root = parsed.documentElement;
  for (const unwanted of root.querySelectorAll('script, style, foreignObject, a, image, use')) unwanted.remove();
  for (const element of [root, ...root.querySelectorAll('*')]) {
    for (const attribute of [...element.attributes]) {
      if (/^on|^style$|href$/i.test(attribute.name)) element.removeAttribute(attribute.name);
    }
  }
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(root, true)));
}

/**
 * Puts children in the place of whatever an element held.
 * @param {Element} element
 * @param {...(Node | string | null | undefined | false)} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
}

/**
 * Tells screen readers something.
 * @param {string} words
 */
export function say(words) {
  const live = document.getElementById('live');
  if (live) live.textContent = words;
}

/**
 * A button.
 * @param {string} words
 * @param {() => void} act
 * @param {Record<string, any>} [attributes]
 */
export function button(words, act, attributes = {}) {
  return h('button', { type: 'button', onclick: act, ...attributes }, words);
}

/**
 * What went wrong, in a line.
 * @param {unknown} error
 */
export function errorLine(error) {
  const words = error instanceof Error ? error.message : String(error);
  return h('p', { class: 'error', role: 'alert' }, sentence(words));
}

/**
 * Words as a sentence: a capital letter first, a full stop last.
 * @param {string} words
 */
export function sentence(words) {
  const trimmed = words.trim();
  if (!trimmed) return '';
  return trimmed[0].toUpperCase() + trimmed.slice(1) + (/[.!?…]$/.test(trimmed) ? '' : '.');
}

/**
 * A number with commas.
 * @param {number} number
 */
export function grouped(number) {
  return number.toLocaleString('en');
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string | Blob} content
 * @param {string} [type]
 */
export function download(name, content, type = 'text/plain') {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
