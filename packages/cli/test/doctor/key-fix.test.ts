import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { userFile } from '../../src/settings.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

interface Told {
  readonly id: string;
  readonly state: string;
  readonly what: string;
  readonly fix: string | null;
}

/** What `doctor` says to do about a key is done to the letter, and then it is content. */
describe("doctor's own fix for the key", () => {
  let service: Service;
  const worlds: StandIn[] = [];
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await service.stop();
    for (const world of worlds) await world.remove();
  });

  const worldWith = async (env: Readonly<Record<string, string>> = {}, of?: StandIn): Promise<StandIn> => {
    const made = await standIn({ env });
    worlds.push(made);
    return of === undefined ? made : { ...made, folder: of.folder, home: of.home };
  };
  const write = (path: string, members: object): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(members), { mode: 0o600 });
  };
  const inRepository = (world: StandIn) => write(join(world.folder, '.shipworthy.json'), { api_url: service.url });
  const look = async (world: StandIn, step: string): Promise<Told> => {
    const { json } = await runIn(world, '--json', 'doctor', 'server');
    const { groups } = json().data as { readonly groups: readonly { readonly steps: readonly Told[] }[] };
    const told = groups.flatMap(({ steps }) => steps).find(({ id }) => id === step);
    if (told === undefined) throw new Error(`doctor says nothing of ${step}`);
    return told;
  };
  const expectContent = async (world: StandIn): Promise<void> => {
    for (const step of ['server.key_found', 'server.key'])
      expect((await look(world, step)).state, step).to.equal('ready');
  };

  it('of a key in the environment and an address of the repository names the settings file, which works', async () => {
    const world = await worldWith({ SHIPWORTHY_API_KEY: service.key });
    inRepository(world);
    const { state, what, fix } = await look(world, 'server.key_found');
    expect(state).to.equal('needs_action');
    expect(what).to.contain('No API key may be sent to this server').and.contain(service.url);
    const [, members = '', path = ''] = /write (\{.*\}) into (\S+), or/.exec(fix ?? '') ?? [];
    expect(path).to.equal(userFile(world));
    write(path, JSON.parse(members));
    await expectContent(world);
  });

  it('of such a key names the environment, too, which works', async () => {
    const world = await worldWith({ SHIPWORTHY_API_KEY: service.key });
    inRepository(world);
    const [, name = '', address = ''] =
      /or set (SHIPWORTHY_\w+) to (\S+)\.$/.exec((await look(world, 'server.key_found')).fix ?? '') ?? [];
    await expectContent(await worldWith({ SHIPWORTHY_API_KEY: service.key, [name]: address }, world));
  });

  it('of a key in the own settings keeps what they trust already', async () => {
    const world = await worldWith();
    inRepository(world);
    const own = { api_key: service.key, trusted_addresses: ['https://other.example'] };
    write(userFile(world), own);
    const { fix } = await look(world, 'server.key_found');
    const [, members = '', path = ''] = /set ("trusted_addresses": .*\]) in (\S+)\.$/.exec(fix ?? '') ?? [];
    const added = JSON.parse(`{${members}}`);
    expect(added.trusted_addresses).to.deep.equal(['https://other.example', service.url]);
    write(path, { ...own, ...added });
    await expectContent(world);
  });

  it('of no key at all is to make one and where to put it, which works', async () => {
    const world = await worldWith({ SHIPWORTHY_API_URL: service.url });
    const { fix } = await look(world, 'server.key_found');
    const [name = ''] = /SHIPWORTHY_API_KEY(?= )/.exec(fix ?? '') ?? [];
    expect(fix).to.contain('Settings, API keys');
    const key = await service.keyFor('read');
    await expectContent(await worldWith({ SHIPWORTHY_API_URL: service.url, [name]: key }, world));
  });

  it('of a key that the server rejects is to put another one where that one came from, which works', async () => {
    const env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: `${service.key.slice(0, -6)}000000` };
    const world = await worldWith(env);
    const { state, what, fix } = await look(world, 'server.key');
    expect(state).to.equal('needs_action');
    const [, name = ''] = /rejected the key from (\w+):/.exec(what) ?? [];
    expect(fix).to.contain('put it there');
    await expectContent(await worldWith({ ...env, [name]: await service.keyFor('read') }, world));
  });

  it('is what a command says, too, that finds no key it may send', async () => {
    const world = await worldWith({ SHIPWORTHY_API_KEY: service.key });
    inRepository(world);
    const { exit, err } = await runIn(world, 'teams');
    expect(exit).to.equal(4);
    expect(err).to.contain('No API key may be sent to this server').and.contain('"trusted_addresses": [');
  });
});
