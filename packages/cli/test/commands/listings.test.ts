import { expect } from 'chai';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

describe('shipworthy teams, releases and whoami', () => {
  let service: Service;
  let world: StandIn;
  let key: string;
  before(async () => {
    service = await startService();
    const { person, teamId, projectId } = service;
    await person.createTeam({ body: { name: 'Empty' } });
    const path = { team_id: teamId, project_id: projectId };
    await person.createRelease({ path, body: { name: '1.1' } });
    await person.createProject({ path: { team_id: teamId }, body: { name: 'bare' } });
    key = await service.keyFor('read', 'deployments:write', 'test-runs:write');
  });
  after(() => service.stop());
  beforeEach(async () => {
    world = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: key } });
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

  it('warn once on stderr, and nowhere else, of a key that expires within 14 days', async () => {
    const { person, teamId } = service;
    const DAY = 86_400_000;
    const keyFor = async (days: number) => {
      const expires_at = new Date(Date.now() + days * DAY).toISOString();
      const body = { name: 'short', scopes: ['read' as const], team_id: teamId, expires_at };
      return (await person.createApiKey({ body })).body.data.key;
    };
    const withKey = async (key: string, ...words: readonly string[]) => {
      const given = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: key } });
      try {
        return await runIn(given, ...words);
      } finally {
        await given.remove();
      }
    };
    const words = ['releases', '--app', 'checkout'];
    const [lasting, ending] = [await keyFor(14.1), await keyFor(13.9)];
    for (const more of [[], ['--json']]) {
      const before = await withKey(lasting, ...words, ...more);
      const after = await withKey(ending, ...words, ...more);
      expect([after.exit, after.out]).to.deep.equal([before.exit, before.out]);
      expect(before.err).not.to.contain('expires');
      expect(after.err.match(/warning: The API key expires on \d{4}-\d\d-\d\d/g), after.err).to.have.length(1);
    }
    const none = await withKey(ending, 'releases', '--app', 'nothing');
    expect([none.exit, none.err.match(/The API key expires/g)?.length]).to.deep.equal([
      (await withKey(lasting, 'releases', '--app', 'nothing')).exit,
      1,
    ]);
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

describe('shipworthy open', () => {
  let service: Service;
  let world: StandIn;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    world = await standIn({ env: { SHIPWORTHY_API_URL: `${service.url}/`, SHIPWORTHY_API_KEY: service.key } });
  });
  afterEach(() => world.remove());
  const scorecard = () =>
    `${service.url}/teams/${service.teamId}/projects/${service.projectId}/releases/${service.releaseId}`;

  it('opens the scorecard of the active release and prints its address', async () => {
    const { exit, out } = await runIn(world, 'open');
    expect([exit, out]).to.deep.equal([0, `${scorecard()}\n`]);
    expect(world.opened).to.deep.equal([scorecard()]);
  });

  it('prints the address where there is no browser, and opens none in a dry run', async () => {
    const { exit, err, json } = await runIn({ ...world, openPage: async () => false }, 'open', '--json');
    expect(exit).to.equal(0);
    expect(json().data).to.deep.equal({ url: scorecard(), opened: false });
    expect(err).to.contain('No browser');
    expect((await runIn(world, 'open', '--dry-run')).exit).to.equal(0);
    expect(world.opened).to.deep.equal([]);
  });

  it('ends with 2 for a release that is not there', async () => {
    expect((await runIn(world, 'open', '--release', 'none')).exit).to.equal(2);
  });
});
