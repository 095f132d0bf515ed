import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@shipworthy/adapters/knex';
import { writeMigratedFile } from '@shipworthy/adapters/test-database';
import { expect } from 'chai';
import type { Outside } from '../../src/commands/outside.js';
import { HELP, runServerCommand } from '../../src/commands/run.js';
import { allRoutes } from '../../src/routes/index.js';
import { SERVER_VERSION } from '../../src/version.js';
import { ask } from '../harness/ask.js';

describe('run', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
  });
  after(() => rm(folder, { recursive: true }));

  const outsideWith = (environment: Record<string, string>, asked: Promise<string> = Promise.resolve('SIGTERM')) => {
    const printed: string[] = [];
    const complaints: string[] = [];
    const logged: string[] = [];
    const outside: Outside = {
      environment: { PORT: '0', SHIPWORTHY_DATA_DIR: join(folder, 'data'), ...environment },
      workingDirectory: folder,
      homeDirectory: folder,
      print: (text) => void printed.push(text),
      complain: (text) => void complaints.push(text),
      writeLog: async (text) => void logged.push(text),
      asked: () => asked,
      createRoutes: allRoutes,
    };
    return { outside, printed, complaints, logged };
  };

  it('serves until it is asked to end, keeps its key and greets the first administrator', async () => {
    let end: (signal: string) => void = () => undefined;
    const asked = new Promise<string>((resolve) => {
      end = resolve;
    });
    const { outside, printed, complaints, logged } = outsideWith({ METRICS_PORT: '0' }, asked);
    const code = runServerCommand([], outside);
    while (printed.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    const [, url = ''] = /listens on (http:\/\/127\.0\.0\.1:\d+)$/.exec(printed[0] ?? '') ?? [];
    expect((await ask(url, '/readyz')).status).to.equal(200);
    const [, token = ''] = /setup token: ([\w-]{23})$/.exec(printed[1] ?? '') ?? [];
    const ada = { email: 'ada@acme.dev', name: 'Ada', password: 'a long enough phrase', setup_token: token };
    expect((await ask(url, '/api/setup', { method: 'POST', body: ada })).status).to.equal(201);
    end('SIGTERM');
    expect(await code, complaints.join()).to.equal(0);
    expect(logged.join('')).to.contain('"signal":"SIGTERM"').and.not.contain(token);
    const { mode } = await stat(join(folder, 'data', 'shipworthy.sqlite.key'));
    expect(mode & 0o777).to.equal(0o600);
    const again = outsideWith({});
    expect(await runServerCommand(['start'], again.outside)).to.equal(0);
    expect(again.printed.join()).to.not.contain('setup token');
  });

  it('serves the routes of the repository host the settings name, and of no other', async () => {
    let end: (signal: string) => void = () => undefined;
    const asked = new Promise<string>((resolve) => {
      end = resolve;
    });
    const gitlab = { GITLAB_CLIENT_ID: 'id', GITLAB_CLIENT_SECRET: 'secret-of-gitlab' };
    const { outside, printed, complaints, logged } = outsideWith(gitlab, asked);
    const code = runServerCommand([], outside);
    while (printed.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
    const [, url = ''] = /listens on (\S+)$/.exec(printed[0] ?? '') ?? [];
    const statuses = ['gitlab', 'github'].map((name) => ask(url, `/api/settings/${name}`).then(({ status }) => status));
    expect(await Promise.all(statuses)).to.deep.equal([401, 404]);
    end('SIGTERM');
    expect(await code, complaints.join()).to.equal(0);
    expect([...printed, ...logged].join()).to.not.contain('secret-of-gitlab');
    const both = outsideWith({ ...gitlab, GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' });
    expect(await runServerCommand([], both.outside)).to.equal(2);
    expect(both.complaints.join()).to.contain('GITLAB_CLIENT_ID').and.contain('GITHUB_CLIENT_ID');
  });

  it('does not print a setup token that was given', async () => {
    const { outside, printed, logged } = outsideWith({
      SHIPWORTHY_SETUP_TOKEN: 'k3J9-QpX2-given',
      DATABASE_URL: 'sqlite:nobody-yet.sqlite',
    });
    expect(await runServerCommand(['start'], outside)).to.equal(0);
    expect(printed[1]).to.equal('No account exists yet. One-time setup token: as given in SHIPWORTHY_SETUP_TOKEN');
    expect([...printed, ...logged].join()).to.not.contain('k3J9-QpX2-given');
  });

  it('names every fault of the settings and does not start', async () => {
    const { outside, complaints } = outsideWith({ LOG_LEVEL: 'loud', TRUST_PROXY: 'x', SHIPWORTHY_RATELIMIT: '1' });
    expect(await runServerCommand(['start'], outside)).to.equal(2);
    expect(complaints.map((line) => line.split(' ').slice(0, 2).join(' '))).to.deep.equal([
      'Warning: SHIPWORTHY_RATELIMIT',
      'Error: TRUST_PROXY',
      'Error: LOG_LEVEL',
    ]);
  });

  it('says why it cannot start', async () => {
    const { outside, complaints } = outsideWith({ SHIPWORTHY_SECRET_KEY_FILE: join(folder, 'absent') });
    expect(await runServerCommand(['start'], outside)).to.equal(1);
    expect(complaints.join()).to.match(/^Error: .*absent/);
  });

  it('brings the schema up to date by itself', async () => {
    const { outside, printed } = outsideWith({ DATABASE_URL: `sqlite:${join(folder, 'other', 'x.sqlite')}` });
    expect(await runServerCommand(['migrate'], outside)).to.equal(0);
    expect(await runServerCommand(['migrate'], outside)).to.equal(0);
    expect(printed).to.deep.equal(['The schema is up to date.', 'The schema is up to date.']);
  });

  it('shows the settings in effect without secrets', async () => {
    const { outside, printed } = outsideWith({ SHIPWORTHY_SETUP_TOKEN: 'hunter2hunter2', LOG_LEVEL: 'warn' });
    expect(await runServerCommand(['config'], outside)).to.equal(0);
    expect(printed).to.include('LOG_LEVEL=warn').and.include('SHIPWORTHY_SETUP_TOKEN=(set, hidden)');
    expect(printed.join()).to.not.contain('hunter2');
  });

  it('warns of a password in the argument of copy-to, and reads the address from the environment', async () => {
    const PASSWORD = 'hunter2';
    for (const url of [`postgres://u:${PASSWORD}@127.0.0.1:1/x`, `postgres://u@127.0.0.1:1/x?password=${PASSWORD}`]) {
      const given = outsideWith({ SHIPWORTHY_DATA_DIR: join(folder, 'none') });
      expect(await runServerCommand(['copy-to', url], given.outside)).to.equal(1);
      expect(given.complaints.join()).to.match(/^Warning: .*SHIPWORTHY_COPY_TO_URL/);
      expect(given.complaints.join()).to.not.contain(PASSWORD);
      const set = outsideWith({ SHIPWORTHY_DATA_DIR: join(folder, 'none'), SHIPWORTHY_COPY_TO_URL: url });
      expect(await runServerCommand(['copy-to'], set.outside)).to.equal(1);
      expect(set.complaints.join()).to.match(/^Error: There is no database at /);
    }
    const without = outsideWith({ SHIPWORTHY_DATA_DIR: join(folder, 'none') });
    await runServerCommand(['copy-to', 'postgres://u@127.0.0.1:1/x'], without.outside);
    expect(without.complaints.join()).to.not.contain('Warning');
    expect(await runServerCommand(['copy-to'], outsideWith({}).outside), 'no address').to.equal(2);
  });

  it('copies no database that is empty, cut, foreign, or holds what acts by itself', async () => {
    const good = join(folder, 'good.sqlite');
    await writeMigratedFile(good);
    const bytes = await readFile(good);
    const made: Readonly<Record<string, readonly [string, (path: string) => Promise<void>]>> = {
      empty: ['The file is no database of Shipworthy', (path) => writeFile(path, '')],
      cut: ['malformed', (path) => writeFile(path, bytes.subarray(0, 40 * 4096))],
      text: ['not a database', (path) => writeFile(path, 'x'.repeat(8192))],
      trigger: [
        'holds the trigger "evil"',
        async (path) => {
          await copyFile(good, path);
          const database = await openDatabase({ url: `sqlite:${path}` });
          await database.access.write('create trigger evil after insert on users begin delete from teams; end');
          await database.close();
        },
      ],
    };
    for (const [name, [why, make]] of Object.entries(made)) {
      const home = join(folder, name);
      await mkdir(home);
      await make(join(home, 'shipworthy.sqlite'));
      const { outside, complaints } = outsideWith({
        SHIPWORTHY_DATA_DIR: home,
        SHIPWORTHY_COPY_TO_URL: 'postgres://u@127.0.0.1:1/x',
      });
      expect(await runServerCommand(['copy-to'], outside), name).to.equal(1);
      expect(complaints.join(), name).to.contain(why);
    }
  });

  it('has no command that the page of settings leaves out', async () => {
    const page = await readFile(new URL('../../../../../docs/settings.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## Commands');
    const names = [...HELP.matchAll(/^ {2}([a-z-]+) .* {2}/gm)].map(([, name]) => name);
    expect(names).to.include.members(['start', 'distribute', '--version']);
    for (const name of names) expect(section).to.match(new RegExp(`\\\`${name}[\\\` ]`));
  });

  it('helps, tells its version and refuses other words', async () => {
    const { outside, printed, complaints } = outsideWith({});
    expect(await runServerCommand(['--help'], outside)).to.equal(0);
    expect(printed.join()).to.contain('SHIPWORTHY_BASE_URL').and.contain('start [--demo]').and.contain('copy-to');
    expect(await runServerCommand(['--version'], outside)).to.equal(0);
    expect(printed.at(-1)).to.equal(SERVER_VERSION);
    const refused = [
      'serve',
      'toString',
      'migrate now',
      '--loud',
      'backup',
      'restore a b',
      'backup a --force',
      'copy-to x',
    ];
    for (const words of refused) expect(await runServerCommand(words.split(' '), outside), words).to.equal(2);
    expect(complaints.filter((line) => !line.startsWith('See'))).to.include.members([
      'There is no command serve.',
      'migrate takes no arguments.',
      'start does not know --loud.',
      'backup needs its FILE.',
      'restore takes one FILE.',
      'backup does not know --force.',
    ]);
  });
});
