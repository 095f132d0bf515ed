import { expect } from 'chai';
import type { DeploymentReport } from '../../src/deployment.js';
import { DomainError } from '../../src/errors.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import type { TestRunReport } from '../../src/test-run.js';
import { importDeployments, recordDeployment } from '../../src/use-cases/deployment.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { renameProject } from '../../src/use-cases/project.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { recordTestRun } from '../../src/use-cases/test-run.js';
import { refused } from '../refusal.js';
import { deploymentReport, testRunReport } from '../report/report-of.js';
import { type ReleaseScene, releaseScene } from './scene.js';

const asking = (here: ReleaseScene, fingerprint: string) => ({
  request: { caller: 'k1', operation: 'POST', key: 'key-1', fingerprint, at: here.time.now },
  reply: (view: object) => ({ status: 201, location: null, body: JSON.stringify(view) }),
});
const deploy = (here: ReleaseScene, external: { id: string; fingerprint: string } | null, fingerprint: string | null) =>
  recordDeployment(here, {
    principal: here.member.principal,
    needs: 'member',
    report: deploymentReport({ external }),
    remember: fingerprint === null ? null : asking(here, fingerprint),
  });
const run = (here: ReleaseScene, fingerprint: string | null, over: Partial<TestRunReport> = {}) =>
  recordTestRun(here, {
    principal: here.member.principal,
    needs: 'member',
    ...here.there,
    report: testRunReport(over),
    remember: fingerprint === null ? null : asking(here, fingerprint),
  });
const count = async ({ stores, project }: ReleaseScene) =>
  (await stores.deployments.page({ projectId: project.id }, { limit: 200, after: null })).rows.length;

