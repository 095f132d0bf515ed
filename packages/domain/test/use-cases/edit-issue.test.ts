import { expect } from 'chai';
import { addIssue } from '../../src/use-cases/add-issue.js';
import { type EditIssue, editIssue } from '../../src/use-cases/edit-issue.js';
import { editRelease } from '../../src/use-cases/edit-release.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { unlinkRepository } from '../../src/use-cases/unlink-repository.js';
import { refused } from '../refusal.js';
import { SHOP } from './forge.js';
import { linkedScene } from './host-scene.js';
import { type ProjectScene, planned, type ReleaseScene, releaseScene } from './scene.js';
import { actions } from './world.js';

const withIssue = async () => {
  const here = await releaseScene();
  const given = { title: 'Pay', type: 'bug', state: 'todo', severity: null, url: null } as const;
  const issue = await addIssue(here)({
    by: here.member,
    ...here.there,
    issue: { ...given, releaseId: here.release.id },
  });
  return { ...here, issue };
};
const FREE = { title: 'Free', type: 'task', state: 'todo', severity: null, url: null, releaseId: null } as const;
const edit = (here: ProjectScene, issueId: string, change: EditIssue['edit'], version: number | null = null) =>
  editIssue(here)({ by: here.member, ...here.there, issueId, edit: change, version });
const scope = async (here: ReleaseScene, releaseId = here.release.id) =>
  (await here.stores.facts.factsFor([releaseId]))[0]?.facts.scope;

describe('Editing an issue', () => {
  it('changes what is given, moves the score, and is noted', async () => {
    const here = await withIssue();
    here.time.now += 7;
    const next = await edit(here, here.issue.id, { state: 'done' }, 1);
    expect(next).to.deep.equal({ ...here.issue, state: 'done', version: 2, updatedAt: here.time.now });
    expect(await scope(here)).to.deep.equal({ done: 1, total: 1 });
    expect(await actions(here, here.teamId)).to.include('issue.edit');
  });
  it('moves between releases', async () => {
    const here = await withIssue();
    const other = await planned(here, '2.0');
    await edit(here, here.issue.id, { releaseId: other.id });
    expect(await scope(here)).to.deep.equal({ done: 0, total: 0 });
    expect(await scope(here, other.id)).to.deep.equal({ done: 0, total: 1 });
  });
  it('refuses an older version with the newer state', async () => {
    const here = await withIssue();
    const current = await edit(here, here.issue.id, { title: 'Pay later' }, 1);
    const error = await refused(edit(here, here.issue.id, { title: 'Pay now' }, 1), 'version-mismatch');
    expect(error.details).to.deep.equal({ current });
  });
  it('neither leaves nor joins a closed release, but may still be worked on', async () => {
    const here = await withIssue();
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
    await refused(edit(here, here.issue.id, { releaseId: null }), 'release-closed');
    expect((await edit(here, here.issue.id, { state: 'done' })).state).to.equal('done');
    const { id } = await addIssue(here)({ by: here.member, ...here.there, issue: FREE });
    await refused(edit(here, id, { releaseId: here.release.id }), 'release-closed');
  });
  it('does not reach other projects, and is for members', async () => {
    const here = await withIssue();
    await refused(edit(here, 'nothing', {}), 'not-found');
    const change = { ...here.there, issueId: here.issue.id, edit: {}, version: null };
    await refused(editIssue(here)({ by: here.viewer, ...change }), 'forbidden');
  });
});

describe('Editing an imported issue', () => {
  const imported = async () => {
    const here = await linkedScene();
    const issue = await addIssue(here)({ by: here.member, ...here.there, issue: FREE });
    const kept = { ...issue, externalId: 'forge:I_1', url: `${SHOP.url}/issues/1`, version: 2 };
    await here.stores.issues.replace(kept, []);
    return { ...here, issue: kept };
  };
  it('is refused with its address at the host while the project is linked, its release too', async () => {
    const here = await imported();
    const { id: releaseId } = await planned(here, '1.0');
    for (const change of [{ title: 'Other' }, { state: 'done' }, { releaseId }] as const) {
      const error = await refused(edit(here, here.issue.id, change), 'kept-by-host');
      expect(error.details).to.deep.equal({ url: here.issue.url });
    }
    expect(await here.stores.issues.byId(here.issue.id)).to.deep.equal(here.issue);
  });
  it('names the repository when the issue has no address', async () => {
    const here = await imported();
    await here.stores.issues.replace({ ...here.issue, url: null, version: 3 }, []);
    const error = await refused(edit(here, here.issue.id, { title: 'Other' }), 'kept-by-host');
    expect(error.details).to.deep.equal({ url: SHOP.url });
  });
  it('is free once the project is unlinked, and always for issues added here', async () => {
    const here = await imported();
    const own = await addIssue(here)({ by: here.member, ...here.there, issue: FREE });
    expect((await edit(here, own.id, { title: 'Mine' })).title).to.equal('Mine');
    await unlinkRepository(here)({ by: here.owner, ...here.there });
    expect(await edit(here, here.issue.id, { title: 'Mine' })).to.include({ title: 'Mine', externalId: 'forge:I_1' });
  });
  it('leaves the release of a milestone to be renamed', async () => {
    const here = await imported();
    const release = await planned(here, '1.0');
    const next = { ...release, externalId: 'forge:M_1', version: 2 };
    await here.stores.releases.replace(next, here.time.now);
    const renamed = { releaseId: release.id, edit: { name: 'One' }, version: null };
    expect(await editRelease(here)({ by: here.member, ...here.there, ...renamed })).to.include({ name: 'One' });
  });
});
