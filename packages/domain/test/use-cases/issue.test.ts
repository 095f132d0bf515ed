import { expect } from 'chai';
import type { Issue } from '../../src/issue.js';
import { addIssue, type EditIssue, editIssue } from '../../src/use-cases/issue.js';
import { editRelease, shipRelease } from '../../src/use-cases/release.js';
import { unlinkRepository } from '../../src/use-cases/repository-link.js';
import { pointers, refused } from '../refusal.js';
import { SHOP } from './forge.js';
import { linkedScene } from './host-scene.js';
import { type ProjectScene, planned, type ReleaseScene, releaseScene } from './scene.js';
import { actions, needing } from './world.js';

const given = { title: 'Pay', type: 'feature', state: 'todo', severity: null, url: null, releaseId: null } as const;
const add = (here: ReleaseScene, issue: Partial<Issue>) =>
  addIssue(here, { by: here.member, ...here.there, issue: { ...given, ...issue } });

describe('Adding an issue', () => {
  it('fills Scope and, for a bug, Quality', async () => {
    const here = await releaseScene();
    const releaseId = here.release.id;
    const issue = await add(here, { releaseId });
    expect(issue).to.deep.include({ ...given, releaseId, projectId: here.project.id, version: 1 });
    await add(here, { releaseId, type: 'bug', severity: 'critical' });
    await add(here, { releaseId, type: 'bug', state: 'done' });
    await add(here, { releaseId, type: 'bug', state: 'canceled' });
    const [inputs] = await here.stores.facts.factsFor([releaseId]);
    expect(inputs?.facts.scope).to.deep.equal({ done: 1, total: 3 });
    expect(inputs?.facts.quality).to.deep.include({ resolved: 1, total: 2 });
    expect(await actions(here, here.teamId)).to.include('issue.add');
  });
  it('belongs to no release when none is named', async () => {
    const here = await releaseScene();
    expect((await add(here, {})).releaseId).to.equal(null);
  });
  it('is a fault at /release_id for a release of another project', async () => {
    const here = await releaseScene();
    const error = await refused(add(here, { releaseId: 'r9' }), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/release_id']);
  });
  it('does not join a closed release', async () => {
    const here = await releaseScene();
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(add(here, { releaseId: here.release.id }), 'release-closed');
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(addIssue(here, { by: needing('member', here.viewer), ...here.there, issue: given }), 'forbidden');
  });
});

const withIssue = async () => {
  const here = await releaseScene();
  const given = { title: 'Pay', type: 'bug', state: 'todo', severity: null, url: null } as const;
  const issue = await addIssue(here, {
    by: here.member,
    ...here.there,
    issue: { ...given, releaseId: here.release.id },
  });
  return { ...here, issue };
};
const FREE = { title: 'Free', type: 'task', state: 'todo', severity: null, url: null, releaseId: null } as const;
const edit = (here: ProjectScene, issueId: string, change: EditIssue['edit'], version: number | null = null) =>
  editIssue(here, { by: here.member, ...here.there, issueId, edit: change, version });
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
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    await refused(edit(here, here.issue.id, { releaseId: null }), 'release-closed');
    expect((await edit(here, here.issue.id, { state: 'done' })).state).to.equal('done');
    const { id } = await addIssue(here, { by: here.member, ...here.there, issue: FREE });
    await refused(edit(here, id, { releaseId: here.release.id }), 'release-closed');
  });
  it('does not reach other projects, and is for members', async () => {
    const here = await withIssue();
    await refused(edit(here, 'nothing', {}), 'not-found');
    const change = { ...here.there, issueId: here.issue.id, edit: {}, version: null };
    await refused(editIssue(here, { by: needing('member', here.viewer), ...change }), 'forbidden');
  });
});

describe('Editing an imported issue', () => {
  const imported = async () => {
    const here = await linkedScene();
    const issue = await addIssue(here, { by: here.member, ...here.there, issue: FREE });
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
    const own = await addIssue(here, { by: here.member, ...here.there, issue: FREE });
    expect((await edit(here, own.id, { title: 'Mine' })).title).to.equal('Mine');
    await unlinkRepository(here, { by: here.owner, ...here.there });
    expect(await edit(here, here.issue.id, { title: 'Mine' })).to.include({ title: 'Mine', externalId: 'forge:I_1' });
  });
  it('leaves the release of a milestone to be renamed', async () => {
    const here = await imported();
    const release = await planned(here, '1.0');
    const next = { ...release, externalId: 'forge:M_1', version: 2 };
    await here.stores.releases.replace(next, here.time.now);
    const renamed = { releaseId: release.id, edit: { name: 'One' }, version: null };
    expect(await editRelease(here, { by: here.member, ...here.there, ...renamed })).to.include({ name: 'One' });
  });
});