describe('A repeated report', () => {
  it('with the same key is answered by the first answer, to the byte', async () => {
    const here = await releaseScene();
    const first = await deploy(here, null, 'a');
    here.time.now += 1_000;
    const again = await deploy(here, null, 'a');
    expect(first.outcome === 'created' && again.outcome === 'replayed' && again.reply.body).to.equal(
      JSON.stringify(first.outcome === 'created' && first.view),
    );
    expect(await count(here)).to.equal(1);
  });
  it('has the first answer again where its release shipped, or began anew, while it was on its way to the store', async () => {
    for (const waited of [5, 0]) {
      const here = await releaseScene();
      here.time.now += 60_000;
      const namedProject: typeof here.lookups.namedProject = async (lookup) => {
        const found = await here.lookups.namedProject(lookup);
        here.time.now += waited;
        await shipRelease(here, { by: here.member, ...here.at, note: null });
        return found;
      };
      const first = await deploy({ ...here, lookups: { ...here.lookups, namedProject } }, null, 'a');
      const again = await deploy(here, null, 'a');
      if (first.outcome !== 'created' || again.outcome !== 'replayed') throw new Error('the answers are others');
      expect(again.reply.body).to.equal(JSON.stringify(first.view));
      expect(first.view.attribution.releases.map(({ reason }) => reason)).to.deep.equal(
        waited === 0 ? [] : ['release_frozen'],
      );
    }
  });
  it('a hundred times at once has one effect', async () => {
    const here = await releaseScene();
    const all = await Promise.all(Array.from({ length: 100 }, () => deploy(here, null, 'a')));
    expect(all.filter((one) => one.outcome === 'created')).to.have.length(1);
    expect(all.filter((one) => one.outcome === 'replayed')).to.have.length(99);
    expect(await count(here)).to.equal(1);
  });
  it('has its first answer after its project was renamed, or its environment got a name that is refused', async () => {
    const here = await releaseScene();
    const spaced = deploymentReport({ environment: 'staging\u00a0eu' });
    const { policy } = (await here.stores.policies.current(here.project.id)) ?? { policy: DEFAULT_POLICY };
    const environmentsAre = (environments: readonly string[] | null, version: number) =>
      changePolicy(here, { by: here.owner, ...here.there, policy: { ...policy, environments }, version });
    await environmentsAre([spaced.environment], 1);
    const send = (report: DeploymentReport, key: string, fingerprint = 'a') => {
      const { request, reply } = asking(here, fingerprint);
      const { principal } = here.member;
      return recordDeployment(here, {
        principal,
        needs: 'member',
        report,
        remember: { request: { ...request, key }, reply },
      });
    };
    const sent = [deploymentReport(), deploymentReport({ projectId: here.project.id }), spaced];
    const replies = [];
    for (const [place, report] of sent.entries()) {
      const first = await send(report, `key-${place}`);
      replies.push({ outcome: 'replayed', reply: asking(here, 'a').reply('view' in first ? first.view : {}) });
    }
    await environmentsAre(null, 2);
    await refused(send(spaced, 'new key'), 'invalid');
    expect(await send(spaced, 'key-2')).to.deep.equal(replies[2]);
    await renameProject(here, { by: here.owner, ...here.there, name: 'Store', version: null });
    for (const [place, report] of sent.entries()) {
      expect(await send(report, `key-${place}`)).to.deep.equal(replies[place]);
      expect((await send(report, `key-${place}`, 'b')).outcome).to.equal('key_reused');
    }
    await refused(send(deploymentReport(), 'new key'), 'unknown-app-name');
    await refused(send(deploymentReport({ projectId: here.project.id }), 'new key'), 'app-name-mismatch');
    expect(await count(here)).to.equal(3);
    const { principal } = here.stranger;
    const { request, reply } = asking(here, 'a');
    const remember = { request: { ...request, key: 'key-0' }, reply };
    await refused(
      recordDeployment(here, { principal, needs: 'member', report: deploymentReport(), remember }),
      'unknown-app-name',
    );
  });
  it('with the same key and another body is told apart', async () => {
    const here = await releaseScene();
    await deploy(here, null, 'a');
    expect((await deploy(here, null, 'b')).outcome).to.equal('key_reused');
  });
  it('with a known external id and the same content is a duplicate of the first record', async () => {
    const here = await releaseScene();
    const first = await deploy(here, { id: 'e1', fingerprint: 'x' }, null);
    const again = await deploy(here, { id: 'e1', fingerprint: 'x' }, null);
    expect(again.outcome === 'duplicate' && first.outcome === 'created' && again.view).to.deep.equal(
      first.outcome === 'created' && first.view,
    );
    expect(await count(here)).to.equal(1);
  });
  it('with a known external id and other content is refused', async () => {
    const here = await releaseScene();
    await deploy(here, { id: 'e1', fingerprint: 'x' }, null);
    await refused(deploy(here, { id: 'e1', fingerprint: 'y' }, null), 'external-id-conflict');
  });
  it('without a start has its first answer when its end, ahead of the clock at first, lies before the clock', async () => {
    const here = await releaseScene();
    const finishedAt = here.time.now + 2_000;
    const send = (key: string | null, external: DeploymentReport['external'], over: Partial<DeploymentReport> = {}) => {
      const { request, reply } = asking(here, 'a');
      const report = deploymentReport({ finishedAt, external, ...over });
      const remember = key === null ? null : { request: { ...request, key }, reply };
      return recordDeployment(here, { principal: here.member.principal, needs: 'member', report, remember });
    };
    const named = { id: 'e1', fingerprint: 'x' };
    const [keyed, known] = [await send('key-1', null), await send(null, named)];
    if (keyed.outcome !== 'created' || known.outcome !== 'created') throw new Error('they are not new');
    here.time.now += 5_000;
    const reply = asking(here, 'a').reply(keyed.view);
    expect(await send('key-1', null)).to.deep.equal({ outcome: 'replayed', reply });
    expect(await send(null, named)).to.deep.equal({ outcome: 'duplicate', view: known.view });
    expect(await send('key-2', named)).to.deep.equal({ outcome: 'duplicate', view: known.view });
    await refused(send(null, { ...named, fingerprint: 'y' }), 'external-id-conflict');
    for (const fresh of [send(null, null), send('key-2', null), send(null, { ...named, id: 'e2' })])
      await refused(fresh, 'invalid');
    await refused(send('key-1', named, { durationSeconds: -1 }), 'invalid');
    await refused(send('key-1', named, { startedAt: here.time.now }), 'invalid');
    const records = [named, { ...named, fingerprint: 'y' }, { ...named, id: 'e2' }, null].map((external) =>
      deploymentReport({ finishedAt, external }),
    );
    const { principal } = here.member;
    const outcomes = await importDeployments(here, { principal, needs: 'member', records });
    expect(outcomes[0]).to.deep.equal({ result: 'duplicate', id: known.view.deployment.id });
    const refusals = outcomes.slice(1).map((one) => one.result === 'refused' && one.refusal.code);
    expect(refusals).to.deep.equal(['external-id-conflict', 'invalid', 'invalid']);
    expect(await count(here)).to.equal(2);
  });
  it('of a test run with the same key is answered by the first answer, and another body is told apart', async () => {
    const here = await releaseScene();
    const first = await run(here, 'a');
    const again = await run(here, 'a');
    expect(first.outcome === 'created' && again.outcome === 'replayed' && again.reply.body).to.equal(
      JSON.stringify(first.outcome === 'created' && first.view),
    );
    expect(await run(here, 'b')).to.deep.equal({ outcome: 'key_reused' });
  });
  it('of a test run is refused as unavailable while its key cannot be looked up, not as if it were new', async () => {
    const here = await releaseScene();
    const external = { id: 'e1', fingerprint: 'x' };
    await run(here, 'a', { external });
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const transaction = () => Promise.reject(new DomainError('unavailable', 'Try again.'));
    await refused(run({ ...here, stores: { ...here.stores, transaction } }, 'a', { external }), 'unavailable');
  });
  it('of a test run still has its first answer after the release shipped', async () => {
    const here = await releaseScene();
    const first = await run(here, 'a');
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    expect([first.outcome, (await run(here, 'a')).outcome]).to.deep.equal(['created', 'replayed']);
    expect((await run(here, 'b')).outcome).to.equal('key_reused');
    await refused(run(here, null), 'no-active-release');
  });
  it('of a test run with a known external id is a duplicate of the first record, or a contradiction', async () => {
    const here = await releaseScene();
    const first = await run(here, null, { external: { id: 'e1', fingerprint: 'x' } });
    const again = await run(here, null, { external: { id: 'e1', fingerprint: 'x' } });
    expect(again.outcome === 'duplicate' && first.outcome === 'created' && again.view).to.deep.equal(
      first.outcome === 'created' && first.view,
    );
    await refused(run(here, null, { external: { id: 'e1', fingerprint: 'y' } }), 'external-id-conflict');
  });
  it('of a test run with a known external id is one still after the release shipped', async () => {
    const here = await releaseScene();
    const over = { external: { id: 'e1', fingerprint: 'x' } };
    const first = await run(here, null, over);
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    for (const named of [over, { ...over, releaseId: here.release.id }]) {
      const again = await run(here, null, named);
      expect(again.outcome === 'duplicate' && again.view.testRun).to.deep.equal(
        first.outcome === 'created' && first.view.testRun,
      );
    }
    await refused(run(here, null, { external: { id: 'e1', fingerprint: 'y' } }), 'external-id-conflict');
    await refused(run(here, null, { external: { id: 'e2', fingerprint: 'x' } }), 'no-active-release');
  });
  it('with faults is refused for them, with any key', async () => {
    const here = await releaseScene();
    await run(here, 'a');
    await refused(run(here, 'a', { total: 0 }), 'invalid');
  });
  it('that was refused leaves its key free', async () => {
    const here = await releaseScene();
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(run(here, 'a'), 'no-active-release');
    expect((await deploy(here, null, 'other body')).outcome).to.equal('created');
  });
});
