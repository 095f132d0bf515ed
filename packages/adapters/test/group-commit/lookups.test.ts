import { lookups } from '@shipworthy/adapters/group-commit';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { NOON, sampleId } from '../contract/sample-records.js';
import { storedActiveRelease, storedDeployment } from '../contract/sample-world.js';

describe('lookups', () => {
  it('answer one at a time what the stores answer for many', async () => {
    const stores = memoryStores();
    const { project, release } = await storedActiveRelease(stores);
    const deployment = await storedDeployment(stores, project.id);
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
});
