import { expect } from 'chai';
import { startGitHost } from './laptop/git-host.js';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

const TOKEN = 'a-token-that-only-a-helper-knows';

describe('doctor https', () => {
  let office: Office;
  let laptop: Laptop;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());
  beforeEach(async () => {
    laptop = await openLaptop(office);
  });
  afterEach(async () => {
    office.host.behave((_request, _response, git) => git());
    office.host.show(office.certificates.valid);
    office.host.tokens.clear();
    office.host.requests.length = 0;
    await laptop.remove();
  });
  const look = (...words: readonly string[]) => doctor(laptop, 'https', ...words);

  it('is ready when git prints the commit', async () => {
    const commit = (await laptop.remoteHead()).slice(0, 12);
    const found = await look();
    expect(found.step('https.answer')).to.include({ state: 'ready' });
    expect(found.step('https.head')).to.include({ state: 'ready', what: `git reads it; HEAD is ${commit}.` });
    expect(found.exit).to.equal(0);
  });

  it('is ready for an empty repository', async () => {
    laptop.git('remote', 'set-url', 'origin', `${office.host.url}/acme/empty.git`);
    laptop = { ...laptop, env: { ...laptop.env, SHIPWORTHY_API_KEY: '' } };
    const found = await look();
    expect(found.step('https.head')).to.include({ state: 'ready', what: 'git reads it; the repository is empty.' });
  });

  it('looks at the mirror that git is led to', async () => {
    const mirror = await startGitHost(office.certificates.valid);
    try {
      mirror.addRepository('acme/shop', true);
      laptop.set(`url.${mirror.url}/.insteadOf`, `${office.host.url}/`);
      const found = await look();
      expect(found.step('https.answer').what).to.contain(mirror.url.slice('https://'.length));
      expect(found.step('https.head').what).to.contain('is empty');
    } finally {
      await mirror.close();
    }
  });

  it('needs credentials when the host asks and git has none', async () => {
    office.host.tokens.set(TOKEN, 'read');
    const found = await look();
    expect(found.step('https.answer').what).to.contain('asks for credentials');
    expect(found.step('https.head').state).to.equal('needs_action');
    expect(found.step('https.head').fix).to.contain('--store-token');
    expect(found.exit).to.equal(3);
  });

  it('is ready with the right credentials', async () => {
    office.host.tokens.set(TOKEN, 'read');
    laptop.store('x-access-token', TOKEN);
    expect((await look()).step('https.head').state).to.equal('ready');
  });

  it('leaves wrong credentials with the helper instead of having git forget them', async () => {
    office.host.tokens.set('another-token-altogether', 'write');
    laptop.store('x-access-token', TOKEN);
    const found = await look('credentials');
    expect(found.step('https.head')).to.include({ state: 'could_not_check' });
    expect(found.step('https.head').what).to.contain('may read and write');
    expect(found.step('credentials.accepted')).to.include({ state: 'needs_action' });
    expect(found.step('credentials.accepted').what).to.contain('rejected');
    expect(laptop.git('config', '--get', 'credential.helper').trim()).to.equal('store');
    expect((await look('credentials')).step('credentials.token').state).to.equal('ready');
  });

  for (const [name, status, headers] of [
    ['a page with 200', 200, { 'content-type': 'text/html; charset=utf-8' }],
    ['a page with 401 and no challenge', 401, { 'content-type': 'text/html' }],
    ['a guest network', 511, { 'content-type': 'text/html' }],
  ] as const)
    it(`knows a sign-in page: ${name}`, async () => {
      office.host.behave((_request, response) => {
        response.writeHead(status, headers).end('<html><form>Sign in</form></html>');
      });
      const found = await look();
      expect(found.step('https.answer').state).to.equal('needs_action');
      expect(found.step('https.answer').what).to.contain('sign-in page');
      expect(found.step('https.head').state).to.equal('could_not_check');
      expect(found.exit).to.equal(3);
    });

  for (const [status, headers, state, what] of [
    [404, {}, 'needs_action', 'knows no such repository'],
    [403, {}, 'could_not_check', 'refused to answer (403)'],
    [403, { 'x-ratelimit-remaining': '0' }, 'could_not_check', 'limits requests'],
    [429, { 'retry-after': '60' }, 'could_not_check', 'limits requests'],
    [500, {}, 'could_not_check', 'failed (500)'],
    [503, { 'content-type': 'text/html' }, 'could_not_check', 'failed (503)'],
    [200, { 'content-type': 'text/plain' }, 'could_not_check', "not git's"],
  ] as const)
    it(`tells ${status} ${JSON.stringify(headers)}`, async () => {
      office.host.behave((_request, response) => {
        response.writeHead(status, headers).end();
      });
      const answer = (await look()).step('https.answer');
      expect(answer.state).to.equal(state);
      expect(answer.what).to.contain(what).and.not.contain('rejected');
      expect(answer.fix).to.be.a('string');
    });

  it('follows no redirect to another host, and sends it nothing', async () => {
    const other = await startGitHost(office.certificates.valid);
    try {
      office.host.tokens.set(TOKEN, 'write');
      laptop.store('x-access-token', TOKEN);
      office.host.behave((request, response) => {
        response.writeHead(302, { location: `${other.url}${request.url}&session=secret-of-the-page` }).end();
      });
      const found = await look('credentials');
      expect(found.step('https.answer').state).to.equal('needs_action');
      expect(found.step('https.answer').what).to.contain(other.url).and.not.contain('secret-of-the-page');
      expect(other.requests).to.deep.equal([]);
      expect(found.step('credentials.accepted')).to.include({ state: 'could_not_check' });
    } finally {
      await other.close();
    }
  });

  for (const [name, pair, what] of [
    ['expired', 'expired', 'has expired'],
    ['made out for another name', 'wrongName', 'another name'],
    ['self-signed', 'selfSigned', 'self-signed'],
  ] as const)
    it(`names a certificate that is ${name}`, async () => {
      office.host.show(office.certificates[pair]);
      const found = await look();
      expect(found.step('https.answer').state).to.equal('needs_action');
      expect(found.step('https.answer').what).to.contain(what);
      expect(found.step('https.head')).to.include({ state: 'needs_action' });
    });

  it('names an authority git does not trust, with the setting', async () => {
    laptop.set('http.sslCAInfo', office.certificates.otherAuthority);
    const found = await look();
    expect(found.step('https.answer').state).to.equal('needs_action');
    expect(found.step('https.answer').fix).to.match(/^git config --global http\.https:\/\/localhost:\d+\/\.sslCAInfo /);
    expect(found.step('https.head').what).to.contain('does not trust the certificate');
  });

  it('names the variable that wins over that setting, and advises to change it', async () => {
    laptop = { ...laptop, env: { ...laptop.env, GIT_SSL_CAINFO: office.certificates.authority } };
    expect((await look()).step('https.verified').what).to.contain('GIT_SSL_CAINFO');
    laptop = { ...laptop, env: { ...laptop.env, GIT_SSL_CAINFO: office.certificates.otherAuthority } };
    const { fix } = (await look()).step('https.answer');
    expect(fix).to.contain('GIT_SSL_CAINFO').and.not.contain('git config');
  });

  it('needs certificates to be looked at', async () => {
    laptop.set('http.sslVerify', 'false');
    expect((await look()).step('https.verified')).to.include({ state: 'needs_action' });
  });

  it('couldn’t check when the host stalls, and ends in time', async () => {
    office.host.behave(() => undefined);
    const found = await look('--timeout', '1');
    expect(found.step('https.answer').what).to.contain('does not answer');
    expect(found.step('https.head')).to.include({ state: 'could_not_check' });
    expect(found.exit).to.equal(5);
  });

  it('couldn’t check when the connection is cut', async () => {
    office.host.behave((request) => request.socket.destroy());
    const found = await look();
    expect(found.step('https.answer')).to.include({ state: 'could_not_check' });
    expect(found.step('https.answer').what).to.contain('ended the connection');
    expect(found.step('https.head').state).to.equal('could_not_check');
  });

  it('says that the port there is closed', async () => {
    laptop.git('remote', 'set-url', 'origin', 'https://localhost:9/acme/shop.git');
    laptop = { ...laptop, env: { ...laptop.env, SHIPWORTHY_API_KEY: '' } };
    const found = await look();
    expect(found.step('https.answer').what).to.contain('localhost:9 refuses connections');
    expect(found.step('https.head').what).to.contain('cannot be reached');
  });
});
