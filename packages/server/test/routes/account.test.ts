import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { wireInvitation } from '../../src/routes/account.js';
import { onEveryStore } from '../harness/openings.js';
import { givePassword, PASSWORD, secretIn } from '../harness/people.js';
import { useFreshStage, useStage } from '../harness/stage.js';

const HOUR = 3_600_000;

onEveryStore('sessions', (open) => {
  const stage = useFreshStage(open);
  const credentials = () => ({ email: stage().ada.user.email, password: PASSWORD });

  it('start by signing in, for any case of the address', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const answer = await service.anonymous.ok('signIn', {
      body: { email: ada.user.email.toUpperCase(), password: PASSWORD },
    });
    expect(answer.body.data.user).to.include({ id: ada.user.id, email: 'ada@acme.dev', name: 'Ada' });
    const browser = service.signedIn({ secret: secretIn(answer) });
    expect((await browser.ok('readSession')).body).to.deep.equal(answer.body);
  });

  it('replace the one the browser had', async () => {
    const { service, ada, browser } = stage();
    await givePassword(service, ada);
    const answer = await browser.ok('signIn', { body: credentials() });
    expect(secretIn(answer)).not.to.equal(ada.secret);
    await browser.refused('readSession', 'unauthenticated');
    await service.signedIn({ secret: secretIn(answer) }).ok('readSession');
  });

  it('end by signing out, at once, and the cookie goes', async () => {
    const { browser } = stage();
    const { headers } = await browser.ok('signOut');
    expect(headers['set-cookie']).to.equal('shipworthy_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    await browser.refused('readSession', 'unauthenticated');
    await browser.refused('signOut', 'unauthenticated');
  });

  it('end after eight idle hours, but not while they are used', async () => {
    const { browser, service } = stage();
    for (let times = 0; times < 3; times += 1) {
      service.clock.pass(8 * HOUR - 1);
      await browser.ok('readSession');
    }
    service.clock.pass(8 * HOUR);
    const { body } = await browser.refused('readSession', 'unauthenticated');
    expect(body.detail).to.contain('expired');
  });

  it('end after seven days in any case', async () => {
    const { browser, service } = stage();
    for (let passed = 0; passed < 7 * 24 - 7; passed += 7) {
      service.clock.pass(7 * HOUR);
      await browser.ok('readSession');
    }
    service.clock.pass(7 * HOUR);
    await browser.refused('readSession', 'unauthenticated');
  });
});

describe('signIn', () => {
  const stage = useFreshStage();

  it('answers the same for a wrong password and an unknown account', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const headers = { 'x-request-id': 'one' };
    const [wrong, unknown] = await Promise.all(
      [ada.user.email, 'eve@acme.dev'].map((email) =>
        service.anonymous.refused('signIn', 'wrong-credentials', { body: { email, password: 'not the one' }, headers }),
      ),
    );
    expect(wrong?.status).to.equal(401);
    expect(wrong?.text).to.equal(unknown?.text);
    expect(wrong?.headers).not.to.have.property('set-cookie');
  });

  it('is not for pages of other sites, and needs no Origin of a script', async () => {
    const { service, ada, browser } = stage();
    await givePassword(service, ada);
    const body = { email: ada.user.email, password: PASSWORD };
    const evil = { origin: 'https://evil.example' };
    await service.anonymous.refused('signIn', 'cross-site', { body, headers: evil });
    await browser.refused('signIn', 'cross-site', { body, headers: evil });
    await service.anonymous.ok('signIn', { body });
  });

  it('leaves a trace that holds no secret', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const answer = await service.anonymous.ok('signIn', { body: { email: ada.user.email, password: PASSWORD } });
    expect(answer.text).not.to.contain(PASSWORD).and.not.contain(secretIn(answer));
  });
});

