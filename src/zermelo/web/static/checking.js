// @ts-check
/** Certificates of others: accepted by the independent checker, or refuted by a line that can be walked. */

import { Job } from './api.js';
import { addressOf } from './address.js';
import { errorLine, fill, grouped, h, sentence } from './dom.js';
import { checkingWords } from './progress.js';

/** @typedef {import('./address.js').Statement} Statement */
/** @typedef {import('./address.js').Move} Move */

const MOST_BYTES = 45_000_000;
/** How a certificate in layers begins; others are JSON. */
const LAYERED = 'zermelo-certificate';

/**
 * @param {Statement} statement
 * @param {Move[]} moves
 */
export function checking(statement, moves) {
  const told = h('div', { 'aria-live': 'polite' });
  const file = h('input', { type: 'file', id: 'certificate', class: 'unseen', accept: '.json,.zc,application/json', onchange: () => void take(file.files?.[0]) });

  let turn = 0;

  /** @param {File | undefined} given */
  async function take(given) {
    if (!given) return;
    const mine = ++turn;
    file.value = ''; // the same file, changed, can be chosen again
    if (given.size > MOST_BYTES) {
      fill(told, errorLine('the certificate is too large for the page: zermelo check reads it'));
      return;
    }
    fill(told, h('p', { class: 'quiet' }, 'The checker reads it …'));
    try {
      const asked = { task: 'check', game: statement, moves, ...(await contents(given)) };
      const verdict = await Job.start(asked, { progress: (said) => mine === turn && reading(said) }).result;
      if (mine === turn) render(verdict);
    } catch (error) {
      if (mine === turn) fill(told, errorLine(error));
    }
  }

  /** @param {import('./progress.js').Progress} said */
  function reading(said) {
    fill(told, h('p', { class: 'quiet' }, said.checked === null ? 'The checker reads it …' : sentence(checkingWords(said))));
  }

  /** @param {any} verdict */
  function render(verdict) {
    const claims = h('ul', {}, ...verdict.claims.map((/** @type {string} */ claim) => h('li', {}, claim)));
    if (verdict.status === 'accepted') {
      const how = verdict.positions ? `${grouped(verdict.positions)} positions` : verdict.how || 'by a lemma';
      fill(told, h('p', { class: 'verdict good' }, `Accepted (${how}). It is proved that`), claims);
      return;
    }
    if (verdict.status === 'limit') {
      fill(told, h('p', { class: 'verdict' }, sentence(`The check did not end: ${verdict.reason}`)));
      return;
    }
    const line = [...verdict.after, ...verdict.line];
    fill(
      told,
      h('p', { class: 'error' }, sentence(`Refuted: ${verdict.reason}`)),
      h('p', {}, 'It claims that'),
      claims,
      verdict.walk?.length > 0 && h('p', {}, 'This line shows that it is wrong:'),
      verdict.walk?.length > 0 &&
        h('ol', { class: 'walk' }, ...verdict.walk.map((/** @type {any} */ step) => h('li', {}, `${step.movers.join(' and ')} `, h('code', {}, step.move), step.ending ? ` – ${sentence(step.ending)}` : ''))),
      line.length > 0 && h('a', { class: 'button', href: addressOf('play', statement, line, { as: 'both' }) }, 'Walk it on the board'),
    );
  }

  return h(
    'section',
    { class: 'panel', 'aria-label': 'Check a certificate' },
    h('h2', { class: 'flush' }, 'Check a certificate'),
    h('p', { class: 'quiet' }, 'Somebody hands you a proof about this game. The checker follows it through every reply, or finds the line that refutes it.'),
    h('div', { class: 'row' }, h('label', { class: 'button', for: 'certificate' }, 'Choose a certificate'), file),
    told,
  );
}

/**
 * A certificate as it is sent: JSON as text, one in layers as bytes in base 64.
 * @param {File} file
 * @returns {Promise<{certificate: string} | {layered: string}>}
 */
async function contents(file) {
  const text = await file.slice(0, LAYERED.length).text();
  if (text !== LAYERED) return { certificate: await file.text() };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let letters = '';
  for (let place = 0; place < bytes.length; place += 0x8000) letters += String.fromCharCode(...bytes.subarray(place, place + 0x8000));
  return { layered: btoa(letters) };
}
