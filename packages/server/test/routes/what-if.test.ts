import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

const QUALITY = { resolved: 0, total: 1, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } };

onEveryStore('askWhatIf', (open) => {
  const stage = useFreshStage(open);

  it('answers the report of other facts, and how it stands', async () => {
    const { pipeline, inRelease: path, project, release } = stage();
    const body = {
      facts: {
        scope: { done: 10, total: 10 },
        quality: { ...QUALITY, resolved: 1, open: { ...QUALITY.open, critical: 0 } },
        ops: { done: 3, total: 3 },
        verification: { passed: 412, total: 412 },
        stability: { succeeded: 19, failed: 1, in_progress: 2 },
      },
    };
    const { report, before } = (await pipeline.ok('askWhatIf', { path, body })).body.data;
    expect(report).to.deep.include({ project: { id: project.id, name: 'checkout' }, score: 99, coverage: 1 });
    expect(report.release).to.deep.equal({ id: release.id, name: '2.4', state: 'active' });
    expect(report.gate).to.deep.include({ decision: 'go', reasons: [] });
    expect(report.axes[4]?.facts).to.deep.include({ succeeded: 19, failed: 1, in_progress: 2 });
    expect(before).to.deep.equal({ score: 0, coverage: 0.2, decision: 'hold' });
  });

  it('leaves everything as it is', async () => {
    const { pipeline, inRelease: path } = stage();
    const before = await pipeline.ok('readReadiness', { path });
    await pipeline.ok('askWhatIf', { path, body: { facts: { ops: { done: 3, total: 3 } }, policy: { threshold: 1 } } });
    expect((await pipeline.ok('readReadiness', { path })).headers.etag).to.equal(before.headers.etag);
  });

  it('answers what other demands decide, and counts anew what they count', async () => {
    const { pipeline, inRelease: path, inProject } = stage();
    const failed = { ...FINISHED, status: 'failure', environment: 'staging' };
    await pipeline.ok('importDeployments', { rawBody: JSON.stringify([FINISHED, failed]) });
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, suite: 'browser', total: 8, passed: 6 } });
    const policy = {
      weights: { scope: 0, quality: 0, ops: 0, verification: 3 },
      minimums: { stability: 20, verification: 90 },
      threshold: 90,
      required_axes: ['stability', 'verification'] as const,
      environments: ['production'],
      freshness_hours: 24,
      verification: 'latest_per_suite',
      max_open_critical_bugs: null,
      min_finished_deployments: 1,
      stability_bound: 'upper_bound',
      silence_hours: 12,
    } as const;
    const { report } = (await pipeline.ok('askWhatIf', { path, body: { policy } })).body.data;
    expect(report.axes.map(({ weight }) => weight)).to.deep.equal([0, 0, 0, 3, 1]);
    expect(report.axes[3]?.facts).to.include({ passed: 416, total: 420, runs: 2 });
    expect(report.axes[4]?.facts).to.include({ succeeded: 1, failed: 0 });
    expect(report.gate.decision).to.equal('go');
    const strict = { policy: { ...policy, minimums: { stability: 21 } } };
    const held = (await pipeline.ok('askWhatIf', { path, body: strict })).body.data.report.gate;
    expect(held.reasons[0]).to.include({ code: 'axis_below_minimum', axis: 'stability', actual: 20.65, required: 21 });
    expect(held.next_steps[0]).to.include({ action: 'deploy_successfully', count: 1 });
  });

  it('starts from the frozen facts of a release that shipped', async () => {
    const { pipeline, inRelease: path, world, ada, project, release, service } = stage();
    await pipeline.ok('recordDeployment', { body: FINISHED });
    service.clock.pass(3_600_000);
    await world.ship(ada, project, release);
    const frozen = (await pipeline.ok('readReadiness', { path })).body.data;
    service.clock.pass(3_600_000);
    const { report, before } = (await pipeline.ok('askWhatIf', { path, body: {} })).body.data;
    expect(report.as_of).to.equal(frozen.frozen_at);
    expect(report).not.to.have.property('frozen_at');
    expect(report.axes).to.deep.equal(frozen.axes);
    expect(report.gate).to.deep.equal(frozen.gate);
    expect(before.score).to.equal(frozen.score);
  });

  it('takes a test run of another moment, or none', async () => {
    const { pipeline, inRelease: path, service } = stage();
    const ran_at = new Date(service.clock.read() - 7_200_000).toISOString();
    const policy = { freshness_hours: 1 };
    const verificationOf = async (verification: { passed: number; total: number; ran_at?: string } | null) =>
      (await pipeline.ok('askWhatIf', { path, body: { policy, facts: { verification } } })).body.data.report.axes[3];
    expect(await verificationOf({ passed: 1, total: 1 })).to.include({ state: 'measured', score: 100 });
    expect(await verificationOf({ passed: 1, total: 1, ran_at })).to.include({ cause: 'stale_test_run' });
    expect(await verificationOf(null)).to.include({ cause: 'no_test_run' });
  });

  it('names every fault at its place', async () => {
    const { pipeline, inRelease: path } = stage();
    const body = {
      facts: { scope: { done: 0, total: 1 }, quality: { ...QUALITY, total: 2 }, ops: { done: 2, total: 1 } },
      policy: { threshold: 80.001 },
    };
    const refused = await pipeline.refused('askWhatIf', 'invalid', { path, body });
    expect((refused.body.errors ?? []).map(({ pointer }) => pointer)).to.include.members([
      '/facts/quality/open',
      '/facts/ops/done',
      '/policy/threshold',
    ]);
    const rawBody = JSON.stringify({ facts: { scope: { done: 1 } }, policy: { weights: { speed: 1 } } });
    const misshapen = await pipeline.refused('askWhatIf', 'invalid', { path, rawBody });
    expect((misshapen.body.errors ?? []).map(({ pointer }) => pointer)).to.have.members([
      '/facts/scope/total',
      '/policy/weights/speed',
    ]);
  });
});
