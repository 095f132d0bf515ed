import { expect } from 'chai';
import type { Fault } from '../../src/errors.js';
import { authenticateKey } from '../../src/use-cases/account.js';
import { barApiKey, type CreateApiKey, createApiKey, revokeApiKey } from '../../src/use-cases/api-key.js';
import { pointers, refused } from '../refusal.js';
import { noted, projectScene, type TeamScene, teamScene, waitingForLocks } from './scene.js';
import { actions, DAY, lastDeed, needing, withRoles } from './world.js';

const ALL_TEAMS = { teamId: null, projectId: null, allTeams: true };

const create = (here: TeamScene, over: Partial<CreateApiKey> = {}) =>
  createApiKey(here, { by: here.member, name: 'CI', scopes: ['read'], ...ALL_TEAMS, expiresAt: null, ...over });

const UNSAID = { teamId: null, projectId: null, allTeams: false };

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
    expect(error.message).to.equal('Keys that write need the role member.');
  });
  it('belongs to the only team of its maker unless said', async () => {
    const here = await teamScene();
    const home = { teamId: here.teamId, projectId: null, homeTeams: [], barredTeams: [] };
    expect((await create(here, UNSAID)).apiKey).to.deep.include(home);
    const inTwo = withRoles(here.member, { [here.teamId]: 'member', other: 'member' });
    const inNone = withRoles(here.member, {});
    for (const [by, teams] of [
      [inTwo, 2],
      [inNone, 0],
    ] as const) {
      const { details } = await refused(create(here, { by, ...UNSAID }), 'invalid');
      const message = `Say where the key belongs by team_id, project_id or all_teams; teams you are in: ${teams}.`;
      expect(details.faults).to.deep.equal([{ pointer: '/team_id', code: 'required', message }]);
    }
    expect((await create(here, { by: inTwo, ...homeIn(here.teamId) })).apiKey).to.deep.include(home);
    const { apiKey } = await create(here, { by: inTwo, ...ALL_TEAMS });
    expect(apiKey).to.deep.include({ teamId: null, projectId: null, homeTeams: [here.teamId, 'other'].sort() });
  });
  it('belongs to one place alone', async () => {
    const here = await projectScene();
    const [teamId, projectId] = [here.teamId, here.project.id];
    for (const two of [
      { teamId, allTeams: true },
      { projectId, allTeams: true },
      { teamId, projectId },
    ]) {
      const { details } = await refused(create(here, { ...UNSAID, ...two }), 'invalid');
      const message = 'A key has one home: say only one of team_id, project_id and all_teams.';
      expect(details.faults).to.deep.equal([{ pointer: '/team_id', code: 'home', message }]);
    }
  });
  it('may be for one project in sight', async () => {
    const here = await projectScene();
    const projectId = here.project.id;
    const made = await create(here, { teamId: null, projectId, allTeams: false });
    expect(made.apiKey).to.deep.include({ teamId: here.teamId, projectId, homeTeams: [] });
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'api_key.create',
      resource: { type: 'api_key', id: made.apiKey.id },
      detail: { name: 'CI', scopes: ['read'], project_id: projectId },
    });
    for (const wish of [{ projectId: 'none' }, { projectId, by: here.stranger }]) {
      const error = await refused(create(here, { teamId: null, allTeams: false, ...wish }), 'invalid');
      const message = 'project_id names no project in sight.';
      expect(error.details.faults).to.deep.equal([{ pointer: '/project_id', code: 'unknown-project', message }]);
    }
  });
  it('may be narrowed to a team its maker is in, and is noted there', async () => {
    const here = await teamScene();
    const { teamId } = here;
    expect((await create(here, { ...homeIn(teamId), scopes: ['deployments:write'] })).apiKey.teamId).to.equal(teamId);
    expect((await lastDeed(here, teamId))?.detail).to.deep.equal({ name: 'CI', scopes: ['deployments:write'] });
    const error = await refused(create(here, { ...homeIn('none'), scopes: [], expiresAt: 1 }), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/expires_at', '/scopes', '/team_id']);
    expect((error.details.faults as readonly Fault[]).slice(1)).to.deep.equal([
      { pointer: '/scopes', code: 'empty', message: 'A key has a scope at least.' },
      { pointer: '/team_id', code: 'unknown-team', message: 'team_id names no team in sight.' },
    ]);
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
  it('is noted at the moment when the account and, for a key of one team, that team were had', async () => {
    const { entries, here } = noted(waitingForLocks(await teamScene()));
    const began = here.time.now;
    expect((await create(here, homeIn(here.teamId))).apiKey.createdAt).to.equal(began + 10_000);
    expect((await create(here, ALL_TEAMS)).apiKey.createdAt).to.equal(began + 15_000);
    expect(entries.map(({ at }) => at - began)).to.deep.equal([10_000, 15_000]);
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

describe('Barring an API key from a team', () => {
  const barring = async () => {
    const here = await teamScene();
    const { apiKey, key } = await create(here, ALL_TEAMS);
    const bar = (by = here.owner, keyId = apiKey.id) =>
      barApiKey(here, { by: needing('owner', by), teamId: here.teamId, keyId });
    return { ...here, apiKey, key, bar };
  };

  it('takes the team from it for good, and is noted there', async () => {
    const here = await barring();
    await here.bar();
    const found = await authenticateKey(here, here.key, '192.0.2.7');
    expect('principal' in found && found.principal.roles.size).to.equal(0);
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'api_key.bar',
      resource: { type: 'api_key', id: here.apiKey.id },
      detail: { name: 'CI', maker: 'Ben' },
    });
    expect((await refused(here.bar(), 'not-found')).details).to.deep.equal({ what: 'API key' });
  });
  it('is for owners, and for keys that reach the team', async () => {
    const here = await barring();
    await refused(here.bar(here.member), 'forbidden');
    await refused(here.bar(here.stranger), 'not-found');
    await refused(here.bar(here.owner, 'none'), 'not-found');
    const outside = await create(here, { by: here.stranger });
    await refused(here.bar(here.owner, outside.apiKey.id), 'not-found');
    expect(await actions(here, here.teamId)).to.not.include('api_key.bar');
  });
  it('happens once, of two owners at the same time', async () => {
    const here = await barring();
    const ends = await Promise.allSettled([here.bar(), here.bar()]);
    expect(ends.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    expect((await actions(here, here.teamId)).filter((action) => action === 'api_key.bar')).to.have.length(1);
  });
});

describe('A search for API keys', () => {
  it('looks at name and prefix of the key, and at name and address of its maker', async () => {
    const here = await teamScene();
    const { apiKey } = await create(here, { name: 'nightly' });
    await create(here, { by: here.viewer, name: 'other' });
    const found = async (...words: readonly string[]) => {
      const page = await here.stores.apiKeys.reaching(here.teamId, here.time.now, { limit: 9, after: null }, { words });
      return page.rows.map(({ key }) => key.name);
    };
    for (const word of ['nightly', apiKey.prefix, 'Ben', 'ben@example.com'])
      expect(await found(word), word).to.deep.equal(['nightly']);
    expect(await found('nightly', 'ben'), 'all words').to.deep.equal(['nightly']);
    expect(await found('nightly', 'eve')).to.deep.equal([]);
  });
});
