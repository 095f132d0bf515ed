import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';

onEveryStore('members', (open) => {
  const stage = useFreshStage(open);
  const inTeam = () => ({ team_id: stage().team.id });
  const ofAda = () => ({ ...inTeam(), user_id: stage().ada.user.id });

  it('are invited by address, seen by all members once they accepted, given roles and removed', async () => {
    const { browser, world, service } = stage();
    const bob = await world.person('Bob');
    const body = { email: 'BOB@acme.dev', role: 'viewer' } as const;
    const invited = (await browser.ok('addMember', { path: inTeam(), body })).body.data;
    expect(invited).to.include({ ...inTeam(), role: 'viewer', email: 'BOB@acme.dev' });
    const his = service.signedIn(bob);
    const [received] = (await his.ok('listReceivedInvitations')).body.data;
    expect(received).to.deep.include({ id: invited.id, role: 'viewer', invited_by: 'Ada' });
    const joined = await his.ok('acceptReceivedInvitation', { path: { invitation_id: invited.id } });
    expect(joined.body.data).to.deep.equal({ ...inTeam(), role: 'viewer' });
    const seen = (await his.ok('listMembers', { path: inTeam() })).body.data;
    expect(seen.map(({ name, role }) => `${name} ${role}`)).to.deep.equal(['Ada owner', 'Bob viewer']);
    const path = { ...inTeam(), user_id: bob.user.id };
    const changed = (await browser.ok('changeMemberRole', { path, body: { role: 'member' } })).body.data;
    const known = {
      user_id: bob.user.id,
      name: 'Bob',
      email: 'bob@acme.dev',
      email_verified: true,
      mixed_scripts: false,
      disabled: false,
    };
    expect(changed).to.deep.equal({ ...known, role: 'member' });
    await browser.ok('removeMember', { path });
    await browser.refused('removeMember', 'not-found', { path });
    await browser.refused('changeMemberRole', 'not-found', { path, body: { role: 'owner' } });
  });

  it('are marked where they are chosen or confirmed when letters of two scripts that look alike meet', async () => {
    const { browser, world, team } = stage();
    // The second letter is Cyrillic.
    const paul = await world.person('P\u0430ul');
    const looks = (rows: readonly { readonly mixed_scripts: boolean }[]) => rows.map((row) => row.mixed_scripts);
    const role = 'viewer' as const;
    const seen: unknown[] = [];
    for (const email of [paul.user.email, 'paul@acme.dev']) {
      seen.push((await browser.ok('addMember', { path: inTeam(), body: { email, role } })).body.data.mixed_scripts);
      seen.push((await browser.ok('createInvitation', { body: { email } })).body.data.mixed_scripts);
    }
    seen.push((await browser.ok('createInvitation', { body: {} })).body.data.mixed_scripts);
    expect(seen).to.deep.equal([true, true, false, false, false]);
    const pending = (await browser.ok('listInvitations', { path: inTeam() })).body.data;
    expect(looks(pending)).to.have.members([true, false]);
    expect(looks((await browser.ok('listServiceInvitations')).body.data)).to.have.members([true, false, false]);
    await world.member(team, paul, 'member');
    expect(looks((await browser.ok('listMembers', { path: inTeam() })).body.data)).to.have.members([false, true]);
    expect(looks((await browser.ok('listPeople')).body.data)).to.have.members([false, true]);
    await world.key(paul, { teamId: team.id });
    const keys = (await browser.ok('listTeamApiKeys', { path: inTeam() })).body.data;
    expect(looks(keys.map(({ maker }) => maker))).to.deep.equal([true, false]);
  });

  it('are not invited again, and have one open invitation per address before', async () => {
    const { browser, world, service } = stage();
    const bob = service.signedIn(await world.person('Bob'));
    const body = { email: 'bob@acme.dev', role: 'viewer' } as const;
    const first = (await browser.ok('addMember', { path: inTeam(), body })).body.data;
    const second = (await browser.ok('addMember', { path: inTeam(), body: { ...body, role: 'member' } })).body.data;
    await bob.refused('joinTeam', 'invitation-unusable', { body: { token: first.token } });
    const pending = (await browser.ok('listInvitations', { path: inTeam() })).body.data;
    expect(pending.map(({ id, email }) => `${id} ${email}`)).to.deep.equal([`${second.id} bob@acme.dev`]);
    await bob.ok('joinTeam', { body: { token: second.token } });
    const { status } = await browser.refused('addMember', 'already-member', { path: inTeam(), body });
    expect(status).to.equal(409);
  });

  it('keep an owner: the last one neither leaves nor steps down', async () => {
    const { browser, world } = stage();
    const leaving = await browser.refused('removeMember', 'last-owner', { path: ofAda() });
    expect(leaving.status).to.equal(409);
    await browser.refused('changeMemberRole', 'last-owner', { path: ofAda(), body: { role: 'member' } });
    await browser.ok('changeMemberRole', { path: ofAda(), body: { role: 'owner' } });
    const bob = await world.person('Bob');
    await world.member(stage().team, bob, 'owner');
    await browser.ok('removeMember', { path: ofAda() });
    await browser.refused('listMembers', 'not-found', { path: inTeam() });
  });

  it('keep an owner when two leave at once', async () => {
    const { browser, world, service, ada, team } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'owner');
    const answers = await Promise.all([
      browser.ask('removeMember', { path: ofAda() }),
      service.signedIn(bob).ask('removeMember', { path: { ...inTeam(), user_id: bob.user.id } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
    const left = await service.ports.stores.teams.members(team.id);
    expect(left).to.have.lengthOf(1);
    expect([ada.user.id, bob.user.id]).to.include(left[0]?.userId);
  });

  it('may leave, but remove nobody else, unless they own the team', async () => {
    const { world, service, team, ada } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    const browser = service.signedIn(bob);
    await browser.refused('removeMember', 'forbidden', { path: ofAda() });
    await browser.refused('removeMember', 'forbidden', { path: { ...inTeam(), user_id: randomUUID() } });
    await browser.ok('removeMember', { path: { ...inTeam(), user_id: bob.user.id } });
    await browser.refused('removeMember', 'not-found', { path: ofAda() });
    expect((await service.ports.stores.teams.members(team.id)).map(({ userId }) => userId)).to.deep.equal([
      ada.user.id,
    ]);
  });
});
