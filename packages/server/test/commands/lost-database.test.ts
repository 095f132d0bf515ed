import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { setUpAt } from '../harness/people-of-process.js';
import { runProcess, startProcess } from '../harness/process.js';

const SETUP_TOKEN = 'a-token-for-a-lost-database';

describe('a SQLite file beside its secret key', () => {
  let folder: string;
  const at = (name: string) => ({
    PORT: '0',
    SHIPWORTHY_DATA_DIR: join(folder, name),
    SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN,
  });
  const file = (name: string) => join(folder, name, 'shipworthy.sqlite');
  const key = (name: string) => `${file(name)}.key`;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Sets a server up and ends it as nothing can be defended against; returns the projects that a person sees there. */
  const setUpAndKilled = async (name: string, before: () => Promise<void> = async () => {}) => {
    const server = await startProcess(at(name));
    try {
      const ada = await setUpAt(server.url, SETUP_TOKEN);
      const team = (await ada.at(server.url).createTeam({ body: { name: 'Payments' } })).body.data;
      await ada.at(server.url).createProject({ path: { team_id: team.id }, body: { name: 'checkout' } });
      await before();
      return async (url: string) => {
        const { body } = await ada.at(url).readPortfolio();
        return body.data.map(({ project }) => project.name);
      };
    } finally {
      server.kill();
      await server.ended;
    }
  };
  const loseLog = async (name: string) => {
    expect((await stat(`${file(name)}-wal`)).size, 'what was written is in the log').to.be.above(100_000);
    for (const beside of ['-wal', '-shm']) await rm(`${file(name)}${beside}`);
  };
  const contents = async (name: string) => {
    const names = (await readdir(join(folder, name))).filter((each) => !/\.lock|-wal$|-shm$/.test(each)).sort();
    return Promise.all(
      names.map(async (each) => [each, (await readFile(join(folder, name, each))).toString('base64')] as const),
    );
  };
  const refused = async (words: readonly string[], name: string) => {
    const before = await contents(name);
    const { code, complained } = await runProcess(words, at(name));
    expect(code, `${words.join(' ')}: ${complained}`).to.equal(1);
    expect(await contents(name), 'nothing was changed').to.deep.equal(before);
    return complained;
  };
  const runsWith = async (name: string, projects: (url: string) => Promise<readonly string[]>) => {
    const server = await startProcess(at(name));
    try {
      return await projects(server.url);
    } finally {
      expect(await server.end()).to.equal(0);
    }
  };

  it('is refused once its log is lost, and goes on from a restored backup', async () => {
    const copy = join(folder, 'copy');
    const projects = await setUpAndKilled('first', async () => {
      expect((await runProcess(['backup', copy, '--with-key'], at('first'))).code).to.equal(0);
    });
    await loseLog('first');
    for (const words of [['start'], ['migrate'], ['backup', join(folder, 'worthless')]]) {
      const complained = await refused(words, 'first');
      for (const part of [file('first'), key('first'), `${file('first')}-wal`, 'shipworthy-server backup', 'restore'])
        expect(complained).to.contain(part);
    }
    const restored = await runProcess(['restore', copy], at('first'));
    expect(restored.code, restored.complained).to.equal(0);
    expect(await runsWith('first', projects)).to.deep.equal(['checkout']);
  });

  it('is refused when the log is lost that held the setup, although a start before it had ended well', async () => {
    expect(await (await startProcess(at('first'))).end()).to.equal(0);
    await setUpAndKilled('first');
    await loseLog('first');
    expect(await refused(['start'], 'first')).to.contain('write-ahead log');
  });

  it('is refused when it is empty or gone', async () => {
    await setUpAndKilled('first');
    for (const beside of ['-wal', '-shm']) await rm(`${file('first')}${beside}`);
    await truncate(file('first'));
    expect(await refused(['start'], 'first')).to.contain('restore');
    await rm(file('first'));
    expect(await refused(['start'], 'first')).to.contain('restore');
  });

  it('is refused beside the key of another one, and taken with its own', async () => {
    const projects = await setUpAndKilled('first');
    await setUpAndKilled('second');
    const own = await readFile(key('first'));
    await copyFile(key('second'), key('first'));
    expect(await refused(['start'], 'first'))
      .to.contain(key('first'))
      .and.contain('another secret key')
      .and.contain('restore');
    await writeFile(key('first'), own);
    expect(await runsWith('first', projects)).to.deep.equal(['checkout']);
  });

  it('goes on when it was killed and its log is there, and when its key is lost, which is said', async () => {
    const projects = await setUpAndKilled('first');
    expect(await runsWith('first', projects)).to.deep.equal(['checkout']);
    await rm(key('first'));
    expect(await runsWith('first', projects)).to.deep.equal(['checkout']);
    expect((await stat(key('first'))).mode & 0o777).to.equal(0o600);
    expect(await runsWith('first', projects)).to.deep.equal(['checkout']);
  });

  it('may be started again and again before anybody is set up, however each start ends', async () => {
    for (const kill of [true, false]) {
      const server = await startProcess(at('first'));
      if (kill) server.kill();
      else await server.end();
      await server.ended;
    }
    const server = await startProcess(at('first'));
    await setUpAt(server.url, SETUP_TOKEN);
    expect(await server.end()).to.equal(0);
    expect((await stat(key('first'))).mode & 0o777).to.equal(0o600);
  });

  it('is not looked at when the key is given in the environment', async () => {
    await setUpAndKilled('first');
    for (const name of ['', '-wal', '-shm']) await rm(`${file('first')}${name}`);
    const server = await startProcess({
      ...at('first'),
      SHIPWORTHY_SECRET_KEY: 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB',
    });
    expect(await server.end()).to.equal(0);
  });
});
