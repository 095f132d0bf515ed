import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { userFile } from '../../src/settings/find-files.js';
import { spoolFolder } from '../../src/spool/spool-folder.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';
import { allCommands, furnish, LINES } from './command-lines.js';
import { type Fault, type HostileServer, startHostileServer } from './hostile-server.js';

const KEY = `swk_${'Canary7'.repeat(5)}Z`;
const SPLIT = `swk_${'Canary7'.repeat(2)}\n${'Canary7'.repeat(3)}Z`;
/** Whatever of it would give it away: whole, encoded, or the half that stands behind a line break. */
const TRACES = [
  KEY.slice(4),
  encodeURIComponent(SPLIT),
  Buffer.from(KEY).toString('base64').slice(8, 40),
  'Canary7Canary7',
];

/** A way to be set up wrongly; `planted` are the files that hold the key because the user put it there. */
interface Plight {
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

const PLIGHTS: readonly Plight[] = [
  { name: 'the server away', env: () => ({ ...keyed({ url: 'http://127.0.0.1:9' }) }), keeps: true },
  { name: 'the key rejected and said back', env: keyed, fault: 'rejects' },
  { name: 'a page with status 500 that says it back', env: keyed, fault: 'page', keeps: true },
  { name: 'JSON that is cut off', env: keyed, fault: 'cut' },
  { name: 'a redirect to another origin', env: keyed, fault: 'redirects' },
  { name: 'a server that never answers', env: keyed, fault: 'silent' },
  { name: 'wrong usage', env: keyed, words: ['--timeout', KEY] },
  { name: 'the key as an argument nobody asked for', env: keyed, words: [`--api-key=${KEY}`] },
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

/** Every file below a folder that holds a trace of the key, but for those the user made and git's own store. */
const filesWithTraces = (world: StandIn, planted: ReadonlySet<string>): readonly string[] =>
  readdirSync(world.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !planted.has(path) && !path.includes('.git/'))
    .filter((path) => TRACES.some((trace) => `${relative(world.folder, path)}\n${readFileSync(path)}`.includes(trace)));

describe('the key', function () {
  this.timeout(60_000);
  let worlds: StandIn[] = [];
  afterEach(async () => {
    await Promise.all(worlds.map((world) => world.remove()));
    worlds = [];
  });

  const worldIn = async (plight: Plight, server: HostileServer) => {
    const world = await standIn({ env: { ...plight.env(server), GIT_CONFIG_NOSYSTEM: '1' } });
    worlds.push(world);
    execFileSync('git', ['init', '-q'], { cwd: world.folder });
    furnish(world);
    const planted = plight.planted?.(world) ?? {};
    for (const [path, text] of Object.entries(planted)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text.replace('"URL"', JSON.stringify(server.url)));
      chmodSync(path, 0o644);
    }
    if (plight.tracked) execFileSync('git', ['add', '-A'], { cwd: world.folder });
    return { world, planted: new Set(Object.keys(planted)) };
  };

  it('is looked for in every command there is', async () => {
    const world = await standIn();
    worlds.push(world);
    expect([...allCommands(world)].sort()).to.deep.equal(Object.keys(LINES).sort());
  });

  it('would be found, were it written anywhere', async () => {
    const world = await standIn();
    worlds.push(world);
    writeFileSync(join(world.folder, 'log.txt'), `key ${KEY}`);
    expect(filesWithTraces(world, new Set())).to.deep.equal([join(world.folder, 'log.txt')]);
  });

  for (const plight of PLIGHTS)
    it(`is never shown or written: ${plight.name}`, async () => {
      const server = await startHostileServer(plight.fault ?? 'silent');
      try {
        const { world, planted } = await worldIn(plight, server);
        for (const [name, line] of Object.entries(LINES)) {
          const at = line.indexOf('--') === -1 ? line.length : line.indexOf('--');
          const argv = [...line.slice(0, at), '--timeout', '0.1', ...(plight.words ?? []), ...line.slice(at)];
          for (const json of [[], ['--json']]) {
            const { out, err } = await runIn(world, ...json, ...argv);
            for (const trace of TRACES) expect(`${out}\n${err}`, `${name} ${json}`).to.not.contain(trace);
          }
          expect(filesWithTraces(world, planted), name).to.deep.equal([]);
        }
        expect(server.strayed()).to.deep.equal([]);
        if (plight.keeps) expect(readdirSync(spoolFolder(world)), 'kept').to.have.length.above(2);
      } finally {
        await server.stop();
      }
    });
});
