import { expect } from 'chai';
import { authenticateKey } from '../../src/use-cases/authenticate-key.js';
import { createApiKey } from '../../src/use-cases/create-api-key.js';
import { revokeApiKey } from '../../src/use-cases/revoke-api-key.js';
import { refused } from '../refusal.js';
import { teamScene } from './scene.js';
import { actions, lastDeed } from './world.js';

const homeIn = (teamId: string) => ({ teamId, projectId: null, allTeams: false });

describe('Revoking an API key', () => {
  it('ends it, once, and only one’s own', async () => {
    const here = await teamScene();
    const wish = { name: 'CI', scopes: ['read'], ...homeIn(here.teamId), expiresAt: null } as const;
    const { apiKey, key } = await createApiKey(here)({ by: here.member, ...wish });
    const revoke = (by: typeof here.member) => revokeApiKey(here)({ by, keyId: apiKey.id });
    expect((await refused(revoke(here.owner), 'not-found')).details).to.deep.equal({ what: 'API key' });
    expect(await authenticateKey(here)(key, '192.0.2.7')).to.have.property('principal');
    await revoke(here.member);
    expect(await authenticateKey(here)(key, '192.0.2.7')).to.deep.equal({ cause: 'revoked' });
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
      createApiKey(here)({ by: here.member, name, scopes: ['read'], ...homeIn(here.teamId), expiresAt: null });
    await make('first');
    const second = await make('second');
    await make('third');
    await revokeApiKey(here)({ by: here.member, keyId: second.apiKey.id });
    expect((await lastDeed(here, here.teamId))?.detail).to.deep.equal({ name: 'second' });
    await refused(revokeApiKey(here)({ by: here.member, keyId: 'none' }), 'not-found');
  });
});
