import { expect } from 'chai';
import type { Actor, TeamActor } from '../../src/access/principal.js';
import { INVITATION_LIFE, invite } from '../../src/use-cases/invitation.js';
import { createProject } from '../../src/use-cases/project.js';
import {
  acceptReceived,
  archiveTeam,
  changeRole,
  createTeam,
  declineReceived,
  joinByLink,
  receivedInvitations,
  removeDemo,
  removeMember,
  renameTeam,
  restoreTeam,
} from '../../src/use-cases/team.js';
import { refused } from '../refusal.js';
import { noted, type TeamScene, teamScene, waitingForLocks } from './scene.js';
import { actions, lastDeed, needing, person, withRoles, world } from './world.js';

describe('Creating a team', () => {
  it('makes its creator the owner and is noted', async () => {
    const here = world();
    const by = await person(here, 'Ada');
    const team = await createTeam(here, { by, name: 'Über Team' });
    expect(team).to.include({ name: 'Über Team', slug: 'uber-team', version: 1, createdAt: here.time.now });
    const members = await here.stores.teams.members(team.id);
    expect(members.map(({ userId, role }) => [userId, role])).to.deep.equal([[by.principal.userId, 'owner']]);
    expect(await actions(here, team.id)).to.deep.equal(['team.create']);
  });
  it('gives a second team of that name another slug', async () => {
    const here = world();
    const by = await person(here, 'Ada');
    const first = await createTeam(here, { by, name: 'Team' });
    const second = await createTeam(here, { by, name: 'Team' });
    expect(second.slug).to.not.equal(first.slug);
  });
  it('is of the moment when the founder was had, like its entry in the audit log', async () => {
    const { entries, here } = noted(waitingForLocks(world()));
    const by = await person(here, 'Ada');
    const began = here.time.now;
    const team = await createTeam(here, { by, name: 'Search' });
    expect([team.createdAt, ...entries.map(({ at }) => at)]).to.deep.equal([began + 5000, began + 5000]);
  });
  it('is refused to a person in 200 teams, like joining one, until they are in fewer', async () => {
    const here = world();
    const [by, other] = [await person(here, 'Ada'), await person(here, 'Ben')];
    for (let owned = 0; owned < 199; owned += 1) await createTeam(here, { by, name: `Team ${owned}` });
    const [first, second] = await Promise.allSettled([1, 2].map(() => createTeam(here, { by, name: 'Last' })));
    expect([first?.status, second?.status].sort()).to.deep.equal(['fulfilled', 'rejected']);
    const { details } = await refused(createTeam(here, { by, name: 'One more' }), 'invalid');
    const message = 'A person is in 200 teams at most.';
    expect(details.faults).to.deep.equal([{ pointer: '/name', code: 'too-many', message }]);
    const theirs = await createTeam(here, { by: other, name: 'Full of others' });
    const inviter = needing('owner', withRoles(other, { [theirs.id]: 'owner' }));
    const { secret } = await invite(here, { by: inviter, team: { id: theirs.id, role: 'viewer' } });
    const { details: joining } = await refused(joinByLink(here, { by, secret }), 'invalid');
    expect(joining.faults).to.deep.equal([{ pointer: '', code: 'too-many', message }]);
    const created = first?.status === 'fulfilled' ? first.value : second?.status === 'fulfilled' ? second.value : null;
    const teamId = created?.id ?? '';
    await here.stores.teams.addMember({ teamId, userId: other.principal.userId, role: 'owner', createdAt: 0 });
    await here.stores.teams.removeMember(teamId, by.principal.userId);
    expect(await joinByLink(here, { by, secret })).to.deep.equal({ teamId: theirs.id, role: 'viewer' });
  });
});

