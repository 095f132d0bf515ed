import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { runIn } from '../stand-in.js';
import { type GitHost, startGitHost } from './laptop/git-host.js';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

const TOKEN = 'a-token-that-writes';

/** A proxy that leads every connection to one port of this machine, and notes where each was to go. */
const startProxy = async (port: number) => {
  const asked: string[] = [];
  const open = new Set<Duplex>();
  const server = createServer();
  server.on('connect', (request, socket: Duplex) => {
    asked.push(request.url ?? '');
    const target = connect(port, '127.0.0.1');
    for (const one of [socket, target]) {
      open.add(one);
      one.on('error', () => undefined);
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(target).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of open) socket.destroy();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
};

describe('doctor and the settings of a repository of others', () => {
  let office: Office;
  let laptop: Laptop;
  let thief: GitHost;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  /** The certificate of the thief, as it lies in the repository. */
  let planted: string;
  before(async () => {
    office = await openOffice();
    thief = await startGitHost(office.certificates.selfSigned);
    thief.addRepository('acme/shop');
    proxy = await startProxy(thief.port);
    office.host.tokens.set(TOKEN, 'write');
  });
  after(async () => {
    await proxy.close();
    await thief.close();
    await office.close();
  });
  beforeEach(async () => {
    laptop = await openLaptop(office, { stdin: TOKEN });
    laptop.store('x-access-token', TOKEN);
    planted = join(laptop.folder, '.git', 'planted.pem');
    writeFileSync(planted, office.certificates.selfSigned.cert);
    thief.requests.length = 0;
    proxy.asked.length = 0;
  });
  afterEach(() => laptop.remove());
  const local = (...settings: readonly (readonly [name: string, value: string])[]) => {
    for (const [name, value] of settings) laptop.git('config', '--local', name, value);
  };

  const attacks: Readonly<Record<string, () => string>> = {
    'a proxy and an authority': () => {
      local(['http.proxy', proxy.url], ['http.sslCAInfo', planted]);
      return 'http.proxy, http.sslcainfo';
    },
    'a proxy, and that certificates are not checked': () => {
      local(['http.proxy', proxy.url], ['http.sslVerify', 'false']);
      return 'http.proxy, http.sslverify';
    },
    'a proxy for the host alone, in an included file': () => {
      const lines = `[http "${office.host.url}/"]\n\tproxy = ${proxy.url}\n\tsslCAInfo = ${planted}\n`;
      writeFileSync(join(laptop.folder, '.git', 'included'), lines);
      local(['include.path', 'included']);
      return `http.${office.host.url}/.proxy, http.${office.host.url}/.sslcainfo`;
    },
    'a proxy for the work tree alone': () => {
      local(['extensions.worktreeConfig', 'true']);
      laptop.git('config', '--worktree', 'http.proxy', proxy.url);
      laptop.git('config', '--worktree', 'http.sslCAInfo', planted);
      return 'http.proxy, http.sslcainfo';
    },
    'another address': () => {
      local([`url.${thief.url}/.insteadOf`, `${office.host.url}/`], ['http.sslCAInfo', planted]);
      return `http.sslcainfo, url.${thief.url}/.insteadof`;
    },
    'another address for a remote that is named like the address': () => {
      const name = `${office.host.url}/acme/shop.git`;
      local([`remote.${name}.url`, `${thief.url}/acme/shop.git`], ['http.sslVerify', 'false']);
      return 'http.sslverify';
    },
  };
  for (const [name, plant] of Object.entries(attacks))
    it(`goes its own way where the repository names ${name}`, async () => {
      const names = plant();
      const found = await doctor(laptop, 'https', 'credentials', 'repository.settings');
      expect(thief.requests).to.deep.equal([]);
      expect(proxy.asked).to.deep.equal([]);
      expect(found.step('https.answer').what).to.contain(new URL(office.host.url).host);
      expect(found.step('https.head').state).to.equal('ready');
      expect(found.step('credentials.accepted').state).to.equal('ready');
      expect(found.step('repository.settings')).to.include({ state: 'could_not_check' });
      expect(found.step('repository.settings').what).to.contain(`: ${names}.`);
      expect(found.exit).to.equal(names.includes('sslverify') ? 3 : 5);
    });

  it('has no token that is typed taken elsewhere', async () => {
    for (const plant of Object.values(attacks)) plant();
    const { exit, err } = await runIn(laptop, 'doctor', '--store-token');
    expect(thief.requests).to.deep.equal([]);
    expect(proxy.asked).to.deep.equal([]);
    expect(err).to.contain('http.proxy').and.contain('left aside');
    expect(exit).to.equal(0);
  });

  it('says that git does not check certificates here, and how to end that', async () => {
    local(['http.sslVerify', 'no']);
    const { step } = await doctor(laptop, 'https.verified');
    expect(step('https.verified')).to.include({ state: 'needs_action' });
    expect(step('https.verified').fix).to.contain('git config --local --unset-all http.sslVerify');
  });

  it('shows no secret of such a setting, and no word of it in a command to copy', async () => {
    local([`url.https://ada:${TOKEN}@localhost/$(touch x)/.insteadOf`, 'https://nowhere.example/']);
    const found = await doctor(laptop, 'repository.settings');
    expect(found.out).to.not.contain(TOKEN);
    expect(found.step('repository.settings').fix).to.not.contain('touch');
  });

  it("uses the user's own settings, also those for this folder", async () => {
    const own = join(laptop.home, 'own');
    mkdirSync(own);
    const config = join(own, 'config');
    laptop.git('config', '--global', '--unset-all', 'credential.helper');
    laptop.git('config', '--global', '--unset-all', 'http.sslCAInfo');
    writeFileSync(
      config,
      `[http]\n\tsslCAInfo = ${office.certificates.authority}\n\tsslVerify\n[credential]\n\thelper = store\n`,
    );
    laptop.set(`includeIf.gitdir:${laptop.folder}/.path`, config);
    const found = await doctor(laptop, 'https', 'credentials', 'repository.settings');
    expect(found.step('repository.settings').state).to.equal('ready');
    expect(found.step('https.verified').state).to.equal('ready');
    expect(found.step('https.head').state).to.equal('ready');
    expect(found.step('credentials.token')).to.include({ state: 'ready', source: 'store' });
    expect(found.exit).to.equal(0);
  });
});
