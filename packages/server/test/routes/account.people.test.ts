import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { givePassword, PASSWORD, secretIn } from '../harness/people.js';
import { connected } from '../harness/preparations.js';
import { useFreshStage } from '../harness/stage.js';

/** Everything given up is given up everywhere within this time, in milliseconds. */
const AT_MOST = 2000;

onEveryStore('people', (open) => {
  const stage = useFreshStage(open);
  const about = ({ user }: { readonly user: { readonly id: string } }) => ({ path: { user_id: user.id } });

  it('are listed for administrators, page by page', async () => {
    const { browser, world } = stage();
    const bob = await world.person('Bob');
    const first = (await browser.ok('listPeople', { query: { limit: 1 } })).body;
    expect(first.data.map(({ name }) => name)).to.deep.equal(['Ada']);
    const cursor = first.next_cursor ?? '';
    const second = (await browser.ok('listPeople', { query: { limit: 1, cursor } })).body;
    expect(second.next_cursor).to.equal(null);
    const created_at = new Date(bob.user.createdAt).toISOString();
    const known = {
      name: 'Bob',
      email: 'bob@acme.dev',
      email_verified: true,
      mixed_scripts: false,
      administrator: false,
    };
    expect(second.data).to.deep.equal([{ id: bob.user.id, ...known, created_at, disabled_at: null }]);
  });

  it('are exported as CSV', async () => {
    const { ada, browser, world } = stage();
    const bob = await world.person('=Bob');
    await browser.ok('disablePerson', about(bob));
    const { headers, text } = await browser.ok('exportPeople');
    expect(headers['content-disposition']).to.equal('attachment; filename="people.csv"');
    const [head, first, second, ...rest] = text.split('\r\n');
    expect(head).to.equal('name,email,email_verified,administrator,created_at,disabled_at,id');
    expect(first)
      .to.match(/^"Ada","[^"]+","yes","yes","[^"]+",,"/)
      .and.contain(ada.user.id);
    expect(second)
      .to.match(/^"'=Bob",.*,"yes","no","[^"]+","[^"]+","/)
      .and.contain(bob.user.id);
    expect(rest).to.deep.equal(['']);
    const query = { q: 'BOB' };
    expect((await browser.ok('exportPeople', { query })).text).to.equal(`${head}\r\n${second}\r\n`);
    const { body } = await browser.ok('listPeople', { query: { ...query, limit: 1 } });
    expect(body.data.map(({ id }) => id)).to.deep.equal([bob.user.id]);
    expect(body.next_cursor).to.equal(null);
  });

  it('are for administrators only', async () => {
    const { world, service, pipeline } = stage();
    const bob = await world.person('Bob');
    const his = service.signedIn(bob);
    await his.refused('listPeople', 'forbidden');
    await his.refused('exportPeople', 'forbidden');
    await his.refused('listServiceInvitations', 'forbidden');
    await his.refused('listOwnerlessTeams', 'forbidden');
    for (const id of ['disablePerson', 'enablePerson', 'vouchForPerson'] as const)
      await his.refused(id, 'forbidden', about(bob));
    await pipeline.refused('disablePerson', 'session-only', about(bob));
    await stage().browser.refused('disablePerson', 'not-found', { path: { user_id: randomUUID() } });
  });

  it('lose sessions, keys, invitations and the connection to the host when disabled, and keep their records', async () => {
    const { browser, world, service, team, forge, inProject } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'owner');
    const his = service.signedIn(bob);
    const key = service.withKey(await world.key(bob));
    await his.ok('createRelease', { path: inProject, body: { name: '3.0' } });
    const invited = (await his.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    await connected(stage());
    await key.ok('listTeams');

    const { data } = (await browser.ok('disablePerson', about(bob))).body;
    expect(data).to.include({ name: 'Bob', disabled_at: new Date(service.clock.read()).toISOString() });
    service.clock.pass(AT_MOST);
    await his.refused('readSession', 'unauthenticated');
    const { body } = await key.refused('listTeams', 'unauthenticated');
    expect(body.detail).to.contain('disabled');
    const read = (await service.anonymous.ok('readInvitation', { body: { token: invited.token } })).body.data;
    expect(read.state).to.equal('revoked');
    const connection = await service.ports.stores.hostConnections.of(bob.user.id, forge.host.name);
    // The grant is ended in the background: by now it may be gone.
    expect(connection?.state ?? 'gone').to.be.oneOf(['revoking', 'gone']);
    const members = (await browser.ok('listMembers', { path: { team_id: team.id } })).body.data;
    expect(members.find(({ name }) => name === 'Bob')).to.include({ disabled: true });
    const releases = (await browser.ok('listReleases', { path: inProject })).body.data;
    expect(releases.map(({ name }) => name)).to.include('3.0');
    await browser.ok('enablePerson', about(bob));
    const later = (await service.anonymous.ok('readInvitation', { body: { token: invited.token } })).body.data;
    expect(later.state, 'an owner again').to.equal('revoked');
  });

  it('sign in with a wrong answer while disabled, and come back without what ended', async () => {
    const { browser, world, service, team } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    await givePassword(service, bob);
    const key = service.withKey(await world.key(bob));
    await browser.ok('disablePerson', about(bob));
    const headers = { 'x-request-id': 'one' };
    const right = { email: 'bob@acme.dev', password: PASSWORD };
    const refused = await service.anonymous.refused('signIn', 'wrong-credentials', { body: right, headers });
    const wrong = await service.anonymous.refused('signIn', 'wrong-credentials', {
      body: { ...right, password: 'not the right one' },
      headers,
    });
    expect(refused.text).to.equal(wrong.text);
    await browser.ok('disablePerson', about(bob));
    const { data } = (await browser.ok('enablePerson', about(bob))).body;
    expect(data.disabled_at).to.equal(null);
    service.clock.pass(60_000);
    await service.signedIn(bob).refused('readSession', 'unauthenticated');
    const again = service.signedIn({ secret: secretIn(await service.anonymous.ok('signIn', { body: right })) });
    expect((await again.ok('listTeams')).body.data.map(({ id }) => id)).to.deep.equal([team.id]);
    await key.ok('listTeams');
  });

  it('keep an administrator', async () => {
    const { browser, ada } = stage();
    const { status } = await browser.refused('disablePerson', 'last-administrator', about(ada));
    expect(status).to.equal(409);
    await browser.ok('readSession');
  });

  it('are vouched for, and then see what their address is invited to', async () => {
    const { browser, service, team } = stage();
    const { token } = (await browser.ok('createInvitation', { body: {} })).body.data;
    const person = { token, email: 'grace@acme.dev', name: 'Grace', password: PASSWORD };
    const grace = service.signedIn({
      secret: secretIn(await service.anonymous.ok('acceptInvitation', { body: person })),
    });
    await browser.ok('addMember', { path: { team_id: team.id }, body: { email: 'grace@acme.dev', role: 'viewer' } });
    expect((await grace.ok('listReceivedInvitations')).body.data).to.deep.equal([]);
    const { user } = (await grace.ok('readSession')).body.data;
    expect((await browser.ok('vouchForPerson', about({ user }))).body.data.email_verified).to.equal(true);
    expect((await grace.ok('listReceivedInvitations')).body.data).to.have.length(1);
  });

  it('leave a team without an owner, which an administrator gives to one of its members only', async () => {
    const { browser, world, service, team } = stage();
    const [bob, mel, eve] = [await world.person('Bob'), await world.person('Mel'), await world.person('Eve')];
    const theirs = await world.team(bob, 'Research');
    await world.member(theirs, mel, 'viewer');
    const naming = (person: typeof bob, team_id: string) => ({ ...about(person), body: { team_id } }) as const;
    await browser.refused('nameOwner', 'not-found', naming(mel, theirs.id));
    await browser.ok('disablePerson', about(bob));
    const [found, ...others] = (await browser.ok('listOwnerlessTeams')).body.data;
    expect(others).to.deep.equal([]);
    expect(found).to.include({ id: theirs.id, name: 'Research' });
    expect(found?.members.map(({ name }) => name)).to.deep.equal(['Mel']);
    await browser.refused('listMembers', 'not-found', { path: { team_id: theirs.id } });
    for (const each of [bob, eve]) await browser.refused('nameOwner', 'not-found', naming(each, theirs.id));
    await browser.refused('nameOwner', 'not-found', naming(mel, team.id));
    expect((await browser.ok('nameOwner', naming(mel, theirs.id))).body.data).to.include({
      name: 'Mel',
      role: 'owner',
    });
    expect((await browser.ok('listOwnerlessTeams')).body.data).to.deep.equal([]);
    const entries = (await service.signedIn(mel).ok('listAuditEntries', { path: { team_id: theirs.id } })).body.data;
    expect(entries[0]).to.deep.include({ action: 'member.change_role' });
  });
});

onEveryStore('invitations into no team', (open) => {
  const stage = useFreshStage(open);

  it('are listed for administrators and revoked', async () => {
    const { browser, service, world, team } = stage();
    await browser.ok('createInvitation', { body: { team_id: team.id } });
    const { id, token, expires_at } = (await browser.ok('createInvitation', { body: { email: 'grace@acme.dev' } })).body
      .data;
    const created_at = new Date(service.clock.read()).toISOString();
    const made = { id, email: 'grace@acme.dev', mixed_scripts: false, created_by: 'Ada', created_at, expires_at };
    expect((await browser.ok('listServiceInvitations')).body.data).to.deep.equal([made]);
    const bob = service.signedIn(await world.person('Bob'));
    const path = { invitation_id: id };
    await bob.refused('revokeServiceInvitation', 'forbidden', { path });
    await browser.ok('revokeServiceInvitation', { path });
    await browser.refused('revokeServiceInvitation', 'not-found', { path });
    expect((await browser.ok('listServiceInvitations')).body.data).to.deep.equal([]);
    const body = { token, email: 'grace@acme.dev', name: 'Grace', password: PASSWORD };
    await service.anonymous.refused('acceptInvitation', 'invitation-unusable', { body });
  });

  it('are exported as CSV for administrators, without what opens them', async () => {
    const { browser, service, world, team } = stage();
    await browser.ok('createInvitation', { body: { team_id: team.id } });
    const { id, token, expires_at } = (await browser.ok('createInvitation', { body: { email: 'grace@acme.dev' } })).body
      .data;
    const { headers, text } = await browser.ok('exportServiceInvitations');
    expect(headers['content-disposition']).to.equal('attachment; filename="service-invitations.csv"');
    const created_at = new Date(service.clock.read()).toISOString();
    expect(text.split('\r\n')).to.deep.equal([
      'email,created_by,created_at,expires_at,id',
      `"grace@acme.dev","Ada","${created_at}","${expires_at}","${id}"`,
      '',
    ]);
    expect(text).not.to.contain(token);
    await service.signedIn(await world.person('Bob')).refused('exportServiceInvitations', 'forbidden');
  });
});

onEveryStore('invitations into a team', (open) => {
  const stage = useFreshStage(open);

  it('are exported as CSV for owners, without what opens them', async () => {
    const { team, service, world } = stage();
    const [path, eve] = [{ team_id: team.id }, await world.person('=Eve')];
    await world.member(team, eve, 'owner');
    const browser = service.signedIn(eve);
    const make = async (bound: { readonly email?: string }) =>
      (await browser.ok('createInvitation', { body: { ...path, role: 'viewer', ...bound } })).body.data;
    const [free, bound] = [await make({}), await make({ email: 'grace@acme.dev' })];
    const { headers, text } = await browser.ok('exportInvitations', { path });
    expect(headers['content-disposition']).to.equal('attachment; filename="invitations.csv"');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).to.equal('email,role,created_by,created_at,expires_at,id');
    const at = new Date(service.clock.read()).toISOString();
    expect(lines).to.have.members([
      `,"viewer","'=Eve","${at}","${free.expires_at}","${free.id}"`,
      `"grace@acme.dev","viewer","'=Eve","${at}","${bound.expires_at}","${bound.id}"`,
    ]);
    for (const { token } of [free, bound]) expect(text).not.to.contain(token);
    const mel = await world.person('Mel');
    await world.member(team, mel, 'member');
    await service.signedIn(mel).refused('exportInvitations', 'forbidden', { path });
  });
});
