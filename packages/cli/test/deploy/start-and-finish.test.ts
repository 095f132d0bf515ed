import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { spoolFolder } from '../../src/spool/spool.js';
import { failingFiles } from '../failing-files.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

const AWAY = 'http://127.0.0.1:65531';
const UNKNOWN_ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

describe('shipworthy deploy start and finish', () => {
  let service: Service;
  let world: StandIn;
  let online = true;
  const fetch: typeof globalThis.fetch = (input, init) =>
    online ? globalThis.fetch(input, init) : Promise.reject(new TypeError('fetch failed'));
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    online = true;
    world = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key }, fetch });
  });
  afterEach(() => world.remove());

  const inEnvironment = async (environment: string) => {
    const path = { team_id: service.teamId, project_id: service.projectId };
    return (await service.person.listDeployments({ path, query: { environment } })).body.data;
  };
  const start = (environment: string, ...flags: readonly string[]) =>
    runIn(
      world,
      ...['deploy', 'start', '--app', 'checkout', '--env', environment, '--commit', 'abcdef1', '--timeout', '20'],
      ...flags,
    );
  const finish = (id: string, status: string, ...flags: readonly string[]) =>
    runIn(world, 'deploy', 'finish', id, '--status', status, '--timeout', '20', ...flags);
  const idOf = (out: string) => out.trimEnd();

  it('prints the id alone, and finishes it, again, and not otherwise', async () => {
    const { exit, out } = await start('plain');
    expect(exit).to.equal(0);
    expect(out).to.match(/^[0-9a-f-]{36}\n$/);
    expect((await inEnvironment('plain'))[0]).to.include({ id: idOf(out), status: 'started' });
    const done = await finish(idOf(out), 'success', '--duration', '94.5');
    expect([done.exit, done.out]).to.deep.equal([0, '']);
    expect((await inEnvironment('plain'))[0]).to.include({ status: 'success', duration_seconds: 94.5 });
    expect((await finish(idOf(out), 'success')).exit).to.equal(0);
    expect((await finish(idOf(out), 'success', '--duration', '94')).exit).to.equal(2);
    const other = await finish(idOf(out), 'failure', '--json');
    expect(other.exit).to.equal(2);
    expect(other.json().error).to.include({ code: 'deployment-finished' });
  });

  it('ends with 2 and 4 for what is refused', async () => {
    expect((await start('x', '--app', 'nobody')).exit).to.equal(2);
    expect((await finish(UNKNOWN_ID, 'success')).exit).to.equal(2);
    for (const argv of [
      ['no-id', 'success'],
      [UNKNOWN_ID, 'started'],
      [UNKNOWN_ID, 'success', '--duration', '-1'],
      [`kept:${UNKNOWN_ID}`, 'success'],
    ] as const)
      expect((await finish(...(argv as unknown as [string, string]))).exit, argv.join(' ')).to.equal(2);
    world = { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: `swk_${'a'.repeat(36)}` } };
    expect((await start('x')).exit).to.equal(4);
    expect((await finish(UNKNOWN_ID, 'success')).exit).to.equal(4);
  });

  it('prints a reference during an outage, and makes one whole record of start and finish', async () => {
    online = false;
    const { exit, out, err } = await start('away');
    expect(exit).to.equal(0);
    expect(out).to.match(/^kept:[0-9a-f-]{36}\n$/);
    expect(err).to.contain('kept as kept:');
    expect((await finish(idOf(out), 'failure', '--duration', '7')).exit).to.equal(0);
    expect((await finish(idOf(out), 'failure')).exit).to.equal(0);
    expect((await finish(idOf(out), 'success')).exit).to.equal(2);
    online = true;
    expect((await runIn(world, 'flush')).exit).to.equal(0);
    const [record, another] = await inEnvironment('away');
    expect(another).to.equal(undefined);
    expect(record).to.include({ status: 'failure', duration_seconds: 7 });
    expect((await finish(idOf(out), 'failure')).exit).to.equal(0);
  });

  it('finishes by reference once the server is back', async () => {
    online = false;
    const { out } = await start('back');
    online = true;
    const done = await finish(idOf(out), 'success', '--json');
    expect(done.exit).to.equal(0);
    const [record, another] = await inEnvironment('back');
    expect(another).to.equal(undefined);
    expect(record?.status).to.equal('success');
    expect(done.json().data).to.include({ id: record?.id, report: 'sent' });
    expect((await finish(idOf(out), 'success')).exit).to.equal(0);
    expect(await inEnvironment('back')).to.have.length(1);
  });

  it('finishes by reference after the start was flushed', async () => {
    online = false;
    const { out } = await start('flushed');
    online = true;
    expect((await runIn(world, 'flush')).exit).to.equal(0);
    expect((await inEnvironment('flushed'))[0]?.status).to.equal('started');
    expect((await finish(idOf(out), 'success')).exit).to.equal(0);
    expect((await inEnvironment('flushed')).map(({ status }) => status)).to.deep.equal(['success']);
  });

  it('finishes nothing by a note or an entry that was put there', async () => {
    const victim = idOf((await start('victim')).out);
    const folder = spoolFolder(world);
    mkdirSync(join(folder, 'deployments'), { recursive: true });
    const note = { id: victim, address: service.url, startedAt: Date.now() };
    writeFileSync(join(folder, 'deployments', `${UNKNOWN_ID}.json`), `${JSON.stringify(note)}\n`);
    const { exit, err } = await finish(`kept:${UNKNOWN_ID}`, 'failure');
    expect(exit).to.equal(2);
    expect(err).to.contain('was not kept under this key');
    expect((await inEnvironment('victim')).map(({ status }) => status)).to.deep.equal(['started']);
    online = false;
    const { out } = await start('kept');
    online = true;
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'));
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replace('"kept"', '"changed"'));
    expect((await finish(idOf(out), 'failure')).exit).to.equal(2);
    expect(await inEnvironment('changed')).to.deep.equal([]);
  });

  it('stores one record when the answer to the start was lost', async () => {
    world = {
      ...world,
      fetch: async (input, init) => {
        await globalThis.fetch(input, init);
        throw new TypeError('fetch failed');
      },
    };
    const { out } = await start('lost answer');
    world = { ...world, fetch };
    expect((await finish(idOf(out), 'success')).exit).to.equal(0);
    expect((await inEnvironment('lost answer')).map(({ status }) => status)).to.deep.equal(['success']);
  });

  it('keeps the end of a deployment whose start arrived', async () => {
    const { out } = await start('half');
    online = false;
    expect((await finish(idOf(out), 'success', '--duration', '3')).exit).to.equal(0);
    online = true;
    expect((await runIn(world, 'flush')).exit).to.equal(0);
    expect((await inEnvironment('half'))[0]).to.include({ status: 'success', duration_seconds: 3 });
  });

  it('ends with 5 during an outage when reports are strict: a start is not kept, an end is', async () => {
    const { out } = await start('strict');
    online = false;
    expect((await start('strict', '--strict-report')).exit).to.equal(5);
    expect((await finish(idOf(out), 'success', '--strict-report')).exit).to.equal(5);
    online = true;
    expect((await runIn(world, 'flush')).err)
      .to.contain('Sent: end of deployment')
      .and.not.contain('Sent: deployment');
  });

  it('says on a full disk that the end is lost, and ends with 5 where that is strict', async () => {
    const { out } = await start('full');
    online = false;
    const mend = failingFiles('open', /shipworthy.spool/, 'ENOSPC');
    try {
      const lost = await finish(idOf(out), 'success', '--json');
      expect([lost.exit, lost.json().data]).to.deep.equal([
        0,
        { id: null, status: 'success', report: 'lost', url: null },
      ]);
      expect(lost.err).to.contain('not kept either (ENOSPC').and.contain('This record is lost.');
      expect((await finish(idOf(out), 'success', '--strict-report')).exit).to.equal(5);
    } finally {
      mend();
    }
    online = true;
    expect((await runIn(world, 'flush')).err).to.contain('Nothing is kept.');
    expect((await inEnvironment('full')).map(({ status }) => status)).to.deep.equal(['started']);
  });

  it('is reported on a full disk, with a warning, and once only', async () => {
    online = false;
    const { out } = await start('full note');
    online = true;
    const mend = failingFiles('open', /shipworthy.spool/, 'ENOSPC');
    const { exit, err } = await finish(idOf(out), 'success').finally(mend);
    expect([exit, err.includes('; then: ENOSPC')], err).to.deep.equal([0, true]);
    expect((await inEnvironment('full note')).map(({ status }) => status)).to.deep.equal(['success']);
    expect((await runIn(world, 'flush')).exit).to.equal(0);
    expect((await inEnvironment('full note')).map(({ status }) => status)).to.deep.equal(['success']);
  });

  it('does not end at one address what began at another', async () => {
    online = false;
    const { out } = await start('elsewhere');
    world = { ...world, env: { ...world.env, SHIPWORTHY_API_URL: AWAY } };
    const { exit, err } = await finish(idOf(out), 'success');
    expect(exit).to.equal(2);
    expect(err).to.contain(service.url).and.contain(AWAY);
  });

  it('shows requests of a dry run and sends nothing', async () => {
    const shown = await start('dry', '--dry-run');
    expect([shown.exit, shown.out.split('\n', 1)[0]]).to.deep.equal([0, `POST ${service.url}/api/deployments`]);
    expect((await finish(UNKNOWN_ID, 'success', '--dry-run')).out).to.contain(
      `PUT ${service.url}/api/deployments/${UNKNOWN_ID}`,
    );
    expect(await inEnvironment('dry')).to.deep.equal([]);
  });
});
