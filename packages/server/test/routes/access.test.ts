import type { OperationId, Operations, ProblemType } from '@shipworthy/client/contract';
import type { Role, Scope } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Caller, Sent } from '../harness/caller.js';
import { FINISHED, RUN, STARTED } from '../harness/reports.js';
import { type Stage, useStage } from '../harness/stage.js';

type Try = <Id extends OperationId>(id: Id, sent: (stage: Stage) => Sent<Operations[Id]>) => void;

/** Calls every operation about reports and readiness once. */
const everyOperation = (visit: Try): void => {
  visit('recordDeployment', () => ({ body: STARTED }));
  visit('importDeployments', () => ({ rawBody: JSON.stringify([FINISHED]) }));
  visit('finishDeployment', () => ({ path: { deployment_id: deploymentId }, body: { status: 'success' } }));
  visit('readDeployment', () => ({ path: { deployment_id: deploymentId } }));
  visit('listDeployments', ({ inProject }) => ({ path: inProject }));
  visit('recordTestRun', ({ inProject }) => ({ path: inProject, body: RUN }));
  visit('importTestRuns', ({ inProject }) => ({ path: inProject, rawBody: JSON.stringify([RUN]) }));
  visit('listTestRuns', ({ inProject }) => ({ path: inProject }));
  visit('readTestRun', ({ inProject }) => ({ path: { ...inProject, test_run_id: testRunId } }));
  visit('readActiveReadiness', ({ inProject }) => ({ path: inProject }));
  visit('readReadiness', ({ inRelease }) => ({ path: inRelease }));
  visit('readGate', ({ inRelease }) => ({ path: inRelease }));
  visit('listAxisRows', ({ inRelease }) => ({ path: { ...inRelease, axis: 'ops' } }));
  visit('listHistory', ({ inRelease }) => ({ path: inRelease }));
  visit('listWaivers', ({ inRelease }) => ({ path: inRelease }));
  visit('waiveReason', ({ inRelease, service }) => ({
    path: inRelease,
    body: {
      code: 'axis_below_minimum',
      axis: 'ops',
      text: 'Later.',
      expires_at: new Date(service.clock.read() + 60_000).toISOString(),
    },
  }));
  visit('withdrawWaiver', ({ inRelease }) => ({ path: { ...inRelease, waiver_id: waiverId } }));
  visit('setTestRunAside', ({ inProject }) => ({
    path: { ...inProject, test_run_id: testRunId },
    body: { reason: 'Wrong branch.' },
  }));
  visit('restoreTestRun', ({ inProject }) => ({ path: { ...inProject, test_run_id: testRunId } }));
  visit('readPortfolio', () => ({}));
};
let deploymentId = '';
let testRunId = '';
let waiverId = '';

