import { changesOfRequest } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { inPostgres, type OpenStores, onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';

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

  it('answers the same gate as the report', async () => {
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

  it('answers for the release that is active at the time of the request', async () => {
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

const QUALITY = { resolved: 0, total: 1, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } };

onEveryStore('askWhatIf', (open) => {
  const stage = useFreshStage(open);

  it('answers the report of other facts, and the present judgement', async () => {
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

  it('takes a test run with another moment, and no test run', async () => {
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

describe('changesOfRequest', () => {
  it('names nothing that was not sent', () => {
    expect(changesOfRequest({})).to.deep.equal({});
    expect(changesOfRequest({ facts: {}, policy: {} })).to.deep.equal({ facts: {}, policy: {} });
    expect(changesOfRequest({ policy: { environments: null, weights: { ops: 0 } } })).to.deep.equal({
      policy: { environments: null, weights: { ops: 0 } },
    });
  });

  it('reads every axis', () => {
    const scope = { done: 1, total: 2 };
    const quality = { resolved: 1, total: 1, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } };
    const verification = { passed: 1, total: 2, ran_at: '1970-01-01T00:00:00.007Z' };
    const stability = { succeeded: 1, failed: 2, in_progress: 3 };
    expect(changesOfRequest({ facts: { scope, quality, ops: scope, verification, stability } })).to.deep.equal({
      facts: {
        scope,
        quality,
        ops: scope,
        verification: { passed: 1, total: 2, ranAt: 7 },
        stability: { succeeded: 1, failed: 2, inProgress: 3 },
      },
    });
    expect(changesOfRequest({ facts: { verification: null } })).to.deep.equal({ facts: { verification: null } });
    const undated = changesOfRequest({ facts: { verification: { passed: 1, total: 2 } } });
    expect(undated).to.deep.equal({ facts: { verification: { passed: 1, total: 2 } } });
  });

  it('reads every demand', () => {
    const sent = {
      weights: { scope: 1 },
      threshold: 2,
      minimums: { ops: 3 },
      required_axes: ['ops'],
      environments: ['eu'],
      freshness_hours: 4,
      verification: 'latest_per_suite',
      max_open_critical_bugs: 5,
      min_finished_deployments: 6,
      stability_bound: 'upper_bound',
      silence_hours: 7,
    } as const;
    expect(changesOfRequest({ policy: sent }).policy).to.deep.equal({
      weights: { scope: 1 },
      threshold: 2,
      minimums: { ops: 3 },
      requiredAxes: ['ops'],
      environments: ['eu'],
      freshnessHours: 4,
      verification: 'latest_per_suite',
      maxOpenCriticalBugs: 5,
      minFinishedDeployments: 6,
      stabilityBound: 'upper_bound',
      silenceHours: 7,
    });
  });
});
