import { type Caller, type Client, readText } from '@shipworthy/client';
import { parsedUrl } from '@shipworthy/client/contract';
import { aheadOf, connect, readCaller } from '../connection.js';
import { type CommandSettings, readSettings } from '../settings.js';
import type { World } from '../world.js';
import { Unmet } from './finding.js';
import { type NamedProxy, NetworkFault, networkFault, proxyFor } from './network.js';
import { once, type Surroundings } from './surroundings.js';

/** The facts about the server, each found out once. */
export interface ServerFacts {
  readonly settings: () => Promise<CommandSettings>;
  readonly address: () => Promise<URL>;
  readonly proxy: () => Promise<NamedProxy | undefined>;
  readonly answer: () => Promise<ServerAnswer>;
  readonly client: () => Promise<Client>;
  readonly caller: () => Promise<Caller>;
}

export const serverFacts = (where: Surroundings): ServerFacts => {
  const { world, screen, globals, callMs } = where;
  const settings = once(async () => {
    const found = await readSettings(world, globals);
    screen.hide(found.apiKey?.value ?? '');
    return found;
  });
  const address = once(async () => {
    const { apiUrl } = await settings();
    const url = apiUrl && parsedUrl(apiUrl.value);
    if (url === undefined) throw new Unmet('server.address');
    return url;
  });
  const answer = once(async () => readServer(world, await address(), AbortSignal.timeout(callMs)));
  const client = once(async () => {
    const { hostName } = await answer();
    const options = { timeoutMs: callMs, dryRun: undefined, repositoryHost: hostName ?? undefined };
    return connect(world, screen, await settings(), options).client;
  });
  return {
    settings,
    address,
    answer,
    client,
    proxy: once(async () => {
      const proxy = proxyFor(await address(), world.env);
      screen.hide(proxy?.url.password ?? '');
      return proxy;
    }),
    caller: once(async () => readCaller(await client())),
  };
};

/** The proxy; undefined: none. Throws Unmet when the environment names an invalid one: another step reports that. */
export const usableProxy = async (proxy: () => Promise<NamedProxy | undefined>): Promise<NamedProxy | undefined> => {
  try {
    return await proxy();
  } catch (error) {
    if (error instanceof NetworkFault) throw new Unmet('server.proxy');
    throw error;
  }
};

/** What answers at the server's address. */
interface ServerAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Where a redirect leads, without its query; null: no redirect. */
  readonly redirect: string | null;
  /** Whether it describes the interface of Shipworthy. */
  readonly isOurs: boolean;
  /** The version it says it has; null: it says none. */
  readonly version: string | null;
  /** Name of the repository host in paths; null: it says none. */
  readonly hostName: string | null;
  /** How far this machine's clock is ahead, in milliseconds; null: the server tells no time. */
  readonly aheadMs: number | null;
}

const NOTHING = { paths: [] as readonly string[], version: null };

const describedIn = (text: string): { readonly paths: readonly string[]; readonly version: string | null } => {
  try {
    const { paths, info } = JSON.parse(text) as { readonly paths?: unknown; readonly info?: { version?: unknown } };
    const version = /^[\w.+-]{1,50}$/.exec(String(info?.version))?.[0] ?? null;
    return { paths: typeof paths === 'object' && paths !== null ? Object.keys(paths) : [], version };
  } catch {
    return NOTHING;
  }
};

const withoutQuery = (location: string, base: URL): string => {
  const url = parsedUrl(location, base);
  return url === undefined ? 'an address that is none' : url.origin + url.pathname;
};

/** Reads the server's description of its interface, which needs no key. Throws NetworkFault where nothing answers. */
const readServer = async (world: World, address: URL, signal: AbortSignal): Promise<ServerAnswer> => {
  const url = `${address.origin}${address.pathname.replace(/\/+$/, '')}/api/openapi.json`;
  const begun = world.now();
  try {
    const answer = await world.fetch(url, { redirect: 'manual', headers: { accept: 'application/json' }, signal });
    const ended = world.now();
    // A text longer than any of the server's answers is not from the server.
    const text = (await readText(answer)) ?? '';
    const location = answer.headers.get('location');
    const contentType = answer.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const { paths, version } = answer.ok && contentType === 'application/json' ? describedIn(text) : NOTHING;
    return {
      status: answer.status,
      contentType,
      redirect: answer.status >= 300 && answer.status < 400 && location ? withoutQuery(location, address) : null,
      isOurs: paths.includes('/api/deployments') && paths.includes('/api/whoami'),
      version,
      hostName: paths.map((path) => /^\/api\/settings\/([a-z]{1,30})\/check$/.exec(path)?.[1]).find(Boolean) ?? null,
      aheadMs: aheadOf(answer.headers.get('date'), begun, ended),
    };
  } catch (error) {
    // fetch hides what happened in the cause.
    const { cause } = error as { readonly cause?: unknown };
    throw networkFault(signal.aborted ? { code: 'ETIMEDOUT' } : (cause ?? error), address.host);
  }
};
