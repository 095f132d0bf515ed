import { expect } from 'chai';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

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