describe('changePassword', () => {
  const stage = useFreshStage();
  const CHANGE = { current_password: PASSWORD, new_password: 'another long phrase' };

  it('ends the other sessions and keeps this one', async () => {
    const { service, ada, world, browser } = stage();
    await givePassword(service, ada);
    const other = service.signedIn(await world.session(ada.user));
    const stranger = service.signedIn(await world.person('Bob'));
    await other.ok('readSession');
    await browser.ok('changePassword', { body: CHANGE });
    service.clock.pass(2000);
    await other.refused('readSession', 'unauthenticated');
    await browser.ok('readSession');
    await stranger.ok('readSession');
    const email = ada.user.email;
    await service.anonymous.refused('signIn', 'wrong-credentials', { body: { email, password: PASSWORD } });
    await service.anonymous.ok('signIn', { body: { email, password: CHANGE.new_password } });
  });

  it('needs the present password, and is limited like signing in', async () => {
    const { service, ada, browser } = stage();
    await givePassword(service, ada);
    const body = { ...CHANGE, current_password: 'not the one' };
    for (let tries = 0; tries < 5; tries += 1) await browser.refused('changePassword', 'wrong-credentials', { body });
    const { headers } = await browser.refused('changePassword', 'too-many-requests', { body: CHANGE });
    expect(headers['retry-after']).to.equal('60');
    await service.anonymous.refused('signIn', 'too-many-requests', {
      body: { email: ada.user.email, password: PASSWORD },
    });
  });

  it('refuses one that is too short', async () => {
    const { body } = await stage().browser.refused('changePassword', 'invalid', {
      body: { ...CHANGE, new_password: 'eleven char' },
    });
    expect(body.errors).to.have.nested.property('[0].pointer', '/new_password');
  });
});

describe('whoAmI', () => {
  const stage = useStage();
  const DAY = 24 * 3_600_000;

  it('tells a key its name, scopes, teams and expiry', async () => {
    const { service, world, ada, team } = stage();
    const caller = service.withKey(await world.key(ada, { scopes: ['deployments:write'] }));
    const { data } = (await caller.ok('whoAmI')).body;
    expect(data).to.deep.equal({
      kind: 'api_key',
      id: data.id,
      name: 'pipeline',
      user_id: ada.user.id,
      administrator: false,
      scopes: ['deployments:write'],
      teams: [{ id: team.id, name: 'Payments', slug: 'payments', role: 'owner' }],
      project_id: null,
      expires_at: new Date(service.clock.read() + 90 * DAY).toISOString(),
    });
  });

  it('tells a person the same of the session', async () => {
    const { browser, ada } = stage();
    const { data } = (await browser.ok('whoAmI')).body;
    expect(data).to.include({ kind: 'session', id: ada.session.id, name: 'Ada', administrator: true });
    expect(data.scopes).to.deep.equal(['read', 'deployments:write', 'test-runs:write', 'axes:write']);
  });

  it('shows a key of one team that team only, with the role its maker has there now', async () => {
    const { service, world, ada } = stage();
    const bob = await world.person('Bob');
    const platform = await world.team(bob, 'Platform');
    await world.member(platform, ada, 'viewer');
    const key = service.withKey(await world.key(ada, { scopes: ['read'], teamId: platform.id }));
    const { data } = (await key.ok('whoAmI')).body;
    expect(data.teams).to.deep.equal([{ id: platform.id, name: 'Platform', slug: 'platform', role: 'viewer' }]);
  });
});

const DAY = 24 * 3_600_000;
const grace = (token: string) => ({ token, email: 'grace@acme.dev', name: 'Grace', password: PASSWORD });

