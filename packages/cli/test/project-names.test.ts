import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Service, startService } from './service/service.js';
import { runIn, type StandIn, standIn } from './stand-in.js';

const SHA = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('a project name that two teams have', () => {
  let service: Service;
  let world: StandIn;
  let other: { readonly team_id: string; readonly project_id: string };
  before(async () => {
    service = await startService();
    const { body: team } = await service.person.createTeam({ body: { name: 'Shop' } });
    const home = { team_id: team.data.id };
    const { body: project } = await service.person.createProject({ path: home, body: { name: 'checkout' } });
    other = { ...home, project_id: project.data.id };
    const { body: release } = await service.person.createRelease({ path: other, body: { name: '2.0' } });
    await service.person.activateRelease({ path: { ...other, release_id: release.data.id } });
    // At the home of a key are the teams that its maker was in when it was made.
    const key = await service.keyFor('read', 'deployments:write', 'test-runs:write');
    world = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: key } });
  });
  after(async () => {
    await world.remove();
    await service.stop();
  });
  const releases = async (app: string) => runIn(world, 'releases', '--app', app);

  it('is refused by itself, with what decides it', async () => {
    const { exit, err } = await releases('checkout');
    expect(exit, err).to.equal(2);
    expect(err).to.contain(`--app ${other.project_id} is Shop/checkout.`);
  });

  it('is decided by the team or the id', async () => {
    for (const app of ['Shop/checkout', other.project_id, other.project_id.toUpperCase()])
      expect((await releases(app)).out, app)
        .to.contain('2.0')
        .and.not.contain('1.0');
    expect((await releases('Core/checkout')).out)
      .to.contain('1.0')
      .and.not.contain('2.0');
    expect((await releases('Nobody/checkout')).exit).to.equal(2);
  });

  it('is decided for reports, too', async () => {
    for (const app of ['Shop/checkout', other.project_id]) {
      const { exit, err } = await runIn(world, 'deploy', 'start', '--app', app, '--env', 'e', '--commit', SHA);
      expect(exit, err).to.equal(0);
    }
    const stranger = await runIn(world, 'deploy', 'start', '--app', 'acme/unknown', '--env', 'e', '--commit', SHA);
    expect(stranger.err).to.not.contain('the key sees');
    const { body } = await service.person.listDeployments({ path: other });
    expect(body.data).to.have.length(2);
  });

  it('is decided for imported records, too, and does not change what names them', async () => {
    const row = { environment: 'old', commit_sha: SHA, status: 'success', started_at: '2026-01-05T09:30:00Z' };
    await writeFile(join(world.folder, 'past.ndjson'), `${JSON.stringify(row)}\n`);
    for (const [app, result] of [
      ['Shop/checkout', { created: 1 }],
      [other.project_id, { duplicates: 1 }],
    ] as const) {
      const { exit, err, json } = await runIn(world, 'import', 'deployments', 'past.ndjson', '--app', app, '--json');
      expect(exit, err).to.equal(0);
      expect(json().data).to.include(result);
    }
    const { body } = await service.person.listDeployments({ path: other, query: { environment: 'old' } });
    expect(body.data).to.have.length(1);
  });

  it('is taken for neither where another project is called like team and project', async () => {
    const path = { team_id: service.teamId };
    await service.person.createProject({ path, body: { name: 'Shop/checkout' } });
    expect((await releases('Shop/checkout')).exit).to.equal(2);
    expect((await releases(other.project_id)).out).to.contain('2.0');
  });
});
