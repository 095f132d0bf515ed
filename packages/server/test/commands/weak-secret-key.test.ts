import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from '@shipworthy/adapters/test-database';
import { createClient } from '@shipworthy/client';
import { verifyVerdict } from '@shipworthy/client/verify';
import { expect } from 'chai';
import { runServerCommand } from '../../src/commands/run.js';
import { allRoutes } from '../../src/routes/index.js';
import { projectAt, setUpAt } from '../harness/people-of-process.js';
import { runProcess, startProcess } from '../harness/process.js';

const SETUP_TOKEN = 'a-token-for-a-weak-key';
const WEAK = 'the same 32 characters everywhere';
const STRONG = 'q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB';

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

/** The signing key of a guess, as anybody can compute it who read the source. */
const guessed = (text: string) => {
  const secretKey = createHash('sha256').update(text).digest();
  const seed = Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), 'shipworthy verdict key', 32));
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const keyid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { key, x, keyid };
};

/** A verdict that a server signed which had the key as it was given. */
const signedBefore = () => {
  const { key, keyid } = guessed(WEAK);
  const payloadType = 'application/vnd.in-toto+json';
  const text = JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'checkout/1.0', digest: { sha1: '0'.repeat(40) } }],
    predicateType: 'https://shipworthy.dev/verdict/v1',
    predicate: {
      ...{ project: {}, release: {}, facts: {}, policy: {}, result: {}, waivers: [] },
      ...{ formula: '1', as_of: '', issued_at: '', service_version: '' },
    },
  });
  const payload = Buffer.from(text);
  const encoded = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ]);
  const sig = sign(null, encoded, key).toString('base64');
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid, sig }] };
};

const keysOf = async (url: string) => (await createClient({ baseUrl: url }).readVerdictKeys({})).body;

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  describe(`a secret key that can be guessed, for a server on ${kind}`, () => {
    let folder: string;
    let postgres: TestDatabase | undefined;
    let settings: Readonly<Record<string, string>>;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
      postgres = kind === 'PostgreSQL' ? await testDatabase({ empty: true }) : undefined;
      const database = postgres === undefined ? {} : { DATABASE_URL: postgres.url };
      settings = { SHIPWORTHY_DATA_DIR: folder, SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN, ...database };
    });
    afterEach(async () => {
      await postgres?.drop();
      await rm(folder, { recursive: true, force: true });
    });

    it('is refused for a new database, with the command that makes a good one and without the key', async () => {
      const file = join(folder, 'weak.key');
      await writeFile(file, `${WEAK}\n`);
      for (const given of [{ SHIPWORTHY_SECRET_KEY: WEAK }, { SHIPWORTHY_SECRET_KEY_FILE: file }]) {
        const { code, complained } = await runProcess(['start'], { PORT: '0', ...settings, ...given });
        expect(code, complained).to.equal(1);
        expect(complained).to.contain('128 bits').and.contain('openssl rand -base64 48');
        expect(complained).not.to.contain(WEAK);
      }
      expect(await readdir(folder), 'no key is made beside it').not.to.include('shipworthy.sqlite.key');
    });

    it('is stretched for data that was made with it: its guess no longer is the signing key, and old verdicts still verify', async () => {
      const first = await startProcess({ ...settings, SHIPWORTHY_SECRET_KEY: STRONG });
      const ada = await setUpAt(first.url, SETUP_TOKEN);
      await projectAt(ada.at(first.url), 'checkout');
      await first.end();
      const weak = { ...settings, SHIPWORTHY_SECRET_KEY: WEAK };
      const count = kind === 'PostgreSQL' ? 3 : 1;
      const servers = await Promise.all(Array.from({ length: count }, () => startProcess(weak)));
      const published = await Promise.all(servers.map(({ url }) => keysOf(url)));
      const keys = published[0]?.keys ?? [];
      await Promise.all(servers.map(({ end }) => end()));
      for (const each of published) expect(each.keys, 'every instance signs with the same key').to.deep.equal(keys);
      expect(keys[0]?.x, 'the key that signs').not.to.equal(guessed(WEAK).x);
      expect(keys.map(({ x }) => x)).to.include(guessed(WEAK).x);
      const { keyid } = await verifyVerdict(signedBefore(), { keys: [...keys] });
      expect(keyid).to.equal(guessed(WEAK).keyid);
      const again = await startProcess(weak);
      expect(await keysOf(again.url), 'the same after a restart').to.deep.equal(published[0]);
      await again.end();
    });
  });
}

describe('a secret key that can be guessed, while PostgreSQL is away', () => {
  let folder: string;
  let postgres: TestDatabase;
  /** Ends every connection until it is opened. */
  let door: Server;
  let isOpen: boolean;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
    postgres = await testDatabase({ empty: true });
    const { hostname, port } = new URL(postgres.url);
    isOpen = false;
    door = createServer((near) => {
      near.on('error', () => undefined);
      if (!isOpen) {
        near.destroy();
        return;
      }
      const far = connect(Number(port), hostname);
      far.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    door.close();
    await postgres.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a server that reaches the database through the door, which is opened once the server has said that it waits. */
  const startAway = async () => {
    const url = new URL(postgres.url);
    url.host = `127.0.0.1:${(door.address() as AddressInfo).port}`;
    const [printed, complaints]: [string[], string[]] = [[], []];
    const environment = { PORT: '0', DATABASE_URL: url.href, SHIPWORTHY_SECRET_KEY: WEAK, LOG_LEVEL: 'silent' };
    const code = runServerCommand(['start'], {
      environment,
      workingDirectory: folder,
      homeDirectory: folder,
      print: (text) => void printed.push(text),
      complain: (text) => void complaints.push(text),
      writeLog: async () => undefined,
      asked: async () => 'SIGTERM',
      createRoutes: allRoutes,
    });
    const ended = code.then(() => 'ended');
    const waits = () => complaints.some((text) => text.includes('does not answer yet'));
    while (!waits()) expect(await Promise.race([ended, turn()]), complaints.join()).not.to.equal('ended');
    expect(printed, 'it does not listen').to.deep.equal([]);
    isOpen = true;
    return { code: await code, printed: printed.join('\n'), complained: complaints.join('\n') };
  };

  it('waits: the server listens once it is known that data were made with the key', async () => {
    const settings = { SHIPWORTHY_SETUP_TOKEN: SETUP_TOKEN, DATABASE_URL: postgres.url, SHIPWORTHY_SECRET_KEY: STRONG };
    const first = await startProcess(settings);
    await setUpAt(first.url, SETUP_TOKEN);
    await first.end();
    const { code, printed, complained } = await startAway();
    expect(code, complained).to.equal(0);
    expect(printed).to.contain('listens on');
    expect(complained).to.contain('is stretched');
  });

  it('is refused once it is known that the database is new', async () => {
    const { code, printed, complained } = await startAway();
    expect(code, complained).to.equal(1);
    expect(printed).to.equal('');
    expect(complained).to.contain('128 bits').and.not.contain(WEAK);
  });
});
