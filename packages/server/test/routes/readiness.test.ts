import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

onEveryStore('readReadiness', (open) => {
  const stage = useFreshStage(open);

  it('is unmeasured and unknown while nothing was reported', async () => {
    const { pipeline, inRelease, project, release, service } = stage();
    const { data } = (await pipeline.ok('readReadiness', { path: inRelease })).body;
    expect(data).to.deep.include({
      project: { id: project.id, name: 'checkout' },
      release: { id: release.id, name: '2.4', state: 'active' },
      as_of: new Date(service.clock.read()).toISOString(),
      formula: '1',
      score: 0,
      coverage: 0.2,
    });
    expect(data).not.to.have.property('frozen_at');
    expect(data.axes.map(({ axis }) => axis)).to.deep.equal(['scope', 'quality', 'ops', 'verification', 'stability']);
    expect(data.axes[3]).to.have.all.keys('axis', 'state', 'cause', 'weight', 'explanation');
    expect(data.axes[3]).to.include({ state: 'unmeasured', cause: 'no_test_run' });
    expect(data.gate).to.include({ decision: 'hold', decision_without_waivers: 'hold' });
  });

  it('carries the very numbers of the description', async () => {
    const { pipeline, inRelease, world, ada, project, release } = stage();
    for (const state of ['done', 'done', 'todo'] as const)
      await world.issue(ada, project, { title: 'Refunds', releaseId: release.id, state });
    const reports = [...Array.from({ length: 9 }, () => FINISHED), { ...FINISHED, status: 'failure' }];
    await pipeline.ok('importDeployments', { rawBody: JSON.stringify(reports) });
    const { data } = (await pipeline.ok('readReadiness', { path: inRelease })).body;
    expect(data.axes[0]).to.deep.equal({
      axis: 'scope',
      state: 'measured',
      score: 66.66,
      weight: 1,
      facts: { done: 2, total: 3 },
      explanation: '2 of 3 issues done',
    });
    const stability = data.axes[4];
    expect(stability).to.deep.include({ axis: 'stability', state: 'measured', score: 90, weight: 1 });
    expect(stability?.facts).to.deep.include({ succeeded: 9, failed: 1, in_progress: 0, change_failure_rate: 0.1 });
    expect(stability?.facts).to.have.nested.property('interval.level', 0.95);
  });

  it('goes to go when everything is done, by reports alone', async () => {
    const { pipeline, inProject, inRelease, world, ada, project, release } = stage();
    await world.issue(ada, project, { title: 'Refunds', releaseId: release.id, state: 'done' });
    await world.tickAll(ada, project, release);
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    const { data } = (await pipeline.ok('recordDeployment', { body: STARTED })).body;
    const before = await pipeline.ok('readGate', { path: inRelease });
    expect(before.body.data.decision).to.equal('unknown');
    await pipeline.ok('finishDeployment', { path: { deployment_id: data.id }, body: { status: 'success' } });
    const after = await pipeline.ok('readGate', { path: inRelease });
    expect(after.body.data).to.deep.include({ decision: 'go', reasons: [], next_steps: [] });
  });

  it('answers the gate as it stands in the report', async () => {
    const { pipeline, inRelease } = stage();
    const report = (await pipeline.ok('readReadiness', { path: inRelease })).body.data;
    const gate = (await pipeline.ok('readGate', { path: inRelease })).body.data;
    expect(gate).to.deep.equal({ as_of: report.as_of, ...report.gate });
    expect(gate.next_steps.length).to.be.above(0);
    for (const { axis, ...reason } of gate.reasons) {
      expect(reason).to.have.all.keys('code', 'actual', 'required', 'message', 'waived');
      expect(axis).not.to.equal(null);
    }
  });
});

onEveryStore('readActiveReadiness', (open) => {
  const stage = useFreshStage(open);

  it('answers for the active release, whichever it is', async () => {
    const { pipeline, inProject, inRelease, world, ada, project } = stage();
    const first = await pipeline.ok('readActiveReadiness', { path: inProject });
    const named = await pipeline.ok('readReadiness', { path: inRelease });
    expect(first.text).to.equal(named.text);
    const next = await world.release(ada, project, '2.5');
    const second = await pipeline.ok('readActiveReadiness', { path: inProject });
    expect(second.body.data.release).to.deep.equal({ id: next.id, name: '2.5', state: 'active' });
  });

  it('answers 404 when none is active', async () => {
    const { pipeline, inProject, world, ada, project, release } = stage();
    await world.ship(ada, project, release);
    const { status } = await pipeline.refused('readActiveReadiness', 'no-active-release', { path: inProject });
    expect(status).to.equal(404);
  });
});

onEveryStore('readReadiness of a shipped release', (open) => {
  const stage = useFreshStage(open);

  it('answers what was frozen, and what is live only when asked', async () => {
    const { pipeline, inRelease, world, ada, project, release, service } = stage();
    const { data } = (await pipeline.ok('recordDeployment', { body: STARTED })).body;
    service.clock.pass(1000);
    await world.ship(ada, project, release);
    const frozen_at = new Date(service.clock.read()).toISOString();
    const frozen = await pipeline.ok('readReadiness', { path: inRelease });
    expect(frozen.body.data).to.deep.include({ frozen_at, as_of: frozen_at });
    expect(frozen.body.data.release.state).to.equal('shipped');
    service.clock.pass(1000);
    await pipeline.ok('finishDeployment', { path: { deployment_id: data.id }, body: { status: 'success' } });
    const later = await pipeline.ok('readReadiness', { path: inRelease, query: { view: 'frozen' } });
    expect(later.text).to.equal(frozen.text);
    const live = (await pipeline.ok('readReadiness', { path: inRelease, query: { view: 'live' } })).body.data;
    expect(live).not.to.have.property('frozen_at');
    expect([frozen.body.data.axes[4]?.state, live.axes[4]?.state]).to.deep.equal(['unmeasured', 'measured']);
    const gate = await pipeline.ok('readGate', { path: inRelease });
    expect(gate.body.data).to.deep.equal({ as_of: frozen_at, frozen_at, ...frozen.body.data.gate });
    const liveGate = await pipeline.ok('readGate', { path: inRelease, query: { view: 'live' } });
    expect(liveGate.body.data).not.to.have.property('frozen_at');
    await pipeline.refused('readGate', 'invalid', { path: inRelease, rawQuery: 'view=old' });
  });
});
