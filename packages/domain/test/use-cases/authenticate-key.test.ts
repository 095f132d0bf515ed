import { expect } from 'chai';
import { authenticateKey } from '../../src/use-cases/authenticate-key.js';
import { changeRole } from '../../src/use-cases/change-role.js';
import { createApiKey } from '../../src/use-cases/create-api-key.js';
import { createTeam } from '../../src/use-cases/create-team.js';
import { recordDeployment } from '../../src/use-cases/record-deployment.js';
import { removeMember } from '../../src/use-cases/remove-member.js';
import { refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { releaseScene } from './scene.js';
import { DAY } from './world.js';

const keyScene = async (narrowed = false) => {
  const here = await releaseScene();
  const teamId = narrowed ? here.teamId : null;
  const home = { teamId, projectId: null, allTeams: !narrowed };
  const wish = { name: 'CI', scopes: ['deployments:write'], ...home, expiresAt: null } as const;
  const { apiKey, key } = await createApiKey(here)({ by: here.member, ...wish });
  const authenticate = async () => {
    const found = await authenticateKey(here)(key, '192.0.2.7');
    if (!('principal' in found)) throw new Error(found.cause);
    return found.principal;
  };
  return { ...here, apiKey, key, authenticate };
};

describe('Authenticating an API key', () => {
  it('answers the key with its scopes and its maker’s roles now', async () => {
    const here = await keyScene();
    const principal = await here.authenticate();
    expect(principal).to.deep.include({
      kind: 'api_key',
      id: here.apiKey.id,
      name: 'CI',
      scopes: ['deployments:write'],
    });
    expect([...principal.roles]).to.deep.equal([[here.teamId, 'member']]);
  });
  it('sees one team only when narrowed, also when its maker joins others', async () => {
    const [wide, narrow] = [await keyScene(), await keyScene(true)];
    for (const here of [wide, narrow]) await createTeam(here)({ by: here.member, name: 'Another' });
    expect((await wide.authenticate()).roles.size).to.equal(2);
    expect([...(await narrow.authenticate()).roles.keys()]).to.deep.equal([narrow.teamId]);
  });
  it('writes no more once its maker is a viewer, and sees nothing once they left', async () => {
    const here = await keyScene();
    const { userId } = here.member.principal;
    const record = async () =>
      recordDeployment(here)({ principal: await here.authenticate(), report: deploymentReport(), remember: null });
    expect((await record()).outcome).to.equal('created');
    await changeRole(here)({ by: here.owner, teamId: here.teamId, userId, role: 'viewer' });
    await refused(record(), 'forbidden');
    await removeMember(here)({ by: here.owner, teamId: here.teamId, userId });
    await refused(record(), 'unknown-app-name');
  });
  it('tells an unknown key from an expired one', async () => {
    const here = await keyScene();
    expect(await authenticateKey(here)('swk_unknown', '192.0.2.7')).to.deep.equal({ cause: 'unknown' });
    here.time.now += 90 * DAY - 1;
    expect(await authenticateKey(here)(here.key, '192.0.2.7')).to.have.property('principal');
    here.time.now += 1;
    expect(await authenticateKey(here)(here.key, '192.0.2.7')).to.deep.equal({ cause: 'expired' });
  });
  it('notes its last use, once a minute at most', async () => {
    const here = await keyScene();
    const used = async () => (await here.stores.apiKeys.ofUser(here.apiKey.userId))[0]?.lastUsedAt;
    const first = here.time.now;
    await here.authenticate();
    here.time.now += 59_999;
    await here.authenticate();
    expect(await used()).to.equal(first);
    here.time.now += 1;
    await here.authenticate();
    expect(await used()).to.equal(first + 60_000);
  });
});
