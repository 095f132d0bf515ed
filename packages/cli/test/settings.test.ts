import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readSettings, userFile } from '../src/settings.js';
import { type StandIn, type StandInOptions, standIn } from './stand-in.js';

describe('readSettings', () => {
  const worlds: StandIn[] = [];
  const make = async (options: StandInOptions = {}): Promise<StandIn> => {
    const world = await standIn(options);
    worlds.push(world);
    return world;
  };
  const write = (path: string, content: unknown, mode = 0o600) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
  };
  const inRepository = (world: StandIn, content: unknown) => write(join(world.folder, '.shipworthy.json'), content);
  const ofUser = (world: StandIn, content: unknown) => write(userFile(world), content);
  const refused = (world: StandIn) =>
    readSettings(world, {}).then(
      () => expect.fail('it was understood'),
      (error: Error) => error.message,
    );

  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.remove())));

  it('finds nothing where nothing is set', async () => {
    const { apiUrl, apiKey, app, warnings } = await readSettings(await make(), {});
    expect([apiUrl, apiKey, app]).to.deep.equal([undefined, undefined, undefined]);
    expect(warnings).to.deep.equal([]);
  });

  it('takes the first of flag, environment, repository and user', async () => {
    const world = await make({ env: { SHIPWORTHY_API_URL: 'https://env.example', SHIPWORTHY_API_KEY: 'env-key' } });
    inRepository(world, { api_url: 'https://repo.example', app: 'from-repo' });
    ofUser(world, { api_url: 'https://user.example', api_key: 'user-key', app: 'from-user' });
    const byFlag = await readSettings(world, { apiUrl: 'https://flag.example' });
    expect(byFlag.apiUrl).to.deep.equal({
      value: 'https://flag.example',
      source: { kind: 'flag', name: '--api-url' },
    });
    const byEnvironment = await readSettings(world, {});
    expect(byEnvironment.apiUrl?.value).to.equal('https://env.example');
    expect(byEnvironment.apiKey?.value).to.equal('env-key');
    expect(byEnvironment.app?.value).to.equal('from-repo');
  });

  for (const [name, env] of [
    ['the environment', { SHIPWORTHY_API_KEY: 'env-key' }],
    ["the user's file", {}],
  ] as const)
    it(`never sends a key of ${name} to an address of a repository's file`, async () => {
      const world = await make({ env });
      inRepository(world, { api_url: 'https://evil.example' });
      if (!('SHIPWORTHY_API_KEY' in env)) ofUser(world, { api_url: 'https://user.example', api_key: 'user-key' });
      const { apiUrl, apiKey, leftAside } = await readSettings(world, {});
      expect(apiUrl?.value).to.equal('https://evil.example');
      expect(apiKey).to.equal(undefined);
      expect(leftAside.join()).to.contain('https://evil.example').and.contain('trusted_addresses');
    });

  it("takes plain http to other machines from the person's own file, never from the repository's", async () => {
    const world = await make({ env: { SHIPWORTHY_API_KEY: 'env-key', SHIPWORTHY_API_URL: 'http://ship.example' } });
    inRepository(world, { allow_insecure_http: true });
    const refusedThere = await readSettings(world, {});
    expect(refusedThere.allowInsecureHttp).to.equal(false);
    expect(refusedThere.warnings.join()).to.contain('allow_insecure_http');
    ofUser(world, { allow_insecure_http: true });
    expect((await readSettings(world, {})).allowInsecureHttp).to.equal(true);
    ofUser(world, { allow_insecure_http: 'yes' });
    expect(await refused(world)).to.contain('neither true nor false');
  });

  it('understands the address of the interface, keeps a path, and trusts either the same', async () => {
    const world = await make({ env: { SHIPWORTHY_API_KEY: 'env-key' } });
    inRepository(world, { api_url: 'https://ours.example/ship/api/' });
    ofUser(world, { trusted_addresses: ['https://ours.example/ship'] });
    const { apiUrl, apiKey } = await readSettings(world, {});
    expect([apiUrl?.value, apiKey?.value]).to.deep.equal(['https://ours.example/ship', 'env-key']);
    const named = await readSettings(world, { apiUrl: 'https://ours.example/api' });
    expect(named.apiUrl?.value).to.equal('https://ours.example');
    expect((await readSettings(world, { apiUrl: 'https://api' })).apiUrl?.value).to.equal('https://api');
  });

  it("sends it there once the user's settings list the address", async () => {
    const world = await make({ env: { SHIPWORTHY_API_KEY: 'env-key' } });
    inRepository(world, { api_url: 'https://ours.example/' });
    ofUser(world, { trusted_addresses: ['https://ours.example'] });
    expect((await readSettings(world, {})).apiKey?.value).to.equal('env-key');
  });

  it("never sends the user's key to another address of the environment", async () => {
    const world = await make({ env: { SHIPWORTHY_API_URL: 'https://other.example' } });
    ofUser(world, { api_url: 'https://user.example', api_key: 'user-key' });
    expect((await readSettings(world, {})).apiKey).to.equal(undefined);
  });

  it("uses a repository's own key at the repository's own address", async () => {
    const world = await make();
    inRepository(world, { api_url: 'https://repo.example', api_key: 'repo-key' });
    expect((await readSettings(world, {})).apiKey?.value).to.equal('repo-key');
  });

  for (const env of [{ CI: 'true' }, { TF_BUILD: 'True' }, { JENKINS_URL: 'http://ci.example' }])
    it(`takes no address from a repository's file in CI (${Object.keys(env)})`, async () => {
      const world = await make({ env: { ...env, SHIPWORTHY_API_KEY: 'env-key' } });
      inRepository(world, { api_url: 'https://evil.example' });
      const { apiUrl, leftAside } = await readSettings(world, {});
      expect(apiUrl).to.equal(undefined);
      expect(leftAside.join()).to.contain('in CI');
    });

  it('warns of a key in a file that git tracks or others read, with the fix', async () => {
    const world = await make();
    execFileSync('git', ['init', '-q'], { cwd: world.folder });
    write(join(world.folder, '.shipworthy.json'), { api_url: 'https://repo.example', api_key: 'repo-key' }, 0o644);
    expect((await readSettings(world, {})).warnings.join())
      .to.contain('chmod 600')
      .and.not.contain('git rm');
    execFileSync('git', ['add', '.shipworthy.json'], { cwd: world.folder });
    expect((await readSettings(world, {})).warnings.join()).to.contain('git rm --cached');
  });

  it('reads the key from a file that is named, and says when it cannot', async () => {
    const world = await make({ env: { SHIPWORTHY_API_KEY_FILE: 'key.txt', SHIPWORTHY_API_URL: 'https://a.example' } });
    expect(await refused(world)).to.contain('key.txt');
    write(join(world.folder, 'key.txt'), 'file-key\n');
    expect((await readSettings(world, {})).apiKey?.value).to.equal('file-key');
  });

  it('finds the file of the repository from a folder below, and none above the repository', async () => {
    const world = await make();
    execFileSync('git', ['init', '-q', 'inner'], { cwd: world.folder });
    inRepository(world, { app: 'outer' });
    const below = { ...world, folder: join(world.folder, 'inner') };
    expect((await readSettings(below, {})).app).to.equal(undefined);
    write(join(world.folder, 'inner', '.shipworthy.json'), { app: 'inner' });
    mkdirSync(join(world.folder, 'inner', 'a', 'b'), { recursive: true });
    expect((await readSettings({ ...world, folder: join(world.folder, 'inner/a/b') }, {})).app?.value).to.equal(
      'inner',
    );
  });

  it('never quotes a broken file, which may hold a key', async () => {
    const world = await make();
    inRepository(world, '{"api_key": "swk_secret" oops');
    expect(await refused(world))
      .to.contain('.shipworthy.json is not JSON')
      .and.not.contain('swk_secret');
    inRepository(world, { api_key: 7 });
    expect(await refused(world)).to.contain('api_key');
  });

  it('warns of members it does not know', async () => {
    const world = await make();
    inRepository(world, { api_ulr: 'https://typo.example' });
    expect((await readSettings(world, {})).warnings.join()).to.contain('api_ulr');
  });

  it('names the fix for a key file that others can read', async () => {
    const world = await make({ env: { SHIPWORTHY_API_URL: 'https://one.example', SHIPWORTHY_API_KEY_FILE: 'key' } });
    const path = join(world.folder, 'key');
    write(path, 'file-key', 0o644);
    expect((await readSettings(world, {})).warnings).to.deep.equal([
      `${path} holds a key and others can read it: chmod 600 ${path}`,
    ]);
    chmodSync(path, 0o600);
    expect((await readSettings(world, {})).warnings).to.deep.equal([]);
  });

  it("uses neither a given key nor the repository's when only the repository names the server", async () => {
    const world = await make({ env: { SHIPWORTHY_API_KEY: 'env-key' } });
    inRepository(world, { api_url: 'https://evil.example', api_key: 'repo-key' });
    const { apiKey, leftAside } = await readSettings(world, {});
    expect(apiKey).to.equal(undefined);
    expect(leftAside.join()).to.contain('SHIPWORTHY_API_KEY is given').and.contain('SHIPWORTHY_API_URL');
  });

  it('reads no pipe, device or endless file in the place of settings', async () => {
    for (const make_ of [
      (path: string) => execFileSync('mkfifo', [path]),
      (path: string) => symlinkSync('/dev/zero', path),
      (path: string) => mkdirSync(path),
      (path: string) => writeFileSync(path, `{"app":"${'a'.repeat(1_048_576)}"}`),
    ]) {
      const world = await make();
      make_(join(world.folder, '.shipworthy.json'));
      expect(await refused(world)).to.match(/\.shipworthy\.json is (no file|longer than 1 MiB)/);
    }
  });

  it('ignores a relative XDG_CONFIG_HOME, which a repository could fill', async () => {
    const world = await make({ env: { XDG_CONFIG_HOME: 'config' } });
    write(join(world.folder, 'config', 'shipworthy', 'settings.json'), { api_url: 'https://evil.example' });
    expect((await readSettings(world, {})).apiUrl).to.equal(undefined);
  });
});
