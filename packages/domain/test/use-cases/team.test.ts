import { expect } from 'chai';
import type { TeamActor } from '../../src/access/principal.js';
import { DomainError } from '../../src/errors.js';
import type { Role } from '../../src/team.js';
import { createApiKey } from '../../src/use-cases/api-key.js';
import { invite } from '../../src/use-cases/invitation.js';
import { createProject } from '../../src/use-cases/project.js';
import {
  archiveTeam,
  changeRole,
  createTeam,
  joinByLink,
  readTeams,
  removeDemo,
  removeMember,
  renameTeam,
  restoreTeam,
} from '../../src/use-cases/team.js';
import { refused } from '../refusal.js';
import { noted, teamScene, waitingForLocks } from './scene.js';
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
    const resource = { type: 'team', id: team.id };
    const detail = { name: 'Über Team' };
    expect(await lastDeed(here, team.id)).to.deep.equal({ action: 'team.create', resource, detail });
  });
  it('gives a name without letters of an address the slug of a team', async () => {
    const here = world();
    const by = await person(here, 'Ada');
    expect((await createTeam(here, { by, name: '山田' })).slug).to.equal('team');
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
    expect(await lastDeed(here, here.teamId)).to.deep.equal({
      action: 'team.rename',
      resource: { type: 'team', id: here.teamId },
      detail: { from: 'Payments', to: 'Money' },
    });
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
    const noted = { resource: { type: 'team', id: here.teamId }, detail: { name: 'Payments' } };
    expect(await lastDeed(here, here.teamId)).to.deep.equal({ action: 'team.archive', ...noted });
    expect(await archiveTeam(here, command)).to.deep.equal(archived);
    expect(await restoreTeam(here, command)).to.deep.equal({ ...before, version: 3 });
    const deeds = (await actions(here, here.teamId)).filter((action) => /archive|restore/.test(action));
    expect(deeds).to.have.members(['team.archive', 'team.restore']);
  });
  it('is for owners', async () => {
    const here = await teamScene();
    for (const deed of [archiveTeam, restoreTeam]) {
      await refused(deed(here, { by: needing('owner', here.member), teamId: here.teamId }), 'forbidden');
      await refused(deed(here, { by: here.stranger, teamId: here.teamId }), 'not-found');
    }
  });
});

/** A second owner, Ben, who invited into this team and into one of his own, beside an invitation of the first owner. */
const ownersInviting = async () => {
  const here = await teamScene();
  const { userId } = here.member.principal;
  const own = await createTeam(here, { by: here.member, name: 'Own' });
  await here.stores.teams.changeRole(here.teamId, userId, 'owner');
  const ben = withRoles(here.member, { [here.teamId]: 'owner', [own.id]: 'owner' });
  const into = (by: TeamActor, id: string) => invite(here, { by, team: { id, role: 'viewer' } });
  const made = [await into(ben, here.teamId), await into(ben, own.id), await into(here.owner, here.teamId)];
  /** Whether each of the three is revoked now. */
  const revoked = () =>
    Promise.all(
      made.map(async ({ invitation }) => (await here.stores.invitations.byId(invitation.id))?.revokedAt !== null),
    );
  return { ...here, userId, revoked };
};

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
  it('revokes what invitations an owner made into that team when they are owner no more', async () => {
    const here = await ownersInviting();
    const { teamId } = here;
    const change = (role: Role) => changeRole(here, { by: here.owner, teamId, userId: here.userId, role });
    await change('owner');
    expect(await here.revoked()).to.deep.equal([false, false, false]);
    await change('member');
    expect(await here.revoked()).to.deep.equal([true, false, false]);
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
  it('revokes what invitations they made into that team', async () => {
    const here = await ownersInviting();
    await removeMember(here, { by: here.owner, teamId: here.teamId, userId: here.userId });
    expect(await here.revoked()).to.deep.equal([true, false, false]);
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

describe('An API key for all teams, made beside the demo', () => {
  it('has no home in the demo, and so reaches what its maker joins once that is removed', async () => {
    const { here, within } = await demoScene();
    const by = within('owner');
    const expiresAt = here.time.now + 1_000;
    const home = { teamId: null, projectId: null, allTeams: true };
    const { apiKey } = await createApiKey(here, { by, name: 'CI', scopes: ['read'], expiresAt, ...home });
    expect(apiKey.homeTeams).to.deep.equal([here.teamId]);
  });
});

describe('Removing the demo', () => {
  it('takes the demo away and no other team, and is noted in none when it was had', async () => {
    const { here, demo, within } = await demoScene();
    const began = here.time.now;
    const { deeds, entries, here: listening } = noted(waitingForLocks(here));
    await removeDemo(listening, { by: within('owner') });
    const resource = { type: 'team', id: demo.id };
    expect(deeds).to.deep.equal([{ teamId: null, action: 'demo.remove', resource, detail: { name: 'Demo' } }]);
    expect(entries.map(({ at }) => at)).to.deep.equal([began + 5000]);
    expect(await here.stores.teams.byId(demo.id)).to.equal(undefined);
    expect(await here.stores.teams.byId(here.teamId)).to.include({ id: here.teamId, demo: false });
    const again = await refused(removeDemo(here, { by: within('owner') }), 'not-found');
    expect(again.details).to.deep.equal({ what: 'demo' });
  });
  it('happens once, of two owners at the same time', async () => {
    const { here, within } = await demoScene();
    const remove = () => removeDemo(here, { by: within('owner') });
    const [first, second] = await Promise.allSettled([remove(), remove()]);
    expect([first?.status, second?.status]).to.deep.equal(['fulfilled', 'rejected']);
    const reason = second?.status === 'rejected' ? second.reason : undefined;
    expect(reason).to.be.instanceOf(DomainError).and.deep.include({ code: 'not-found' });
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

describe('The list of teams', () => {
  it('shows the teams in sight with their projects, and to a key of one project only that one', async () => {
    const here = await teamScene();
    const project = async (by: TeamActor, teamId: string, name: string) =>
      (await createProject(here, { by, teamId, name })).id;
    const shop = await project(here.member, here.teamId, 'Shop');
    const till = await project(here.member, here.teamId, 'Till');
    const [other = ''] = here.stranger.principal.roles.keys();
    const index = await project(here.stranger, other, 'Index');
    const shown = async (roles: Readonly<Record<string, Role>>, projectId?: string) => {
      const { principal } = withRoles(here.member, roles);
      const home = projectId === undefined ? {} : { home: { teamIds: [here.teamId], projectId } };
      const overviews = await readTeams(here.stores, { ...principal, ...home });
      return overviews.map(({ team, projects }) => [team.name, projects.map(({ id }) => id)]);
    };
    expect(await shown({ [here.teamId]: 'viewer' })).to.deep.equal([['Payments', [shop, till]]]);
    expect(await shown({ [here.teamId]: 'viewer' }, till)).to.deep.equal([['Payments', [till]]]);
    expect(await shown({ [here.teamId]: 'viewer', [other]: 'owner' })).to.deep.equal([
      ['Payments', [shop, till]],
      ['Search', [index]],
    ]);
    expect(await shown({})).to.deep.equal([]);
  });
});
