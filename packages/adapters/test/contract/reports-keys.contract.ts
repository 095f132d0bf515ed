import { type Deployment, deploymentView, type Remembered } from '@shipworthy/domain';
import type { ReportEntry, ReportOutcome } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleRequest } from './sample-access.js';
import { HOUR, NOON, sampleDeployment, sampleHash, sampleId, sampleTestRun, unique } from './sample-records.js';
import { inputsOf, storedActiveRelease, storedProject, storedRelease } from './sample-world.js';

const replyTo = (record: { readonly id: string }) => ({ status: 201, location: null, body: `{"id":"${record.id}"}` });

const entry = (deployment: Deployment, request: Remembered['request']): ReportEntry => ({
  kind: 'deployment',
  deployment,
  remember: { request, reply: replyTo(deployment) },
});

/** ReportStore: idempotency keys that travel with the records. */
export const reportKeysContract = (opened: Opened): void => {
  describe('idempotency keys of reports', () => {
    it('replay the first answer, across batches and within one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const request = sampleRequest();
      const [first, second, third] = [1, 2, 3].map(() => sampleDeployment(project.id));
      if (first === undefined || second === undefined || third === undefined) throw new Error('three expected');
      const replayed = { result: 'replayed', reply: replyTo(first) };
      const outcomes = await stores.reports.record([entry(first, request), entry(second, request)]);
      expect(outcomes).to.deep.equal([{ result: 'created' }, replayed]);
      expect(await stores.reports.record([entry(third, request)])).to.deep.equal([replayed]);
      expect(await again.deployments.byIds([first.id, second.id, third.id])).to.deep.equal([
        first,
        undefined,
        undefined,
      ]);
      expect((await inputsOf(again, release.id)).facts.stability.inProgress).to.equal(1);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('refuse another body, across batches and within one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const request = sampleRequest();
      const reused = () => ({ ...request, fingerprint: sampleHash() });
      const [first, second] = [sampleDeployment(project.id), sampleDeployment(project.id)];
      const testRun = sampleTestRun(release);
      const outcomes = await stores.reports.record([
        entry(first, request),
        entry(second, reused()),
        { kind: 'test_run', testRun, remember: { request: reused(), reply: replyTo(testRun) } },
      ]);
      expect(outcomes).to.deep.equal([{ result: 'created' }, { result: 'key_reused' }, { result: 'key_reused' }]);
      const late = entry(sampleDeployment(project.id), reused());
      expect(await stores.reports.record([late])).to.deep.equal([{ result: 'key_reused' }]);
      expect(await again.deployments.byIds([second.id])).to.deep.equal([undefined]);
      expect(await again.testRuns.byId(testRun.id)).to.equal(undefined);
    });

    it('replay what a late deployment was answered with, not the receipt that was made before', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const shipped = { state: 'shipped', startsAt: NOON - HOUR, shippedAt: NOON + HOUR } as const;
      const release = await storedRelease(stores, project.id, shipped);
      for (const external of [null, { id: unique('run'), fingerprint: sampleHash() }]) {
        const plain = external === null ? null : { ...external, id: unique('run') };
        const late = sampleDeployment(project.id, { status: 'success', external });
        const misread = sampleDeployment(project.id, { startedAt: NOON - 2 * HOUR, external: plain });
        const entries = [late, misread].map((deployment) => ({
          ...entry(deployment, sampleRequest()),
          ...{ isArrivalTime: true, releaseIds: [release.id] },
          replyIfLate: (view: object) => ({ status: 200, location: '/late', body: JSON.stringify(view) }),
        }));
        const at = { project, environments: null, releases: [] };
        const { id, name, startsAt, shippedAt } = { ...release, ...shipped };
        const windows = [{ id, name, startsAt, endsAt: shippedAt, shippedAt }];
        const views = [
          deploymentView({ ...late, createdAt: shipped.shippedAt }, { ...at, releases: windows }),
          deploymentView(misread, at),
        ];
        expect(await stores.reports.record(entries)).to.deep.equal(
          views.map((view): ReportOutcome => ({ result: 'created', late: true, view })),
        );
        expect(views[0]?.attribution.releases[0]?.reason).to.equal('release_frozen');
        expect(await stores.reports.record(entries)).to.deep.equal(
          views.map((view) => ({
            result: 'replayed',
            reply: { status: 200, location: '/late', body: JSON.stringify(view) },
          })),
        );
        expect(await again.deployments.byIds([late.id, misread.id])).to.deep.equal(
          views.map(({ deployment }) => deployment),
        );
      }
    });

    it('are looked at before external ids', async () => {
      const { stores } = opened();
      const { project } = await storedActiveRelease(stores);
      const external = { id: unique('run'), fingerprint: sampleHash() };
      const [first, second] = [1, 2].map(() => sampleDeployment(project.id, { external }));
      if (first === undefined || second === undefined) throw new Error('two expected');
      const request = sampleRequest();
      await stores.reports.record([entry(first, request)]);
      expect(await stores.reports.record([entry(second, request)])).to.deep.equal([
        { result: 'replayed', reply: replyTo(first) },
      ]);
      expect(await stores.reports.record([entry(second, sampleRequest())])).to.deep.equal([
        { result: 'duplicate', id: first.id },
      ]);
    });

    it('are not remembered for what was not stored', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const closed = await storedRelease(stores, project.id, { state: 'canceled', canceledAt: NOON });
      const requests = [sampleRequest(), sampleRequest(), sampleRequest()] as const;
      const orphan = sampleDeployment(sampleId());
      const tooLate = sampleTestRun(closed);
      const remember = { request: requests[1], reply: replyTo(tooLate) };
      const run: ReportEntry = { kind: 'test_run', testRun: tooLate, remember };
      const outcomes = await stores.reports.record([entry(orphan, requests[0]), run, run]);
      expect(outcomes.map(({ result }) => result)).to.deep.equal(['not_found', 'release_closed', 'release_closed']);
      const good = sampleDeployment(project.id);
      const testRun = sampleTestRun(release);
      const second = await stores.reports.record([
        entry(good, requests[0]),
        { kind: 'test_run', testRun, remember: { request: requests[1], reply: replyTo(testRun) } },
      ]);
      expect(second).to.deep.equal([{ result: 'created' }, { result: 'created' }]);
      expect(await again.testRuns.byId(testRun.id)).to.deep.equal(testRun);
    });

    it('let one of many at once through', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const request = sampleRequest();
      const deployments = Array.from({ length: 6 }, () => sampleDeployment(project.id));
      const tries = deployments.map((deployment) => stores.reports.record([entry(deployment, request)]));
      const outcomes = (await Promise.all(tries)).flat();
      const winner = deployments[outcomes.findIndex(({ result }) => result === 'created')];
      if (winner === undefined) throw new Error('one was expected to be created');
      const replayed = { result: 'replayed', reply: replyTo(winner) };
      const expected = deployments.map(({ id }) => (id === winner.id ? { result: 'created' } : replayed));
      expect(outcomes).to.deep.equal(expected);
      expect((await inputsOf(again, release.id)).facts.stability.inProgress).to.equal(1);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });
  });
};
