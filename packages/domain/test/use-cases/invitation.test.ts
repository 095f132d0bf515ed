import { expect } from 'chai';
import type { Actor } from '../../src/access/principal.js';
import type { Ports } from '../../src/ports.js';
import { authenticateSession } from '../../src/use-cases/account.js';
import {
  acceptInvitation,
  INVITATION_LIFE,
  invite,
  LONGEST_INVITATION_LIFE,
  revokeInvitation,
} from '../../src/use-cases/invitation.js';
import {
  acceptReceived,
  declineReceived,
  joinByLink,
  receivedInvitations,
  removeMember,
} from '../../src/use-cases/team.js';
import { pointers, refused } from '../refusal.js';
import { accepting, origin, PASSWORD, signingIn } from './people.js';
import { noted, type TeamScene, teamScene, waitingForLocks } from './scene.js';
import { actions, person, withRoles } from './world.js';

describe('Inviting a person', () => {
  it('into a team is for its owners; only the hash of the secret is kept', async () => {
    const here = await teamScene();
    const team = { id: here.teamId, role: 'member' } as const;
    const { invitation, secret } = await invite(here, { by: here.owner, team });
    expect(invitation).to.include({ createdBy: here.owner.principal.userId, acceptedAt: null });
    expect(invitation.expiresAt).to.equal(here.time.now + INVITATION_LIFE);
    expect(JSON.stringify(invitation)).to.not.contain(secret);
    expect(await here.stores.invitations.bySecretHash(here.secrets.hash(secret))).to.deep.equal(invitation);
    expect(await actions(here, here.teamId)).to.include('person.invite');
    await refused(invite(here, { by: here.member, team }), 'forbidden');
    await refused(invite(here, { by: here.stranger, team }), 'not-found');
  });
  it('without a team is for administrators, who see no team by that', async () => {
    const here = await teamScene();
    const administrator = await administratorOf(here);
    expect((await invite(here, { by: administrator, team: null })).invitation.team).to.equal(null);
    await refused(invite(here, { by: here.owner, team: null }), 'forbidden');
    await refused(invite(here, { by: administrator, team: { id: here.teamId, role: 'owner' } }), 'not-found');
  });
  it('ends when the owner says, after now and within 30 days', async () => {
    const here = await teamScene();
    const until = (expiresAt: number) =>
      invite(here, { by: here.owner, team: { id: here.teamId, role: 'member' }, expiresAt });
    const { now } = here.time;
    for (const expiresAt of [now + 1, now + LONGEST_INVITATION_LIFE])
      expect((await until(expiresAt)).invitation.expiresAt).to.equal(expiresAt);
    for (const expiresAt of [now, now - 1, now + LONGEST_INVITATION_LIFE + 1])
      await refused(until(expiresAt), 'invalid');
  });
  it('of an address that looks like another one is refused, and so is an account with one', async () => {
    const here = await teamScene();
    const team = { id: here.teamId, role: 'member' } as const;
    for (const email of ['grace\u200b@example.com', 'gr\u00adace@example.com', 'grace@example.\u2060com']) {
      const { details } = await refused(invite(here, { by: here.owner, team, email }), 'invalid');
      expect(details.faults, email).to.have.nested.property('[0].code', 'hidden-character');
      const { secret } = await invite(here, { by: here.owner, team });
      const accepted = await refused(accepting(here, secret, email), 'invalid');
      expect(pointers(accepted.details.faults), email).to.deep.equal(['/email']);
    }
    const { secret } = await invite(here, { by: here.owner, team, email: 'gre\u0301goire@example.com' });
    const { user } = await accepting(here, secret, 'gr\u00e9goire@example.com');
    expect(user.email).to.equal('gr\u00e9goire@example.com');
  });
  it('is refused while 500 invitations into the team are open, those that it would replace left out', async () => {
    const here = await teamScene();
    const team = { id: here.teamId, role: 'member' } as const;
    const { invitation } = await invite(here, { by: here.owner, team, email: 'grace@example.com' });
    for (let open = 1; open < 500; open += 1) await invite(here, { by: here.owner, team });
    const { details } = await refused(invite(here, { by: here.owner, team }), 'invalid');
    const message = 'A team has 500 open invitations at most: revoke some first.';
    expect(details.faults).to.deep.equal([{ pointer: '', code: 'too-many', message }]);
    const again = await invite(here, { by: here.owner, team, email: 'grace@example.com' });
    expect(again.invitation.id).to.not.equal(invitation.id);
    await revokeInvitation(here, { by: here.owner, teamId: team.id, invitationId: again.invitation.id });
    await invite(here, { by: here.owner, team });
  });
});

