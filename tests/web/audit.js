// What is wrong with a page for people who do not see it well, or do not use a mouse: a list of sentences.
() => {
  const found = [];
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    const look = getComputedStyle(element);
    return box.width > 0 && box.height > 0 && look.visibility !== 'hidden' && look.display !== 'none' && !element.closest('.unseen, [aria-hidden="true"]');
  };
  const shown = (element) => `<${element.tagName.toLowerCase()} ${element.className || element.id}> "${(element.textContent || '').trim().slice(0, 30)}"`;
  const text = (element) => (element ? (element.textContent || '').trim() : '');
  const nameOf = (element) => {
    const by = element.getAttribute('aria-labelledby');
    return (
      element.getAttribute('aria-label') ||
      (by && text(document.getElementById(by))) ||
      (element.id && text(document.querySelector(`label[for="${CSS.escape(element.id)}"]`))) ||
      text(element.closest('label')) ||
      (element.matches('input, select, textarea') ? '' : text(element)) ||
      element.getAttribute('title') ||
      element.querySelector('img[alt]')?.getAttribute('alt') ||
      ''
    );
  };

  if (!document.documentElement.lang) found.push('the document has no language');
  if (document.querySelectorAll('main').length !== 1) found.push('there is not one main');
  if (document.querySelectorAll('h1').length !== 1) found.push('there is not one h1');
  if (!document.querySelector('[aria-live]')) found.push('nothing is told to screen readers');
  let level = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
    const now = Number(heading.tagName[1]);
    if (now > level + 1) found.push(`a level is left out before ${shown(heading)}`);
    level = now;
  }
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  for (const id of new Set(ids.filter((one, place) => ids.indexOf(one) !== place))) found.push(`the id ${id} is there twice`);
  for (const image of document.querySelectorAll('img')) if (!image.hasAttribute('alt')) found.push(`no alt: ${shown(image)}`);
  for (const svg of document.querySelectorAll('main svg')) {
    const named = svg.getAttribute('aria-hidden') === 'true' || svg.getAttribute('aria-label') || svg.querySelector(':scope > title');
    if (!named) found.push(`a picture without a name in ${shown(svg.parentElement)}`);
  }
  for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')) {
    if (element.id === 'main' || !seen(element)) continue;
    if (!nameOf(element) && element.tagName !== 'PRE') found.push(`no name: ${shown(element)}`);
    const box = element.getBoundingClientRect();
    const inline = element.tagName === 'A' && getComputedStyle(element).display === 'inline';
    if (!inline && element.type !== 'checkbox' && (box.width < 24 || box.height < 24)) found.push(`too small to touch (${Math.round(box.width)} x ${Math.round(box.height)}): ${shown(element)}`);
    if (element.tabIndex > 0) found.push(`a tab order of its own: ${shown(element)}`);
  }
  for (const section of document.querySelectorAll('main section')) if (!section.getAttribute('aria-label')) found.push(`a section without a name: ${shown(section)}`);
  for (const table of document.querySelectorAll('table')) if (!table.querySelector('th[scope]')) found.push('a table without headings');

  const colour = (text) => {
    const parts = (text.match(/[\d.]+/g) || []).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let place = element; place; place = place.parentElement) {
      const { rgb, alpha } = colour(getComputedStyle(place).backgroundColor);
      if (alpha === 1) return rgb;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!element || !walker.currentNode.textContent.trim() || element.closest('svg, script, noscript, [disabled], .under, option') || !seen(element)) continue;
    const look = getComputedStyle(element);
    const [one, other] = [light(colour(look.color).rgb), light(ground(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    const size = parseFloat(look.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(look.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${shown(element)}`);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) {
    const wide = [...document.querySelectorAll('main *')].find((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !element.closest('.scroll, pre, .code'));
    found.push(`the page is wider than the screen: ${wide ? shown(wide) : ''}`);
  }
  return [...new Set(found)];
}
