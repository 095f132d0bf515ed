import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

describe('doctor repository', () => {
  let office: Office;
  let laptop: Laptop;
  before(async () => {
    office = await openOffice();
    office.host.addRepository('acme/pay');
  });
  after(() => office.close());
  beforeEach(async () => {
    laptop = await openLaptop(office);
  });
  afterEach(async () => {
    office.host.behave((_request, _response, git) => git());
    await laptop.remove();
  });
  const look = () => doctor(laptop, 'repository');
  const point = (url: string) => laptop.git('remote', 'set-url', 'origin', url);

  it('takes every form of the linked repository', async () => {
    const { port } = office.host;
    for (const url of [
      `${office.host.url}/acme/shop`,
      `${office.host.url}/ACME/Shop.git`,
      `https://ada@localhost:${port}/acme/shop.git`,
      'git@localhost:acme/shop.git',
      'ssh://git@localhost:2222/acme/shop',
    ]) {
      point(url);
      const { step, exit } = await look();
      expect(step('repository.linked'), url).to.include({ state: 'ready' });
      expect(exit).to.equal(0);
    }
  });

  it('names both when another repository is here', async () => {
    point(`${office.host.url}/acme/pay.git`);
    const { step } = await look();
    expect(step('repository.linked')).to.include({ state: 'needs_action' });
    expect(step('repository.linked').what).to.contain('acme/pay').and.contain('acme/shop');
    expect(step('repository.linked').fix).to.contain(`git remote set-url origin ${office.host.url}/acme/shop.git`);
  });

  it('knows a former name by where the host leads', async () => {
    point(`${office.host.url}/acme/store.git`);
    office.host.behave((request, response, git) => {
      if (!request.url?.startsWith('/acme/store')) return git();
      response.writeHead(301, { location: (request.url ?? '').replace('store.git', 'shop.git') }).end();
    });
    const { step } = await look();
    expect(step('repository.linked')).to.include({ state: 'ready' });
    expect(step('repository.linked').what).to.contain('former name');
  });

  it('finds the secret in an address, says how to take it out, and never says it', async () => {
    point(`https://ada:a-token-in-the-open@localhost:${office.host.port}/acme/shop.git`);
    const { step, out } = await look();
    expect(step('repository.secret')).to.include({ state: 'needs_action' });
    expect(step('repository.secret').fix).to.match(
      /^git remote set-url origin https:\/\/localhost:\d+\/acme\/shop\.git,/,
    );
    expect(step('repository.linked').state).to.equal('ready');
    expect(out).to.not.contain('a-token-in-the-open');
  });

  it('lets nothing that a repository names become a command to copy', async () => {
    laptop.git('remote', 'remove', 'origin');
    const [name, path] = ['x; touch "it\'s" #', 'acme/shop$(touch it).git'];
    laptop.git('config', `remote.${name}.url`, `https://ada:a-token-in-the-open@localhost:${office.host.port}/${path}`);
    laptop.git('config', 'remote.ssh.url', `$(touch\${IFS}it)@localhost:${path}`);
    const { step } = await doctor(laptop, 'repository', 'credentials');
    for (const id of ['repository.secret', 'repository.linked', 'credentials.ssh_rewrite']) {
      const command = step(id).fix?.replace(/^.*?(?=git )|, then .*$/g, '');
      const words = execFileSync('sh', ['-c', `git() { printf '%s\\n' "$@"; }; ${command}`], {
        cwd: laptop.home,
        encoding: 'utf8',
      });
      expect(words.split('\n')[0], command).to.match(/^(remote|config)$/);
      expect(words, command).to.contain('touch');
      expect(readdirSync(laptop.home)).to.not.include.members(['it']);
    }
  });

  it('finds the secret in a rewriting', async () => {
    laptop.set(
      `url.https://ada:a-token-in-a-rewriting@localhost:${office.host.port}/.insteadOf`,
      `${office.host.url}/`,
    );
    const found = await doctor(laptop, 'repository', 'https');
    expect(found.step('repository.secret')).to.include({ state: 'needs_action' });
    expect(found.step('repository.secret').what).to.contain('rewrites addresses');
    expect(found.step('https.head').state).to.equal('ready');
    expect(found.out).to.not.contain('a-token-in-a-rewriting');
  });

  it('says that there is no remote, no repository, no git', async () => {
    laptop.git('remote', 'remove', 'origin');
    expect((await look()).step('repository.remote').what).to.equal('The repository has no remote.');
    laptop.git('remote', 'add', 'origin', '/srv/shop.git');
    expect((await look()).step('repository.remote').what).to.contain('no remote at a host (origin)');
    const outside = mkdtempSync(join(laptop.home, 'outside-'));
    laptop = { ...laptop, folder: outside };
    expect((await look()).step('repository.folder')).to.include({ state: 'needs_action' });
    const bin = join(laptop.home, 'bin');
    mkdirSync(bin);
    laptop = { ...laptop, env: { ...laptop.env, PATH: bin } };
    expect((await look()).step('repository.git')).to.include({ state: 'needs_action', what: 'git is not installed.' });
  });

  it('prefers the remote the branch follows', async () => {
    laptop.git('remote', 'add', 'fork', `${office.host.url}/ada/shop.git`);
    laptop.git('config', 'branch.main.remote', 'fork');
    const { step } = await look();
    expect(step('repository.remote').what).to.contain('fork');
    expect(step('repository.linked').what).to.contain('origin');
  });

  it('says what to link, and which project there is not', async () => {
    const { person, path } = office.service;
    await person.unlinkRepository({ path });
    const { step } = await look();
    expect(step('repository.linked')).to.include({ state: 'needs_action' });
    expect(step('repository.linked').what).to.equal('The project checkout is linked to no repository.');
    await office.service.link();
    laptop = { ...laptop, env: { ...laptop.env, SHIPWORTHY_APP: 'chekout' } };
    const wrong = (await look()).step('repository.project');
    expect(wrong).to.include({ state: 'needs_action' });
    expect(wrong.what).to.contain('chekout').and.contain('checkout (team Core)');
  });
});
