import { expect } from 'chai';
import { createTeam } from '../../src/use-cases/create-team.js';
import { actions, person, world } from './world.js';

describe('Creating a team', () => {
  it('makes its creator the owner and is noted', async () => {
    const here = world();
    const by = await person(here, 'Ada');
    const team = await createTeam(here)({ by, name: 'Über Team' });
    expect(team).to.include({ name: 'Über Team', slug: 'uber-team', version: 1, createdAt: here.time.now });
    const members = await here.stores.teams.members(team.id);
    expect(members.map(({ userId, role }) => [userId, role])).to.deep.equal([[by.principal.userId, 'owner']]);
    expect(await actions(here, team.id)).to.deep.equal(['team.create']);
  });
  it('gives a second team of that name another slug', async () => {
    const here = world();
    const by = await person(here, 'Ada');
    const first = await createTeam(here)({ by, name: 'Team' });
    const second = await createTeam(here)({ by, name: 'Team' });
    expect(second.slug).to.not.equal(first.slug);
  });
});
