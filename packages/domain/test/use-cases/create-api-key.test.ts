import { expect } from 'chai';
import { type CreateApiKey, createApiKey } from '../../src/use-cases/create-api-key.js';
import { pointers, refused } from '../refusal.js';
import { type TeamScene, teamScene } from './scene.js';
import { actions, DAY } from './world.js';

const create = (here: TeamScene, over: Partial<CreateApiKey> = {}) =>
  createApiKey(here)({ by: here.member, name: 'CI', scopes: ['read'], teamId: null, expiresAt: null, ...over });

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
  it('writes only for who may', async () => {
    const here = await teamScene();
    await create(here, { scopes: ['deployments:write'] });
    await create(here, { by: here.viewer });
    const error = await refused(create(here, { by: here.viewer, scopes: ['read', 'test-runs:write'] }), 'forbidden');
    expect(error.details).to.deep.equal({ needed: 'member' });
  });
  it('may be narrowed to a team its maker is in, and is noted there', async () => {
    const here = await teamScene();
    const { teamId } = here;
    expect((await create(here, { teamId, scopes: ['deployments:write'] })).apiKey.teamId).to.equal(teamId);
    expect(await actions(here, teamId)).to.include('api_key.create');
    const error = await refused(create(here, { teamId: 'none', scopes: [], expiresAt: 1 }), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/expires_at', '/scopes', '/team_id']);
  });
});
