import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { FINISHED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';

onEveryStore('projects', (open) => {
  const stage = useFreshStage(open);
  const inTeam = () => ({ team_id: stage().team.id });

  it('are created, found at their place and listed by name', async () => {
    const { browser, pipeline, team, project, release, service } = stage();
    const answer = await browser.ok('createProject', { path: inTeam(), body: { name: 'Billing Portal' } });
    const { data } = answer.body;
    expect(data).to.deep.equal({
      id: data.id,
      team_id: team.id,
      name: 'Billing Portal',
      slug: 'billing-portal',
      active_release: null,
      version: 1,
      created_at: new Date(service.clock.read()).toISOString(),
    });
    expect(answer.headers.location).to.equal(`/api/teams/${team.id}/projects/${data.id}`);
    const path = { ...inTeam(), project_id: data.id };
    expect((await pipeline.ok('readProject', { path })).body.data).to.deep.equal({ ...data, repository: null });
    const listed = (await pipeline.ok('listProjects', { path: inTeam() })).body.data;
    expect(listed.map(({ name }) => name)).to.deep.equal(['Billing Portal', 'checkout']);
    expect(listed[1]).to.deep.include({ id: project.id, active_release: { id: release.id, name: '2.4' } });
    const read = (await pipeline.ok('readProject', { path: stage().inProject })).body.data;
    expect(read).to.deep.equal({ ...listed[1], repository: null });
  });

  it('have names of their own within the team, case counting', async () => {
    const { browser, world } = stage();
    const { status } = await browser.refused('createProject', 'name-taken', {
      path: inTeam(),
      body: { name: 'checkout' },
    });
    expect(status).to.equal(409);
    await browser.ok('createProject', { path: inTeam(), body: { name: 'Checkout' } });
    const bob = await world.person('Bob');
    await world.project(bob, await world.team(bob, 'Elsewhere'), 'checkout');
    await browser.refused('renameProject', 'name-taken', { path: stage().inProject, body: { name: 'Checkout' } });
  });

  it('take reports under the new name only once renamed, and say so', async () => {
    const { browser, pipeline, inProject, release } = stage();
    const recorded = (await pipeline.ok('recordDeployment', { body: FINISHED })).body.data;
    const { data } = (await browser.ok('renameProject', { path: inProject, body: { name: 'till' } })).body;
    expect(data).to.deep.include({
      name: 'till',
      slug: 'checkout',
      version: 2,
      active_release: { id: release.id, name: '2.4' },
    });
    const { body } = await pipeline.refused('recordDeployment', 'unknown-app-name', { body: FINISHED });
    expect(body.renamed_to).to.equal('till');
    await pipeline.ok('recordDeployment', { body: { ...FINISHED, app_name: 'till' } });
    const path = { deployment_id: recorded.id };
    expect((await pipeline.ok('readDeployment', { path })).body.data.project_id).to.equal(data.id);
  });

  it('are not renamed over an unseen change', async () => {
    const { browser, inProject } = stage();
    const named = (name: string) => ({ path: inProject, body: { name }, headers: { 'if-match': '"1"' } });
    const { data } = (await browser.ok('renameProject', named('till'))).body;
    const { status, body } = await browser.refused('renameProject', 'version-mismatch', named('desk'));
    expect([status, body.current]).to.deep.equal([412, data]);
  });

  it('of a team are out of sight in another of the same person', async () => {
    const { browser, world, ada, project } = stage();
    const platform = await world.team(ada, 'Platform');
    await browser.ok('createTeam', { body: { name: 'Third' } });
    await browser.refused('readProject', 'not-found', { path: { team_id: platform.id, project_id: project.id } });
  });
});
