import { secrets } from '@shipworthy/adapters/crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import { type Client, createClient } from '@shipworthy/client';
import { type OfferedStores, STORE_GROUPS } from '@shipworthy/domain';
import { createShipworthy, readApplicationFiles, type ShipworthyOptions } from '@shipworthy/server';

/** A service with the application on it, in this process. */
export interface Service {
  readonly url: string;
  readonly setupToken: string;
  /** What the person does over the interface, to bring a screen into a state. */
  readonly person: Client;
  /** Of the person's session, for a browser. */
  readonly cookies: readonly { readonly name: string; readonly value: string; readonly url: string }[];
  readonly stop: () => Promise<void>;
}

const SETUP_TOKEN = 'setup-token-of-a-test';

/** Of the person who set the service up. */
export const ADA = { email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' } as const;

/** Starts a service before its set-up; port 0 is any free one. */
export const startEmpty = async (options: Partial<ShipworthyOptions> = {}, port = 0) => {
  const application = await readApplicationFiles();
  if (application === null) throw new Error('The application is not built.');
  const service = createShipworthy({
    stores: memoryStores(),
    secretKey: new Uint8Array(32).fill(7),
    setupToken: SETUP_TOKEN,
    requestsPerMinute: null,
    // Passwords of tests protect nothing, so hashing may be cheap.
    secrets: secrets({ cost: { ln: 1, r: 1, p: 1 } }),
    application,
    ...options,
  });
  const { origin: url } = await service.listen({ host: '127.0.0.1', port });
  return { url, setupToken: SETUP_TOKEN, stop: () => service.close() };
};

/** A client that speaks with the session of such cookies. */
export const clientWith = (url: string, cookies: Service['cookies'], repositoryHost = 'github'): Client => {
  const { origin } = new URL(url);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return createClient({
    baseUrl: url,
    repositoryHost,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin } }),
  });
};

/** The cookies of an answer that begins a session. */
export const cookiesOf = (url: string, headers: Headers): Service['cookies'] =>
  headers.getSetCookie().map((line) => {
    const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=');
    return { name, value, url };
  });

/** Starts a service that Ada has set up. */
export const startService = async (options: Partial<ShipworthyOptions> = {}): Promise<Service> => {
  const service = await startEmpty(options);
  const { headers } = await createClient({ baseUrl: service.url, timeoutMs: 120_000 }).setUp({
    body: { setup_token: SETUP_TOKEN, ...ADA },
  });
  const cookies = cookiesOf(service.url, headers);
  return { ...service, cookies, person: clientWith(service.url, cookies) };
};

/** The core of the stores in memory, and none of the groups. */
export const coreInMemory = (all: OfferedStores = memoryStores()): OfferedStores => {
  const optional = new Set<string>([...Object.values(STORE_GROUPS).flat(), 'feed']);
  const core = Object.fromEntries(Object.entries(all).filter(([name]) => !optional.has(name)));
  return {
    ...(core as unknown as OfferedStores),
    transaction: (work, by) => all.transaction((it) => work(coreInMemory(it)), by),
  };
};
