import { expect } from 'chai';
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
