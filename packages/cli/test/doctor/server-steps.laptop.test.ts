import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { COMMAND } from '../shipworthy-process.js';
import { doctor, type Laptop, type LaptopOptions, type Office, openLaptop, openOffice } from './laptop/laptop.js';
import { startTlsFront, type TlsFront } from './laptop/tls-front.js';

const DAY_MS = 86_400_000;

describe('doctor server', () => {
  let office: Office;
  let laptop: Laptop;
  const open = async (options: LaptopOptions = {}) => {
    laptop = await openLaptop(office, options);
  };
  const look = (...words: readonly string[]) => doctor(laptop, 'server', ...words);
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());
  afterEach(() => laptop.remove());

  it('says where address and key were found, and never the key', async () => {
    await open();
    const found = await look();
    expect(found.step('server.settings')).to.include({ state: 'ready', source: 'SHIPWORTHY_API_URL' });
    expect(found.step('server.key_found')).to.include({ state: 'ready', source: 'SHIPWORTHY_API_KEY' });
    expect(found.out).to.not.contain(office.key);
    expect(found.exit).to.equal(0);
  });

  it('says what is missing, and what was left aside', async () => {
    await open({ env: { SHIPWORTHY_API_KEY: '' } });
    const withoutKey = await look();
    expect(withoutKey.step('server.key_found')).to.include({ state: 'needs_action' });
    expect(withoutKey.step('server.answer').state).to.equal('ready');
    expect(withoutKey.step('server.scopes').what).to.contain('Depends on “API key accepted”');
    await laptop.remove();
    await open({ env: { SHIPWORTHY_API_URL: '', CI: 'true' } });
    writeFileSync(join(laptop.folder, '.shipworthy.json'), JSON.stringify({ api_url: office.service.url }));
    expect((await look()).step('server.settings').what).to.contain('Left aside: api_url of');
  });

  it('names a settings file that is broken or exposed', async () => {
    await open();
    const file = join(laptop.folder, '.shipworthy.json');
    writeFileSync(file, '{');
    const broken = await look();
    expect(broken.step('server.settings').what).to.contain('.shipworthy.json is not JSON');
    writeFileSync(file, JSON.stringify({ api_key: 'a-key-for-everybody' }), { mode: 0o644 });
    execFileSync('chmod', ['644', file]);
    laptop.git('add', '.shipworthy.json');
    const { step, out } = await look();
    expect(step('server.safety')).to.include({ state: 'needs_action' });
    expect(step('server.safety').fix).to.contain('git rm --cached').and.contain('chmod 600');
    expect(out).to.not.contain('a-key-for-everybody');
  });

  for (const [url, what] of [
    ['ship.example.com', 'no address'],
    ['ftp://ship.example.com', 'not https'],
    ['https://ada:a-password@ship.example.com', 'more than scheme'],
    ['http://ship.example.com', 'plain http'],
  ] as const)
    it(`refuses the address ${url}`, async () => {
      await open({ env: { SHIPWORTHY_API_URL: url } });
      const found = await look();
      expect(found.step('server.address')).to.include({ state: 'needs_action' });
      expect(found.step('server.address').what).to.contain(what);
      expect(found.out).to.not.contain('a-password');
      expect(found.exit).to.equal(3);
    });

  it('says that a name does not resolve, and that the port is closed', async () => {
    await open({ env: { SHIPWORTHY_API_URL: 'https://ship.invalid' } });
    expect((await look()).step('server.name').what).to.contain('ship.invalid');
    await laptop.remove();
    await open({ env: { SHIPWORTHY_API_URL: 'https://localhost:9' } });
    const { step } = await look();
    expect(step('server.port')).to.include({ state: 'needs_action' });
    expect(step('server.port').what).to.contain('localhost:9 refuses connections');
    expect(step('server.certificate').what).to.contain('Depends on “Port is open”');
  });

  describe('behind TLS', () => {
    let front: TlsFront;
    before(async () => {
      front = await startTlsFront(office.service.url, office.certificates.valid);
    });
    after(() => front.close());
    beforeEach(() => open({ env: { SHIPWORTHY_API_URL: front.url } }));

    for (const [pair, what, fix] of [
      ['valid', 'not trusted here', 'NODE_EXTRA_CA_CERTS='],
      ['selfSigned', 'self-signed', 'NODE_EXTRA_CA_CERTS='],
      ['wrongName', 'another name', 'SHIPWORTHY_API_URL'],
    ] as const)
      it(`names the fault of the certificate: ${what}`, async () => {
        front.show(office.certificates[pair]);
        const trusted = pair === 'wrongName';
        const step = trusted ? (await inChild()).find(({ id }) => id === 'server.certificate') : undefined;
        const certificate = step ?? (await look()).step('server.certificate');
        expect(certificate.state).to.equal('needs_action');
        expect(certificate.what).to.contain(what);
        expect(certificate.fix).to.contain(fix);
      });

    const inChild = async () => {
      const env = { ...laptop.env, NODE_EXTRA_CA_CERTS: office.certificates.authority };
      const running = promisify(execFile)(process.execPath, [COMMAND, 'doctor', 'server', '--json'], {
        env,
        cwd: laptop.folder,
      });
      const { stdout } = await running.catch((error: { readonly stdout: string }) => error);
      const { groups } = JSON.parse(stdout).data as Awaited<ReturnType<typeof look>>;
      return groups.flatMap(({ steps }) => steps);
    };

    it('is ready once the authority is given, in a process of its own', async () => {
      front.show(office.certificates.valid);
      for (const { id, state, what } of await inChild()) expect(state, `${id}: ${what}`).to.equal('ready');
    });

    it('names an expired certificate', async () => {
      front.show(office.certificates.expired);
      const step = (await inChild()).find(({ id }) => id === 'server.certificate');
      expect(step?.what).to.contain('has expired');
    });
  });

  it('says that something answers without TLS', async () => {
    await open({ env: { SHIPWORTHY_API_URL: office.service.url.replace('http:', 'https:') } });
    expect((await look()).step('server.certificate')).to.include({ state: 'needs_action' });
  });

  for (const [name, response, state, what] of [
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'needs_action',
      'Something else',
    ],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://sso.example/in?token=x' } }),
      'needs_action',
      'it leads to https://sso.example/in',
    ],
    ['other JSON', () => Response.json({ paths: {} }), 'needs_action', 'Something else'],
    ['a failure', () => new Response('no', { status: 502 }), 'could_not_check', 'answered 502'],
  ] as const)
    it(`tells ${name} from a server of ours`, async () => {
      await open();
      laptop = { ...laptop, fetch: async () => response() };
      const answer = (await look()).step('server.answer');
      expect(answer).to.include({ state });
      expect(answer.what).to.contain(what).and.not.contain('token=x');
    });

  it('calls a key rejected only by the word of the server', async () => {
    await open({ env: { SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` } });
    const rejected = (await look()).step('server.key');
    expect(rejected).to.include({ state: 'needs_action' });
    expect(rejected.what).to.contain('rejected the key from SHIPWORTHY_API_KEY');
    const page = (status: number): Laptop => ({
      ...laptop,
      fetch: async (input, init) =>
        String(input).endsWith('/api/whoami')
          ? new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
          : fetch(input, init),
    });
    for (const status of [401, 403, 407]) {
      laptop = page(status);
      const step = (await look('--timeout', '1')).step('server.key');
      expect(step.state, String(status)).to.equal('could_not_check');
      expect(step.what).to.not.contain('rejected');
    }
  });

  it('says which scopes are missing: for reading always, for reporting in a pipeline', async () => {
    const readOnly = await office.service.key('read');
    await open({ env: { SHIPWORTHY_API_KEY: readOnly } });
    expect((await look()).step('server.scopes')).to.include({ state: 'ready' });
    laptop = { ...laptop, env: { ...laptop.env, CI: 'true' } };
    const inPipeline = (await look()).step('server.scopes');
    expect(inPipeline).to.include({ state: 'needs_action' });
    expect(inPipeline.what).to.contain('deployments:write and test-runs:write');
    laptop = { ...laptop, env: { ...laptop.env, SHIPWORTHY_API_KEY: await office.service.key('deployments:write') } };
    expect((await look()).step('server.scopes').what).to.equal('The key may not read.');
  });

  it('says when the key ends within fourteen days, and when the clocks differ', async () => {
    await open({ now: () => Date.now() + 75 * DAY_MS });
    expect((await look()).step('server.expiry')).to.include({ state: 'ready' });
    laptop = { ...laptop, now: () => Date.now() + 76 * DAY_MS };
    expect((await look()).step('server.expiry')).to.include({ state: 'needs_action' });
    laptop = { ...laptop, now: () => Date.now() + 80 * DAY_MS };
    const { step } = await look();
    expect(step('server.expiry')).to.include({ state: 'needs_action' });
    expect(step('server.expiry').what).to.match(/in (9|10) days\.$/);
    expect(step('server.clock').what).to.contain('ahead of the server');
    laptop = { ...laptop, now: () => Date.now() - 130_000 };
    expect((await look()).step('server.clock').what).to.match(/1(29|30|31) seconds behind/);
    laptop = { ...laptop, now: () => Date.now() + 110_000 };
    expect((await look()).step('server.clock').state).to.equal('ready');
  });
});
