import { expect } from 'chai';
import { inPostgres, type OpenStores, onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';

const MINUTE = 60_000;

const suite = (open: OpenStores): void => {
  const stage = useFreshStage(open);
  const iso = (at: number) => new Date(at).toISOString();

  /** What the report and the gate say now, and when that is; a minute passes then. */
  const look = async () => {
    const { pipeline, inRelease: path, service } = stage();
    const report = await pipeline.ok('readReadiness', { path });
    const gate = await pipeline.ok('readGate', { path });
    const at = iso(service.clock.read());
    service.clock.pass(MINUTE);
    return { at, report: report.text, gate: gate.text };
  };

  const recorded = async (recordId: string): Promise<void> => {
    await pointMade(stage(), recordId);
    stage().service.clock.pass(MINUTE);
  };

  it('is to the byte what was answered then, policy, waivers, names and shipping included', async () => {
    const { pipeline, browser, inProject, inRelease: path, service, release, project } = stage();
    await recorded(release.id);
    const looks = [await look()];
    const deployment = await pipeline.ok('recordDeployment', { body: FINISHED });
    await recorded(deployment.body.data.id);
    looks.push(await look());
    const waiver = { code: 'axis_unmeasured', axis: 'scope', text: 'Only docs.' } as const;
    const expires_at = iso(service.clock.read() + 30 * MINUTE);
    const waived = await browser.ok('waiveReason', { path, body: { ...waiver, expires_at } });
    await recorded(waived.body.data.id);
    looks.push(await look());
    service.clock.pass(40 * MINUTE);
    looks.push(await look());
    const { version, ...policy } = (await pipeline.ok('readPolicy', { path: inProject })).body.data;
    const headers = { 'if-match': `"${version}"` };
    await browser.ok('replacePolicy', { path: inProject, body: { ...policy, threshold: 12.5 }, headers });
    await recorded(project.id);
    looks.push(await look());
    const run = await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    await recorded(run.body.data.id);
    looks.push(await look());
    await browser.ok('shipRelease', { path });
    service.clock.pass(MINUTE);
    looks.push(await look());
    expect(new Set(looks.map(({ report }) => report)).size).to.be.at.least(6);
    for (const { at, report, gate } of looks) {
      const query = { as_of: at };
      const then = await pipeline.ok('readReadiness', { path, query });
      expect(then.text).to.equal(report);
      expect((await pipeline.ok('readGate', { path, query })).text).to.equal(gate);
      const known = { 'if-none-match': then.headers.etag ?? '' };
      expect((await pipeline.ok('readReadiness', { path, query, headers: known })).status).to.equal(304);
    }
  });

  it('refuses what contradicts it and what has not come, and knows nothing from before the release', async () => {
    const { pipeline, inRelease: path, service } = stage();
    const now = service.clock.read();
    const pointers = async (id: 'readReadiness' | 'readGate', query: Record<string, unknown>) => {
      const { body } = await pipeline.refused(id, 'invalid', { path, query } as never);
      return (body.errors ?? []).map(({ pointer }) => pointer);
    };
    for (const id of ['readReadiness', 'readGate'] as const) {
      expect(await pointers(id, { as_of: iso(now), view: 'live' })).to.deep.equal(['view']);
      expect(await pointers(id, { as_of: iso(now + MINUTE) })).to.deep.equal(['as_of']);
      expect(await pointers(id, { as_of: '2026-11-20T25:00:00Z' })).to.deep.equal(['as_of']);
      const { body } = await pipeline.refused(id, 'not-found', { path, query: { as_of: iso(now - MINUTE) } });
      expect(body.detail).to.equal('Nothing had been recorded of the release at that moment.');
    }
    expect(await pointers('readGate', { as_of: iso(now), signed: true })).to.deep.equal(['signed']);
  });
};

onEveryStore('readiness as of a past moment', suite);
describe('readiness as of a past moment, on PostgreSQL', () => {
  suite(inPostgres);
});
