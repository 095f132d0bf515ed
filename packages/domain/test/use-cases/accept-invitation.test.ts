import { expect } from 'chai';
import type { Actor } from '../../src/access/actor.js';
import { authenticateSession } from '../../src/use-cases/authenticate-session.js';
import { INVITATION_LIFE, invite } from '../../src/use-cases/invite.js';
import { removeMember } from '../../src/use-cases/remove-member.js';
import { pointers, refused } from '../refusal.js';
import { accepting, signingIn } from './people.js';
import { type TeamScene, teamScene } from './scene.js';
import { actions, withRoles } from './world.js';

const invited = async () => {
  const here = await teamScene();
  const team = { id: here.teamId, role: 'member' } as const;
  const { secret } = await invite(here)({ by: here.owner, team });
  return { ...here, secret };
};
const NEW = 'new@example.com';

const administratorOf = async (here: TeamScene): Promise<Actor> => {
  const id = here.newId();
  const made = { createdAt: here.time.now, disabledAt: null };
  const user = { id, email: 'root@example.com', emailVerified: true, name: 'Root', administrator: true, ...made };
  await here.stores.users.create(user, '');
  return { ...here.owner, principal: { ...here.owner.principal, userId: id, administrator: true, roles: new Map() } };
};

describe('Accepting an invitation', () => {
  it('gives an account and the place in the team, and signs in', async () => {
    const here = await invited();
    const opened = await accepting(here, here.secret, NEW);
    const found = await authenticateSession(here)(opened.secret);
    expect('principal' in found && [...found.principal.roles]).to.deep.equal([[here.teamId, 'member']]);
    expect('principal' in found && found.principal.administrator).to.equal(false);
    expect((await signingIn(here, { email: NEW })).user.id).to.equal(opened.user.id);
    expect(await actions(here, here.teamId)).to.include('member.add');
  });
  it('works once, also of two at once', async () => {
    const here = await invited();
    const both = [accepting(here, here.secret, NEW), accepting(here, here.secret, 'other@example.com')];
    const ends = await Promise.allSettled(both);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    await refused(accepting(here, here.secret, 'third@example.com'), 'invitation-unusable');
  });
  it('is refused with another secret and from its expiry on', async () => {
    const here = await invited();
    await refused(accepting(here, 'guess', NEW), 'invitation-unusable');
    here.time.now += INVITATION_LIFE;
    await refused(accepting(here, here.secret, NEW), 'invitation-unusable');
  });
  it('stays usable when the address is taken or the password too short', async () => {
    const here = await invited();
    await refused(accepting(here, here.secret, 'BEN@example.com'), 'email-taken');
    const error = await refused(accepting(here, here.secret, NEW, 'short'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/password']);
    await accepting(here, here.secret, NEW);
  });
  it('may be for an account without a team', async () => {
    const here = await teamScene();
    const administrator = await administratorOf(here);
    const { secret } = await invite(here)({ by: administrator, team: null });
    const found = await authenticateSession(here)((await accepting(here, secret, NEW)).secret);
    expect('principal' in found && found.principal.roles.size).to.equal(0);
  });
  it('is refused once the maker is owner no more, and does not bring a removed one back', async () => {
    const here = await invited();
    const { teamId, owner, member } = here;
    const { secret: asOwner } = await invite(here)({ by: owner, team: { id: teamId, role: 'owner' } });
    await here.stores.teams.changeRole(teamId, member.principal.userId, 'owner');
    const other = withRoles(member, { [teamId]: 'owner' });
    await here.stores.teams.changeRole(teamId, owner.principal.userId, 'member');
    await refused(accepting(here, here.secret, NEW), 'invitation-unusable');
    await removeMember(here)({ by: other, teamId, userId: owner.principal.userId });
    await refused(accepting(here, asOwner, NEW), 'invitation-unusable');
    expect(await here.stores.users.byEmail(NEW)).to.equal(undefined);
    expect((await here.stores.teams.members(teamId)).map(({ name }) => name)).to.deep.equal(['Ben', 'Eve']);
  });
  it('is refused where who invited without a team is no administrator', async () => {
    const here = await teamScene();
    const pretended = { ...here.owner, principal: { ...here.owner.principal, administrator: true } };
    const { secret } = await invite(here)({ by: pretended, team: null });
    await refused(accepting(here, secret, NEW), 'invitation-unusable');
  });
});
