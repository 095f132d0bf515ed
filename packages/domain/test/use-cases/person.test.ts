import { expect } from 'chai';
import { sessionPrincipal } from '../../src/access/person.js';
import type { TeamActor } from '../../src/access/principal.js';
import { authenticateSession } from '../../src/use-cases/account.js';
import { invite } from '../../src/use-cases/invitation.js';
import {
  appointOwner,
  disablePerson,
  enablePerson,
  ownerlessTeams,
  vouchForPerson,
} from '../../src/use-cases/person.js';
import { createTeam } from '../../src/use-cases/team.js';
import { principal } from '../access/principal-of.js';
import { refused } from '../refusal.js';
import { linkedScene } from './host-scene.js';
import { accepting, PASSWORD, serviceScene, signingIn } from './people.js';
import { noted, waitingForLocks } from './scene.js';

/** Ada, who administers, and Ben, who has an account and owns a team. */
const scene = async () => {
  const here = await serviceScene();
  const actor = ({ user, session }: typeof here.opened) => ({
    principal: sessionPrincipal(session, user, new Map()),
    address: '192.0.2.7',
    requestId: 'request-1',
  });
  const ada = actor(here.opened);
  const { secret } = await invite(here, { by: ada, team: null });
  const opened = await accepting(here, secret);
  const ben = actor(opened);
  const team = await createTeam(here, { by: ben, name: 'Search' });
  return { ...here, ada, ben, benOpened: opened, userId: opened.user.id, team };
};

/** Who was an administrator until a moment ago. */
const stale = (actor: TeamActor): TeamActor => ({ ...actor, principal: { ...actor.principal, administrator: true } });

describe('Administering people', () => {
  it('is for administrators', async () => {
    const here = await scene();
    const { ben: by, userId } = here;
    for (const deed of [disablePerson, enablePerson, vouchForPerson])
      await refused(deed(here, { by, userId }), 'forbidden');
    await refused(ownerlessTeams(here, { by }), 'forbidden');
    await refused(appointOwner(here, { by, userId, teamId: here.team.id }), 'forbidden');
    await refused(disablePerson(here, { by: here.ada, userId: 'nobody' }), 'not-found');
  });
  it('disables once, refuses the password of a disabled account, and enables', async () => {
    const here = await scene();
    const command = { by: here.ada, userId: here.userId };
    const disabled = await disablePerson(here, command);
    here.time.now += 1;
    expect((await disablePerson(here, command)).disabledAt).to.equal(disabled.disabledAt);
    await refused(signingIn(here, { email: 'ben@example.com', password: PASSWORD }), 'wrong-credentials');
    expect(await authenticateSession(here, here.benOpened.secret)).to.deep.equal({ cause: 'unknown' });
    expect((await enablePerson(here, command)).disabledAt).to.equal(null);
    const again = await signingIn(here, { email: 'ben@example.com', password: PASSWORD });
    await here.stores.users.setDisabled(here.userId, here.time.now);
    expect(await authenticateSession(here, again.secret)).to.deep.equal({ cause: 'disabled' });
  });
  it('marks what was imported with the account as stale before it disables it, and once more after', async () => {
    const here = await linkedScene();
    const { repositoryLinks } = here.stores;
    const { link, state } = here.linked;
    await repositoryLinks.put({ link, state: { ...state, completedAt: here.time.now } });
    const states: unknown[] = [];
    const setIssuesAsOf: typeof repositoryLinks.setIssuesAsOf = async (...given) => {
      states.push((await here.stored())?.state);
      await repositoryLinks.setIssuesAsOf(...given);
    };
    const ports = { ...here, stores: { ...here.stores, repositoryLinks: { ...repositoryLinks, setIssuesAsOf } } };
    const { userId } = here.owner.principal;
    // As an account of an embedder, which is not stored here.
    const by = { ...here.owner, principal: principal({}, { userId: 'root', administrator: true }) };
    await refused(disablePerson(ports, { by: here.member, userId }), 'forbidden');
    await refused(disablePerson(ports, { by: stale(here.member), userId }), 'forbidden');
    await refused(disablePerson(ports, { by, userId: 'nothing' }), 'not-found');
    expect(states).to.deep.equal([]);
    await disablePerson(ports, { by, userId });
    expect(states).to.deep.equal(['ok', 'revoking']);
  });
  it('is noted at the moment when the accounts were had', async () => {
    const scenery = await scene();
    const { ada: by, userId, team } = scenery;
    const { entries, here } = noted(waitingForLocks(scenery));
    const at: number[] = [];
    for (const deed of [disablePerson, enablePerson, vouchForPerson, disablePerson]) {
      await deed(here, { by, userId });
      at.push(here.time.now);
    }
    const adaId = here.opened.user.id;
    await here.stores.teams.addMember({ teamId: team.id, userId: adaId, role: 'viewer', createdAt: here.time.now });
    await appointOwner(here, { by, userId: adaId, teamId: team.id });
    at.push(here.time.now);
    const done = ['person.disable', 'person.enable', 'person.vouch', 'person.disable', 'member.change_role'];
    expect(entries).to.deep.equal(done.map((action, nth) => ({ action, at: at[nth] })));
    expect(new Set(at).size, 'each waited').to.equal(at.length);
    expect((await here.stores.users.byId(userId))?.disabledAt).to.equal(at[3]);
  });
  it('keeps an administrator who is not disabled', async () => {
    const here = await scene();
    await refused(disablePerson(here, { by: here.ada, userId: here.opened.user.id }), 'last-administrator');
  });
  it('gives a team whose owners are all disabled only to a member', async () => {
    const here = await scene();
    const { ada: by, userId, team } = here;
    await disablePerson(here, { by, userId });
    expect((await ownerlessTeams(here, { by })).map((found) => found.team.id)).to.deep.equal([team.id]);
    const adaId = here.opened.user.id;
    await refused(appointOwner(here, { by, userId: adaId, teamId: team.id }), 'not-found');
    await here.stores.teams.addMember({ teamId: team.id, userId: adaId, role: 'viewer', createdAt: here.time.now });
    expect(await appointOwner(here, { by, userId: adaId, teamId: team.id })).to.include({ role: 'owner' });
    await refused(appointOwner(here, { by, userId: adaId, teamId: team.id }), 'not-found');
  });
});
