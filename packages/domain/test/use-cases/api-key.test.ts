import { expect } from 'chai';
import { authenticateKey } from '../../src/use-cases/account.js';
import { type CreateApiKey, createApiKey, revokeApiKey } from '../../src/use-cases/api-key.js';
import { pointers, refused } from '../refusal.js';
import { noted, projectScene, type TeamScene, teamScene, waitingForLocks } from './scene.js';
import { actions, DAY, lastDeed, withRoles } from './world.js';

const ALL_TEAMS = { teamId: null, projectId: null, allTeams: true };

const create = (here: TeamScene, over: Partial<CreateApiKey> = {}) =>
  createApiKey(here, { by: here.member, name: 'CI', scopes: ['read'], ...ALL_TEAMS, expiresAt: null, ...over });

const homeIn = (teamId: string) => ({ teamId, projectId: null, allTeams: false });

describe('Creating an API key', () => {
  it('shows the key once and keeps only its hash', async () => {
    const here = await teamScene();
    const { apiKey, key } = await create(here);
    expect(key).to.match(/^swk_[0-9A-Za-z]{36}$/);
    expect(JSON.stringify(apiKey)).to.not.contain(key);
    expect(key.startsWith(apiKey.prefix)).to.equal(true);
    expect(await here.stores.apiKeys.ofUser(here.member.principal.userId)).to.deep.equal([apiKey]);
  });
  it('expires in 90 days unless chosen, in 365 at most', async () => {
    const here = await teamScene();
    const { now } = here.time;
    expect((await create(here)).apiKey.expiresAt).to.equal(now + 90 * DAY);
    expect((await create(here, { expiresAt: now + 365 * DAY })).apiKey.expiresAt).to.equal(now + 365 * DAY);
    await refused(create(here, { expiresAt: now + 365 * DAY + 1 }), 'invalid');
  });
  it('gives write scopes only to makers who may write', async () => {
    const here = await teamScene();
    await create(here, { scopes: ['deployments:write'] });
    await create(here, { by: here.viewer });
    const error = await refused(create(here, { by: here.viewer, scopes: ['read', 'test-runs:write'] }), 'forbidden');
    expect(error.details).to.deep.equal({ needed: 'member' });
  });
  it('belongs to the only team of its maker unless said, and to one place alone', async () => {
    const here = await teamScene();
    const none = { teamId: null, projectId: null, allTeams: false };
    expect((await create(here, none)).apiKey).to.include({ teamId: here.teamId, projectId: null });
    const roles = { [here.teamId]: 'member', other: 'member' } as const;
    const inTwo = withRoles(here.member, roles);
    const unsaid = await refused(create(here, { by: inTwo, ...none }), 'invalid');
    expect(pointers(unsaid.details.faults)).to.deep.equal(['/team_id']);
    const both = await refused(create(here, { ...none, teamId: here.teamId, allTeams: true }), 'invalid');
    expect(pointers(both.details.faults)).to.deep.equal(['/team_id']);
    const { apiKey } = await create(here, { by: inTwo, ...ALL_TEAMS });
    expect(apiKey).to.deep.include({ teamId: null, homeTeams: [here.teamId, 'other'].sort() });
  });
  it('may be for one project in sight', async () => {
    const here = await projectScene();
    const projectId = here.project.id;
    const made = await create(here, { teamId: null, projectId, allTeams: false });
    expect(made.apiKey).to.include({ teamId: here.teamId, projectId });
    for (const wish of [{ projectId: 'none' }, { projectId, by: here.stranger }]) {
      const error = await refused(create(here, { teamId: null, allTeams: false, ...wish }), 'invalid');
      expect(pointers(error.details.faults)).to.deep.equal(['/project_id']);
    }
  });
  it('may be narrowed to a team its maker is in, and is noted there', async () => {
    const here = await teamScene();
    const { teamId } = here;
    expect((await create(here, { ...homeIn(teamId), scopes: ['deployments:write'] })).apiKey.teamId).to.equal(teamId);
    expect(await actions(here, teamId)).to.include('api_key.create');
    const error = await refused(create(here, { ...homeIn('none'), scopes: [], expiresAt: 1 }), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/expires_at', '/scopes', '/team_id']);
  });
});

describe('Creating an API key by a role that ended a moment ago', () => {
  it('gives no more than the role that is stored, and nothing in a team that the person left', async () => {
    const here = await teamScene();
    const { teamId } = here;
    const taken = withRoles(here.viewer, { [teamId]: 'member' });
    const wish = { by: taken, ...homeIn(teamId) };
    await refused(create(here, { ...wish, scopes: ['deployments:write'] }), 'forbidden');
    await here.stores.teams.removeMember(teamId, taken.principal.userId);
    const error = await refused(create(here, wish), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/team_id']);
    expect(await here.stores.apiKeys.ofUser(taken.principal.userId)).to.deep.equal([]);
    expect(await actions(here, teamId)).to.not.include('api_key.create');
  });
  it('is noted at the moment when the team was had', async () => {
    const { entries, here } = noted(waitingForLocks(await teamScene()));
    const { apiKey } = await create(here, homeIn(here.teamId));
    expect([apiKey.createdAt, ...entries.map(({ at }) => at)]).to.deep.equal([here.time.now, here.time.now]);
  });
});

describe('A person who has 500 API keys', () => {
  it('gets another one once one of them is revoked', async () => {
    const here = await teamScene();
    const { apiKey } = await create(here);
    for (let count = 1; count < 499; count += 1)
      await here.stores.apiKeys.create({ ...apiKey, id: here.newId(), hash: `hash ${count}` });
    const both = await Promise.allSettled([create(here), create(here)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const { details } = await refused(create(here), 'invalid');
    const message = 'A person has 500 API keys at most: revoke some first.';
    expect(details.faults).to.deep.equal([{ pointer: '/name', code: 'too-many', message }]);
    await revokeApiKey(here, { by: here.member, keyId: apiKey.id });
    await create(here);
    await create(here, { by: here.viewer });
  });
});

describe('Revoking an API key', () => {
  it('ends it, once, and only one’s own', async () => {
    const here = await teamScene();
    const wish = { name: 'CI', scopes: ['read'], ...homeIn(here.teamId), expiresAt: null } as const;
    const { apiKey, key } = await createApiKey(here, { by: here.member, ...wish });
    const revoke = (by: typeof here.member) => revokeApiKey(here, { by, keyId: apiKey.id });
    expect((await refused(revoke(here.owner), 'not-found')).details).to.deep.equal({ what: 'API key' });
    expect(await authenticateKey(here, key, '192.0.2.7')).to.have.property('principal');
    await revoke(here.member);
    expect(await authenticateKey(here, key, '192.0.2.7')).to.deep.equal({ cause: 'revoked' });
    await refused(revoke(here.member), 'not-found');
    expect((await actions(here, here.teamId)).slice(-2)).to.deep.equal(['api_key.create', 'api_key.revoke']);
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'api_key.revoke',
      resource: { type: 'api_key', id: apiKey.id },
      detail: { name: 'CI' },
    });
  });
  it('takes the one that is named among several', async () => {
    const here = await teamScene();
    const make = (name: string) =>
      createApiKey(here, { by: here.member, name, scopes: ['read'], ...homeIn(here.teamId), expiresAt: null });
    await make('first');
    const second = await make('second');
    await make('third');
    await revokeApiKey(here, { by: here.member, keyId: second.apiKey.id });
    expect((await lastDeed(here, here.teamId))?.detail).to.deep.equal({ name: 'second' });
    await refused(revokeApiKey(here, { by: here.member, keyId: 'none' }), 'not-found');
  });
});
