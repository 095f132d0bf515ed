import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@shipworthy/client';
import { ROOM } from '@shipworthy/test-reports/test-samples';
import { expect } from 'chai';
import { deliver } from '../../src/spool/deliver.js';
import { entryOfText, textOfEntry } from '../../src/spool/entry.js';
import { type Service, startService } from '../service/service.js';
import { type Outcome, runIn, type StandIn, type StandInOptions, standIn } from '../stand-in.js';

const AWAY = 'http://127.0.0.1:9';
const OWN_AXES = [
  { name: 'security', unit: { one: 'finding', many: 'findings' }, weight: 1, minimum: 90, required: true },
  { name: 'coverage', unit: { one: 'line', many: 'lines' } },
  { name: 'accessibility' },
  { name: 'evidence', counted_from: 'checklist_evidence' },
] as const;

describe('axis report', () => {
  let service: Service;
  let world: StandIn;
  before(async () => {
    service = await startService();
    const path = { team_id: service.teamId, project_id: service.projectId };
    const { data: policy } = (await service.person.readPolicy({ path })).body;
    await service.person.replacePolicy({ path, body: { ...policy, own_axes: OWN_AXES }, ifMatch: policy.version });
  });
  after(() => service.stop());

  const make = async (options: StandInOptions = {}) => {
    const env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key, ...options.env };
    world = await standIn({ ...options, env });
  };
  beforeEach(() => make());
  afterEach(() => world.remove());
  const write = (name: string, text: string) => writeFileSync(join(world.folder, name), text);
  const copy = (from: string, to: string) => copyFileSync(join(ROOM, 'measured', from), join(world.folder, to));
  const report = (...argv: readonly string[]): Promise<Outcome> => runIn(world, 'axis', 'report', ...argv);
  const inRelease = () => ({ team_id: service.teamId, project_id: service.projectId, release_id: service.releaseId });
  const rows = async (axis: string) =>
    (await service.person.listAxisRows({ path: { ...inRelease(), axis } })).body.data.flatMap((row) =>
      'whole' in row ? [row] : [],
    );
  const latest = async (axis: string) => (await rows(axis))[0];
  const reading = async (axis: string) => {
    const { data } = (await service.person.readReadiness({ path: inRelease() })).body;
    return data.own_axes?.find((one) => one.axis === axis);
  };

  it('reports figures, and says what they count for', async () => {
    const page = 'https://ci.acme.dev/scans/7';
    const told = ['--part', '48', '--whole', '50', '--url', page, '--explanation', '2 are open'];
    const { exit, out, err } = await report('security', ...told);
    expect(exit, err).to.equal(0);
    const sent = await latest('security');
    expect(sent).to.include({ part: 48, whole: 50, url: page, explanation: '2 are open', counts: true });
    expect(out).to.equal(`${sent?.id}\n`);
    expect(err).to.contain('security: 48 of 50.\nRecorded. It counts for 1.0 (score 48.0 with it, 0.0 without).\n');
    expect(err).to.contain(`/projects/${service.projectId}/releases/${service.releaseId}\n`);
    expect(await reading('security')).to.include({ state: 'measured', score: 96 });
    const scored = await runIn(world, 'score', '--explain');
    expect(scored.exit, scored.err).to.equal(0);
    expect(scored.out).to.match(/^security +96\.0 +1 +48\/50 +48 of 50 findings: 2 are open$/m);
    expect(scored.out).to.contain('of 6 measured').and.contain('formula 2');
  });

  it('reads coverage of lcov and Cobertura, and adds several up', async () => {
    copy('c8-12.0.0/lcov.info', 'lcov.info');
    copy('coverage.py-7.16.2/coverage.xml', 'coverage.xml');
    const { exit, err } = await report('coverage', '--coverage', 'lcov.info', '--coverage', '*.xml');
    expect(exit, err).to.equal(0);
    expect(await latest('coverage')).to.include({ part: 8 + 11, whole: 13 + 14, explanation: 'covered lines' });
    write('claims.info', 'SF:a\nDA:1,1\nLF:10\nLH:1\nend_of_record\n');
    const doubted = await report('coverage', '--coverage', 'claims.info');
    expect(doubted.err).to.contain('claims.info: a says 10 lines and lists 1; the worse figure is reported');
    expect(await latest('coverage')).to.include({ part: 1, whole: 10 });
  });

  it('reads the score of a category of Lighthouse', async () => {
    copy('lighthouse-12.8.2/report.json', 'report.json');
    expect((await report('accessibility', '--lighthouse', 'report.json')).exit).to.equal(0);
    expect(await latest('accessibility')).to.include({ part: 73, whole: 100 });
    expect((await report('accessibility', '--lighthouse', 'report.json', '--category', 'seo')).exit).to.equal(0);
    expect(await latest('accessibility')).to.include({ part: 82, explanation: 'Lighthouse, seo' });
  });

  it('reports what it cannot read as not measured, and ends with 6, so that an older report does not count', async () => {
    write('good.info', 'SF:a\nDA:1,1\nend_of_record\n');
    write('cut.info', 'SF:a\nDA:1,1\n');
    write('none.info', '');
    write('odd\u202e.info', '');
    for (const [files, fault] of [
      [['cut.info'], 'cut.info:2: is cut short'],
      [['none.info'], 'none.info: is empty'],
      [['missing.info'], 'missing.info: does not exist'],
      [['odd*.info'], 'is empty'],
      [['good.info', 'cut.info'], 'cut.info:2: is cut short'],
    ] as const) {
      expect((await report('coverage', '--coverage', 'good.info')).exit).to.equal(0);
      expect(await reading('coverage')).to.include({ state: 'measured', score: 100 });
      const options = files.flatMap((file) => ['--coverage', file]);
      const { exit, err, json } = await report('coverage', ...options, '--json');
      expect(exit, err).to.equal(6);
      expect(err).to.contain(fault).and.contain('reported as not measured');
      expect(json().data).to.include({ report: 'sent', whole: null });
      expect(await reading('coverage')).to.include({ state: 'unmeasured', cause: 'not_measurable' });
    }
    const { exit } = await report('accessibility', '--lighthouse', 'none.info');
    expect(exit).to.equal(6);
    expect(await reading('accessibility')).to.include({ state: 'unmeasured', cause: 'not_measurable' });
  });

  it('says why nothing was measured', async () => {
    expect((await report('security', '--unmeasured', 'The scanner was down')).exit).to.equal(0);
    expect(await latest('security')).to.include({ part: 0, whole: null, explanation: 'The scanner was down' });
  });

  it('counts a step that runs again under its key once', async () => {
    const step = ['security', '--part', '1', '--whole', '2', '--idempotency-key', 'run-7'];
    const before = (await rows('security')).length;
    expect((await report(...step, '--release', '1.0')).exit).to.equal(0);
    expect((await report(...step, '--release', '1.0')).exit).to.equal(0);
    const changed = await report('security', '--part', '2', ...step.slice(3), '--release', '1.0');
    expect(changed.exit, changed.err).to.equal(0);
    expect(changed.err).to.contain('was recorded before');
    expect(await rows('security')).to.have.lengthOf(before + 1);
  });

  it('refuses what says nothing or too much, and an axis that the policy does not have', async () => {
    const wrong = [
      ['security'],
      ['security', '--part', '1'],
      ['security', '--part', '3', '--whole', '2'],
      ['security', '--part', '0', '--whole', '0'],
      ['security', '--part', '1.5', '--whole', '2'],
      ['security', '--part', '1', '--whole', '2', '--unmeasured', 'x'],
      ['security', '--unmeasured', 'x', '--explanation', 'y'],
      ['security', '--part', '1', '--whole', '2', '--category', 'seo'],
      ['Security', '--part', '1', '--whole', '2'],
    ];
    for (const argv of wrong) expect((await report(...argv)).exit, argv.join(' ')).to.equal(2);
    const { exit, err } = await report('performance', '--part', '1', '--whole', '2');
    expect(exit).to.equal(2);
    expect(err).to.contain('no axis performance: it has accessibility, coverage, security');
    const counted = await report('evidence', '--part', '1', '--whole', '1');
    expect(counted.exit).to.equal(2);
    expect(counted.err).to.contain('The service counts the axis evidence itself: it takes no reports.');
    await make({ env: { SHIPWORTHY_API_KEY: await service.keyFor('read', 'test-runs:write') } });
    expect((await report('security', '--part', '1', '--whole', '2')).exit).to.equal(4);
  });

  it('is kept while the server is away, and sent with the time at which it was made', async () => {
    await make({ env: { SHIPWORTHY_API_URL: AWAY } });
    const away = ['security', '--part', '7', '--whole', '9', '--app', 'checkout', '--timeout', '0.3', '--json'];
    const kept = await report(...away);
    expect(kept.exit, kept.err).to.equal(0);
    expect(kept.json().data).to.include({ report: 'kept' });
    expect(kept.err).to.contain('report of security (7 of 9)');
    expect((await report(...away, '--strict-report')).exit).to.equal(5);
  });

  it('is sent from what was kept, to the release of that time, once', async () => {
    const kept = {
      operation: 'recordNamedAxisReport',
      path: { app: 'checkout', release: '', axis: 'security' },
      body: { part: 7, whole: 9, measured_at: '2020-01-01T00:00:00.000Z' },
      idempotencyKey: 'kept-1',
      address: service.url,
      madeAt: Date.UTC(2020, 0, 1),
    } as const;
    const entry = entryOfText(textOfEntry(kept));
    if (entry === undefined) throw new Error('the entry cannot be read back');
    const client = createClient({ baseUrl: service.url, apiKey: service.key });
    const before = (await rows('security')).length;
    const [first, again] = [await deliver(client, entry), await deliver(client, entry)];
    expect([first.repeated, again.repeated, again.id]).to.deep.equal([false, true, first.id]);
    expect(await rows('security')).to.have.lengthOf(before + 1);
    expect((await rows('security')).at(-1)).to.include({ id: first.id, measured_at: '2020-01-01T00:00:00.000Z' });
  });

  it('shows the request of a dry run and sends nothing', async () => {
    const before = (await rows('security')).length;
    const { exit, out } = await report('security', '--part', '1', '--whole', '2', '--dry-run');
    expect(exit).to.equal(0);
    expect(out).to.contain('/axes/security/reports').and.contain('"whole"');
    expect(await rows('security')).to.have.lengthOf(before);
  });
});