onEveryStore('invitations', (open) => {
  const stage = useStage(open);

  it('bring person no. 2 into the team', async () => {
    const { browser, team, service } = stage();
    const { data } = (await browser.ok('createInvitation', { body: { team_id: team.id, role: 'viewer' } })).body;
    expect(data).to.deep.equal({
      id: data.id,
      token: data.token,
      url: `${service.baseUrl}/invitation#${data.token}`,
      team_id: team.id,
      role: 'viewer',
      email: null,
      mixed_scripts: false,
      expires_at: new Date(service.clock.read() + 7 * DAY).toISOString(),
    });
    const answer = await service.anonymous.ok('acceptInvitation', { body: grace(data.token) });
    expect(answer.body.data.user).to.include({ email: 'grace@acme.dev', name: 'Grace', administrator: false });
    const caller = service.signedIn({ secret: secretIn(answer) });
    const [seen] = (await caller.ok('whoAmI')).body.data.teams;
    expect(seen).to.include({ id: team.id, role: 'viewer' });
    const { body } = await service.anonymous.refused('acceptInvitation', 'invitation-unusable', {
      body: { ...grace(data.token), email: 'other@acme.dev' },
    });
    expect(body.status).to.equal(409);
  });

  it('let exactly one of many accept', async () => {
    const { browser, team, service } = stage();
    const { token } = (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    const tries = Array.from({ length: 6 }, (_, index) =>
      service.anonymous.ask('acceptInvitation', { body: { ...grace(token), email: `r${index}@acme.dev` } }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([201, 409, 409, 409, 409, 409]);
  });

  it('stay usable when the address is taken', async () => {
    const { browser, team, service } = stage();
    const { token } = (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    const { status } = await service.anonymous.refused('acceptInvitation', 'invitation-unusable', {
      body: { ...grace(token), email: 'ADA@acme.dev' },
    });
    expect(status).to.equal(409);
    await service.anonymous.ok('acceptInvitation', { body: { ...grace(token), email: 'free@acme.dev' } });
  });

  it('tell who has the link what they are for, and first of all when they are of no use', async () => {
    const { browser, team, service, world, ada } = stage();
    const read = async (token: string) => (await service.anonymous.ok('readInvitation', { body: { token } })).body.data;
    const email = `${randomUUID()}@acme.dev`;
    const { token, id, expires_at } = (await browser.ok('createInvitation', { body: { team_id: team.id, email } })).body
      .data;
    const open = {
      state: 'open',
      team: 'Payments',
      role: 'member',
      invited_by: 'Ada',
      email,
      mixed_scripts: false,
      expires_at,
    };
    expect(await read(token)).to.deep.equal(open);
    const gone = { team: null, role: null, invited_by: null, email: null, mixed_scripts: false, expires_at: null };
    await browser.ok('revokeInvitation', { path: { team_id: team.id, invitation_id: id } });
    expect(await read(token)).to.deep.equal({ ...gone, state: 'revoked' });
    const used = (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    await service.signedIn(await world.person('Una')).ok('joinTeam', { body: { token: used.token } });
    expect(await read(used.token)).to.deep.equal({ ...gone, state: 'used' });
    const until = new Date(service.clock.read() + 1).toISOString();
    const short = (await browser.ok('createInvitation', { body: { team_id: team.id, expires_at: until } })).body.data;
    service.clock.pass(1);
    expect(await read(short.token)).to.deep.equal({ ...gone, state: 'expired' });
    const bea = await world.person('Bea');
    await world.member(team, bea, 'owner');
    const hers = (await service.signedIn(bea).ok('createInvitation', { body: { team_id: team.id } })).body.data;
    await browser.ok('removeMember', { path: { team_id: team.id, user_id: bea.user.id } });
    expect(await read(hers.token)).to.deep.equal({ ...gone, state: 'revoked' });
    const bare = (await browser.ok('createInvitation', { body: {} })).body.data;
    expect(await read(bare.token)).to.include({ state: 'open', team: null, role: null, invited_by: ada.user.name });
  });

  it('bound to an address are accepted with that address only, in any spelling of it', async () => {
    const { browser, team, service, world } = stage();
    const zoe = await world.person('Zoe');
    const made = async (email: string) =>
      (await browser.ok('createInvitation', { body: { team_id: team.id, email } })).body.data;
    const { token } = await made('Zoe2@acme.dev');
    const wrong = { ...grace(token), email: 'someone@acme.dev' };
    const refused = await service.anonymous.refused('acceptInvitation', 'invitation-for-another-address', {
      body: wrong,
    });
    expect(refused.status).to.equal(409);
    const his = service.signedIn(zoe);
    await his.refused('joinTeam', 'invitation-for-another-address', { body: { token } });
    // Full width letters are the same letters after NFKC.
    const answer = await service.anonymous.ok('acceptInvitation', {
      body: { ...grace(token), email: '\uff3aoe2@ACME.dev' },
    });
    expect(answer.body.data.user, 'an administrator bound it').to.include({ email_verified: true });
    const own = await made('zoe@acme.dev');
    await his.ok('joinTeam', { body: { token: own.token } });
    await his.refused('joinTeam', 'invitation-unusable', { body: { token: own.token } });
  });

  it('are declined by the invited person only', async () => {
    const { browser, team, service, world } = stage();
    const [ida, eve] = [await world.person('Ida'), await world.person('Eve')];
    const { id, token } = (await browser.ok('createInvitation', { body: { team_id: team.id, email: ida.user.email } }))
      .body.data;
    const path = { invitation_id: id };
    for (const decision of ['acceptReceivedInvitation', 'declineReceivedInvitation'] as const)
      await service.signedIn(eve).refused(decision, 'not-found', { path });
    const hers = service.signedIn(ida);
    await hers.ok('declineReceivedInvitation', { path });
    expect((await hers.ok('listReceivedInvitations')).body.data).to.deep.equal([]);
    await hers.refused('acceptReceivedInvitation', 'not-found', { path });
    await hers.refused('joinTeam', 'invitation-unusable', { body: { token } });
    const [newest] = (await browser.ok('listAuditEntries', { path: { team_id: team.id } })).body.data;
    expect(newest).to.deep.include({ action: 'invitation.decline' });
  });

  it('are listed for owners while they can be accepted, and revoked', async () => {
    const { browser, team, service, world } = stage();
    const path = { team_id: team.id };
    const pending = async () => (await browser.ok('listInvitations', { path })).body.data;
    const { id, token, expires_at } = (await browser.ok('createInvitation', { body: path })).body.data;
    const made = {
      id,
      role: 'member',
      email: null,
      mixed_scripts: false,
      created_by: 'Ada',
      created_at: new Date(service.clock.read()).toISOString(),
    };
    expect((await pending()).filter((each) => each.id === id)).to.deep.equal([{ ...made, expires_at }]);
    expect(JSON.stringify(await pending())).not.to.contain(token);
    const one = { ...path, invitation_id: id };
    const mel = await world.person('Mel');
    await world.member(team, mel, 'member');
    const member = service.signedIn(mel);
    await member.refused('listInvitations', 'forbidden', { path });
    await member.refused('revokeInvitation', 'forbidden', { path: one });
    await browser.refused('revokeInvitation', 'not-found', { path: { ...path, invitation_id: randomUUID() } });
    expect((await browser.ok('revokeInvitation', { path: one })).status).to.equal(204);
    await browser.refused('revokeInvitation', 'not-found', { path: one });
    await service.anonymous.refused('acceptInvitation', 'invitation-unusable', { body: grace(token) });
    expect((await pending()).map((each) => each.id)).not.to.include(id);
    const [newest] = (await browser.ok('listAuditEntries', { path })).body.data;
    expect(newest).to.deep.include({ action: 'invitation.revoke' });
  });
});

onEveryStore('invitations of a person who was an owner', (open) => {
  const stage = useFreshStage(open);

  it('stay unusable when the person becomes an owner again', async () => {
    const { browser, team, service, world } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'owner');
    const path = { team_id: team.id, user_id: bob.user.id };
    const link = async () =>
      (await service.signedIn(bob).ok('createInvitation', { body: { team_id: team.id } })).body.data.token;
    const [demoted, kept] = [await link(), (await browser.ok('createInvitation', { body: { team_id: team.id } })).body];
    await browser.ok('changeMemberRole', { path, body: { role: 'member' } });
    await browser.ok('changeMemberRole', { path, body: { role: 'owner' } });
    await service.anonymous.refused('acceptInvitation', 'invitation-unusable', { body: grace(demoted) });
    service.clock.pass(2000);
    const removed = await link();
    await browser.ok('removeMember', { path });
    await world.member(team, bob, 'owner');
    await service.anonymous.refused('acceptInvitation', 'invitation-unusable', { body: grace(removed) });
    await service.anonymous.ok('acceptInvitation', { body: grace(kept.data.token) });
  });
});

describe('readInvitation', () => {
  const stage = useFreshStage();

  it('is limited to a network that guesses, as signing in is', async () => {
    const { service, browser, team } = stage();
    const { token } = (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    for (let time = 0; time < 25; time += 1) await service.anonymous.ok('readInvitation', { body: { token } });
    for (let time = 0; time < 20; time += 1)
      await service.anonymous.refused('readInvitation', 'invitation-unusable', { body: { token: `guess ${time}` } });
    const { headers } = await service.anonymous.refused('readInvitation', 'too-many-requests', { body: { token } });
    expect(Number(headers['retry-after'])).to.be.above(0);
  });
});

describe('createInvitation', () => {
  const stage = useStage();

  it('without a team is for administrators, who see no team by that', async () => {
    const { browser, service, world } = stage();
    const { data } = (await browser.ok('createInvitation', { body: {} })).body;
    expect(data).to.include({ team_id: null, role: null });
    const answer = await service.anonymous.ok('acceptInvitation', { body: grace(data.token) });
    const invited = service.signedIn({ secret: secretIn(answer) });
    expect((await invited.ok('listTeams')).body.data).to.deep.equal([]);
    const bob = service.signedIn(await world.person('Bob'));
    await bob.refused('createInvitation', 'forbidden', { body: {} });
  });

  it('into a team is for its owners; others learn nothing of it', async () => {
    const { service, world, team } = stage();
    const carl = await world.person('Carl');
    await world.member(team, carl, 'member');
    await service.signedIn(carl).refused('createInvitation', 'forbidden', { body: { team_id: team.id } });
    const dora = service.signedIn(await world.person('Dora'));
    const headers = { 'x-request-id': 'one' };
    const invisible = await dora.refused('createInvitation', 'not-found', { body: { team_id: team.id }, headers });
    const unknown = await dora.refused('createInvitation', 'not-found', { body: { team_id: randomUUID() }, headers });
    expect(invisible.text).to.equal(unknown.text);
  });

  it('ends when it says, within 30 days', async () => {
    const { browser, service, team } = stage();
    const at = (days: number) => new Date(service.clock.read() + days * DAY).toISOString();
    for (const expires_at of [at(31), at(0), at(-1)]) {
      const { body } = await browser.refused('createInvitation', 'invalid', { body: { team_id: team.id, expires_at } });
      expect(body.errors).to.have.nested.property('[0].pointer', '/expires_at');
    }
    const { data } = (await browser.ok('createInvitation', { body: { team_id: team.id, expires_at: at(1) } })).body;
    expect(data.expires_at).to.equal(at(1));
    service.clock.pass(DAY);
    await service.anonymous.refused('acceptInvitation', 'invitation-unusable', { body: grace(data.token) });
    await service.anonymous.refused('acceptInvitation', 'invitation-unusable', { body: grace('no-such-token') });
  });

  it('takes a role with a team only', async () => {
    const { body } = await stage()
      .service.signedIn(await stage().world.session(stage().ada.user))
      .refused('createInvitation', 'invalid', { body: { role: 'owner' } });
    expect(body.errors).to.deep.include({
      pointer: '/role',
      code: 'without-team',
      message: 'A role goes with team_id only.',
    });
  });

  it('is not accepted on pages of other sites', async () => {
    const { service, world, ada, team } = stage();
    const browser = service.signedIn(await world.session(ada.user));
    const { token } = (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    const headers = { origin: 'https://evil.example' };
    await service.anonymous.refused('acceptInvitation', 'cross-site', { body: grace(token), headers });
  });
});

describe('wireInvitation', () => {
  it('puts the token behind the hash, which browsers keep to themselves', () => {
    const times = { createdAt: 0, expiresAt: 1000, acceptedAt: null, revokedAt: null };
    const invitation = { id: 'i', secretHash: 'h', team: null, email: null, createdBy: 'u', ...times };
    const wire = wireInvitation({ invitation, secret: 'b64-_token' }, 'https://ship.acme.dev/invitation');
    expect(wire).to.deep.equal({
      id: 'i',
      token: 'b64-_token',
      url: 'https://ship.acme.dev/invitation#b64-_token',
      team_id: null,
      role: null,
      email: null,
      mixed_scripts: false,
      expires_at: '1970-01-01T00:00:01.000Z',
    });
    expect(new URL(wire.url).pathname + new URL(wire.url).search).not.to.contain('token');
  });
});
