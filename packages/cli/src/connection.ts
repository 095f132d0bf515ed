import { type Caller, type Client, createClient } from '@shipworthy/client';
import { EXIT, Failure, usageFailure } from './failure.js';
import type { Screen } from './output/screen.js';
import { dataEnvelope, listOf, objectWith, requireUsed, TEXT } from './schema.js';
import { type CommandSettings, KEY_WITHHELD } from './settings.js';
import { VERSION } from './version.js';
import type { World } from './world.js';

/** How calls are made. */
interface ConnectOptions {
  /** Time for one call, repetitions and waits included, in milliseconds. */
  readonly timeoutMs: number;
  /** Given for a dry run: called with the first request that changes something, which is not sent. */
  readonly dryRun: ((end: DryRunEnd) => void) | undefined;
  /** Name of the server's repository host, part of its paths. */
  readonly repositoryHost?: string | undefined;
}

/** A connected server. */
export interface Connection {
  readonly client: Client;
  /** The address as the settings give it. */
  readonly address: string;
  /**
   * How far this machine's clock is ahead of the server's, in milliseconds, by the latest answer; 0 where the two may be the
   * same, null before an answer says.
   */
  readonly clockLead: () => number | null;
}

/** How far the clock that read `begun` and `ended` around an answer is ahead of the `Date` in it; null without one. */
export const aheadOf = (date: string | null, begun: number, ended: number): number | null => {
  const told = Date.parse(date ?? '');
  // The header tells whole seconds, so half of one is the best guess.
  return Number.isNaN(told) ? null : (begun + ended) / 2 - (told + 500);
};

/** Clocks that differ by less are taken for the same. */
const SAME_CLOCK_MS = 5_000;

const LOOPBACK = /^http:\/\/(localhost|127\.|\[::1\])/;

const leftAsideOf = ({ leftAside }: CommandSettings): readonly string[] =>
  leftAside.map((line) => `Left aside: ${line}`);

/** Failure: exit 2 without an address, 4 without a key. */
const requireSettings = (
  settings: CommandSettings,
  { env }: World,
): { readonly address: string; readonly key: string } => {
  const { apiUrl, apiKey } = settings;
  if (apiUrl === undefined)
    throw new Failure(EXIT.usage, 'No server address is set.', {
      code: 'no-address',
      fixes: ['Set SHIPWORTHY_API_URL, or give --api-url.', ...leftAsideOf(settings)],
    });
  if (apiKey === undefined)
    throw new Failure(EXIT.key, settings.keyFix ? 'No API key may be sent to this server.' : 'No API key is set.', {
      code: 'no-key',
      fixes: [
        settings.keyFix ??
          'Create one under Settings, API keys, and put it into SHIPWORTHY_API_KEY or a file named by SHIPWORTHY_API_KEY_FILE.',
        ...(env[KEY_WITHHELD]
          ? ['deploy run and tests run keep the key from the command they start; --pass-key hands it on.']
          : []),
        ...leftAsideOf(settings),
      ],
    });
  return { address: apiUrl.value, key: apiKey.value };
};

/** A client for the settings. Failure (exit 2, 4) when they cannot work. */
export const connect = (
  world: World,
  screen: Screen,
  settings: CommandSettings,
  options: ConnectOptions,
): Connection => {
  const { address, key } = requireSettings(settings, world);
  screen.hide(key);
  let lead: number | null = null;
  const fetch: World['fetch'] = async (input, init) => {
    const begun = world.now();
    const answer = await world.fetch(input, init);
    const ended = world.now();
    const ahead = aheadOf(answer.headers.get('date'), begun, ended);
    // A slow answer alone may look like a difference of half the time it took.
    if (ahead !== null) lead = Math.abs(ahead) <= SAME_CLOCK_MS + (ended - begun) / 2 ? 0 : ahead;
    return answer;
  };
  try {
    const client = createClient({
      baseUrl: address,
      apiKey: key,
      allowInsecureHttp: settings.allowInsecureHttp,
      timeoutMs: options.timeoutMs,
      repositoryHost: options.repositoryHost,
      // In effect only `timeoutMs` limits the repetitions; the waits between them grow to 5 s.
      retries: 100,
      userAgent: `shipworthy/${VERSION}`,
      fetch: options.dryRun ? dryRunFetch(world, screen, options.dryRun) : fetch,
      random: world.random,
      sleep: world.pause,
    });
    return { client, address: address.replace(/\/+$/, ''), clockLead: () => lead };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const fix = LOOPBACK.test(address)
      ? []
      : ['Use the https address of the server, or set "allow_insecure_http": true in your own settings file.'];
    throw usageFailure(`${settings.apiUrl?.source.name} and ${settings.apiKey?.source.name}: ${error.message}`, ...fix);
  }
};

/** A request that would have been sent. */
interface UnsentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Ends a dry run: holds the request that would change something, which was not sent. */
export class DryRunEnd extends Error {
  override readonly name = 'DryRunEnd';
  constructor(readonly request: UnsentRequest) {
    super('not sent');
  }
}

/** Reading requests pass; the first one that changes something is handed to `stop` and never sent. */
const dryRunFetch =
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
export const unsentRequestText = ({ method, url, headers, body }: UnsentRequest): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', JSON.stringify(body, null, 2)]),
  ].join('\n');

/**
 * A world whose `fetch` warns once, on stderr only, when the server says that the API key expires soon. The JSON document
 * of the command does not list the warning: what a program reads must not change with the age of a key.
 */
export const warningOfExpiry = (world: World, screen: Screen): World => {
  let hasWarned = false;
  const fetch: World['fetch'] = async (input, init) => {
    const answer = await world.fetch(input, init);
    const end = Date.parse(answer.headers.get('shipworthy-key-expires') ?? '');
    if (hasWarned || Number.isNaN(end)) return answer;
    hasWarned = true;
    const day = new Date(end).toISOString().slice(0, 10);
    screen.say(
      `${screen.paint.attention('warning:')} The API key expires on ${day}: create its successor under Settings, API keys, ` +
        'and put it in its place.',
    );
    return answer;
  };
  // Not by spreading, which would read standard input before the command asks for it.
  return Object.create(world, { fetch: { value: fetch, enumerable: true } }) as World;
};

const CALLER = dataEnvelope(
  objectWith({
    name: TEXT,
    scopes: listOf(TEXT),
    teams: listOf(objectWith({ name: TEXT, role: TEXT })),
    expires_at: TEXT,
  }),
);

/** Reads whose key this is. Failure (exit 5) for an answer that does not say so. */
export const readCaller = async (client: Client): Promise<Caller> => {
  const { body } = await client.whoAmI();
  requireUsed('GET /api/whoami', CALLER, body);
  return body.data;
};
