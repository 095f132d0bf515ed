import { lookups } from '@shipworthy/adapters/group-commit';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { NOON, sampleId } from '../contract/sample-records.js';
import { dossierOf, storedActiveRelease, storedDeployment, storedTestRun } from '../contract/sample-world.js';

describe('lookups', () => {
  it('answer one at a time what the stores answer for many', async () => {
    const stores = memoryStores();
    const { project, release } = await storedActiveRelease(stores);
    const deployment = await storedDeployment(stores, project.id);
    const first = await storedTestRun(stores, release, { ranAt: NOON });
    const testRun = await storedTestRun(stores, release, { ranAt: NOON + 1 });
    const look = lookups(stores);
    const at = NOON;
    const target = { projectId: project.id, releaseId: null, suite: null };
    const [projectAt] = await stores.projects.at([{ projectId: project.id, at }]);
    expect(await look.projectAt({ projectId: project.id, at })).to.deep.equal(projectAt);
    expect(await look.namedProject({ name: project.name, at })).to.deep.equal([projectAt]);
    expect((await look.testRunTarget(target))?.release).to.deep.equal(release);
    expect(await look.deployment(deployment.id)).to.deep.equal(deployment);
    expect(await look.deployment(sampleId())).to.equal(undefined);
    expect(await look.revision(release.id)).to.deep.equal((await stores.facts.revisions([release.id]))[0]);
    expect(await look.testRun(testRun.id)).to.deep.equal(testRun);
    expect(await look.runBefore({ ...testRun, ofSuite: false })).to.deep.equal(first);
    expect(await look.dossier(release.id)).to.deep.equal(await dossierOf(stores, release.id));
    const active = await look.activeRevision(project.id);
    expect(active).to.deep.equal((await stores.facts.activeRevisions([project.id]))[0]);
    expect(active?.releaseId).to.equal(release.id);
  });

  it('that arrive together are one query', async () => {
    const stores = memoryStores();
    const asked: (readonly string[])[] = [];
    const deployments = {
      ...stores.deployments,
      byIds: (ids: readonly string[]) => {
        asked.push(ids);
        return stores.deployments.byIds(ids);
      },
    };
    const look = lookups({ ...stores, deployments });
    const ids = [sampleId(), sampleId(), sampleId()];
    await Promise.all(ids.map(look.deployment));
    expect(asked).to.deep.equal([ids]);
  });

  it('read the facts of a release once for all who ask for them together', async () => {
    const stores = memoryStores();
    const [one, two] = [await storedActiveRelease(stores), await storedActiveRelease(stores)];
    const asked: (readonly string[])[] = [];
    const factsFor = (ids: readonly string[]) => {
      asked.push(ids);
      return stores.facts.factsFor(ids);
    };
    const look = lookups({ ...stores, facts: { ...stores.facts, factsFor } });
    const unknown = sampleId();
    const ids = [one.release.id, unknown, two.release.id, one.release.id, unknown];
    const found = await Promise.all(ids.map(look.dossier));
    expect(asked).to.deep.equal([[one.release.id, unknown, two.release.id]]);
    const places = [one.release.id, undefined, two.release.id, one.release.id, undefined];
    expect(found.map((dossier) => dossier?.release.id)).to.deep.equal(places);
  });
});
