import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { runIn } from '../stand-in.js';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';
import { type SshHost, startSshHost } from './laptop/ssh-host.js';

describe('doctor credentials: the SSH option', () => {
  let office: Office;
  let ssh: SshHost;
  let laptop: Laptop;
  before(async () => {
    [office, ssh] = await Promise.all([openOffice(), startSshHost()]);
    // No token works over HTTPS.
    office.host.tokens.set('nobody-knows-this-token', 'write');
  });
  after(async () => {
    ssh.close();
    await office.close();
  });
  beforeEach(async () => {
    ssh.register(true);
    laptop = await openLaptop(office, { env: { SSH_AUTH_SOCK: ssh.agent, GIT_SSH_COMMAND: ssh.command } });
    rewrite();
  });
  afterEach(() => laptop.remove());
  const rewrite = () => {
    const prefix = `ssh://${ssh.user}@localhost:${ssh.port}${office.host.folder}/`;
    laptop.set(`url.${prefix}.insteadOf`, `${office.host.url}/`);
  };

  it('is ready with a registered key in the agent and HTTPS rewritten, and reads through it', async () => {
    const found = await doctor(laptop, 'https', 'credentials');
    expect(found.step('credentials.ssh_key')).to.include({ state: 'ready' });
    expect(found.step('credentials.ssh_key').what).to.contain('The agent holds 1 key.');
    expect(found.step('credentials.ssh_rewrite').state).to.equal('ready');
    expect(found.step('https.answer').what).to.contain('by SSH');
    expect(found.step('https.head').what).to.match(/HEAD is [0-9a-f]{12}/);
    expect(found.step('credentials.token')).to.include({ state: 'needs_action', counted: false });
    expect(found.exit).to.equal(0);
  });

  it('offers the exact command that rewrites, which makes it ready', async () => {
    laptop.git(
      'config',
      '--global',
      '--remove-section',
      `url.ssh://${ssh.user}@localhost:${ssh.port}${office.host.folder}/`,
    );
    laptop.git('remote', 'add', 'ssh', `ssh://git@localhost:${ssh.port}/acme/shop.git`);
    const { step } = await doctor(laptop, 'credentials');
    expect(step('credentials.ssh_rewrite').fix).to.equal(
      `git config --global url."ssh://git@localhost:${ssh.port}/".insteadOf ${office.host.url}/`,
    );
    laptop.set(`url.ssh://git@localhost:${ssh.port}/.insteadOf`, `${office.host.url}/`);
    expect((await doctor(laptop, 'credentials')).step('credentials.ssh_rewrite').state).to.equal('ready');
  });

  it('says that the host knows no key', async () => {
    ssh.register(false);
    const found = await doctor(laptop, 'credentials', 'https.head');
    expect(found.step('credentials.ssh_key')).to.include({ state: 'needs_action' });
    expect(found.step('credentials.ssh_key').fix).to.contain('register');
    expect(found.step('https.head').what).to.contain('accepts no SSH key');
    expect(found.exit).to.equal(3);
  });

  it('trusts no host whose key is not known', async () => {
    laptop = { ...laptop, env: { ...laptop.env, GIT_SSH_COMMAND: ssh.strangerCommand } };
    const { step } = await doctor(laptop, 'credentials.ssh_key', 'https.head');
    expect(step('credentials.ssh_key').what).to.contain('is not known here');
    expect(step('https.head').what).to.contain('is not known here');
  });

  it('couldn’t check where nothing listens, nor without an agent', async () => {
    laptop.set(`url.ssh://${ssh.user}@localhost:9/.insteadOf`, `${office.host.url}/acme/`);
    laptop = { ...laptop, env: { ...laptop.env, SSH_AUTH_SOCK: '/nowhere' } };
    const { step } = await doctor(laptop, 'credentials.ssh_key');
    expect(step('credentials.ssh_key')).to.include({ state: 'could_not_check' });
    expect(step('credentials.ssh_key').what).to.contain('does not answer SSH').and.contain('No SSH agent runs.');
  });
});

const TOKEN = 'a-token-typed-by-ada';

