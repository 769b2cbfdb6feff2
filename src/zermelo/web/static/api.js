// @ts-check
/** The server's JSON interface: short questions, and jobs that tell what they find on the way. */

const PREFIX = '/api/v1';

/** An answer that is no answer: what is wrong, in one line, and where. */
export class Refused extends Error {
  /**
   * @param {{error?: string, message?: string, line?: number, column?: number}} told
   * @param {number} status
   */
  constructor(told, status) {
    super(told.error || `the server answered with status ${status}`);
    this.told = told;
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {any} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body, signal) {
  const sent = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return read(await reach(path, { ...sent, signal }));
}

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function reach(path, options) {
  try {
    return await fetch(PREFIX + path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Refused({ error: 'the server does not answer: is `zermelo serve` still running?' }, 0);
  }
}

/** @param {Response} response */
async function read(response) {
  const text = await response.text();
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    throw new Refused({ error: 'the server answered with something that is no JSON' }, response.status);
  }
  if (!response.ok) throw new Refused(told, response.status);
  return told;
}

/** @typedef {(data: any) => void} Listener */

/** A long computation on the server. */
export class Job {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {EventSource | null} */
    this.source = null;
    this.over = false;
  }

  /**
   * Starts a job and follows it until its end.
   * @param {Record<string, any>} asked
   * @param {Record<string, Listener>} [listeners] by the names of events
   * @returns {{job: Promise<Job>, result: Promise<any>}}
   */
  static start(asked, listeners = {}) {
    const job = ask('/jobs', asked).then((told) => new Job(told.id));
    return { job, result: job.then((started) => started.follow(listeners)) };
  }

  /**
   * @param {Record<string, Listener>} listeners
   * @returns {Promise<any>}
   */
  follow(listeners) {
    return new Promise((resolve, reject) => {
      const source = new EventSource(`${PREFIX}/jobs/${this.id}/events`);
      this.source = source;
      /** @type {any} */
      let last = null;
      let lost = 0;
      const close = () => {
        this.over = true;
        source.close();
      };
      for (const [name, listener] of Object.entries(listeners)) {
        source.addEventListener(name, (event) => listener(JSON.parse(event.data)));
      }
      source.addEventListener('result', (event) => {
        last = JSON.parse(event.data);
      });
      source.addEventListener('error', (event) => {
        if (event instanceof MessageEvent) {
          close();
          reject(new Refused(JSON.parse(event.data), 400));
        } else if (source.readyState === EventSource.CLOSED || ++lost > 5) {
          close();
          reject(new Refused({ error: 'the server does not answer: is `zermelo serve` still running?' }, 0));
        }
      });
      source.addEventListener('end', () => {
        close();
        if (last) resolve(last);
        else reject(new Refused({ error: 'the computation ended without a result' }, 0));
      });
    });
  }

  /** Asks for what is known so far. */
  async cancel() {
    if (this.over) return;
    await fetch(`${PREFIX}/jobs/${this.id}`, { method: 'DELETE' }).catch(() => {});
  }

  /** Leaves the job to itself, and ends it: nobody waits for it any more. */
  drop() {
    if (this.over) return;
    this.over = true;
    this.source?.close();
    fetch(`${PREFIX}/jobs/${this.id}`, { method: 'DELETE', keepalive: true }).catch(() => {});
  }
}

/**
 * Where the server keeps the certificate of a job.
 * @param {string} id
 */
export function certificateOf(id) {
  return `${PREFIX}/jobs/${id}/certificate`;
}

/**
 * Where the server draws the start of a game.
 * @param {Record<string, string>} statement
 */
export function thumbnailOf(statement) {
  return `${PREFIX}/thumbnail?${new URLSearchParams(statement)}`;
}
