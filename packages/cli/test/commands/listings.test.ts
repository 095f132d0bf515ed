import { expect } from 'chai';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

describe('shipworthy teams, releases and whoami', () => {
  let service: Service;
  let world: StandIn;
  before(async () => {
    service = await startService();
    const { person, teamId, projectId } = service;
    await person.createTeam({ body: { name: 'Empty' } });
    const path = { team_id: teamId, project_id: projectId };
    await person.createRelease({ path, body: { name: '1.1' } });
    await person.createProject({ path: { team_id: teamId }, body: { name: 'bare' } });
  });
  after(() => service.stop());
  beforeEach(async () => {
    world = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key } });
  });
  afterEach(() => world.remove());

  it('list every project, and teams that have none yet', async () => {
    const { exit, out } = await runIn(world, 'teams');
    expect(exit).to.equal(0);
    expect(out)
      .to.match(/^Core +checkout +1\.0 +\S+$/m)
      .and.match(/^Core +bare +- +\S+$/m)
      .and.match(/^Empty +- +- +-$/m);
  });

  it('list the releases of the project that is meant, with their states', async () => {
    const { out } = await runIn(world, 'releases', '--app', 'checkout');
    expect(out)
      .to.match(/^1\.1 +planned +- +- +\S+$/m)
      .and.match(/^1\.0 +active +\d{4}-\d\d-\d\d +- +\S+$/m);
    const bare = await runIn(world, 'releases', '--app', 'bare', '--json');
    expect([bare.exit, bare.json().data]).to.deep.equal([0, []]);
    expect(bare.err).to.contain('bare has no release yet.');
    expect((await runIn(world, 'releases')).exit).to.equal(2);
  });

  it('say whose key it is, and where address and key were found', async () => {
    const { json } = await runIn(world, 'whoami', '--json');
    expect(json().data).to.include({
      address: service.url,
      address_from: 'SHIPWORTHY_API_URL',
      key_from: 'SHIPWORTHY_API_KEY',
    });
  });

  it('end with 5 when the server is away', async () => {
    const away = { ...world, env: { ...world.env, SHIPWORTHY_API_URL: 'http://127.0.0.1:9' } };
    for (const command of ['teams', 'releases', 'whoami'])
      expect((await runIn(away, command, '--timeout', '0.1')).exit, command).to.equal(5);
  });
});
