import { expect } from 'chai';
import { useStage } from '../harness/stage.js';

describe('whoAmI', () => {
  const stage = useStage();
  const DAY = 24 * 3_600_000;

  it('tells a key its name, scopes, teams and expiry', async () => {
    const { service, world, ada, team } = stage();
    const caller = service.withKey(await world.key(ada, { scopes: ['deployments:write'] }));
    const { data } = (await caller.ok('whoAmI')).body;
    expect(data).to.deep.equal({
      kind: 'api_key',
      id: data.id,
      name: 'pipeline',
      user_id: ada.user.id,
      administrator: false,
      scopes: ['deployments:write'],
      teams: [{ id: team.id, name: 'Payments', slug: 'payments', role: 'owner' }],
      project_id: null,
      expires_at: new Date(service.clock.read() + 90 * DAY).toISOString(),
    });
  });

  it('tells a person the same of the session', async () => {
    const { browser, ada } = stage();
    const { data } = (await browser.ok('whoAmI')).body;
    expect(data).to.include({ kind: 'session', id: ada.session.id, name: 'Ada', administrator: true });
    expect(data.scopes).to.deep.equal(['read', 'deployments:write', 'test-runs:write']);
  });

  it('shows a key of one team that team only, with the role its maker has there now', async () => {
    const { service, world, ada } = stage();
    const bob = await world.person('Bob');
    const platform = await world.team(bob, 'Platform');
    await world.member(platform, ada, 'viewer');
    const key = service.withKey(await world.key(ada, { scopes: ['read'], teamId: platform.id }));
    const { data } = (await key.ok('whoAmI')).body;
    expect(data.teams).to.deep.equal([{ id: platform.id, name: 'Platform', slug: 'platform', role: 'viewer' }]);
  });
});
