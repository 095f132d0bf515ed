import { expect } from 'chai';
import { tokenUsername } from '../../src/doctor/credential-steps.js';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

describe('doctor credentials: what a token may do', () => {
  let office: Office;
  let laptop: Laptop;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());
  beforeEach(async () => {
    laptop = await openLaptop(office);
    laptop.store('x-access-token', 'a-token-of-ada');
  });
  afterEach(() => laptop.remove());

  it('tells a token that only reads, with the scopes the host names', async () => {
    office.host.tokens.set('a-token-of-ada', 'read');
    office.host.behave((request, response, git) => {
      if (!request.url?.startsWith('/api/v3/')) return git();
      const known = request.headers.authorization === 'Bearer a-token-of-ada';
      response.writeHead(known ? 200 : 401, { 'x-oauth-scopes': 'read:org, public_repo' }).end('{}');
    });
    const { step, exit } = await doctor(laptop, 'credentials');
    expect(step('credentials.token')).to.include({ state: 'ready', source: 'store' });
    expect(step('credentials.accepted').state).to.equal('needs_action');
    expect(step('credentials.accepted').what).to.match(
      /refuses writing \(403\)\. Scopes it names: read:org, public_repo\.$/,
    );
    expect(exit).to.equal(3);
  });

  it('is ready with a token that writes', async () => {
    office.host.tokens.set('a-token-of-ada', 'write');
    const { step, exit } = await doctor(laptop, 'credentials');
    expect(step('credentials.accepted').state).to.equal('ready');
    expect(step('credentials.ssh_key').counted).to.equal(false);
    expect(exit).to.equal(0);
  });

  it('names a helper and never what it is called with', async () => {
    laptop.set('credential.helper', '!f() { echo username=ada; echo password=a-token-of-ada; }; f');
    const { step, out } = await doctor(laptop, 'credentials.accepted');
    expect(step('credentials.token').source).to.equal('a command of your own');
    expect(step('credentials.accepted').state).to.equal('ready');
    expect(out).to.not.contain('a-token-of-ada');
  });
});

describe('tokenUsername', () => {
  it('goes by the linked host, else by the name of the machine', () => {
    expect(tokenUsername('github', 'git.example.com')).to.equal('x-access-token');
    expect(tokenUsername('gitlab', 'git.example.com')).to.equal('oauth2');
    expect(tokenUsername(undefined, 'github.com')).to.equal('x-access-token');
    expect(tokenUsername(undefined, 'gitlab.example.com:8443')).to.equal('oauth2');
    expect(tokenUsername(undefined, 'bitbucket.org')).to.equal('x-token-auth');
    expect(tokenUsername(undefined, 'notgithub.example.com')).to.equal(undefined);
    expect(tokenUsername('constructor', 'git.example.com')).to.equal(undefined);
  });
});
