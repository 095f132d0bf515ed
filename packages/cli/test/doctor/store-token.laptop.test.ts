import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { runIn } from '../stand-in.js';
import { type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

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