describe('Accepting an invitation into a team of 2,000 members', () => {
  it('is refused, with an account or without, until there is room, and leaves the invitation open', async () => {
    const here = await teamScene();
    const { stores, owner, stranger, teamId } = here;
    const createdAt = here.time.now;
    const ids: string[] = [];
    for (let place = (await stores.teams.members(teamId)).length; place < 2000; place += 1) {
      const { principal } = await person(here, `member ${place}`);
      ids.push(principal.userId);
      await stores.teams.addMember({ teamId, userId: principal.userId, role: 'viewer', createdAt });
    }
    const team = { id: teamId, role: 'viewer' } as const;
    const ofNew = await invite(here, { by: owner, team });
    const ofOld = await invite(here, { by: owner, team });
    const full = [{ pointer: '', code: 'too-many', message: 'A team has 2000 members at most.' }];
    for (const refusal of [
      await refused(accepting(here, ofNew.secret, 'new@example.com'), 'invalid'),
      await refused(joinByLink(here, { by: stranger, secret: ofOld.secret }), 'invalid'),
    ])
      expect(refusal.details.faults).to.deep.equal(full);
    await removeMember(here, { by: owner, teamId, userId: ids[0] ?? '' });
    await accepting(here, ofNew.secret, 'new@example.com');
    expect(await stores.teams.members(teamId)).to.have.length(2000);
  });
});

describe('What is noted of invitations', () => {
  it('is of the moment when what decides about them was had', async () => {
    const scene = await teamScene();
    const { stranger, owner, teamId } = scene;
    const { entries, here } = noted(waitingForLocks(scene));
    const team = { id: teamId, role: 'viewer' } as const;
    const at: number[] = [];
    const after = async (deed: Promise<unknown>) => {
      await deed;
      at.push(here.time.now);
    };
    const made = [];
    for (const email of ['sam@example.com', null, null, null]) {
      const deed = invite(here, { by: owner, team, email });
      await after(deed);
      made.push(await deed);
    }
    const [received, link, unused, other] = made;
    if (!received || !link || !unused || !other) throw new Error('Four were made.');
    await after(revokeInvitation(here, { by: owner, teamId, invitationId: unused.invitation.id }));
    await after(accepting(here, link.secret, NEW_ADDRESS));
    expect(entries.pop()?.at, 'the place in the team beside the session').to.equal(here.time.now);
    await after(declineReceived(here, { by: stranger, invitationId: received.invitation.id }));
    await after(joinByLink(here, { by: stranger, secret: other.secret }));
    const administrator = await administratorOf(scene);
    await after(invite(here, { by: administrator, team: null }));
    const actionsOf = ['person.invite', 'person.invite', 'person.invite', 'person.invite', 'invitation.revoke'];
    actionsOf.push('invitation.accept', 'invitation.decline', 'member.add', 'person.invite');
    expect(entries).to.deep.equal(actionsOf.map((action, nth) => ({ action, at: at[nth] })));
    expect(new Set(at).size, 'each waited').to.equal(at.length);
  });
});

describe('A member who was removed', () => {
  it('comes back by no invitation that others had bound to their address before', async () => {
    const here = await teamScene();
    const { teamId, owner, stranger: by } = here;
    const userId = by.principal.userId;
    const email = 'SAM@example.com';
    const asOwner = await invite(here, { by: owner, team: { id: teamId, role: 'owner' }, email });
    const { secret } = await invite(here, { by: owner, team: { id: teamId, role: 'viewer' } });
    await joinByLink(here, { by, secret });
    expect(await here.stores.invitations.pending(teamId, here.time.now)).to.deep.equal([]);
    await removeMember(here, { by: owner, teamId, userId });
    expect(await receivedInvitations(here, { by })).to.deep.equal([]);
    await refused(joinByLink(here, { by, secret: asOwner.secret }), 'invitation-unusable');
    await refused(acceptReceived(here, { by, invitationId: asOwner.invitation.id }), 'not-found');
    const again = await invite(here, { by: owner, team: { id: teamId, role: 'viewer' }, email });
    await acceptReceived(here, { by, invitationId: again.invitation.id });
    expect((await here.stores.teams.members(teamId)).find((one) => one.userId === userId)?.role).to.equal('viewer');
  });
  it('nor by one from before joining ended the others', async () => {
    const here = await teamScene();
    const { teamId, owner, stranger: by } = here;
    const { userId } = by.principal;
    const { secret } = await invite(here, { by: owner, team: { id: teamId, role: 'owner' }, email: 'sam@example.com' });
    await here.stores.teams.addMember({ teamId, userId, role: 'viewer', createdAt: here.time.now });
    await removeMember(here, { by: owner, teamId, userId });
    await refused(joinByLink(here, { by, secret }), 'invitation-unusable');
  });
  it('is not told apart from others by what is bound to their addresses', async () => {
    const here = await teamScene();
    const { teamId, owner, viewer } = here;
    const team = { id: teamId, role: 'viewer' } as const;
    const other = await invite(here, { by: owner, team, email: 'sam@example.com' });
    await removeMember(here, { by: owner, teamId, userId: viewer.principal.userId });
    const { secret } = await invite(here, { by: owner, team });
    await accepting(here, secret, NEW_ADDRESS);
    const pending = await here.stores.invitations.pending(teamId, here.time.now);
    expect(pending.map(({ id }) => id)).to.deep.equal([other.invitation.id]);
  });
});

