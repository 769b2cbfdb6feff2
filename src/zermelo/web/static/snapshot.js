// @ts-check
/** What is on the screen as SVG for other programs: one picture, or a whole view with its words, boxes and pictures. */

/** Nothing to be seen, or nothing that can be drawn at once. */
const LEFT_OUT = '.unseen, [type=file], img';
const MARGIN = 16;

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
 * The text of an SVG picture of what an element shows.
 * @param {HTMLElement} root
 */
export function snapshot(root) {
  const page = document.documentElement;
  page.classList.add('taken'); // without menus and the like, which the style sheet hides meanwhile
  try {
    const paint = new Paint(root.getBoundingClientRect());
    paint.element(root);
    return paint.written(getComputedStyle(page).backgroundColor);
  } finally {
    page.classList.remove('taken');
  }
}

class Paint {
  /** @param {DOMRect} frame */
  constructor(frame) {
    this.frame = frame;
    /** @type {string[]} */
    this.parts = [];
    this.right = frame.width;
    this.bottom = 0;
    /** How many windows are open around what is drawn. */
    this.clipped = 0;
    this.pen = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  }

  /** @param {string} background */
  written(background) {
    const [width, height] = [Math.ceil(this.right + 2 * MARGIN), Math.ceil(this.bottom + 2 * MARGIN)];
    const box = `viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" width="${width}" height="${height}"`;
    const paper = `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${background}"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${box}>${paper}${this.parts.join('')}</svg>`;
  }

  /**
   * Where something stands, from the corner of the view; the picture grows to hold it.
   * @param {DOMRect} box
   */
  place(box) {
    const [x, y] = [box.left - this.frame.left, box.top - this.frame.top];
    if (!this.clipped) {
      this.right = Math.max(this.right, x + box.width);
      this.bottom = Math.max(this.bottom, y + box.height);
    }
    return { x, y, width: box.width, height: box.height };
  }

  /** @param {Element} element */
  element(element) {
    if (element.matches(LEFT_OUT) || !element.checkVisibility()) return;
    const box = element.getBoundingClientRect();
    if (element instanceof SVGSVGElement) {
      this.picture(element, box);
      return;
    }
    const look = getComputedStyle(element);
    if (box.width && box.height) this.box(this.place(box), look);
    if (element instanceof HTMLLIElement) this.marker(element, box, look);
    const clips = look.overflow !== 'visible' && box.width > 0 && box.height > 0;
    if (!clips) {
      this.inside(element, box, look);
      return;
    }
    this.parts.push(this.window(box));
    this.clipped++;
    this.inside(element, box, look);
    this.clipped--;
    this.parts.push('</svg>');
  }

  /**
   * What is cut off at the edges of a box is cut off in the picture.
   * @param {DOMRect} box
   */
  window(box) {
    const { x, y, width, height } = this.place(box);
    return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">`;
  }

