import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { inSqlite } from '../harness/openings.js';
import { POLICY } from '../harness/policy-request.js';
import { useFreshStage } from '../harness/stage.js';

describe('OWASP API5, broken function level authorization: who reaches for what their role does not allow', () => {
  const stage = useFreshStage(inSqlite);
  const colleague = async (role: 'viewer' | 'member') => {
    const { world, service, team } = stage();
    const person = await world.person('Eve');
    await world.member(team, person, role);
    return { person, browser: service.signedIn(person), path: { team_id: team.id, user_id: person.user.id } };
  };

  it('finds no other door to a function: neither spelling, nor method, nor header', async () => {
    const { service, world, ada, inRelease } = stage();
    const headers = { authorization: `Bearer ${await world.key(ada)}` };
    const keys = '/api/settings/api-keys';
    for (const path of [
      keys,
      `${keys}/`,
      `/${keys}`,
      '/API/settings/api-keys',
      '/api/./settings/api-keys',
      '/api/teams/../settings/api-keys',
      '/api/teams/..%2fsettings%2fapi-keys',
      '/api/settings/%61pi-keys',
      `${keys};.json`,
      `${keys}%00`,
      `${keys}.json`,
    ])
      for (const method of ['GET', 'HEAD']) {
        const { status } = await ask(service.baseUrl, path, { method, headers });
        expect(status, `${method} ${path}`).to.be.oneOf([400, 403, 404, 405]);
      }
    const { team_id, project_id, release_id } = inRelease;
    const release = `/api/teams/${team_id}/projects/${project_id}/releases/${release_id}`;
    for (const override of ['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url']) {
      const cunning = { ...headers, [override]: override.endsWith('url') ? `${release}/ship` : 'POST' };
      await ask(service.baseUrl, `${release}?_method=POST`, { headers: cunning });
      await ask(service.baseUrl, `${release}/ship`, { headers: cunning });
    }
    const { body } = await stage().browser.ok('readRelease', { path: inRelease });
    expect(body.data.state).to.equal('active');
  });

  it('raises no role: not their own, not a friend’s, not by invitation, not by a key', async () => {
    const { browser, path } = await colleague('member');
    const { service, world, team } = stage();
    const friend = await world.person('Friend');
    await browser.refused('changeMemberRole', 'forbidden', { path, body: { role: 'owner' } });
    await browser.refused('addMember', 'forbidden', { path, body: { email: friend.user.email, role: 'owner' } });
    await browser.refused('createInvitation', 'forbidden', { body: { team_id: team.id, role: 'owner' } });
    const { key } = (await browser.ok('createApiKey', { body: { name: 'mine', scopes: ['read'] } })).body.data;
    const hers = service.withKey(key);
    await hers.refused('recordDeployment', 'missing-scope', { rawBody: '{}' });
    for (const id of ['changeMemberRole', 'removeMember'] as const)
      await hers.refused(id, 'session-only', { path, rawBody: '{"role":"owner"}' });
  });

  it('decides nothing that owners decide', async () => {
    const { browser } = await colleague('member');
    const { inProject: path, inRelease } = stage();
    await browser.refused('replacePolicy', 'forbidden', { path, body: POLICY, headers: { 'if-match': '"1"' } });
    await browser.refused('waiveReason', 'forbidden', { path: inRelease, rawBody: '{}' });
    await browser.refused('createWebhook', 'forbidden', { path, rawBody: '{}' });
    await browser.refused('showBadge', 'forbidden', { path });
    await browser.refused('listAuditEntries', 'forbidden', { path });
  });

  it('sees no team by administering the service', async () => {
    const { service, world, ada } = stage();
    expect(ada.user.administrator, 'the first person is').to.equal(true);
    const bob = await world.person('Bob');
    const team = await world.team(bob, 'Research');
    const { body } = await service.signedIn(ada).ok('listTeams');
    expect(body.data.map(({ name }) => name)).to.deep.equal(['Payments']);
    await service.signedIn(ada).refused('listMembers', 'not-found', { path: { team_id: team.id } });
  });
});