const invitedTo = (here: TeamScene) => invite(here, { by: here.owner, team: { id: here.teamId, role: 'member' } });
const invited = async () => {
  const here = await teamScene();
  const { secret } = await invitedTo(here);
  return { ...here, secret };
};
const NEW_ADDRESS = 'new@example.com';

const administratorOf = async (here: TeamScene): Promise<Actor> => {
  const id = here.newId();
  const made = { createdAt: here.time.now, disabledAt: null };
  const user = { id, email: 'root@example.com', emailVerified: true, name: 'Root', administrator: true, ...made };
  await here.stores.users.create(user, '');
  return { ...here.owner, principal: { ...here.owner.principal, userId: id, administrator: true, roles: new Map() } };
};

describe('Inviting by a role that ended a moment ago', () => {
  it('is refused, also by a former owner who is still remembered as one; nor are invitations of others revoked', async () => {
    const here = await teamScene();
    const { teamId, owner } = here;
    const team = { id: teamId, role: 'member' } as const;
    const { invitation } = await invite(here, { by: owner, team });
    const former = withRoles(here.member, { [teamId]: 'owner' });
    await refused(invite(here, { by: former, team }), 'forbidden');
    await refused(revokeInvitation(here, { by: former, teamId, invitationId: invitation.id }), 'forbidden');
    const administrator = await administratorOf(here);
    await here.stores.users.setDisabled(administrator.principal.userId, here.time.now);
    await refused(invite(here, { by: administrator, team: null }), 'forbidden');
    expect(await here.stores.invitations.pending(teamId, here.time.now)).to.have.length(1);
    expect(await here.stores.invitations.pending(null, here.time.now)).to.deep.equal([]);
  });
  it('into a disabled account adds no member to the team', async () => {
    const here = await teamScene();
    const { secret } = await invite(here, { by: here.owner, team: { id: here.teamId, role: 'member' } });
    await here.stores.users.setDisabled(here.stranger.principal.userId, here.time.now);
    await refused(joinByLink(here, { by: here.stranger, secret }), 'forbidden');
  });
});