describe('Renaming a team', () => {
  it('changes the name, keeps the slug, and is noted', async () => {
    const here = await teamScene();
    const team = await renameTeam(here, { by: here.owner, teamId: here.teamId, name: 'Money', version: 1 });
    expect(team).to.include({ name: 'Money', slug: 'payments', version: 2 });
    expect(await actions(here, here.teamId)).to.include('team.rename');
  });
  it('is noted at the moment when the team was had', async () => {
    const here = waitingForLocks(await teamScene());
    const began = here.time.now;
    await renameTeam(here, { by: here.owner, teamId: here.teamId, name: 'Money', version: 1 });
    const { rows } = await here.stores.audit.page({ teamId: here.teamId }, { limit: 1, after: null });
    expect(rows[0]).to.include({ action: 'team.rename', at: began + 5000 });
  });
  it('refuses a change to an older version, with the newer state', async () => {
    const here = await teamScene();
    const rename = (version: number | null) =>
      renameTeam(here, { by: here.owner, teamId: here.teamId, name: 'Money', version });
    const current = await rename(null);
    expect((await refused(rename(1), 'version-mismatch')).details).to.deep.equal({ current });
  });
  it('is for owners', async () => {
    const here = await teamScene();
    const rename = (by: typeof here.owner) =>
      renameTeam(here, { by, teamId: here.teamId, name: 'Money', version: null });
    await refused(rename(needing('owner', here.member)), 'forbidden');
    await refused(rename(here.stranger), 'not-found');
    const { userId } = here.owner.principal;
    await here.stores.teams.changeRole(here.teamId, userId, 'member');
    // What is known of the owner may be a second old.
    await refused(rename(needing('owner', here.owner)), 'forbidden');
  });
  it('is refused to every caller when no needed role is given', async () => {
    const here = await teamScene();
    const by = { ...here.owner, needs: undefined } as unknown as TeamActor;
    const renaming = renameTeam(here, { by, teamId: here.teamId, name: 'Money', version: null });
    expect(await renaming.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    expect(await here.stores.teams.byId(here.teamId)).to.include({ name: 'Payments' });
  });
});

describe('Archiving a team', () => {
  it('keeps everything in it, is noted, and is taken back; a second time changes nothing', async () => {
    const here = await teamScene();
    const command = { by: here.owner, teamId: here.teamId };
    const before = await here.stores.teams.byId(here.teamId);
    expect(await restoreTeam(here, command)).to.deep.equal(before);
    const archived = await archiveTeam(here, command);
    expect(archived).to.deep.equal({ ...before, archivedAt: here.time.now, version: 2 });
    expect(await archiveTeam(here, command)).to.deep.equal(archived);
    expect(await restoreTeam(here, command)).to.deep.equal({ ...before, version: 3 });
    const noted = (await actions(here, here.teamId)).filter((action) => /archive|restore/.test(action));
    expect(noted).to.have.members(['team.archive', 'team.restore']);
  });
  it('is for owners', async () => {
    const here = await teamScene();
    for (const deed of [archiveTeam, restoreTeam]) {
      await refused(deed(here, { by: needing('owner', here.member), teamId: here.teamId }), 'forbidden');
      await refused(deed(here, { by: here.stranger, teamId: here.teamId }), 'not-found');
    }
  });
});

describe('Changing a role', () => {
  it('gives a member another role and is noted', async () => {
    const here = await teamScene();
    const { userId } = here.viewer.principal;
    const member = await changeRole(here, { by: here.owner, teamId: here.teamId, userId, role: 'member' });
    expect(member).to.include({ userId, role: 'member' });
    expect((await here.stores.teams.members(here.teamId)).find((one) => one.userId === userId)?.role).to.equal(
      'member',
    );
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'member.change_role',
      resource: { type: 'user', id: userId },
      detail: { name: 'Eve', from: 'viewer', to: 'member' },
    });
  });
  it('leaves the last owner an owner', async () => {
    const here = await teamScene();
    const { userId } = here.owner.principal;
    await refused(changeRole(here, { by: here.owner, teamId: here.teamId, userId, role: 'member' }), 'last-owner');
  });
  it('lets two owners who step down at once leave one', async () => {
    const here = await teamScene();
    const [first, second] = [here.owner.principal.userId, here.member.principal.userId];
    await changeRole(here, { by: here.owner, teamId: here.teamId, userId: second, role: 'owner' });
    const down = (userId: string) => changeRole(here, { by: here.owner, teamId: here.teamId, userId, role: 'viewer' });
    const ends = await Promise.allSettled([down(first), down(second)]);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const owners = (await here.stores.teams.members(here.teamId)).filter((one) => one.role === 'owner');
    expect(owners).to.have.length(1);
  });
  it('finds no member among strangers, and is for owners', async () => {
    const here = await teamScene();
    const { userId } = here.stranger.principal;
    const unknown = changeRole(here, { by: here.owner, teamId: here.teamId, userId, role: 'member' });
    expect((await refused(unknown, 'not-found')).details).to.deep.equal({ what: 'member' });
    await refused(
      changeRole(here, { by: needing('owner', here.member), teamId: here.teamId, userId, role: 'member' }),
      'forbidden',
    );
  });
});

