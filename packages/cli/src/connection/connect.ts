import { type Client, createClient } from '@shipworthy/client';
import { EXIT } from '../exit-code.js';
import { Failure, usageFailure } from '../failure.js';
import type { Screen } from '../output/screen.js';
import type { Settings } from '../settings/settings.js';
import { VERSION } from '../version.js';
import type { World } from '../world.js';
import { type DryRunEnd, dryRunFetch } from './dry-run.js';

/** How calls are made. */
export interface ConnectOptions {
  /** Time for one call, repetitions and waits included, in milliseconds. */
  readonly timeoutMs: number;
  /** Given: the first request that changes something is handed over and not sent. */
  readonly dryRun: ((end: DryRunEnd) => void) | undefined;
  /** Name of the server's repository host, which stands in paths. */
  readonly repositoryHost?: string | undefined;
}

/** A connected server. */
export interface Connection {
  readonly client: Client;
  /** As the settings give it. */
  readonly address: string;
}

const LOOPBACK = /^http:\/\/(localhost|127\.|\[::1\])/;

const leftAsideOf = ({ leftAside }: Settings): readonly string[] => leftAside.map((line) => `Left aside: ${line}`);

/** Failure: exit 2 without an address, 4 without a key. */
const requireSettings = (settings: Settings): { readonly address: string; readonly key: string } => {
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
        ...leftAsideOf(settings),
      ],
    });
  return { address: apiUrl.value, key: apiKey.value };
};

/** A client for the settings. Failure (exit 2, 4) when they cannot work. */
export const connect = (world: World, screen: Screen, settings: Settings, options: ConnectOptions): Connection => {
  const { address, key } = requireSettings(settings);
  screen.hide(key);
  try {
    const client = createClient({
      baseUrl: address,
      apiKey: key,
      allowInsecureHttp: settings.allowInsecureHttp,
      timeoutMs: options.timeoutMs,
      repositoryHost: options.repositoryHost,
      // The time of the call is the limit; waits grow to 5 s.
      retries: 100,
      userAgent: `shipworthy/${VERSION}`,
      fetch: options.dryRun ? dryRunFetch(world, screen, options.dryRun) : world.fetch,
      random: world.random,
      sleep: world.pause,
    });
    return { client, address: address.replace(/\/+$/, '') };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const fix = LOOPBACK.test(address)
      ? []
      : ['Use the https address of the server, or set "allow_insecure_http": true in your own settings file.'];
    throw usageFailure(`${settings.apiUrl?.source.name} and ${settings.apiKey?.source.name}: ${error.message}`, ...fix);
  }
};