describe('Accepting an invitation', () => {
  it('gives an account and the place in the team, and signs in', async () => {
    const here = await invited();
    const opened = await accepting(here, here.secret, NEW_ADDRESS);
    const found = await authenticateSession(here, opened.secret);
    expect('principal' in found && [...found.principal.roles]).to.deep.equal([[here.teamId, 'member']]);
    expect('principal' in found && found.principal.administrator).to.equal(false);
    expect((await signingIn(here, { email: NEW_ADDRESS })).user.id).to.equal(opened.user.id);
    expect(await actions(here, here.teamId)).to.include('member.add');
  });
  it('ends the session that the browser had, and the other invitations of the address', async () => {
    const here = await invited();
    const team = { id: here.teamId, role: 'owner' } as const;
    const bound = await invite(here, { by: here.owner, team, email: NEW_ADDRESS });
    const before = await accepting(here, (await invitedTo(here)).secret, 'first@example.com');
    const person = { email: NEW_ADDRESS, name: 'Mia', password: PASSWORD, origin, replaces: before.session.id };
    await acceptInvitation(here, { secret: here.secret, ...person });
    expect(await authenticateSession(here, before.secret)).to.deep.equal({ cause: 'unknown' });
    expect((await here.stores.invitations.byId(bound.invitation.id))?.revokedAt).to.equal(here.time.now);
  });
  it('works once, also of two at once', async () => {
    const here = await invited();
    const both = [accepting(here, here.secret, NEW_ADDRESS), accepting(here, here.secret, 'other@example.com')];
    const ends = await Promise.allSettled(both);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    await refused(accepting(here, here.secret, 'third@example.com'), 'invitation-unusable');
  });
  it('hashes no password of those whose turn comes after another one used the link', async () => {
    const here = await invited();
    const FIRST = '192.0.2.1';
    const hashed: string[] = [];
    const hashPassword: Ports['secrets']['hashPassword'] = async (password, asker, isWanted) => {
      if (asker.name !== FIRST) await first;
      await isWanted?.();
      hashed.push(asker.name);
      return here.secrets.hashPassword(password, asker);
    };
    const busy = { ...here, secrets: { ...here.secrets, hashPassword } };
    const first = accepting(busy, here.secret, NEW_ADDRESS, PASSWORD, FIRST);
    const late = ['192.0.2.2', '192.0.2.3'].map((address) =>
      refused(accepting(busy, here.secret, `${address}@example.com`, PASSWORD, address), 'invitation-unusable'),
    );
    await Promise.all([first, ...late]);
    expect(hashed).to.deep.equal([FIRST]);
  });
  it('is refused with another secret and from its expiry on', async () => {
    const here = await invited();
    await refused(accepting(here, 'guess', NEW_ADDRESS), 'invitation-unusable');
    here.time.now += INVITATION_LIFE;
    await refused(accepting(here, here.secret, NEW_ADDRESS), 'invitation-unusable');
  });
  it('stays usable when the address is taken or the password too short', async () => {
    const here = await invited();
    await refused(accepting(here, here.secret, 'BEN@example.com'), 'invitation-unusable');
    const error = await refused(accepting(here, here.secret, NEW_ADDRESS, 'short'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/password']);
    await accepting(here, here.secret, NEW_ADDRESS);
  });
  it('does not reveal by an unbound link which addresses have an account, and counts each try of a link', async () => {
    const here = await invited();
    const { teamId, owner } = here;
    const team = { id: teamId, role: 'member' } as const;
    const { secret: bound } = await invite(here, { by: owner, team, email: 'sam@example.com' });
    await refused(accepting(here, bound, 'sam@example.com'), 'email-taken');
    for (let nth = 0; nth < 100; nth += 1)
      await refused(accepting(here, here.secret, 'sam@example.com', undefined, `10.1.${nth}.1`), 'invitation-unusable');
    await refused(accepting(here, here.secret, NEW_ADDRESS, undefined, '10.2.1.1'), 'too-many-attempts');
    here.time.now += 3_600_000;
    await accepting(here, here.secret, NEW_ADDRESS, undefined, '10.2.1.1');
  });
  it('may be for an account without a team', async () => {
    const here = await teamScene();
    const administrator = await administratorOf(here);
    const { secret } = await invite(here, { by: administrator, team: null });
    const found = await authenticateSession(here, (await accepting(here, secret, NEW_ADDRESS)).secret);
    expect('principal' in found && found.principal.roles.size).to.equal(0);
  });
  it('is refused once the maker is owner no more, and does not bring a removed one back', async () => {
    const here = await invited();
    const { teamId, owner, member } = here;
    const { secret: asOwner } = await invite(here, { by: owner, team: { id: teamId, role: 'owner' } });
    await here.stores.teams.changeRole(teamId, member.principal.userId, 'owner');
    const other = withRoles(member, { [teamId]: 'owner' });
    await here.stores.teams.changeRole(teamId, owner.principal.userId, 'member');
    await refused(accepting(here, here.secret, NEW_ADDRESS), 'invitation-unusable');
    await removeMember(here, { by: other, teamId, userId: owner.principal.userId });
    await refused(accepting(here, asOwner, NEW_ADDRESS), 'invitation-unusable');
    expect(await here.stores.users.byEmail(NEW_ADDRESS)).to.equal(undefined);
    expect((await here.stores.teams.members(teamId)).map(({ name }) => name)).to.deep.equal(['Ben', 'Eve']);
  });
  it('is refused where the administrator who invited without a team is disabled', async () => {
    const here = await teamScene();
    const administrator = await administratorOf(here);
    const { secret } = await invite(here, { by: administrator, team: null });
    await here.stores.users.setDisabled(administrator.principal.userId, here.time.now);
    await refused(accepting(here, secret, NEW_ADDRESS), 'invitation-unusable');
  });
});
