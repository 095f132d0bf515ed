import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage, useStage } from '../harness/stage.js';

onEveryStore('teams', (open) => {
  const stage = useFreshStage(open);

  it('list those in sight with their projects and active releases', async () => {
    const { pipeline, world, ada, team, project, release } = stage();
    const billing = await world.project(ada, team, 'billing');
    await world.team(await world.person('Bob'), 'Elsewhere');
    const { data } = (await pipeline.ok('listTeams')).body;
    expect(data).to.deep.equal([
      {
        id: team.id,
        name: 'Payments',
        slug: 'payments',
        version: 1,
        created_at: new Date(team.createdAt).toISOString(),
        demo: false,
        projects: [
          { id: billing.id, name: 'billing', slug: 'billing', active_release: null },
          { id: project.id, name: 'checkout', slug: 'checkout', active_release: { id: release.id, name: '2.4' } },
        ],
      },
    ]);
  });

  it('are owned by whoever creates them, and there at once', async () => {
    const { browser, ada, service } = stage();
    const { data } = (await browser.ok('createTeam', { body: { name: 'Team Blue' } })).body;
    expect(data).to.deep.equal({
      id: data.id,
      name: 'Team Blue',
      slug: 'team-blue',
      version: 1,
      created_at: new Date(service.clock.read()).toISOString(),
      demo: false,
      projects: [],
    });
    await browser.ok('createProject', { path: { team_id: data.id }, body: { name: 'portal' } });
    const members = (await browser.ok('listMembers', { path: { team_id: data.id } })).body.data;
    const known = {
      user_id: ada.user.id,
      name: 'Ada',
      email: 'ada@acme.dev',
      email_verified: true,
      mixed_scripts: false,
      disabled: false,
    };
    expect(members).to.deep.equal([{ ...known, role: 'owner' }]);
  });

  it('keep their slug when renamed, and refuse an older version with the newer one', async () => {
    const { browser, team, project, release } = stage();
    const path = { team_id: team.id };
    const named = (name: string, version: number) => ({
      path,
      body: { name },
      headers: { 'if-match': `"${version}"` },
    });
    const { data } = (await browser.ok('renameTeam', named('Money', 1))).body;
    expect(data).to.include({ name: 'Money', slug: 'payments', version: 2 });
    expect(data.projects[0]?.active_release).to.deep.equal({ id: release.id, name: '2.4' });
    const { status, body } = await browser.refused('renameTeam', 'version-mismatch', named('Cash', 1));
    expect([status, body.current]).to.deep.equal([412, data]);
    await browser.refused('renameTeam', 'version-mismatch', {
      path,
      body: { name: 'X' },
      headers: { 'if-match': 'W/"2"' },
    });
    const free = await browser.ok('renameTeam', { path, body: { name: 'Cash' } });
    expect(free.body.data).to.include({ name: 'Cash', version: 3 });
    expect(project.teamId).to.equal(team.id);
  });
});

describe('createTeam', () => {
  const stage = useStage();

  it('gives slugs numbers where they are taken', async () => {
    const { browser } = stage();
    const { data } = (await browser.ok('createTeam', { body: { name: 'Payments' } })).body;
    expect(data.slug).to.equal('payments-2');
  });

  it('names every fault at once', async () => {
    const { browser } = stage();
    const { body } = await browser.refused('createTeam', 'invalid', { rawBody: '{"name":"a\\u0000b","colour":1}' });
    expect((body.errors ?? []).map(({ pointer }) => pointer)).to.have.members(['/name', '/colour']);
    await browser.refused('createTeam', 'malformed-json', { rawBody: '{"name":' });
    await browser.refused('createTeam', 'invalid', { body: { name: 'x'.repeat(201) } });
    await browser.refused('createTeam', 'invalid', { body: { name: '' } });
  });
});
