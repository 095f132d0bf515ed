import { expect } from 'chai';
import type { Issue } from '../../src/issue/issue.js';
import { addIssue } from '../../src/use-cases/add-issue.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { pointers, refused } from '../refusal.js';
import { type ReleaseScene, releaseScene } from './scene.js';
import { actions } from './world.js';

const given = { title: 'Pay', type: 'feature', state: 'todo', severity: null, url: null, releaseId: null } as const;
const add = (here: ReleaseScene, issue: Partial<Issue>) =>
  addIssue(here)({ by: here.member, ...here.there, issue: { ...given, ...issue } });

describe('Adding an issue', () => {
  it('fills Scope and, for a bug, Quality', async () => {
    const here = await releaseScene();
    const releaseId = here.release.id;
    const issue = await add(here, { releaseId });
    expect(issue).to.deep.include({ ...given, releaseId, projectId: here.project.id, version: 1 });
    await add(here, { releaseId, type: 'bug', severity: 'critical' });
    await add(here, { releaseId, type: 'bug', state: 'done' });
    await add(here, { releaseId, type: 'bug', state: 'canceled' });
    const [dossier] = await here.stores.facts.factsFor([releaseId]);
    expect(dossier?.facts.scope).to.deep.equal({ done: 1, total: 3 });
    expect(dossier?.facts.quality).to.deep.include({ resolved: 1, total: 2 });
    expect(await actions(here, here.teamId)).to.include('issue.add');
  });
  it('belongs to no release without one', async () => {
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
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
    await refused(add(here, { releaseId: here.release.id }), 'release-closed');
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(addIssue(here)({ by: here.viewer, ...here.there, issue: given }), 'forbidden');
  });
});
