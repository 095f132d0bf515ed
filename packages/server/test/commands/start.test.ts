import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStores } from '@shipworthy/adapters/memory';
import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { greet, repositoryHostOf, startFault } from '../../src/commands/start.js';
import type { Config } from '../../src/config.js';
import { SERVER_VERSION } from '../../src/version.js';
import { runProcess, startProcess } from '../harness/process.js';

const url = new URL('http://127.0.0.1:4400');
const LISTENS = `Shipworthy ${SERVER_VERSION} listens on http://127.0.0.1:4400`;

const said = async (
  given: { readonly madeToken: string | null; readonly application: boolean },
  users: Pick<ReturnType<typeof memoryStores>['users'], 'any'> = memoryStores().users,
  ended = new AbortController().signal,
): Promise<readonly string[]> => {
  const printed: string[] = [];
  await greet({ url, ...given }, { users }, { print: (text) => void printed.push(text) }, ended);
  return printed;
};

describe('the greeting of a start', () => {
  it('names the token while there is no administrator, and the address to open where the application is served', async () => {
    const token = 'No account exists yet. One-time setup token: abc-def';
    const open = 'Open http://127.0.0.1:4400/setup#abc-def';
    expect(await said({ madeToken: 'abc-def', application: true })).to.deep.equal([LISTENS, token, open]);
    expect(await said({ madeToken: 'abc-def', application: false })).to.deep.equal([LISTENS, token]);
  });

  it('does not repeat a token that was given', async () => {
    const [, token, open] = await said({ madeToken: null, application: true });
    expect(token).to.equal('No account exists yet. One-time setup token: as given in SHIPWORTHY_SETUP_TOKEN');
    expect(open).to.equal('Open http://127.0.0.1:4400/setup and enter the token.');
  });

  it('prints no token once there is an administrator, and where to look while the database is away', async () => {
    const any = (answer: Promise<boolean>) => ({ any: () => answer });
    expect(await said({ madeToken: 'abc', application: true }, any(Promise.resolve(true)))).to.deep.equal([LISTENS]);
    const isOver = AbortSignal.abort();
    const never = any(Promise.reject(new Error('away')));
    const away = await said({ madeToken: 'abc', application: true }, never, isOver);
    expect(away).to.have.length(2);
    expect(away[1]).to.contain('/readyz');
  });

  it('names the token later when the database was away at first', async () => {
    let asked = 0;
    const users = {
      any: async () => {
        asked += 1;
        if (asked === 1) throw new Error('away');
        return false;
      },
    };
    const [, away, token] = await said({ madeToken: 'abc-def', application: false }, users);
    expect(away).to.contain('/readyz');
    expect(token).to.contain('abc-def');
  });
});

const CLIENT = { clientId: 'id', clientSecret: 'secret' };
const KEY = randomBytes(32);

describe('repositoryHostOf', () => {
  it('makes the host the settings name, at its address', async () => {
    const { apiUrl, webUrl } = {
      apiUrl: new URL('https://git.acme.dev/api/v3'),
      webUrl: new URL('https://git.acme.dev'),
    };
    const github = await repositoryHostOf({ github: { ...CLIENT, apiUrl, webUrl }, gitlab: null }, KEY);
    const gitlab = await repositoryHostOf(
      { github: null, gitlab: { ...CLIENT, url: new URL('https://lab.acme.dev') } },
      KEY,
    );
    const begun = [github, gitlab].map(async (host) => {
      const asked = { ownerId: 'u', redirectUrl: 'https://ship.acme.dev/back' };
      const { url } = (await host?.authorization.begin(asked)) ?? { url: '' };
      return [host?.name, new URL(url).host, new URL(url).searchParams.get('client_id')];
    });
    expect(await Promise.all(begun)).to.deep.equal([
      ['github', 'git.acme.dev', 'id'],
      ['gitlab', 'lab.acme.dev', 'id'],
    ]);
  });

  it('makes none without settings', async () => {
    expect(await repositoryHostOf({ github: null, gitlab: null }, KEY)).to.equal(null);
  });
});

