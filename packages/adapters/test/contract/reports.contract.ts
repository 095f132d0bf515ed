import type { Deployment, Stores } from '@shipworthy/domain';
import type { ReportEntry, ReportOutcome } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { HOUR, NOON, sampleDeployment, sampleHash, sampleId, sampleTestRun, unique } from './sample-records.js';
import { inputsOf, revisionOf, storedActiveRelease, storedProject, storedRelease } from './sample-world.js';

const deployed = (deployment: Deployment) =>
  ({ kind: 'deployment', deployment, remember: null }) as const satisfies ReportEntry;

const results = (outcomes: readonly ReportOutcome[]) => outcomes.map(({ result }) => result);

const present = async (stores: Stores, deployments: readonly Deployment[]) => {
  const found = await stores.deployments.byIds(deployments.map(({ id }) => id));
  return found.map((deployment) => deployment !== undefined);
};

/** ReportStore: batches, broken entries, closed releases and external ids. */
export const reportsContract = (opened: Opened): void => {
  describe('reports', () => {
    it('of all kinds are stored together, outcomes in the order of the entries', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { project: other } = await storedActiveRelease(stores);
      const [one, two] = [sampleDeployment(project.id), sampleDeployment(other.id, { status: 'failure' })];
      const testRun = sampleTestRun(release);
      const outcomes = await stores.reports.record([
        deployed(one),
        { kind: 'test_run', testRun, remember: null },
        { kind: 'finish', deploymentId: sampleId(), status: 'success', finishedAt: NOON, at: NOON, durationSeconds: 1 },
        deployed(two),
      ]);
      expect(results(outcomes)).to.deep.equal(['created', 'created', 'not_found', 'created']);
      expect(await again.deployments.byIds([two.id, one.id])).to.deep.equal([two, one]);
      expect(await again.testRuns.byId(testRun.id)).to.deep.equal(testRun);
      const { facts } = await inputsOf(again, release.id);
      expect(facts.stability).to.deep.equal({ succeeded: 0, failed: 0, inProgress: 1 });
      expect(facts.verification?.passed).to.equal(testRun.passed);
      expect(await again.deployments.recount()).to.deep.equal([]);
      expect(await stores.reports.record([])).to.deep.equal([]);
    });

    it('that alone are bad fail alone', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const [good, late] = [sampleDeployment(project.id), sampleDeployment(project.id)];
      const orphan = sampleDeployment(sampleId());
      const lostRun = sampleTestRun({ id: sampleId(), projectId: project.id });
      const run = sampleTestRun(release);
      const outcomes = await stores.reports.record([
        deployed(good),
        deployed(orphan),
        { kind: 'test_run', testRun: lostRun, remember: null },
        deployed({ ...good, environment: 'a second record of the same id' }),
        { kind: 'test_run', testRun: run, remember: null },
        deployed(late),
      ]);
      expect(results(outcomes)).to.deep.equal(['created', 'not_found', 'not_found', 'failed', 'created', 'created']);
      for (const outcome of outcomes) if (outcome.result === 'failed') expect(outcome.error).to.be.instanceOf(Error);
      expect(await again.deployments.byIds([good.id, orphan.id, late.id])).to.deep.equal([good, undefined, late]);
      expect(await again.testRuns.byId(lostRun.id)).to.equal(undefined);
      expect((await inputsOf(again, release.id)).facts.stability.inProgress).to.equal(2);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('of test runs are refused once the release is shipped or canceled', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const shipped = await storedRelease(stores, project.id, { state: 'shipped', startsAt: 1, shippedAt: NOON });
      const canceled = await storedRelease(stores, project.id, { state: 'canceled', canceledAt: NOON });
      const planned = await storedRelease(stores, project.id);
      const before = [await revisionOf(again, shipped.id), await revisionOf(again, canceled.id)];
      const runs = [shipped, release, canceled, planned].map((target) => sampleTestRun(target));
      const entries = runs.map((testRun): ReportEntry => ({ kind: 'test_run', testRun, remember: null }));
      expect(await stores.reports.record(entries)).to.deep.equal([
        { result: 'release_closed', releaseId: shipped.id },
        { result: 'created' },
        { result: 'release_closed', releaseId: canceled.id },
        { result: 'created' },
      ]);
      const found = await Promise.all(runs.map(({ id }) => again.testRuns.byId(id)));
      expect(found.map((run) => run !== undefined)).to.deep.equal([false, true, false, true]);
      expect([await revisionOf(again, shipped.id), await revisionOf(again, canceled.id)]).to.deep.equal(before);
    });

    it('are marked as late where other releases hold a deployment’s start than its receipt names', async () => {
      const { stores } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const arriving = (releaseIds: readonly string[], named = false): ReportEntry => {
        const external = named ? { id: unique('run'), fingerprint: sampleHash() } : null;
        return { ...deployed(sampleDeployment(project.id, { external })), isArrivalTime: true, releaseIds };
      };
      for (const named of [false, true]) {
        const entries = [arriving([release.id], named), arriving([], named), arriving([sampleId()], named)];
        expect(await stores.reports.record(entries)).to.deep.equal([
          { result: 'created' },
          { result: 'created', late: true },
          { result: 'created', late: true },
        ]);
      }
    });

    it('that arrive before a release ships and are stored afterwards have arrived when it shipped', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const shipped = { state: 'shipped', startsAt: NOON - HOUR, shippedAt: NOON + HOUR } as const;
      const release = await storedRelease(stores, project.id, shipped);
      const external = { id: unique('run'), fingerprint: sampleHash() };
      const [plain, ended, named, past, begun] = [
        sampleDeployment(project.id),
        sampleDeployment(project.id, { status: 'success' }),
        sampleDeployment(project.id, { external }),
        sampleDeployment(project.id, { status: 'success' }),
        sampleDeployment(project.id),
      ];
      const moved = { createdAt: NOON + HOUR };
      for (const deployment of [plain, ended, named])
        expect(await stores.reports.record([{ ...deployed(deployment), isArrivalTime: true }])).to.deep.equal([
          { result: 'created', late: true },
        ]);
      expect(await stores.reports.record([deployed(past), deployed(begun)])).to.deep.equal([
        { result: 'created' },
        { result: 'created' },
      ]);
      const end = { status: 'failure', finishedAt: NOON + 1, at: NOON + 1, durationSeconds: null } as const;
      const finished = { ...begun, status: 'failure', finishedAt: NOON + HOUR } as const;
      const outcomes = await stores.reports.record([
        { kind: 'finish', deploymentId: begun.id, ...end, isArrivalTime: true },
        { kind: 'finish', deploymentId: plain.id, ...end },
      ]);
      expect(outcomes[0]).to.deep.equal({ result: 'finished', deployment: finished, late: true });
      expect(outcomes[1]).not.to.have.property('late');
      const all = [plain, ended, named, past, begun].map(({ id }) => id);
      expect(await again.deployments.byIds(all)).to.deep.equal([
        { ...plain, ...moved, status: 'failure', finishedAt: NOON + 1 },
        { ...ended, ...moved },
        { ...named, ...moved },
        past,
        finished,
      ]);
      expect((await inputsOf(again, release.id)).revision.changedAt).to.be.at.least(NOON + HOUR);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('by the hundred are all there once, and counted', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const batch = () => Array.from({ length: 100 }, () => sampleDeployment(project.id, { status: 'success' }));
      const batches = [batch(), batch(), batch()];
      const outcomes = await Promise.all(
        batches.map((deployments) => stores.reports.record(deployments.map(deployed))),
      );
      expect(new Set(outcomes.flatMap(results))).to.deep.equal(new Set(['created']));
      expect(await present(again, batches.flat())).to.deep.equal(Array(300).fill(true));
      expect((await inputsOf(again, release.id)).facts.stability.succeeded).to.equal(300);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });
  });

  describe('external ids of reports', () => {
    it('tell a repeat from a contradiction, across batches and within one', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const external = { id: unique("run 'x' 100%"), fingerprint: sampleHash() };
      const contradiction = { ...external, fingerprint: sampleHash() };
      const make = (own: typeof external) => sampleDeployment(project.id, { external: own });
      const [first, repeat, other] = [make(external), make(external), make(contradiction)];
      const expected = [
        { result: 'created' },
        { result: 'duplicate', id: first.id },
        { result: 'external_id_conflict', id: first.id },
      ];
      expect(await stores.reports.record([first, repeat, other].map(deployed))).to.deep.equal(expected);
      const revision = await revisionOf(again, release.id);
      const second = [make(external), make(contradiction)].map(deployed);
      expect(await stores.reports.record(second)).to.deep.equal(expected.slice(1));
      expect(await present(again, [first, repeat, other])).to.deep.equal([true, false, false]);
      expect((await inputsOf(again, release.id)).facts.stability.inProgress).to.equal(1);
      expect(await revisionOf(again, release.id)).to.equal(revision);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('of what must be known tell a repeat and a contradiction, and anything new is not stored', async () => {
      const { stores, again } = opened();
      const { project } = await storedActiveRelease(stores);
      const external = { id: unique('run'), fingerprint: sampleHash() };
      const other = { id: unique('run'), fingerprint: sampleHash() };
      const first = sampleDeployment(project.id, { external });
      const known = (own: typeof external | null) => sampleDeployment(project.id, { external: own });
      const [repeat, contradiction, unknown, unnamed, made] = [
        known(external),
        known({ ...external, fingerprint: sampleHash() }),
        known(other),
        known(null),
        known(other),
      ];
      const mustBeKnown = (deployment: Deployment) => ({ ...deployed(deployment), mustBeKnown: true });
      const outcomes = await stores.reports.record([
        mustBeKnown(unknown),
        deployed(first),
        ...[repeat, contradiction, unnamed].map(mustBeKnown),
        deployed(made),
      ]);
      expect(outcomes).to.deep.equal([
        { result: 'not_found' },
        { result: 'created' },
        { result: 'duplicate', id: first.id },
        { result: 'external_id_conflict', id: first.id },
        { result: 'not_found' },
        { result: 'created' },
      ]);
      const asked = await present(again, [first, made, repeat, contradiction, unknown, unnamed]);
      expect(asked).to.deep.equal([true, true, false, false, false, false]);
      expect(await stores.reports.record([mustBeKnown(known(null))])).to.deep.equal([{ result: 'not_found' }]);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('are unique per project and kind of record', async () => {
      const { stores } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { project: elsewhere } = await storedProject(stores);
      const external = { id: unique('run'), fingerprint: sampleHash() };
      const testRun = sampleTestRun(release, { external });
      const outcomes = await stores.reports.record([
        deployed(sampleDeployment(project.id, { external })),
        { kind: 'test_run', testRun, remember: null },
        deployed(sampleDeployment(elsewhere.id, { external })),
        { kind: 'test_run', testRun: sampleTestRun(release, { external }), remember: null },
      ]);
      expect(outcomes.map((outcome) => ('id' in outcome ? outcome.id : outcome.result))).to.deep.equal([
        'created',
        'created',
        'created',
        testRun.id,
      ]);
    });

    it('tell a repeat of a test run even after its release closed, or without a release', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const external = { id: unique('run'), fingerprint: sampleHash() };
      const testRun = sampleTestRun(release, { external });
      await stores.reports.record([{ kind: 'test_run', testRun, remember: null }]);
      await stores.releases.replace({ ...release, state: 'shipped', shippedAt: NOON, version: 2 }, NOON);
      const repeat = sampleTestRun(release, { external });
      const outcomes = await stores.reports.record([{ kind: 'test_run', testRun: repeat, remember: null }]);
      expect(outcomes).to.deep.equal([{ result: 'duplicate', id: testRun.id }]);
      expect(await again.testRuns.byId(repeat.id)).to.equal(undefined);
      const nowhere = { id: sampleId(), projectId: release.projectId };
      const other = { ...external, fingerprint: sampleHash() };
      const unknown = { ...external, id: unique('run') };
      const ofNoRelease = [external, other, unknown].map((own) => sampleTestRun(nowhere, { external: own }));
      const entries = ofNoRelease.map((run): ReportEntry => ({ kind: 'test_run', testRun: run, remember: null }));
      expect(await stores.reports.record(entries)).to.deep.equal([
        { result: 'duplicate', id: testRun.id },
        { result: 'external_id_conflict', id: testRun.id },
        { result: 'not_found' },
      ]);
    });

    it('let one of many at once through', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const external = { id: unique('run'), fingerprint: sampleHash() };
      const deployments = Array.from({ length: 6 }, () => sampleDeployment(project.id, { external }));
      const outcomes = (await Promise.all(deployments.map((each) => stores.reports.record([deployed(each)])))).flat();
      const winner = deployments[outcomes.findIndex(({ result }) => result === 'created')];
      const expected = deployments.map(({ id }) =>
        id === winner?.id ? { result: 'created' } : { result: 'duplicate', id: winner?.id },
      );
      expect(outcomes).to.deep.equal(expected);
      expect((await inputsOf(again, release.id)).facts.stability.inProgress).to.equal(1);
    });
  });
};
