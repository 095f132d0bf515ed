import { expect } from 'chai';
import { renameTeam } from '../../src/use-cases/rename-team.js';
import { refused } from '../refusal.js';
import { teamScene } from './scene.js';
import { actions } from './world.js';

describe('Renaming a team', () => {
  it('changes the name, keeps the slug, and is noted', async () => {
    const here = await teamScene();
    const team = await renameTeam(here)({ by: here.owner, teamId: here.teamId, name: 'Money', version: 1 });
    expect(team).to.include({ name: 'Money', slug: 'payments', version: 2 });
    expect(await actions(here, here.teamId)).to.include('team.rename');
  });
  it('refuses who saw an older version, with the newer state', async () => {
    const here = await teamScene();
    const rename = (version: number | null) =>
      renameTeam(here)({ by: here.owner, teamId: here.teamId, name: 'Money', version });
    const current = await rename(null);
    expect((await refused(rename(1), 'version-mismatch')).details).to.deep.equal({ current });
  });
  it('is for owners', async () => {
    const here = await teamScene();
    const rename = (by: typeof here.owner) =>
      renameTeam(here)({ by, teamId: here.teamId, name: 'Money', version: null });
    await refused(rename(here.member), 'forbidden');
    await refused(rename(here.stranger), 'not-found');
  });
});
