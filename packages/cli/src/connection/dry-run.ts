import type { Screen } from '../output/screen.js';
import type { World } from '../world.js';

/** A request that would have been sent. */
export interface UnsentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Ends a dry run: the request that changes something was shown, and not sent. */
export class DryRunEnd extends Error {
  override readonly name = 'DryRunEnd';
  constructor(readonly request: UnsentRequest) {
    super('not sent');
  }
}

/** Reading requests pass; the first one that changes something is handed to `stop` and never sent. */
export const dryRunFetch =
  (world: World, screen: Screen, stop: (end: DryRunEnd) => void): typeof globalThis.fetch =>
  async (input, init) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET' || method === 'HEAD') return world.fetch(input, init);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const shown = { ...headers, ...(headers.authorization ? { authorization: 'Bearer [hidden]' } : {}) };
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(screen.shown(init.body)) : null;
    const end = new DryRunEnd({ method, url: String(input), headers: shown, body });
    stop(end);
    throw end;
  };

/** The request as text: line, headers, body. */
export const textOf = ({ method, url, headers, body }: UnsentRequest): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', JSON.stringify(body, null, 2)]),
  ].join('\n');
