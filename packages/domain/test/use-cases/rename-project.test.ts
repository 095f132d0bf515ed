import { expect } from 'chai';
import { createProject } from '../../src/use-cases/create-project.js';
import { renameProject } from '../../src/use-cases/rename-project.js';
import { refused } from '../refusal.js';
import { projectScene, releaseScene } from './scene.js';
import { actions } from './world.js';

describe('Renaming a project', () => {
  it('changes the name and version, keeps the slug, and is noted', async () => {
    const here = await projectScene();
    const project = await renameProject(here)({ by: here.owner, ...here.there, name: 'Store', version: 1 });
    expect(project).to.include({ name: 'Store', slug: 'shop', version: 2 });
    expect(await here.stores.projects.byId(project.id)).to.deep.equal(project);
    expect(await actions(here, here.teamId)).to.include('project.rename');
  });
  it('marks its releases as changed', async () => {
    const here = await releaseScene();
    const [before] = await here.stores.facts.revisions([here.release.id]);
    here.time.now += 1_000;
    await renameProject(here)({ by: here.owner, ...here.there, name: 'Store', version: null });
    const [after] = await here.stores.facts.revisions([here.release.id]);
    expect(after?.revision).to.be.greaterThan(before?.revision ?? Number.NaN);
    expect(after?.changedAt).to.equal(here.time.now);
  });
  it('refuses a taken name and an older version', async () => {
    const here = await projectScene();
    await createProject(here)({ by: here.member, teamId: here.teamId, name: 'Store' });
    const rename = (name: string, version: number) =>
      renameProject(here)({ by: here.owner, ...here.there, name, version });
    await refused(rename('Store', 1), 'name-taken');
    const error = await refused(rename('Market', 7), 'version-mismatch');
    expect(error.details.current).to.deep.equal(here.project);
  });
  it('is for owners of that team', async () => {
    const here = await projectScene();
    const rename = { ...here.there, name: 'Store', version: null };
    await refused(renameProject(here)({ by: here.member, ...rename }), 'forbidden');
    await refused(renameProject(here)({ by: here.stranger, ...rename }), 'not-found');
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await refused(renameProject(here)({ by: here.stranger, ...rename, teamId }), 'not-found');
  });
});