describe('who may call the operations about reports and readiness', () => {
  const stage = useStage();
  before(async () => {
    const { pipeline, browser, inProject, inRelease, service } = stage();
    deploymentId = (await pipeline.ok('recordDeployment', { body: STARTED })).body.data.id;
    testRunId = (await pipeline.ok('recordTestRun', { path: inProject, body: RUN })).body.data.id;
    const expires_at = new Date(service.clock.read() + 60_000).toISOString();
    const body = { code: 'axis_below_minimum', axis: 'ops', text: 'Later.', expires_at } as const;
    waiverId = (await browser.ok('waiveReason', { path: inRelease, body })).body.data.id;
  });

  /** What every operation answers this caller: `ok`, or the problem. */
  const outcomes = async (caller: Caller): Promise<Readonly<Record<string, string>>> => {
    const found: Record<string, string> = {};
    const calls: (() => Promise<void>)[] = [];
    everyOperation((id, sent) => {
      calls.push(async () => {
        const { status, body } = await caller.ask(id, sent(stage()));
        const type = (body as { type?: string } | undefined)?.type?.split('/').at(-1);
        found[id] = status < 400 ? 'ok' : (type ?? '');
      });
    });
    for (const call of calls) await call();
    return found;
  };

  const READS: readonly string[] = [
    'readDeployment',
    'listDeployments',
    'listTestRuns',
    'readTestRun',
    'readActiveReadiness',
    'readReadiness',
    'readGate',
    'listAxisRows',
    'listHistory',
    'listWaivers',
    'readPortfolio',
  ];
  const OWNERS: readonly string[] = ['waiveReason', 'withdrawWaiver', 'setTestRunAside', 'restoreTestRun'];
  const DEPLOYS: readonly string[] = ['recordDeployment', 'importDeployments', 'finishDeployment'];
  const RUNS: readonly string[] = ['recordTestRun', 'importTestRuns'];
  const expected = (read: string, deploys: string, runs: string, owners: string): Record<string, string> =>
    Object.fromEntries([
      ...READS.map((id) => [id, read]),
      ...DEPLOYS.map((id) => [id, deploys]),
      ...RUNS.map((id) => [id, runs]),
      ...OWNERS.map((id) => [id, owners]),
    ]);

  it('turns away callers without a credential and unknown keys', async () => {
    const { service } = stage();
    const turnedAway = expected('unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated');
    expect(await outcomes(service.anonymous)).to.deep.equal(turnedAway);
    expect(await outcomes(service.withKey('swk_nonsense'))).to.deep.equal(turnedAway);
  });

  const KEYS: readonly (readonly [Scope, readonly [string, string, string]])[] = [
    ['read', ['ok', 'missing-scope', 'missing-scope']],
    ['deployments:write', ['missing-scope', 'ok', 'missing-scope']],
    ['test-runs:write', ['missing-scope', 'missing-scope', 'ok']],
  ];
  for (const [scope, [read, deploys, runs]] of KEYS)
    it(`lets a key of scope ${scope} do that and no more`, async () => {
      const { service, world, ada } = stage();
      const key = await world.key(ada, { scopes: [scope] });
      expect(await outcomes(service.withKey(key))).to.deep.equal(expected(read, deploys, runs, 'session-only'));
    });

  const PEOPLE: readonly (readonly [Role, readonly [string, string, string]])[] = [
    ['viewer', ['ok', 'forbidden', 'forbidden']],
    ['member', ['ok', 'ok', 'forbidden']],
  ];
  for (const [role, [read, write, owners]] of PEOPLE)
    it(`lets a ${role} do what the role allows`, async () => {
      const { service, world, team } = stage();
      const person = await world.person(role);
      await world.member(team, person, role);
      const found = await outcomes(service.signedIn(person));
      // Each record of a batch is judged by itself.
      expect(found).to.deep.equal({ ...expected(read, write, write, owners), importDeployments: 'ok' });
    });

  it('lets the owner do everything', async () => {
    expect(await outcomes(stage().browser)).to.deep.equal(expected('ok', 'ok', 'ok', 'ok'));
  });

  it('shows a stranger nothing but an empty portfolio, for any data', async () => {
    const { service, world } = stage();
    const eve = await world.person('Eve');
    const stranger = expected('not-found', 'not-found', 'not-found', 'not-found');
    expect(await outcomes(service.signedIn(eve))).to.deep.equal({
      ...stranger,
      recordDeployment: 'unknown-app-name',
      importDeployments: 'ok',
      readPortfolio: 'ok',
    });
  });

  it('refuses each record of a batch that a viewer sends', async () => {
    const { service, world, team } = stage();
    const person = await world.person('Vera');
    await world.member(team, person, 'viewer');
    const { body } = await service.signedIn(person).ok('importDeployments', { rawBody: JSON.stringify([FINISHED]) });
    const types: readonly string[] = body.data.map((line) => ('problem' in line ? line.problem.type : ''));
    expect(types).to.deep.equal(['/api/docs/problems/forbidden' satisfies `/api/docs/problems/${ProblemType}`]);
  });
});
