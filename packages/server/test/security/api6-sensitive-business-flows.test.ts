import { expect } from 'chai';
import { inSqlite } from '../harness/openings.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

const MINUTE = 60_000;
const FAILED = { ...FINISHED, status: 'failure' } as const;

describe('OWASP API6, unrestricted access to sensitive business flows: a pipeline that wants a go it did not earn', () => {
  const stage = useFreshStage(inSqlite);
  const reading = async (axis: string) => {
    const { pipeline, inRelease: path } = stage();
    const { data } = (await pipeline.ok('readReadiness', { path })).body;
    return data.axes.find((each) => each.axis === axis) ?? expect.fail(`There is no ${axis}.`);
  };
  const failureRate = async () => {
    const found = await reading('stability');
    return found.state === 'measured' && found.axis === 'stability' ? found.facts.change_failure_rate : undefined;
  };
  const moment = (after: number) => new Date(stage().service.clock.read() + after).toISOString();

  it('does not make one success many', async () => {
    const { pipeline } = stage();
    await pipeline.ok('recordDeployment', { body: FAILED });
    const headers = { 'idempotency-key': 'one' };
    for (let count = 0; count < 5; count += 1) await pipeline.ok('recordDeployment', { body: FINISHED, headers });
    const known = { ...FINISHED, external_id: 'run-7' };
    await pipeline.ok('recordDeployment', { body: known });
    for (let count = 0; count < 5; count += 1) await pipeline.ask('recordDeployment', { body: known });
    await pipeline.ok('importDeployments', { rawBody: JSON.stringify([known, known, known]) });
    expect(await failureRate()).to.equal(1 / 3);
  });

  it('does not undo a failure', async () => {
    const { pipeline } = stage();
    const { id } = (await pipeline.ok('recordDeployment', { body: FAILED })).body.data;
    const path = { deployment_id: id };
    await pipeline.refused('finishDeployment', 'deployment-finished', { path, body: { status: 'success' } });
    expect(await failureRate()).to.equal(1);
  });

  it('moves nothing out of the window or into the future', async () => {
    const { pipeline, inProject: path } = stage();
    const past = { ...FINISHED, started_at: moment(-60 * MINUTE), finished_at: moment(-59 * MINUTE) };
    const { data } = (await pipeline.ok('recordDeployment', { body: past })).body;
    expect(data.attribution).to.include({ reason: 'no_release_window' });
    const ahead = { ...FINISHED, started_at: moment(6 * MINUTE) };
    await pipeline.refused('recordDeployment', 'invalid', { body: ahead });
    await pipeline.refused('recordTestRun', 'invalid', { path, body: { ...RUN, ran_at: moment(6 * MINUTE) } });
    expect(await reading('stability')).to.include({ cause: 'no_finished_deployment' });
  });

  it('passes no tests that did not run', async () => {
    const { pipeline, inProject: path } = stage();
    for (const counts of [
      { total: 0, passed: 0, failed: 0 },
      { total: 1, passed: 2, failed: 0 },
      { total: 1, passed: 1, failed: 1 },
      { total: 1, passed: -1, failed: 0 },
    ])
      await pipeline.refused('recordTestRun', 'invalid', { path, body: { ...RUN, ...counts } });
    expect(await reading('verification')).to.include({ cause: 'no_test_run' });
  });

  it('neither ticks, waives, ships nor loosens the policy, and the gate still holds', async () => {
    const { pipeline, inProject, inRelease } = stage();
    await pipeline.ok('recordTestRun', { path: inProject, body: { ...RUN, passed: RUN.total, failed: 0 } });
    await pipeline.ok('recordDeployment', { body: FINISHED });
    const [item] = (await pipeline.ok('listChecklist', { path: inRelease })).body.data;
    const path = { ...inRelease, item_id: item?.id ?? '' };
    await pipeline.refused('changeChecklistItem', 'session-only', { path, rawBody: '{"state":"done"}' });
    await pipeline.refused('createIssue', 'session-only', { path: inProject, rawBody: '{}' });
    await pipeline.refused('waiveReason', 'session-only', { path: inRelease, rawBody: '{}' });
    await pipeline.refused('replacePolicy', 'session-only', { path: inProject, rawBody: '{}' });
    await pipeline.refused('shipRelease', 'session-only', { path: inRelease });
    await pipeline.ok('askWhatIf', { path: inRelease, body: { policy: { threshold: 0 } } });
    const { data } = (await pipeline.ok('readGate', { path: inRelease })).body;
    expect(data.decision).not.to.equal('go');
  });
});
