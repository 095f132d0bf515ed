import { randomBytes } from 'node:crypto';
import { type Answered, type Asked, ask } from '../harness/ask.js';
import type { Place, Secret } from './trace.js';

/** A person's way through the service that gets secrets and keeps every answer. */
export interface Teller {
  readonly places: Place[];
  readonly secrets: Secret[];
  /** A planted secret that cannot occur by chance. */
  plant(name: string, handedOutBy?: readonly string[]): string;
  /** A secret the service made, found in the answer that hands it out. */
  found(name: string, text: unknown, handedOutBy: readonly string[]): string;
  /** Asks and keeps the answer; a session that is started without headers of its own is that of all that follows. */
  ask(name: string, path: string, asked?: Asked): Promise<Answered>;
  /** The same, and demands that it succeeds. Answers `data`. */
  data(name: string, path: string, asked?: Asked): Promise<Readonly<Record<string, unknown>>>;
  /** Headers of the browser that is signed in. */
  browser(): Readonly<Record<string, string>>;
}

export const createTeller = (url: string): Teller => {
  const places: Place[] = [];
  const secrets: Secret[] = [];
  let cookie = '';
  const found: Teller['found'] = (name, text, handedOutBy) => {
    if (typeof text !== 'string' || text.length < 8) throw new Error(`There is no ${name}.`);
    secrets.push({ name, text, handedOutBy });
    return text;
  };
  const browser = () => ({ cookie, origin: url });

  const told: Teller['ask'] = async (name, path, asked = {}) => {
    const headers = asked.headers ?? (cookie === '' ? {} : browser());
    const answer = await ask(url, path, { ...asked, headers });
    const { 'set-cookie': session, ...others } = answer.headers;
    places.push({ name: `the answer of ${name}`, bytes: Buffer.from(`${JSON.stringify(others)}\n${answer.text}`) });
    const [pair = '', secret] = /^[^=;]+=([^;]+)/.exec(session ?? '') ?? [];
    if (secret !== undefined) {
      found(`the session of ${name}`, secret, []);
      if (asked.headers === undefined) cookie = pair;
    }
    return answer;
  };

  return {
    places,
    secrets,
    plant: (name, handedOutBy = []) => found(name, `c4nary-${randomBytes(15).toString('hex')}`, handedOutBy),
    found,
    ask: told,
    async data(name, path, asked) {
      const { status, json, text } = await told(name, path, asked);
      const data = json?.data;
      if (status >= 400 || typeof data !== 'object' || data === null) throw new Error(`${name}: ${status} ${text}`);
      return data as Readonly<Record<string, unknown>>;
    },
    browser,
  };
};
