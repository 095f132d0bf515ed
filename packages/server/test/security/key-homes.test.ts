import { expect } from 'chai';
import { suiteRunEvent } from '../harness/cdevents.js';
import { onEveryDatabase } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const SHA = 'a'.repeat(40);

const deployment = (service: Stage['service'], app_name: string, over: object = {}) => ({
  body: {
    app_name,
    environment: 'production',
    commit_sha: SHA,
    status: 'success' as const,
    started_at: new Date(service.clock.read()).toISOString(),
    ...over,
  },
});

onEveryDatabase('The home of a key', (open) => {
  const stage = useFreshStage(open);

  /** Mallory's team, with projects of these names, and Ada brought into it. */
  const attack = async (...names: readonly string[]) => {
    const { world, ada } = stage();
    const mallory = await world.person('Mallory');
    const trap = await world.team(mallory, 'Trap');
    const projects = [];
    for (const name of names) projects.push(await world.project(mallory, trap, name));
    await world.member(trap, ada, 'member');
    return { mallory, trap, projects };
  };

  const report = async (key: Stage['pipeline'], name: string, over: object = {}) =>
    (await key.ok('recordDeployment', deployment(stage().service, name, over))).body.data;

  it('keeps reports when its maker is brought into a team with a project of that name', async () => {
    const { world, service, ada, pipeline, project, team } = stage();
    const narrow = service.withKey(await world.key(ada, { teamId: team.id }));
    const single = service.withKey(await world.key(ada, { projectId: project.id }));
    await attack('checkout');
    for (const key of [pipeline, narrow, single])
      expect((await report(key, 'checkout')).project_id, 'one report').to.equal(project.id);
    const batch = await pipeline.ok('importDeployments', { body: [deployment(service, 'checkout').body] });
    expect(batch.body.data.map(({ result }) => result)).to.deep.equal(['created']);
  });

  it('is all that the list of teams shows to a key, in which the command looks for the project of a gate', async () => {
    const { world, service, ada, team, pipeline, browser } = stage();
    const listed = async (caller: Stage['pipeline']) => (await caller.ok('listTeams')).body.data.map(({ id }) => id);
    const { trap } = await attack('checkout');
    service.clock.pass(1000);
    expect(await listed(pipeline)).to.deep.equal([team.id]);
    expect(await listed(browser)).to.include(trap.id);
    const grace = await world.person('Grace');
    await world.member(team, grace, 'owner');
    await service.signedIn(grace).ok('removeMember', { path: { team_id: team.id, user_id: ada.user.id } });
    service.clock.pass(1000);
    expect(await listed(pipeline), 'out of its home').to.deep.equal([]);
  });

  it('gives a former name of a project to no other team', async () => {
    const { browser, service, pipeline, inProject } = stage();
    await attack('checkout');
    await browser.ok('renameProject', { path: inProject, body: { name: 'till' } });
    const refusal = await pipeline.refused('recordDeployment', 'unknown-app-name', deployment(service, 'checkout'));
    expect(refusal.body.renamed_to).to.equal('till');
    const batch = await pipeline.ok('importDeployments', { body: [deployment(service, 'checkout').body] });
    expect(batch.body.data.map(({ result }) => result)).to.deep.equal(['refused']);
  });

  it('gives its names to no other team once it is out of its home', async () => {
    const { service, world, ada, team, pipeline } = stage();
    const { projects } = await attack('checkout');
    // More teams in sight than at home: only that its home is out of sight keeps the name.
    await world.team(ada, 'Second');
    const grace = await world.person('Grace');
    await world.member(team, grace, 'owner');
    await service.signedIn(grace).ok('removeMember', { path: { team_id: team.id, user_id: ada.user.id } });
    service.clock.pass(1000);
    await pipeline.refused('recordDeployment', 'unknown-app-name', deployment(service, 'checkout'));
    const [trapped] = projects;
    const meant = await report(pipeline, 'checkout', { project_id: trapped?.id });
    expect(meant.project_id).to.equal(trapped?.id);
  });

  it('lets a name that it never knew, and an id, mean a project of a later team', async () => {
    const { pipeline } = stage();
    const { projects } = await attack('checkout', 'search');
    const [checkout, search] = projects;
    expect((await report(pipeline, 'search')).project_id).to.equal(search?.id);
    expect((await report(pipeline, 'checkout', { project_id: checkout?.id })).project_id).to.equal(checkout?.id);
  });

  it('keeps events that a later team has a source for, and those that lead to its only project', async () => {
    const { service, pipeline, project } = stage();
    const { mallory, trap, projects } = await attack('trap', 'Unit tests');
    const path = { team_id: trap.id, project_id: projects[0]?.id ?? '' };
    const sent = suiteRunEvent(service.clock.read(), { app_name: undefined });
    await service.signedIn(mallory).ok('replaceEventSources', { path, body: { sources: [sent.context.source] } });
    const headers = { 'content-type': 'application/json' };
    const { text } = await pipeline.ok('receiveCdEvent', { rawBody: JSON.stringify(sent), headers });
    expect(text).to.contain(project.id);
  });

  it('gives no event to a team its maker joined later, even if its sources and names alone match', async () => {
    const { service, world, ada, team, pipeline } = stage();
    await world.project(ada, team, 'billing');
    const { mallory, trap, projects } = await attack('trap', 'unit');
    const sent = suiteRunEvent(service.clock.read(), { app_name: undefined });
    const headers = { 'content-type': 'application/json' };
    const refuse = async () =>
      (await pipeline.refused('receiveCdEvent', 'invalid', { rawBody: JSON.stringify(sent), headers })).text;
    const before = await refuse();
    const path = { team_id: trap.id, project_id: projects[0]?.id ?? '' };
    await service.signedIn(mallory).ok('replaceEventSources', { path, body: { sources: [sent.context.source] } });
    expect(await refuse())
      .to.contain("2 are at the key's home")
      .and.not.to.contain('trap');
    expect(JSON.parse(before).errors).to.deep.equal(JSON.parse(await refuse()).errors);
  });

  it('of one project shows nothing else of the team', async () => {
    const { service, world, ada, team, project } = stage();
    const other = await world.project(ada, team, 'billing');
    await world.release(ada, other, '1.0');
    const key = service.withKey(await world.key(ada, { projectId: project.id }));
    const path = { team_id: team.id, project_id: other.id };
    await key.refused('readProject', 'not-found', { path });
    await key.refused('readActiveReadiness', 'not-found', { path });
    await key.refused('recordDeployment', 'unknown-app-name', deployment(service, 'billing'));
    await key.refused('recordDeployment', 'invalid', deployment(service, 'billing', { project_id: other.id }));
    const made = (await stage().pipeline.ok('recordDeployment', deployment(service, 'billing'))).body.data;
    await key.refused('readDeployment', 'not-found', { path: { deployment_id: made.id } });
    const [seen] = (await key.ok('listTeams')).body.data;
    expect(seen?.projects.map(({ name }) => name)).to.deep.equal(['checkout']);
    const listed = await key.ok('listProjects', { path: { team_id: team.id } });
    expect(listed.body.data.map(({ name }) => name)).to.deep.equal(['checkout']);
    expect((await key.ok('readPortfolio')).body.data.map((row) => row.project.name)).to.deep.equal(['checkout']);
    expect((await key.ok('whoAmI')).body.data.project_id).to.equal(project.id);
    const hint = await key.refused('recordDeployment', 'unknown-app-name', deployment(service, 'bilings'));
    expect(hint.text).not.to.contain('billing');
  });

  it('lets owners see every key that reaches their team and take it out, which its maker sees', async () => {
    const { service, world, ada, team, pipeline, project } = stage();
    const { mallory, trap } = await attack('checkout');
    const path = { team_id: trap.id };
    await pipeline.ok('whoAmI');
    const owner = service.signedIn(mallory);
    const [reaching] = (await owner.ok('listTeamApiKeys', { path })).body.data;
    expect(reaching).to.deep.include({ name: 'pipeline', all_teams: true, project_id: null });
    expect(reaching?.maker).to.deep.equal({
      user_id: ada.user.id,
      name: 'Ada',
      email: 'ada@acme.dev',
      mixed_scripts: false,
    });
    expect(reaching?.last_used_at).to.be.a('string');
    expect(reaching?.last_used_address).to.equal('127.0.0.1');
    const bar = { path: { ...path, api_key_id: reaching?.id ?? '' } };
    await service.signedIn(ada).refused('barApiKey', 'forbidden', bar);
    await service.signedIn(ada).refused('listTeamApiKeys', 'forbidden', { path });
    await pipeline.refused('listTeamApiKeys', 'session-only', { path: { team_id: team.id } });
    await owner.ok('barApiKey', bar);
    await owner.refused('barApiKey', 'not-found', bar);
    service.clock.pass(1000);
    expect((await owner.ok('listTeamApiKeys', { path })).body.data).to.deep.equal([]);
    expect((await pipeline.ok('listTeams')).body.data.map(({ id }) => id)).to.deep.equal([team.id]);
    expect((await report(pipeline, 'checkout')).project_id).to.equal(project.id);
    const [mine] = (await service.signedIn(ada).ok('listApiKeys')).body.data;
    expect(mine).to.deep.include({ barred_team_ids: [trap.id], home_team_ids: [team.id] });
    const [entry] = (await owner.ok('listAuditEntries', { path })).body.data;
    expect(entry).to.deep.include({ action: 'api_key.bar', detail: { name: 'pipeline', maker: 'Ada' } });
    const narrow = service.withKey(await world.key(ada, { teamId: team.id }));
    const [newest] = (await service.signedIn(ada).ok('listApiKeys')).body.data;
    await service.signedIn(ada).ok('barApiKey', { path: { team_id: team.id, api_key_id: newest?.id ?? '' } });
    service.clock.pass(1000);
    const refusal = await narrow.refused('whoAmI', 'unauthenticated');
    expect(refusal.text).to.contain('revoked');
  });
});