describe('Removing a member', () => {
  it('is for owners', async () => {
    const here = await teamScene();
    const { userId } = here.viewer.principal;
    await refused(removeMember(here, { by: here.member, teamId: here.teamId, userId }), 'forbidden');
    await removeMember(here, { by: here.owner, teamId: here.teamId, userId });
    expect((await here.stores.teams.members(here.teamId)).map((one) => one.userId)).to.not.include(userId);
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'member.remove',
      resource: { type: 'user', id: userId },
      detail: { name: 'Eve', role: 'viewer' },
    });
    const again = removeMember(here, { by: here.owner, teamId: here.teamId, userId });
    expect((await refused(again, 'not-found')).details).to.deep.equal({ what: 'member' });
  });
  it('lets everybody leave but the last owner', async () => {
    const here = await teamScene();
    const leave = (by: typeof here.owner) =>
      removeMember(here, { by, teamId: here.teamId, userId: by.principal.userId });
    await leave(here.viewer);
    await refused(leave(here.owner), 'last-owner');
  });
});

/** A scene with a demo beside its team. */
const demoScene = async () => {
  const here = await teamScene();
  const [id, createdAt] = [here.newId(), here.clock()];
  const { userId } = here.owner.principal;
  const demo = await here.stores.teams.create(
    { id, name: 'Demo', slug: 'demo', version: 1, createdAt, demo: true },
    { teamId: id, userId, role: 'owner', createdAt },
  );
  const within = (role: 'owner' | 'member') => withRoles(here.owner, { [here.teamId]: 'owner', [demo.id]: role });
  return { here, demo, within };
};

describe('Removing the demo', () => {
  it('takes the demo away and no other team', async () => {
    const { here, demo, within } = await demoScene();
    await removeDemo(here, { by: within('owner') });
    expect(await here.stores.teams.byId(demo.id)).to.equal(undefined);
    expect(await here.stores.teams.byId(here.teamId)).to.include({ id: here.teamId, demo: false });
    await refused(removeDemo(here, { by: within('owner') }), 'not-found');
  });
  it('is for its owners; who is not in it does not know of it', async () => {
    const { here, demo, within } = await demoScene();
    await refused(removeDemo(here, { by: needing('owner', within('member')) }), 'forbidden');
    await refused(removeDemo(here, { by: here.owner }), 'not-found');
    await refused(removeDemo(here, { by: here.stranger }), 'not-found');
    expect(await here.stores.teams.demo()).to.deep.equal(demo);
  });
  it('is refused when there is no demo', async () => {
    const here = await teamScene();
    await refused(removeDemo(here, { by: here.owner }), 'not-found');
  });
  it('never removes a real project: the demo has none', async () => {
    const { here, demo, within } = await demoScene();
    await refused(createProject(here, { by: within('owner'), teamId: demo.id, name: 'Shop' }), 'forbidden');
  });
});

const inviting = (here: TeamScene, email: string | null = 'SAM@example.com') =>
  invite(here, { by: here.owner, team: { id: here.teamId, role: 'viewer' }, email });
const roleOf = async (here: TeamScene, { principal }: Actor) =>
  (await here.stores.teams.members(here.teamId)).find(({ userId }) => userId === principal.userId)?.role;

