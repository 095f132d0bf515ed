import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { recordDeployment } from '../../src/use-cases/deployment.js';
import {
  archiveProject,
  createProject,
  namesOnce,
  renameProject,
  restoreProject,
} from '../../src/use-cases/project.js';
import { createTeam } from '../../src/use-cases/team.js';
import { pointers, refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { projectScene, releaseScene, teamScene } from './scene.js';
import { actions, needing, withRoles } from './world.js';

describe('Creating a project', () => {
  it('starts with the default policy and is noted', async () => {
    const here = await projectScene();
    expect(here.project).to.include({ name: 'Shop', slug: 'shop', teamId: here.teamId, version: 1 });
    const current = await here.stores.policies.current(here.project.id);
    expect(current).to.deep.include({ policy: DEFAULT_POLICY, version: 1, changedBy: null });
    expect(await actions(here, here.teamId)).to.include('project.create');
  });
  it('keeps names unique within the team, compared exactly', async () => {
    const here = await projectScene();
    const create = (name: string) => createProject(here, { by: here.member, teamId: here.teamId, name });
    await refused(create('Shop'), 'name-taken');
    expect((await create('shop')).name).to.equal('shop');
    expect((await create(' Shop')).name).to.equal(' Shop');
  });
  it('refuses a name that looks like another one, and leaves those that were stored before as they are', async () => {
    const here = await projectScene();
    const create = (name: string) => createProject(here, { by: here.member, teamId: here.teamId, name });
    const error = await refused(create('Sho\u200bp'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/name']);
    await refused(createTeam(here, { by: here.member, name: 'Cafe\u0301' }), 'invalid');
    const old = { ...here.project, name: 'Cafe\u0301', version: 2 };
    await here.stores.projects.replace(old, here.time.now);
    const rename = (name: string) => renameProject(here, { by: here.owner, ...here.there, name, version: null });
    await refused(rename('Cafe\u0301s'), 'invalid');
    expect((await rename('Cafe\u0301')).version).to.equal(3);
    const report = deploymentReport({ appName: 'Cafe\u0301' });
    const done = await recordDeployment(here, {
      principal: here.member.principal,
      needs: 'member',
      report,
      remember: null,
    });
    expect(done.outcome).to.equal('created');
  });
  it('is refused to who is in teams with 2,000 names of projects, former ones included, and so is renaming', async () => {
    const here = await projectScene();
    const { owner, teamId, project } = here;
    const elsewhere = await createTeam(here, { by: owner, name: 'Elsewhere' });
    await here.stores.transaction(async ({ projects }) => {
      for (let nth = 0; nth < 1998; nth += 1) {
        const names = { id: here.newId(), teamId: elsewhere.id, name: `${nth}`, slug: `${nth}` };
        await projects.create({ ...project, ...names });
      }
    });
    const rename = (name: string) => renameProject(here, { by: owner, ...here.there, name, version: null });
    expect((await rename('Store')).name).to.equal('Store');
    const message = "The projects in a person's teams have 2000 names at most, former ones included.";
    for (const added of [createProject(here, { by: owner, teamId, name: 'One more' }), rename('Third')])
      expect((await refused(added, 'invalid')).details.faults).to.deep.equal([
        { pointer: '/name', code: 'too-many', message },
      ]);
    expect((await rename('Store')).name).to.equal('Store');
    expect((await createProject(here, { by: here.member, teamId, name: 'One more' })).name).to.equal('One more');
  });
  it('lets another team use the name', async () => {
    const here = await projectScene();
    const [teamId = ''] = here.stranger.principal.roles.keys();
    expect((await createProject(here, { by: here.stranger, teamId, name: 'Shop' })).name).to.equal('Shop');
  });
  it('is for members', async () => {
    const here = await teamScene();
    await refused(
      createProject(here, { by: needing('member', here.viewer), teamId: here.teamId, name: 'A' }),
      'forbidden',
    );
    await refused(createProject(here, { by: here.stranger, teamId: here.teamId, name: 'A' }), 'not-found');
    const dreaming = withRoles(here.owner, { nowhere: 'owner' });
    await refused(createProject(here, { by: dreaming, teamId: 'nowhere', name: 'A' }), 'not-found');
  });
  it('leaves nothing behind when refused', async () => {
    const here = await projectScene();
    const before = await actions(here, here.teamId);
    await refused(createProject(here, { by: here.member, teamId: here.teamId, name: 'Shop' }), 'name-taken');
    expect(await actions(here, here.teamId)).to.deep.equal(before);
  });
});

describe('Renaming a project', () => {
  it('changes the name and version, keeps the slug, and is noted', async () => {
    const here = await projectScene();
    const project = await renameProject(here, { by: here.owner, ...here.there, name: 'Store', version: 1 });
    expect(project).to.include({ name: 'Store', slug: 'shop', version: 2 });
    expect(await here.stores.projects.byId(project.id)).to.deep.equal(project);
    expect(await actions(here, here.teamId)).to.include('project.rename');
  });
  it('marks its releases as changed', async () => {
    const here = await releaseScene();
    const [before] = await here.stores.facts.revisions([here.release.id]);
    here.time.now += 1_000;
    await renameProject(here, { by: here.owner, ...here.there, name: 'Store', version: null });
    const [after] = await here.stores.facts.revisions([here.release.id]);
    expect(after?.revision).to.be.greaterThan(before?.revision ?? Number.NaN);
    expect(after?.changedAt).to.equal(here.time.now);
  });
  it('refuses a taken name and an older version', async () => {
    const here = await projectScene();
    await createProject(here, { by: here.member, teamId: here.teamId, name: 'Store' });
    const rename = (name: string, version: number) =>
      renameProject(here, { by: here.owner, ...here.there, name, version });
    await refused(rename('Store', 1), 'name-taken');
    const error = await refused(rename('Market', 7), 'version-mismatch');
    expect(error.details.current).to.deep.equal(here.project);
  });
  it('is for owners of that team', async () => {
    const here = await projectScene();
    const rename = { ...here.there, name: 'Store', version: null };
    await refused(renameProject(here, { by: needing('owner', here.member), ...rename }), 'forbidden');
    await refused(renameProject(here, { by: here.stranger, ...rename }), 'not-found');
    const [teamId = ''] = here.stranger.principal.roles.keys();
    await refused(renameProject(here, { by: here.stranger, ...rename, teamId }), 'not-found');
  });
});

describe('Archiving a project', () => {
  it('keeps it and its records, notes who did it, and is taken back', async () => {
    const here = await projectScene();
    const command = { by: here.owner, ...here.there };
    here.time.now += 1_000;
    const archived = await archiveProject(here, command);
    expect(archived).to.deep.equal({ ...here.project, archivedAt: here.time.now, version: 2 });
    expect(await here.stores.projects.byId(archived.id)).to.deep.equal(archived);
    const report = deploymentReport({ appName: 'Shop' });
    const { principal } = here.member;
    const done = await recordDeployment(here, { principal, needs: 'member', report, remember: null });
    expect(done.outcome).to.equal('created');
    expect(await restoreProject(here, command)).to.deep.equal({ ...here.project, version: 3 });
    expect((await actions(here, here.teamId)).slice(-2)).to.deep.equal(['project.archive', 'project.restore']);
  });
  it('changes nothing a second time', async () => {
    const here = await projectScene();
    const command = { by: here.owner, ...here.there };
    expect(await restoreProject(here, command)).to.deep.equal(here.project);
    const archived = await archiveProject(here, command);
    here.time.now += 1_000;
    expect(await archiveProject(here, command)).to.deep.equal(archived);
    expect((await actions(here, here.teamId)).filter((action) => action === 'project.archive')).to.have.lengthOf(1);
  });
  it('is for owners of that team', async () => {
    const here = await projectScene();
    for (const deed of [archiveProject, restoreProject]) {
      await refused(deed(here, { by: needing('owner', here.member), ...here.there }), 'forbidden');
      await refused(deed(here, { by: here.stranger, ...here.there }), 'not-found');
    }
  });
});

describe('The names in sight of a request', () => {
  it('are read once, and again only after a read that failed', async () => {
    const here = await projectScene();
    let reads = 0;
    const names: typeof here.stores.projects.names = async (teamIds) => {
      reads += 1;
      if (reads === 1) throw new DomainError('unavailable', 'The database cannot be reached.');
      return here.stores.projects.names(teamIds);
    };
    const read = namesOnce({ projects: { ...here.stores.projects, names } }, here.member.principal);
    await Promise.all([refused(read(), 'unavailable'), refused(read(), 'unavailable')]);
    expect(reads).to.equal(1);
    expect((await read()).isHomeName('Shop')).to.equal(true);
    await read();
    expect(reads).to.equal(2);
  });
});
