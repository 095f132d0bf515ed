import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createScreen } from '../../src/output/screen.js';
import { type SpoolEntry, textOfEntry } from '../../src/spool/entry.js';
import {
  createSeal,
  deploymentNote,
  forgetNotes,
  type KeptEntry,
  MOST_AGE_MS,
  noteDeployment,
  openSpool,
  type Spool,
} from '../../src/spool/spool.js';
import { type StandIn, standIn } from '../stand-in.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const CANARY = 'swk_canaryCanaryCanaryCanaryCanary000000';

describe('openSpool', () => {
  let world: StandIn;
  let spool: Spool;
  let now = NOW;
  let key: string | undefined;
  const open = () => {
    const screen = createScreen(world, { json: false, command: 'test', color: false });
    screen.hide(CANARY);
    return openSpool(world, screen, key);
  };
  const entry = (parts: Partial<SpoolEntry> & { readonly version?: string } = {}): SpoolEntry => ({
    operation: 'createDeployment',
    body: {
      app_name: 'checkout',
      environment: 'production',
      commit_sha: 'abcdef1',
      status: 'success',
      ...(parts.version && { version: parts.version }),
    },
    idempotencyKey: 'key-1',
    address: 'https://a.example',
    madeAt: parts.madeAt ?? now,
    machine: 'runner-1',
  });
  const files = () => readdirSync(spool.folder).sort();
  beforeEach(async () => {
    now = NOW;
    key = 'swk_keyOfNow';
    world = await standIn({ now: () => now });
    spool = open();
  });
  afterEach(() => world.remove());

  it('is in the state folder of the user', async () => {
    expect(spool.folder).to.equal(join(world.home, '.local', 'state', 'shipworthy', 'spool'));
    world = { ...world, env: { XDG_STATE_HOME: '/state' } };
    expect(open().folder).to.equal('/state/shipworthy/spool');
    world = { ...world, env: { XDG_STATE_HOME: 'relative' } };
    expect(open().folder).to.equal(spool.folder);
    world = { ...world, platform: 'win32', env: { LOCALAPPDATA: '/C/Local' } };
    expect(open().folder).to.equal('/C/Local/shipworthy/spool');
    world = { ...world, env: {} };
    expect(open().folder).to.equal(join(world.home, 'AppData', 'Local', 'shipworthy', 'spool'));
  });

  it('answers what was kept, oldest first, with its time, key and address', async () => {
    await spool.keep(entry({ madeAt: NOW, version: 'b' }));
    await spool.keep(entry({ madeAt: NOW - 5, version: 'a' }));
    const kept = await open().list();
    expect(kept.map((one) => one.entry)).to.deep.equal([
      entry({ madeAt: NOW - 5, version: 'a' }),
      entry({ madeAt: NOW, version: 'b' }),
    ]);
    expect(kept[0]?.reference).to.match(/^kept:[0-9a-f-]{36}$/);
  });

  it('lets no one else read it, and holds no key', async () => {
    await spool.keep(entry({ version: `with ${CANARY}` }));
    const [name = ''] = files();
    expect(statSync(spool.folder).mode & 0o777).to.equal(0o700);
    expect(statSync(join(spool.folder, name)).mode & 0o777).to.equal(0o600);
    expect(readFileSync(join(spool.folder, name), 'utf8'))
      .to.contain('[hidden]')
      .and.not.contain(CANARY);
  });

  it('keeps 200 and drops the oldest, loudly', async () => {
    const keep = (nth: number) => spool.keep(entry({ madeAt: NOW + nth, version: `v${nth}` }));
    await keep(0);
    // Written as `keep` writes them, which reads all that are there each time.
    for (let nth = 1; nth < 200; nth += 1) {
      const name = `${String(NOW + nth).padStart(15, '0')}-${nth}.json`;
      writeFileSync(join(spool.folder, name), spool.seal.put(name, textOfEntry(entry({ madeAt: NOW + nth }))));
    }
    expect(await spool.list()).to.have.length(200);
    await keep(200);
    await keep(201);
    const kept = await spool.list();
    expect(kept).to.have.length(200);
    expect(kept[0]?.entry.madeAt).to.equal(NOW + 2);
    expect(world.err().match(/warning: Dropped from the spool, more than 200 are kept/g)).to.have.length(2);
  });

  it('drops foreign files before kept ones, of any date, and never the present report', async () => {
    const { name: first } = await spool.keep(entry({ version: 'kept first' }));
    const text = readFileSync(join(spool.folder, first), 'utf8').replace(/,"seal":"[0-9a-f]+"/, '');
    for (let index = 0; index < 199; index += 1) {
      const name = `${String(NOW + 5 * DAY + index).padStart(15, '0')}-planted.json`;
      writeFileSync(join(spool.folder, name), text);
    }
    const { name: second } = await spool.keep(entry({ version: 'kept second' }));
    expect(files()).to.have.length(200).and.include.members([first, second]);
    key = undefined;
    const { name: third } = await open().keep(entry({ version: 'kept without a key' }));
    expect(files()).to.have.length(200).and.include(third);
  });

  it('drops what is older than 14 days, loudly', async () => {
    await spool.keep(entry());
    now = NOW + 14 * DAY;
    expect(await spool.list()).to.have.length(1);
    now += 1;
    expect(await spool.list()).to.have.length(0);
    expect(world.err()).to.contain('older than 14 days: deployment of checkout to production (success)');
    expect(files()).to.deep.equal([]);
  });

  it('sets a file aside that holds no report, and names it', async () => {
    await spool.keep(entry());
    const broken = ['{', '[]', '{"version":1}', '{"version":2,"operation":"createDeployment"}', 'null'];
    for (const [index, text] of broken.entries())
      writeFileSync(join(spool.folder, `00000000000000${index}-x.json`), text);
    expect(await spool.list()).to.have.length(1);
    expect(readdirSync(join(spool.folder, 'broken'))).to.have.length(broken.length);
    expect(world.err()).to.contain(join('broken', '000000000000000-x.json'));
  });

  it('knows what was kept under the key, and nothing that was put there, changed or renamed since', async () => {
    const sealed = async () => (await spool.list()).map((one) => one.sealed);
    const { name } = await spool.keep(entry());
    expect(await sealed()).to.deep.equal([true]);
    const path = join(spool.folder, name);
    const text = readFileSync(path, 'utf8');
    for (const other of [
      text.replace('"production"', '"staging"'),
      text.replace(/,"seal":"[0-9a-f]+"/, ''),
      text.replace(/"seal":"[0-9a-f]+"/, `"seal":"${'0'.repeat(64)}"`),
      text.replace(/"seal":"[0-9a-f]+"/, '"seal":""'),
    ]) {
      expect(other).not.to.equal(text);
      writeFileSync(path, other);
      expect(await sealed(), other).to.deep.equal([false]);
    }
    writeFileSync(path, text);
    expect(await sealed()).to.deep.equal([true]);
    renameSync(path, join(spool.folder, name.replace('.json', '.end.json')));
    expect(await sealed()).to.deep.equal([false]);
    await spool.keep(entry());
    for (const other of ['swk_another', undefined]) {
      key = other;
      expect((await open().list()).map((one) => one.sealed)).to.deep.equal([false, false]);
    }
  });

  it('finds what is sealed before what was put beside it', async () => {
    const { name, reference } = await spool.keep({
      ...entry(),
      body: { ...entry().body, status: 'started' },
    } as SpoolEntry);
    const planted = readFileSync(join(spool.folder, name), 'utf8').replace('"started"', '"failure"');
    writeFileSync(join(spool.folder, name.replace('.json', '.end.json')), planted);
    expect((await spool.find(reference))?.name).to.equal(name);
    await rm(join(spool.folder, name));
    expect(await spool.find(reference)).to.include({ sealed: false });
  });

  it('reads no link and no pipe, and puts nothing through a link', async () => {
    await spool.keep(entry());
    const elsewhere = join(world.folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'settings.json'), 'mine\n');
    symlinkSync(elsewhere, join(spool.folder, 'broken'));
    writeFileSync(join(spool.folder, 'settings.json'), '{"trusted_addresses": ["https://thief.example"]}');
    symlinkSync(join(spool.folder, files()[0] ?? ''), join(spool.folder, '0-linked.json'));
    execFileSync('mkfifo', [join(spool.folder, '1-pipe.json')]);
    expect(await spool.list()).to.have.length(1);
    expect(readFileSync(join(elsewhere, 'settings.json'), 'utf8')).to.equal('mine\n');
    expect(readdirSync(join(spool.folder, 'broken')).sort()).to.deep.equal([
      '0-linked.json',
      '1-pipe.json',
      'settings.json',
    ]);
  });

  it('leaves an unfinished file alone, and removes it once its writer is long gone', async () => {
    await spool.keep(entry());
    const path = join(spool.folder, '.x.json.unfinished');
    writeFileSync(path, '{"ver');
    utimesSync(path, NOW / 1000, NOW / 1000);
    expect(await spool.list()).to.have.length(1);
    await spool.keep(entry());
    expect(files()).to.include('.x.json.unfinished');
    now = NOW + 2 * 3_600_000;
    await spool.keep(entry());
    expect(files()).not.to.include('.x.json.unfinished');
  });

  it('finds by reference, the end of a deployment before its beginning', async () => {
    const { body } = entry();
    const started = { ...entry(), body: { ...body, status: 'started' } } as SpoolEntry;
    const { reference } = await spool.keep(started);
    expect((await spool.find(reference))?.entry).to.deep.equal(started);
    await spool.keep(entry(), reference);
    expect((await spool.find(reference))?.entry).to.deep.equal(entry());
    expect(await spool.list()).to.have.length(2);
    expect(await spool.find('kept:0')).to.equal(undefined);
  });

  it('removes, and moves what was refused aside, in any order', async () => {
    const one = await spool.keep(entry());
    await spool.remove(one);
    await spool.remove(one);
    const two = await spool.keep(entry());
    const path = await spool.refuse(two);
    await spool.refuse(two);
    expect(readFileSync(path, 'utf8')).to.contain('key-1');
    expect(await spool.list()).to.deep.equal([]);
  });

  it('survives many writers and readers at once', async () => {
    const spools = [open(), open(), open()];
    await Promise.all(
      spools.flatMap((one, writer) =>
        Array.from({ length: 10 }, async (_, index) => {
          await one.keep(entry({ madeAt: NOW + writer * 10 + index }));
          await one.list();
        }),
      ),
    );
    expect(await spool.list()).to.have.length(30);
    expect(world.err()).to.equal('');
  });

  it('rejects where it cannot write', async () => {
    if (process.getuid?.() === 0) {
      // Root writes everywhere but through a file.
      mkdirSync(join(world.home, '.local'), { recursive: true });
      writeFileSync(join(world.home, '.local', 'state'), '');
    } else {
      mkdirSync(world.home, { recursive: true });
      chmodSync(world.home, 0o500);
    }
    expect(await spool.keep(entry()).catch((error: Error) => error.constructor.name)).to.equal('Error');
  });

  // Linux says of a new folder there that the one above it is missing, and so it would be made for ever.
  if (process.platform === 'linux')
    it('says at once which folder cannot be made, also below /proc', async () => {
      world = { ...world, env: { XDG_STATE_HOME: '/proc/shipworthy' } };
      const failed = await open()
        .keep(entry())
        .catch((error: Error) => error.message);
      expect(failed).to.contain('ENOENT').and.contain("'/proc/shipworthy'");
    });
});

