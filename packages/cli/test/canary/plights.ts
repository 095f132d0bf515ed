import { join } from 'node:path';
import { userFile } from '../../src/settings.js';
import type { StandIn } from '../stand-in.js';
import type { Fault, HostileServer } from './hostile-server.js';

/** What must be found nowhere. */
export const KEY = `swk_${'Canary7'.repeat(5)}Z`;
const SPLIT = `swk_${'Canary7'.repeat(2)}\n${'Canary7'.repeat(3)}Z`;
/** Each form of it that would reveal it: whole, encoded, or the half after a line break. */
export const TRACES = [
  KEY.slice(4),
  encodeURIComponent(SPLIT),
  Buffer.from(KEY).toString('base64').slice(8, 40),
  'Canary7Canary7',
];

/** A way to be set up wrongly; `planted` are the files that hold the key because the user put it there. */
export interface Plight {
  readonly name: string;
  readonly env: (server: HostileServer) => Readonly<Record<string, string>>;
  readonly fault?: Fault;
  readonly planted?: (world: StandIn) => Readonly<Record<string, string>>;
  readonly tracked?: boolean;
  readonly words?: readonly string[];
  /** Whether reports are kept for later, so that there is something to look through. */
  readonly keeps?: true;
}

const keyed = ({ url }: Pick<HostileServer, 'url'>) => ({
  SHIPWORTHY_API_URL: url,
  SHIPWORTHY_API_KEY: KEY,
  SHIPWORTHY_APP: 'checkout',
});
const fileOf = ({ folder }: StandIn) => join(folder, '.shipworthy.json');

export const PLIGHTS: readonly Plight[] = [
  { name: 'the server away', env: () => ({ ...keyed({ url: 'http://127.0.0.1:9' }) }), keeps: true },
  { name: 'the key rejected and said back', env: keyed, fault: 'rejects' },
  { name: 'a page with status 500 that says it back', env: keyed, fault: 'page', keeps: true },
  { name: 'JSON that is cut off', env: keyed, fault: 'cut' },
  { name: 'a redirect to another origin', env: keyed, fault: 'redirects' },
  { name: 'a server that never answers', env: keyed, fault: 'silent' },
  { name: 'wrong usage', env: keyed, words: ['--timeout', KEY] },
  { name: 'the key in an option that no command has', env: keyed, words: [`--api-key=${KEY}`] },
  { name: 'the key taken for the project', env: keyed, fault: 'rejects', words: ['--app', KEY] },
  {
    name: 'a key with a line break',
    env: (server) => ({ ...keyed(server), SHIPWORTHY_API_KEY: SPLIT }),
    fault: 'rejects',
  },
  {
    name: 'the key as the password of the address',
    env: (server) => ({ ...keyed(server), SHIPWORTHY_API_URL: server.url.replace('//', `//me:${KEY}@`) }),
    fault: 'rejects',
  },
  {
    name: 'the key in the path of the address',
    env: (server) => ({ ...keyed(server), SHIPWORTHY_API_URL: `${server.url}/${KEY}/` }),
    fault: 'page',
    keeps: true,
  },
  {
    name: 'settings of the repository that are broken and hold the key',
    env: () => ({}),
    planted: (world) => ({ [fileOf(world)]: `{"api_key": "${KEY}", oops` }),
  },
  {
    name: 'settings of the user that are broken and hold the key',
    env: keyed,
    planted: (world) => ({ [userFile(world)]: `["${KEY}"]` }),
  },
  {
    name: 'the key under a name that is not known',
    env: () => ({}),
    planted: (world) => ({ [fileOf(world)]: JSON.stringify({ api_url: 'http://127.0.0.1:9', [KEY]: KEY, app: 'a' }) }),
  },
  {
    name: 'the key in a file of the repository that git tracks and all can read',
    env: () => ({}),
    fault: 'rejects',
    planted: (world) => ({ [fileOf(world)]: JSON.stringify({ api_url: 'URL', api_key: KEY, app: 'checkout' }) }),
    tracked: true,
  },
  {
    name: 'the key where the name of its file belongs',
    env: ({ url }) => ({ SHIPWORTHY_API_URL: url, SHIPWORTHY_API_KEY_FILE: KEY }),
  },
];