describe('Joining a team', () => {
  it('adds no member before they accept the invitation that is bound to their address', async () => {
    const here = await teamScene();
    const { invitation } = await inviting(here);
    const by = here.stranger;
    expect(await roleOf(here, by)).to.equal(undefined);
    const [received] = await receivedInvitations(here, { by });
    expect(received).to.deep.include({ id: invitation.id, team: { id: here.teamId, name: 'Payments' } });
    const joined = await acceptReceived(here, { by, invitationId: invitation.id });
    expect(joined).to.deep.equal({ teamId: here.teamId, role: 'viewer' });
    expect(await roleOf(here, by)).to.equal('viewer');
    expect(await actions(here, here.teamId)).to.include('member.add');
    await refused(acceptReceived(here, { by, invitationId: invitation.id }), 'not-found');
    await refused(inviting(here), 'already-member');
  });
  it('by a link is for one person with an account, and for the address it is bound to', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const other = await inviting(here, 'someone@example.com');
    await refused(joinByLink(here, { by, secret: other.secret }), 'invitation-for-another-address');
    const unbound = await inviting(here, null);
    await joinByLink(here, { by, secret: unbound.secret });
    expect(await roleOf(here, by)).to.equal('viewer');
    await refused(joinByLink(here, { by, secret: unbound.secret }), 'invitation-unusable');
    const again = await inviting(here, null);
    await refused(joinByLink(here, { by, secret: again.secret }), 'already-member');
    expect((await here.stores.invitations.byId(again.invitation.id))?.acceptedAt).to.equal(null);
  });
  it('ends with the invitation: declined, expired, or its maker no longer an owner', async () => {
    const here = await teamScene();
    const by = here.stranger;
    const declined = (await inviting(here)).invitation;
    await declineReceived(here, { by, invitationId: declined.id });
    await refused(acceptReceived(here, { by, invitationId: declined.id }), 'not-found');
    expect(await actions(here, here.teamId)).to.include('invitation.decline');
    const orphan = await inviting(here);
    await here.stores.teams.changeRole(here.teamId, here.owner.principal.userId, 'member');
    expect(await receivedInvitations(here, { by })).to.deep.equal([]);
    await refused(acceptReceived(here, { by, invitationId: orphan.invitation.id }), 'invitation-unusable');
    await here.stores.teams.changeRole(here.teamId, here.owner.principal.userId, 'owner');
    here.time.now += INVITATION_LIFE;
    await refused(acceptReceived(here, { by, invitationId: orphan.invitation.id }), 'not-found');
    await refused(joinByLink(here, { by, secret: orphan.secret }), 'invitation-unusable');
  });
  it('shows no invitations to a person whose address is not verified', async () => {
    const here = await teamScene();
    const { principal } = here.stranger;
    const made = { createdAt: here.time.now, disabledAt: null };
    const id = here.newId();
    const user = { id, email: 'claimed@example.com', emailVerified: false, name: 'Eve', administrator: false, ...made };
    await here.stores.users.create(user, '');
    const by = { ...here.stranger, principal: { ...principal, userId: id } };
    const { invitation, secret } = await inviting(here, 'claimed@example.com');
    expect(await receivedInvitations(here, { by })).to.deep.equal([]);
    await refused(acceptReceived(here, { by, invitationId: invitation.id }), 'not-found');
    await joinByLink(here, { by, secret });
    expect((await here.stores.users.byId(id))?.emailVerified, 'an owner proves no address').to.equal(false);
  });
  it('verifies the address that an administrator bound the invitation to', async () => {
    const here = await teamScene();
    const stored = async (name: string, administrator: boolean) => {
      const made = { createdAt: here.time.now, disabledAt: null, emailVerified: false, administrator };
      const user = { id: here.newId(), email: `${name}@example.com`, name, ...made };
      await here.stores.users.create(user, '');
      return user;
    };
    const [root, mia] = [await stored('Root', true), await stored('Mia', false)];
    const membership = { teamId: here.teamId, role: 'owner', createdAt: here.time.now } as const;
    await here.stores.teams.addMember({ ...membership, userId: root.id });
    const as = ({ id }: typeof root, { principal, ...actor } = here.owner): Actor => ({
      ...actor,
      principal: { ...principal, userId: id },
    });
    const team = { id: here.teamId, role: 'viewer' } as const;
    const { secret } = await invite(here, { by: as(root), team, email: mia.email });
    await joinByLink(here, { by: as(mia), secret });
    expect((await here.stores.users.byId(mia.id))?.emailVerified).to.equal(true);
  });
});