const started = (reference: string, madeAt: number): KeptEntry => ({
  entry: {
    operation: 'createDeployment',
    body: { app_name: 'a', environment: 'e', commit_sha: 'abcdef1', status: 'started' },
    idempotencyKey: 'k',
    address: 'https://a.example',
    madeAt,
  },
  name: 'x.json',
  reference,
  sealed: true,
});

describe('noteDeployment', () => {
  let folder: string;
  const spool = (key = 'swk_keyOfNow') => ({ folder, seal: createSeal(key) });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-notes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is answered by its reference, however many note the same at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => noteDeployment(spool(), started('kept:1', 7), 'id-1')));
    expect(await deploymentNote(spool(), 'kept:1')).to.deep.equal({
      id: 'id-1',
      address: 'https://a.example',
      startedAt: 7,
      sealed: true,
    });
    expect(await deploymentNote(spool('swk_another'), 'kept:1')).to.include({ sealed: false });
    expect(await deploymentNote(spool(), 'kept:2')).to.equal(undefined);
  });

  it('is written where another writer was killed before the end', async () => {
    await mkdir(join(folder, 'deployments'));
    for (const left of ['.1.json.unfinished', '.1.json.01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e.unfinished'])
      await writeFile(join(folder, 'deployments', left), '{"id"');
    await noteDeployment(spool(), started('kept:1', 7), 'id-1');
    expect(await deploymentNote(spool(), 'kept:1')).to.include({ id: 'id-1' });
    await forgetNotes(spool(), Date.now() + 2 * 3_600_000);
    expect(await readdir(join(folder, 'deployments'))).to.deep.equal([]);
  });

  it('is not looked for behind a link', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'settings.json'), '{}');
    symlinkSync(elsewhere, join(folder, 'deployments'));
    await forgetNotes(spool(), 100);
    expect(await readdir(elsewhere)).to.deep.equal(['settings.json']);
  });

  it('is forgotten once it is old, and so is what is no note', async () => {
    await noteDeployment(spool(), started('kept:old', 99), 'a');
    await noteDeployment(spool(), started('kept:new', 100), 'b');
    for (const [index, text] of ['{', 'null', '{"id":7}'].entries())
      await writeFile(join(folder, 'deployments', `broken-${index}.json`), text);
    expect(await deploymentNote(spool(), 'kept:broken-0')).to.equal(undefined);
    await forgetNotes(spool(), 100 + MOST_AGE_MS);
    expect(await readdir(join(folder, 'deployments'))).to.deep.equal(['new.json']);
  });
});
