import { expect } from 'chai';
import { activateRelease, shipRelease } from '../../../src/use-cases/release.js';
import { hostIssueOf } from '../../repository/host-issue-of.js';
import { milestoneOf } from '../../repository/host-records-of.js';
import { type ImportScene, importScene, issueNamed, linkingTo, releaseOfMilestone } from '../import-scene.js';
import { planned } from '../scene.js';
import { MINUTE } from '../world.js';

const names = async ({ stores, project }: ImportScene) =>
  (await stores.releases.page({ projectId: project.id }, { limit: 200, after: null })).rows
    .map(({ name }) => name)
    .sort();

const again = async (here: ImportScene): Promise<void> => {
  here.time.now += 5 * MINUTE;
  await here.settle();
};

describe('Importing milestones', () => {
  it('plans a release with its first checklist for each open one', async () => {
    const here = await importScene();
    here.model.milestones = [milestoneOf(), milestoneOf({ id: 'M2', number: 4, title: '0.9', state: 'closed' })];
    await here.settle();
    expect(await names(here)).to.deep.equal(['1.0']);
    const release = await releaseOfMilestone(here, 'M1');
    expect(release).to.include({ state: 'planned', targetAt: 5_000, startsAt: null, version: 1 });
    expect(await here.stores.checklists.ofRelease(release?.id ?? '')).to.have.length(3);
  });
  it('adopts a release of that name instead of making a second one', async () => {
    const here = await importScene();
    const { id } = await planned(here, '1.0', 77);
    here.model.milestones = [milestoneOf()];
    await here.settle();
    expect(await names(here)).to.deep.equal(['1.0']);
    expect(await releaseOfMilestone(here, 'M1')).to.include({ id, startsAt: 77, targetAt: 5_000, version: 2 });
  });
  it('follows names and due dates, closing ships nothing', async () => {
    const here = await importScene();
    here.model.milestones = [milestoneOf()];
    await here.settle();
    here.model.milestones = [milestoneOf({ title: '1.1', dueAt: null, state: 'closed' })];
    await again(here);
    expect(await releaseOfMilestone(here, 'M1')).to.include({ name: '1.1', targetAt: 5_000, state: 'planned' });
  });
  it('gives the names away that milestones left to each other, however they come', async () => {
    const here = await importScene();
    here.model.pageSize = 1;
    here.model.milestones = [milestoneOf({ id: 'M5' })];
    await here.settle();
    here.model.milestones = [milestoneOf({ id: 'M1' }), milestoneOf({ id: 'M5', title: '2.0' })];
    await again(here);
    await again(here);
    expect(await releaseOfMilestone(here, 'M1')).to.include({ name: '1.0' });
    expect(await releaseOfMilestone(here, 'M5')).to.include({ name: '2.0' });
    here.model.pageSize = 100;
    here.model.milestones = [...here.model.milestones, milestoneOf({ id: 'M0', title: '2.0' })].map((one) =>
      one.id === 'M5' ? { ...one, title: '3.0' } : one,
    );
    await again(here);
    expect(await names(here)).to.deep.equal(['1.0', '2.0', '3.0']);
  });
  it('follows titles that milestones swapped, in a ring of any size, beside one that waits in vain', async () => {
    const here = await importScene();
    const titled = (titles: readonly string[]) =>
      titles.map((title, index) => milestoneOf({ id: `M${index + 1}`, number: index + 1, title }));
    const named = () =>
      Promise.all([1, 2, 3, 4].map(async (number) => (await releaseOfMilestone(here, `M${number}`))?.name));
    here.model.milestones = titled(['1', '2', '3', '4']);
    await here.settle();
    for (const titles of [
      ['2', '1', '4', '3'],
      ['1', '4', '2', '3'],
      ['4', '1', '3', '2'],
    ]) {
      here.model.milestones = titled(titles);
      await again(here);
      expect(await named()).to.deep.equal(titles);
    }
    here.model.milestones = titled(['1', '4', '3', '3']);
    await again(here);
    expect(await named()).to.deep.equal(['1', '4', '3', '2']);
  });
  it('follows a rename at last when the name becomes free after it', async () => {
    const here = await importScene();
    here.model.milestones = [milestoneOf({ title: '1.0' }), milestoneOf({ id: 'M2', title: '1.1' })];
    await here.settle();
    here.model.milestones = [milestoneOf({ title: '1.1', dueAt: 1 }), milestoneOf({ id: 'M2', title: '1.2' })];
    await again(here);
    await again(here);
    expect(await releaseOfMilestone(here, 'M1')).to.include({ name: '1.1', targetAt: 1 });
    expect(await releaseOfMilestone(here, 'M2')).to.include({ name: '1.2' });
    here.model.requests.length = 0;
    await again(here);
    expect(here.model.requests).to.include('milestones=');
  });
  it('leaves a shipped release as it is', async () => {
    const here = await importScene();
    here.model.milestones = [milestoneOf()];
    await here.settle();
    const { id: releaseId } = (await releaseOfMilestone(here, 'M1')) ?? { id: '' };
    await activateRelease(here, { by: here.member, ...here.there, releaseId, current: null });
    await shipRelease(here, { by: here.member, ...here.there, releaseId, note: null });
    const shipped = await releaseOfMilestone(here, 'M1');
    here.model.milestones = [milestoneOf({ title: '1.1', dueAt: 9 })];
    await again(here);
    expect(await releaseOfMilestone(here, 'M1')).to.deep.equal(shipped);
    expect(await names(here)).to.deep.equal(['1.0']);
  });
  it('brings issues into a release that is made after they were read', async () => {
    const here = await importScene();
    here.model.milestones = [milestoneOf({ state: 'closed' })];
    here.model.issues = [hostIssueOf({ milestoneId: 'M1' })];
    await here.settle();
    expect((await issueNamed(here, 'I1'))?.releaseId).to.equal(null);
    here.model.milestones = [milestoneOf()];
    await again(here);
    expect((await issueNamed(here, 'I1'))?.releaseId).to.equal((await releaseOfMilestone(here, 'M1'))?.id);
  });
  it('lets a release go whose milestone is not chosen any more, and its issues leave it', async () => {
    const here = await importScene();
    here.model.milestones = [milestoneOf(), milestoneOf({ id: 'M2', number: 4, title: '2.0' })];
    here.model.issues = [hostIssueOf({ milestoneId: 'M1' }), hostIssueOf({ id: 'I2', milestoneId: 'M2' })];
    await here.settle();
    const first = await releaseOfMilestone(here, 'M1');
    await linkingTo(here, here.model, here.project.id, here.owner.principal.userId, { milestones: [4] });
    await here.settle();
    expect(await here.stores.releases.byId(first?.id ?? '')).to.include({ externalId: null, name: '1.0' });
    expect((await issueNamed(here, 'I1'))?.releaseId).to.equal(null);
    expect((await issueNamed(here, 'I2'))?.releaseId).to.equal((await releaseOfMilestone(here, 'M2'))?.id);
  });
  it('is left out when none is to become a release, and issues belong to none then', async () => {
    const here = await importScene({ milestones: 'none' });
    here.model.milestones = [milestoneOf()];
    here.model.issues = [hostIssueOf({ milestoneId: 'M1' })];
    await here.settle();
    expect(here.model.requests).not.to.include('milestones');
    expect(await names(here)).to.deep.equal([]);
    expect(await issueNamed(here, 'I1')).to.include({ releaseId: null, title: 'Pay by card' });
  });
});