describe('a server that cannot start', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ship worthy-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** What a start says that is to fail: one line. */
  const said = async (environment: Readonly<Record<string, string>>, through?: readonly string[]) => {
    const { code, complained } = await runProcess(['start'], { PORT: '0', ...environment }, through);
    expect(code, complained).to.equal(1);
    expect(complained).to.match(/^Error: [^\n]+\n$/);
    return complained;
  };

  it('names the port that is taken, and the setting it is from', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    try {
      for (const setting of ['PORT', 'METRICS_PORT']) {
        const words = await said({ [setting]: String(port), SHIPWORTHY_DATA_DIR: join(folder, 'a') });
        expect(words).to.contain(`Port ${port} of 127.0.0.1 is taken`).and.contain(`set ${setting} to`);
      }
    } finally {
      taken.close();
    }
  });

  it('names the setting of a port that this user may not open, and of two ports that are the same', () => {
    const config = { host: '127.0.0.1', port: 80, metricsPort: 80 } as Config;
    const refused = (code: string, of = {}) =>
      startFault(Object.assign(new Error(code), { code, syscall: 'listen', ...of }), config);
    const ofMetrics = { setting: 'METRICS_PORT' };
    expect(refused('EACCES')).to.contain('Set PORT to 1024');
    expect(refused('EACCES', ofMetrics)).to.contain('Set METRICS_PORT to 1024');
    expect(refused('EADDRINUSE', ofMetrics)).to.contain('METRICS_PORT is 80, as PORT is');
  });

  it('names the folder that is none', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const words = await said({ SHIPWORTHY_DATA_DIR: file });
    expect(words).to.contain(file).and.contain('ENOTDIR').and.contain('SHIPWORTHY_DATA_DIR');
  });

  // Root may write everywhere.
  const withoutRights = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

  it('names the folder that this user may not write, empty or with a database in it', async () => {
    const data = join(folder, 'read only');
    const server = await startProcess({ SHIPWORTHY_DATA_DIR: data });
    expect(await server.end()).to.equal(0);
    const empty = join(folder, 'empty');
    await mkdir(empty);
    await chmod(folder, 0o755);
    for (const place of [data, empty, join(empty, 'below')]) {
      if (place !== join(empty, 'below')) await chmod(place, 0o555);
      const words = await said({ SHIPWORTHY_DATA_DIR: place }, withoutRights);
      expect(words).to.contain(place).and.contain('SHIPWORTHY_DATA_DIR').and.contain('give this user the right');
    }
    for (const place of [data, empty]) await chmod(place, 0o700);
  });

  if (process.platform === 'linux')
    it('names a folder below /proc, where none can be made', async () => {
      for (const place of ['/proc/shipworthy', '/proc/self/a/b']) {
        const words = await said({ SHIPWORTHY_DATA_DIR: place });
        expect(words).to.contain('/proc/').and.contain('ENOENT').and.contain('SHIPWORTHY_DATA_DIR');
      }
    });

  for (const blocks of [0, 8, 64, 600])
    it(`names the database whose files may not grow beyond ${blocks / 2} KiB`, async () => {
      const data = join(folder, `limit ${blocks}`);
      await mkdir(data);
      const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, 'sh'];
      const words = await said({ SHIPWORTHY_DATA_DIR: data }, limited);
      expect(words).to.contain(join(data, 'shipworthy.sqlite')).and.contain('ulimit -f');
      expect(words).to.match(/SQLITE_IOERR|EFBIG/);
    });

  it('names the driver without a binary, and what makes one', () => {
    const config = { database: { kind: 'sqlite', file: '/data/x' }, secretKey: { kind: 'kept', path: '/data/x.key' } };
    const missing = new Error('Could not locate the bindings file. Tried:\n -> a\n -> b');
    const other = Object.assign(new Error('Module did not self-register'), { code: 'ERR_DLOPEN_FAILED' });
    const absent = Object.assign(new Error("Cannot find module 'sqlite3'"), { code: 'MODULE_NOT_FOUND' });
    for (const error of [missing, other, absent]) {
      const words = startFault(error, config as Config);
      expect(words).to.contain('npm rebuild sqlite3').and.contain('DATABASE_URL').and.not.contain('\n');
    }
  });

  it('names the file that is no database, which stays as it is', async () => {
    const data = join(folder, 'broken');
    await mkdir(data);
    await writeFile(join(data, 'shipworthy.sqlite'), 'no database at all'.repeat(1000));
    const words = await said({ SHIPWORTHY_DATA_DIR: data });
    expect(words).to.contain(join(data, 'shipworthy.sqlite')).and.contain('restore');
  });

  it('names the key file that is not there', async () => {
    const path = join(folder, 'absent.key');
    const words = await said({ SHIPWORTHY_DATA_DIR: join(folder, 'b'), SHIPWORTHY_SECRET_KEY_FILE: path });
    expect(words).to.contain('SHIPWORTHY_SECRET_KEY_FILE').and.contain(path);
  });

  it('names the full disk, for any error it caused', () => {
    const database = { kind: 'sqlite', file: '/data/shipworthy.sqlite' } as const;
    const config = { database, secretKey: { kind: 'kept', path: '/data/x.key' }, dataDir: '/data' } as Config;
    for (const code of ['ENOSPC', 'SQLITE_FULL']) {
      const plain = Object.assign(new Error(`${code}: no space`), { code });
      for (const error of [plain, new DomainError('unavailable', 'It cannot be reached.', { reason: code })])
        expect(startFault(error, config)).to.contain('is full').and.contain('/data/shipworthy.sqlite');
    }
    expect(startFault(new Error('Something else.'), config)).to.equal('Something else.');
  });

  it('does start in a folder with a blank in its name', async () => {
    const server = await startProcess({ SHIPWORTHY_DATA_DIR: join(folder, 'data of ours') });
    expect(await server.end()).to.equal(0);
  });
});
