import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';

const MINUTE = 60_000;

onEveryStore('readDifference', (open) => {
  const stage = useFreshStage(open);
  const iso = (at: number) => new Date(at).toISOString();

  it('tells what changed since, down to the records, however new they are', async () => {
    const { pipeline, inProject, inRelease: path, service, release } = stage();
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    const deployment = await pipeline.ok('recordDeployment', { body: { ...FINISHED, status: 'failure' } });
    const run = await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const at = iso(service.clock.read());
    service.clock.pass(MINUTE);
    const { data } = (await pipeline.ok('readDifference', { path, query: { from } })).body;
    expect([data.from.score, data.from.coverage, data.from.decision]).to.deep.equal([0, 0.2, 'hold']);
    expect([data.to.as_of, data.to.coverage, data.to.decision]).to.deep.equal([at, 0.6, 'hold']);
    expect(data.axes.map(({ axis }) => axis)).to.deep.equal(['scope', 'quality', 'ops', 'verification', 'stability']);
    expect(data.axes[4]).to.deep.equal({
      axis: 'stability',
      before: { state: 'unmeasured', score: null },
      after: { state: 'measured', score: 0 },
    });
    expect(data.reasons.gone.map(({ code, axis }) => [code, axis])).to.deep.equal([
      ['axis_unmeasured', 'verification'],
      ['axis_unmeasured', 'stability'],
    ]);
    expect(data.reasons.come.map(({ code, axis }) => [code, axis])).to.deep.include([
      'axis_below_minimum',
      'stability',
    ]);
    expect(data.records).to.deep.equal([
      { kind: 'deployment', id: deployment.body.data.id, at, title: `${FINISHED.environment}, failure` },
      { kind: 'test_run', id: run.body.data.id, at, title: `${RUN.passed} of ${RUN.total} passed` },
    ]);
    expect(data.record_count).to.equal(2);
    const none = await pipeline.ok('readDifference', { path, query: { from, to: from } });
    expect(none.body.data).to.deep.include({ records: [], record_count: 0, reasons: { gone: [], come: [] } });
    expect(none.body.data.to).to.deep.equal(none.body.data.from);
  });

  it('leaves out the title of what says nothing by one', async () => {
    const { pipeline, browser, inProject, inRelease: path, service, release } = stage();
    await pointMade(stage(), release.id);
    const from = iso(service.clock.read());
    service.clock.pass(MINUTE);
    await browser.ok('renameProject', { path: inProject, body: { name: 'Storefront' } });
    const { data } = (await pipeline.ok('readDifference', { path, query: { from } })).body;
    expect(data.records).to.deep.equal([{ kind: 'project', id: inProject.project_id, at: iso(service.clock.read()) }]);
  });

  it('needs moments that have come, in order', async () => {
    const { pipeline, inRelease: path, service } = stage();
    const now = service.clock.read();
    const pointers = async (query: Record<string, string>) => {
      const { body } = await pipeline.refused('readDifference', 'invalid', { path, query } as never);
      return (body.errors ?? []).map(({ pointer }) => pointer);
    };
    expect(await pointers({})).to.deep.equal(['from']);
    expect(await pointers({ from: iso(now + MINUTE) })).to.deep.equal(['from']);
    expect(await pointers({ from: iso(now), to: iso(now + MINUTE) })).to.deep.equal(['to']);
    expect(await pointers({ from: iso(now), to: iso(now - MINUTE) })).to.deep.equal(['to']);
    await pipeline.refused('readDifference', 'not-found', { path, query: { from: iso(now - MINUTE) } });
  });
});