describe('doctor --store-token', () => {
  let office: Office;
  let laptop: Laptop;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());
  const open = async (stdin = `${TOKEN}\n`) => {
    laptop = await openLaptop(office, { stdin });
    laptop.set('credential.helper', 'store');
  };
  afterEach(async () => {
    office.host.behave((_request, _response, git) => git());
    office.host.tokens.clear();
    await laptop.remove();
  });
  const kept = () => {
    const path = join(laptop.home, '.git-credentials');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const store = async (...words: readonly string[]) => {
    const outcome = await runIn(laptop, 'doctor', '--store-token', ...words);
    expect(outcome.out + outcome.err).to.not.contain(TOKEN);
    return outcome;
  };

  it("hands an accepted token to git's own helper, under the host's user name", async () => {
    await open();
    office.host.tokens.set(TOKEN, 'write');
    const { exit, out } = await store();
    expect(exit).to.equal(0);
    expect(out).to.contain('is stored as x-access-token').and.contain('store');
    expect(kept()).to.contain(`https://x-access-token:${TOKEN}@localhost`);
    expect(await laptop.remoteHead()).to.match(/^[0-9a-f]{40}$/);
  });

  it('tells programs what was stored, and takes another user name', async () => {
    await open();
    office.host.tokens.set(TOKEN, 'write');
    const { json } = await store('--json', '--token-username', 'ada');
    expect(json().data).to.deep.include({ stored: true, username: 'ada', helpers: ['store'] });
    expect(kept()).to.contain(`https://ada:${TOKEN}@`);
  });

  it('stores nothing in a dry run', async () => {
    await open();
    office.host.tokens.set(TOKEN, 'write');
    const { exit, out } = await store('--dry-run');
    expect(exit).to.equal(0);
    expect(out).to.contain('would be stored');
    expect(kept()).to.equal('');
  });

  it('stores nothing that the host rejects, or that may only read', async () => {
    await open();
    office.host.tokens.set('another', 'write');
    const rejected = await store();
    expect(rejected.exit).to.equal(3);
    expect(rejected.err).to.contain('rejected it (401)');
    await laptop.remove();
    await open();
    office.host.tokens.set(TOKEN, 'read');
    const reading = await store();
    expect(reading.exit).to.equal(3);
    expect(reading.err).to.contain('for reading, and refuses writing');
    expect(kept()).to.equal('');
  });

  for (const [status, headers] of [
    [200, { 'content-type': 'text/html' }],
    [401, { 'content-type': 'text/html' }],
    [403, { 'retry-after': '60' }],
    [403, {}],
    [407, { 'proxy-authenticate': 'Basic' }],
    [500, {}],
  ] as const)
    it(`never calls a token rejected by ${status} ${JSON.stringify(headers)}`, async () => {
      await open();
      office.host.behave((_request, response) => {
        response.writeHead(status, headers).end('<html>no</html>');
      });
      const { exit, err } = await store();
      expect(exit).to.equal(5);
      expect(err).to.contain('says nothing about the credentials').and.not.contain('rejected');
      expect(kept()).to.equal('');
    });

  it('says which helper to configure before it reads anything', async () => {
    laptop = await openLaptop(office, { stdin: TOKEN });
    const { exit, err } = await store();
    expect(exit).to.equal(3);
    expect(err).to.contain('git config --global credential.helper');
  });

  it('says when the helper kept nothing', async () => {
    await open();
    laptop.set('credential.helper', '!true');
    office.host.tokens.set(TOKEN, 'write');
    const { exit, err } = await store();
    expect(exit).to.equal(3);
    expect(err).to.contain('did not keep the token');
  });

  it('refuses what is no token', async () => {
    for (const text of ['', '\n', 'two words', `${'a'.repeat(5_000)}`]) {
      await open(text);
      expect((await store()).exit, text.slice(0, 10)).to.equal(2);
      await laptop.remove();
    }
    await open();
  });

  it('does not show what is typed at a terminal', async () => {
    await open();
    office.host.tokens.set(TOKEN, 'write');
    const modes: boolean[] = [];
    const typed = Readable.from([`${TOKEN.slice(0, 3)}x`, '\u007f', TOKEN.slice(3), '\r']);
    const stdin = Object.assign(typed, { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) });
    laptop = { ...laptop, stdin };
    expect((await store()).exit).to.equal(0);
    expect(modes).to.deep.equal([true, false]);
    expect(kept()).to.contain(TOKEN);
  });
});