  /**
   * @param {Element} element
   * @param {DOMRect} box
   * @param {CSSStyleDeclaration} look
   */
  inside(element, box, look) {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) {
      this.field(element, box, look);
      return;
    }
    for (const child of element.childNodes) {
      if (child instanceof Element) this.element(child);
      else if (child instanceof Text) this.words(child, look);
    }
  }

  /**
   * @param {SVGSVGElement} svg
   * @param {DOMRect} box
   */
  picture(svg, box) {
    const { x, y, width, height } = this.place(box);
    const inner = standalone(svg).replace(/^<svg[^>]*>/, (head) => head.replace(/ (x|y|width|height)="[^"]*"/g, '').replace('<svg', `<svg x="${x}" y="${y}" width="${width}" height="${height}"`));
    this.parts.push(inner);
  }

  /**
   * The ground of an element and its edges.
   * @param {{x: number, y: number, width: number, height: number}} at
   * @param {CSSStyleDeclaration} look
   */
  box({ x, y, width, height }, look) {
    const round = Math.min(parseFloat(look.borderTopLeftRadius) || 0, width / 2, height / 2);
    if (!/, 0\)$|^transparent$/.test(look.backgroundColor)) {
      this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="${look.backgroundColor}"/>`);
    }
    const edges = ['Top', 'Right', 'Bottom', 'Left'].map((side) => {
      const said = (/** @type {string} */ what) => /** @type {any} */ (look)[`border${side}${what}`];
      return said('Style') === 'none' ? null : { size: parseFloat(said('Width')), colour: said('Color') };
    });
    if (edges.every((edge) => edge && edge.size > 0)) {
      const { size, colour } = /** @type {{size: number, colour: string}} */ (edges[0]);
      this.parts.push(`<rect x="${x + size / 2}" y="${y + size / 2}" width="${Math.max(0, width - size)}" height="${Math.max(0, height - size)}" rx="${round}" fill="none" stroke="${colour}" stroke-width="${size}"/>`);
      return;
    }
    const lines = [[x, y, x + width, y], [x + width, y, x + width, y + height], [x, y + height, x + width, y + height], [x, y, x, y + height]];
    edges.forEach((edge, side) => {
      const [x1, y1, x2, y2] = lines[side];
      if (edge && edge.size > 0) this.parts.push(`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${edge.colour}" stroke-width="${edge.size}"/>`);
    });
  }

  /**
   * The words of a text, line by line as the browser has broken it.
   * @param {Text} text
   * @param {CSSStyleDeclaration} look
   */
  words(text, look) {
    const range = document.createRange();
    /** @type {{text: string, box: DOMRect, right: number}[]} */
    const lines = [];
    for (const found of text.data.matchAll(look.whiteSpace.startsWith('pre') ? /[^\n]+/g : /\S+/g)) {
      range.setStart(text, found.index);
      range.setEnd(text, found.index + found[0].length);
      for (const box of range.getClientRects()) {
        const last = lines[lines.length - 1];
        if (!box.width) continue;
        if (last && Math.abs(last.box.top - box.top) < 2 && box.left >= last.right - 1) {
          last.text += ` ${found[0]}`;
          last.right = box.right;
        } else lines.push({ text: found[0], box, right: box.right });
        break; // a word that is itself broken stands in its first line
      }
    }
    for (const line of lines) this.line(line.text, new DOMRect(line.box.left, line.box.top, line.right - line.box.left, line.box.height), look);
  }

  /**
   * One line of words, as wide as the browser has set it: other programs have other letters.
   * @param {string} words
   * @param {DOMRect} box
   * @param {CSSStyleDeclaration} look
   * @param {boolean} [fit]
   */
  line(words, box, look, fit = true) {
    this.pen.font = `${look.fontStyle} ${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = this.pen.measureText(words);
    const { x, y, width, height } = this.place(box);
    const baseline = y + (height - above - below) / 2 + above;
    const length = fit && words.length > 1 ? ` textLength="${width}"` : '';
    const font = `font-family="${escaped(look.fontFamily)}" font-size="${look.fontSize}" font-weight="${look.fontWeight}" font-style="${look.fontStyle}"`;
    this.parts.push(`<text x="${x}" y="${baseline}"${length} ${font} fill="${look.color}" xml:space="preserve">${escaped(words)}</text>`);
  }

  /**
   * The number or the dot before an item.
   * @param {HTMLLIElement} item
   * @param {DOMRect} box
   * @param {CSSStyleDeclaration} look
   */
  marker(item, box, look) {
    if (look.listStyleType === 'none' || look.display !== 'list-item') return;
    const number = [...(item.parentElement?.children || [])].indexOf(item) + 1;
    const height = parseFloat(look.lineHeight) || parseFloat(look.fontSize) * 1.5;
    this.line(item.parentElement?.tagName === 'OL' ? `${number}.` : '•', new DOMRect(box.left - 22, box.top, 18, height), look, false);
  }

  /**
   * What stands in a field.
   * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field
   * @param {DOMRect} box
   * @param {CSSStyleDeclaration} look
   */
  field(field, box, look) {
    const { x, y, width, height } = this.place(box);
    if (field.type === 'checkbox') {
      this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="2" fill="none" stroke="${look.color}"/>`);
      if (/** @type {HTMLInputElement} */ (field).checked) this.parts.push(`<path d="M${x + 2} ${y + height / 2}l${width / 3} ${height / 3}l${width / 3} ${-height / 1.6}" fill="none" stroke="${look.color}" stroke-width="2"/>`);
      return;
    }
    if (field.type === 'range') {
      const { min, max, value } = /** @type {HTMLInputElement} */ (field);
      const part = (Number(value) - Number(min)) / (Number(max) - Number(min) || 1);
      this.parts.push(`<line x1="${x}" y1="${y + height / 2}" x2="${x + width}" y2="${y + height / 2}" stroke="${look.color}" stroke-width="2"/><circle cx="${x + part * width}" cy="${y + height / 2}" r="6" fill="${look.color}"/>`);
      return;
    }
    const words = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text || '' : field.value;
    const inset = parseFloat(look.paddingLeft) + parseFloat(look.borderLeftWidth) || 0;
    const step = parseFloat(look.lineHeight) || parseFloat(look.fontSize) * 1.3;
    const lines = words.split('\n');
    lines.slice(0, Math.max(1, Math.floor(height / step))).forEach((line, number) => {
      const top = lines.length > 1 ? box.top + (parseFloat(look.paddingTop) || 0) + number * step : box.top + (height - step) / 2;
      if (line) this.line(line, new DOMRect(box.left + inset, top, Math.max(0, width - inset), step), look, false);
    });
  }
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
