import { DEFAULT_POLICY, type Policy } from '@shipworthy/domain/readiness';
import { changePolicy } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { METRICS_TOKEN } from '../harness/service.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const policyIs = async ({ service, world, ada, project }: Stage, change: Partial<Policy>) => {
  const at = { by: await world.actor(ada), teamId: project.teamId, projectId: project.id };
  await changePolicy(service.ports, { ...at, policy: { ...DEFAULT_POLICY, ...change }, version: 1 });
};

onEveryStore('listNotCounted', (open) => {
  const stage = useFreshStage(open);

  const listed = async (kind: 'deployment' | 'test_run', query: { limit?: number; cursor?: string } = {}) =>
    (await stage().pipeline.ok('listNotCounted', { path: stage().inProject, query: { kind, ...query } })).body;
  const reasons = async (kind: 'deployment' | 'test_run') =>
    (await listed(kind)).data.map((row) => [
      'deployment' in row ? row.deployment.environment : row.test_run.suite,
      row.reason,
    ]);

  it('lists deployments with the one reason, newest first, and none that counts', async () => {
    const { pipeline, service } = stage();
    await policyIs(stage(), { environments: ['production'] });
    const sent = [
      FINISHED,
      { ...FINISHED, environment: 'staging' },
      STARTED,
      { ...FINISHED, environment: 'before', started_at: '2026-11-01T12:00:00Z', finished_at: '2026-11-01T12:01:00Z' },
    ];
    for (const body of sent) {
      service.clock.pass(1_000);
      await pipeline.ok('recordDeployment', { body });
    }
    expect(await reasons('deployment')).to.deep.equal([
      ['production', 'still_in_progress'],
      ['staging', 'environment_not_counted'],
      ['before', 'no_release_window'],
    ]);
    const [first] = (await listed('deployment')).data;
    const id = first !== undefined && 'deployment' in first ? first.deployment.id : '';
    await pipeline.ok('finishDeployment', { path: { deployment_id: id }, body: { status: 'success' } });
    expect((await reasons('deployment')).map(([, reason]) => reason)).to.deep.equal([
      'environment_not_counted',
      'no_release_window',
    ]);
  });

  it('lists test runs whose place a later one has taken', async () => {
    const { pipeline, service, inProject } = stage();
    for (const suite of ['unit', 'e2e', 'unit']) {
      service.clock.pass(1_000);
      await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, suite } });
    }
    const superseded = 'superseded_by_newer_run';
    expect(await reasons('test_run')).to.deep.equal([
      ['e2e', superseded],
      ['unit', superseded],
    ]);
    await policyIs(stage(), { verification: 'latest_per_suite' });
    expect(await reasons('test_run')).to.deep.equal([['unit', superseded]]);
  });

  it('is exported as CSV, each kind with the columns of its own list', async () => {
    const { pipeline, service, inProject: path } = stage();
    await pipeline.ok('recordDeployment', { body: { ...STARTED, version: '=2.4' } });
    service.clock.pass(1_000);
    for (const suite of ['unit', 'e2e']) await pipeline.ok('recordTestRun', { path, body: { ...RUN, suite } });
    const tableOf = async (kind: 'deployment' | 'test_run') => {
      const { headers, text } = await pipeline.ok('exportNotCounted', { path, query: { kind } });
      const [head = '', line = '', ...rest] = text.split('\r\n');
      return { file: headers['content-disposition'], head, line, rest };
    };
    const listedHead = async (id: 'exportDeployments' | 'exportTestRuns') =>
      (await pipeline.ok(id, { path })).text.split('\r\n')[0];
    const deployments = await tableOf('deployment');
    expect(deployments.file).to.equal('attachment; filename="uncounted-deployments.csv"');
    expect(deployments.head).to.equal(await listedHead('exportDeployments'));
    expect(deployments.line).to.contain(`,"'=2.4",`).and.contain(',"still_in_progress",');
    expect(deployments.rest).to.deep.equal(['']);
    const runs = await tableOf('test_run');
    expect(runs.file).to.equal('attachment; filename="uncounted-test-runs.csv"');
    expect(runs.head).to.equal(await listedHead('exportTestRuns'));
    expect(runs.line).to.contain(',"unit",').and.contain(',"superseded_by_newer_run",');
    expect(runs.rest).to.deep.equal(['']);
    await pipeline.refused('exportNotCounted', 'invalid', { path, query: {} } as never);
  });

  it('is read page by page', async () => {
    const { pipeline, service, inProject } = stage();
    for (let count = 0; count < 5; count += 1) {
      service.clock.pass(1_000);
      await pipeline.ok('recordDeployment', { body: STARTED });
    }
    const whole = (await listed('deployment')).data;
    const first = await listed('deployment', { limit: 3 });
    const rest = await listed('deployment', { limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.data, ...rest.data]).to.deep.equal(whole);
    expect([whole.length, rest.data.length, rest.next_cursor]).to.deep.equal([5, 2, null]);
    const query = { kind: 'test_run', cursor: first.next_cursor ?? '' } as const;
    const refused = await pipeline.refused('listNotCounted', 'invalid', { path: inProject, query });
    expect(refused.body.errors?.map(({ pointer }) => pointer)).to.deep.equal(['cursor']);
  });

  it('wants to be told which kind', async () => {
    const { pipeline, inProject } = stage();
    const refused = await pipeline.refused('listNotCounted', 'invalid', { path: inProject, rawQuery: 'limit=1' });
    expect(refused.body.errors?.map(({ pointer }) => pointer)).to.deep.equal(['kind']);
  });

  it('is counted by kind and reason when it is accepted, once', async () => {
    const { pipeline, service, inProject } = stage();
    await pipeline.ok('recordDeployment', { body: FINISHED });
    for (let turn = 0; turn < 2; turn += 1)
      await pipeline.ok('recordDeployment', { body: STARTED, headers: { 'idempotency-key': 'one' } });
    await pipeline.ok('recordTestRun', { path: inProject, body: RUN });
    await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, ran_at: '2026-11-20T08:00:00Z' } });
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const { text } = await service.anonymous.ok('readMetrics', { headers });
    const lines = text.split('\n').filter((line) => line.startsWith('shipworthy_reports_not_counted_total'));
    expect(lines).to.have.members([
      'shipworthy_reports_not_counted_total{kind="deployment",reason="still_in_progress"} 1',
      'shipworthy_reports_not_counted_total{kind="test_run",reason="superseded_by_newer_run"} 1',
    ]);
  });

  it('is counted of a batch, too, of each record when it is new', async () => {
    const { pipeline, service, inProject } = stage();
    const deployments = [
      STARTED,
      { ...STARTED, external_id: 'run-7' },
      { ...FINISHED, started_at: '2020-01-01T00:00:00Z' },
    ];
    const runs = [RUN, { ...RUN, ran_at: '2026-11-20T08:00:00Z', external_id: 'run-8' }];
    for (let turn = 0; turn < 2; turn += 1) {
      const headers = { 'idempotency-key': 'one' };
      await pipeline.ok('importDeployments', { rawBody: JSON.stringify(deployments), headers });
      await pipeline.ok('importTestRuns', { path: inProject, rawBody: JSON.stringify(runs), headers });
    }
    await pipeline.ok('importDeployments', { rawBody: JSON.stringify(deployments.slice(1, 2)) });
    await pipeline.ok('importTestRuns', { path: inProject, rawBody: JSON.stringify(runs.slice(1)) });
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const { text } = await service.anonymous.ok('readMetrics', { headers });
    const lines = text.split('\n').filter((line) => line.startsWith('shipworthy_reports_not_counted_total'));
    expect(lines).to.have.members([
      'shipworthy_reports_not_counted_total{kind="deployment",reason="still_in_progress"} 2',
      'shipworthy_reports_not_counted_total{kind="deployment",reason="no_release_window"} 1',
      'shipworthy_reports_not_counted_total{kind="test_run",reason="superseded_by_newer_run"} 1',
    ]);
  });
});
