import { expect } from 'chai';
import { SESSION_IDLE, SESSION_LENGTH } from '../../src/access/person.js';
import type { DomainError } from '../../src/errors.js';
import type { PasswordAsker, Ports } from '../../src/ports.js';
import { authenticateKey, authenticateSession, changePassword, signOut } from '../../src/use-cases/account.js';
import { barApiKey, createApiKey } from '../../src/use-cases/api-key.js';
import { recordDeployment } from '../../src/use-cases/deployment.js';
import { changeRole, createTeam, removeMember } from '../../src/use-cases/team.js';
import { principal } from '../access/principal-of.js';
import { pointers, refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { origin, PASSWORD, serviceScene, settingUp, signingIn, whileVerifying } from './people.js';
import { noted, releaseScene, waitingForLocks } from './scene.js';
import { DAY, HOUR, MINUTE, type World, world } from './world.js';

const keyScene = async (narrowed = false) => {
  const here = await releaseScene();
  const teamId = narrowed ? here.teamId : null;
  const home = { teamId, projectId: null, allTeams: !narrowed };
  const wish = { name: 'CI', scopes: ['deployments:write'], ...home, expiresAt: null } as const;
  const { apiKey, key } = await createApiKey(here, { by: here.member, ...wish });
  const authenticate = async () => {
    const found = await authenticateKey(here, key, '192.0.2.7');
    if (!('principal' in found)) throw new Error(found.cause);
    return found.principal;
  };
  return { ...here, apiKey, key, authenticate };
};

describe('Authenticating an API key', () => {
  it('answers the key with its scopes and its maker’s roles now', async () => {
    const here = await keyScene();
    const principal = await here.authenticate();
    expect(principal).to.deep.include({
      kind: 'api_key',
      id: here.apiKey.id,
      name: 'CI',
      scopes: ['deployments:write'],
    });
    expect([...principal.roles]).to.deep.equal([[here.teamId, 'member']]);
  });
  it('sees one team only when narrowed, also when its maker joins others', async () => {
    const [wide, narrow] = [await keyScene(), await keyScene(true)];
    for (const here of [wide, narrow]) await createTeam(here, { by: here.member, name: 'Another' });
    expect((await wide.authenticate()).roles.size).to.equal(2);
    expect([...(await narrow.authenticate()).roles.keys()]).to.deep.equal([narrow.teamId]);
  });
  it('writes no more once its maker is a viewer, and sees nothing once they left', async () => {
    const here = await keyScene();
    const { userId } = here.member.principal;
    const record = async () =>
      recordDeployment(here, {
        principal: await here.authenticate(),
        needs: 'member',
        report: deploymentReport(),
        remember: null,
      });
    expect((await record()).outcome).to.equal('created');
    await changeRole(here, { by: here.owner, teamId: here.teamId, userId, role: 'viewer' });
    await refused(record(), 'forbidden');
    await removeMember(here, { by: here.owner, teamId: here.teamId, userId });
    await refused(record(), 'unknown-app-name');
  });
  it('tells an unknown key from an expired one', async () => {
    const here = await keyScene();
    expect(await authenticateKey(here, 'swk_unknown', '192.0.2.7')).to.deep.equal({ cause: 'unknown' });
    here.time.now += 90 * DAY - 1;
    expect(await authenticateKey(here, here.key, '192.0.2.7')).to.have.property('principal');
    here.time.now += 1;
    expect(await authenticateKey(here, here.key, '192.0.2.7')).to.deep.equal({ cause: 'expired' });
  });
  it('takes a key that was barred from its only team for revoked, and one of all teams for valid', async () => {
    const [wide, narrow] = [await keyScene(), await keyScene(true)];
    for (const here of [wide, narrow])
      await barApiKey(here, { by: here.owner, teamId: here.teamId, keyId: here.apiKey.id });
    expect((await wide.authenticate()).roles.size).to.equal(0);
    expect(await authenticateKey(narrow, narrow.key, '192.0.2.7')).to.deep.equal({ cause: 'revoked' });
  });
  it('lets no key of a disabled account in, until the account is enabled', async () => {
    const here = await keyScene();
    const { userId } = here.apiKey;
    await here.stores.users.setDisabled(userId, here.time.now);
    expect(await authenticateKey(here, here.key, '192.0.2.7')).to.deep.equal({ cause: 'disabled' });
    await here.stores.users.setDisabled(userId, null);
    expect(await authenticateKey(here, here.key, '192.0.2.7')).to.have.property('principal');
  });
  it('notes its last use, once a minute at most', async () => {
    const here = await keyScene();
    const used = async () => (await here.stores.apiKeys.ofUser(here.apiKey.userId))[0]?.lastUsedAt;
    const first = here.time.now;
    await here.authenticate();
    here.time.now += 59_999;
    await here.authenticate();
    expect(await used()).to.equal(first);
    here.time.now += 1;
    await here.authenticate();
    expect(await used()).to.equal(first + 60_000);
  });
});

describe('Authenticating a session', () => {
  it('answers the person with the roles they have now', async () => {
    const here = await serviceScene();
    const authenticate = () => authenticateSession(here, here.opened.secret);
    const first = await authenticate();
    if (!('principal' in first)) throw new Error(first.cause);
    expect(first.principal.roles.size).to.equal(0);
    const team = await createTeam(here, { by: { principal: first.principal, ...origin }, name: 'Payments' });
    const then = await authenticate();
    expect('principal' in then && [...then.principal.roles]).to.deep.equal([[team.id, 'owner']]);
  });
  it('knows no other secret', async () => {
    const here = await serviceScene();
    expect(await authenticateSession(here, 'guess')).to.deep.equal({ cause: 'unknown' });
    const { secretHash } = here.opened.session;
    expect(await authenticateSession(here, secretHash)).to.deep.equal({ cause: 'unknown' });
  });
  it('is over for a disabled account, until the account is enabled', async () => {
    const here = await serviceScene();
    const { id } = here.opened.user;
    await here.stores.users.setDisabled(id, here.time.now);
    expect(await authenticateSession(here, here.opened.secret)).to.deep.equal({ cause: 'disabled' });
    await here.stores.users.setDisabled(id, null);
    expect(await authenticateSession(here, here.opened.secret)).to.have.property('principal');
  });
  it('ends after 8 idle hours', async () => {
    const here = await serviceScene();
    here.time.now += SESSION_IDLE;
    expect(await authenticateSession(here, here.opened.secret)).to.deep.equal({ cause: 'expired' });
  });
  it('goes on while used, for 7 days in all', async () => {
    const here = await serviceScene();
    const end = here.time.now + SESSION_LENGTH;
    while (here.time.now + 7 * HOUR < end) {
      here.time.now += 7 * HOUR;
      expect(await authenticateSession(here, here.opened.secret)).to.have.property('principal');
    }
    here.time.now = end;
    expect(await authenticateSession(here, here.opened.secret)).to.deep.equal({ cause: 'expired' });
  });
  it('writes its last use once a minute at most', async () => {
    const here = await serviceScene();
    const { secretHash, lastSeenAt } = here.opened.session;
    const seen = async () => (await here.stores.sessions.bySecretHash(secretHash))?.session.lastSeenAt;
    here.time.now += 59_999;
    await authenticateSession(here, here.opened.secret);
    expect(await seen()).to.equal(lastSeenAt);
    here.time.now += 1;
    await authenticateSession(here, here.opened.secret);
    expect(await seen()).to.equal(here.time.now);
  });
});

type Scene = Awaited<ReturnType<typeof serviceScene>>;
const wrong = (here: Scene, address = '192.0.2.7', email = 'ada@example.com') =>
  signingIn(here, { password: 'wrong password', address, email });

describe('Signing in', () => {
  it('opens a session under a new secret, for any case of the address', async () => {
    const here = await serviceScene();
    const opened = await signingIn(here, { email: 'ADA@EXAMPLE.COM' });
    expect(opened.secret).to.not.equal(here.opened.secret);
    expect(await authenticateSession(here, opened.secret)).to.have.property('principal');
    expect(JSON.stringify(opened.session)).to.not.contain(opened.secret);
  });
  it('is noted of the account, in no team', async () => {
    const { deeds, here } = noted(await serviceScene());
    const { user } = await signingIn(here);
    const resource = { type: 'user', id: user.id };
    expect(deeds).to.deep.equal([{ teamId: null, action: 'session.open', resource, detail: {} }]);
  });
  it('is refused when the password is changed or the account disabled while it is verified', async () => {
    const here = await serviceScene();
    const { id } = here.opened.user;
    const changed = whileVerifying(here, () => here.stores.users.changePassword(id, 'another hash'));
    await refused(signingIn(changed), 'wrong-credentials');
    const other = await serviceScene();
    const disabled = whileVerifying(other, () => other.stores.users.setDisabled(other.opened.user.id, other.time.now));
    await refused(signingIn(disabled), 'wrong-credentials');
  });
  it('ends the session it replaces', async () => {
    const here = await serviceScene();
    await signingIn(here, { replaces: here.opened.session.id });
    expect(await authenticateSession(here, here.opened.secret)).to.deep.equal({ cause: 'unknown' });
  });
  it('answers the same for a wrong password and an unknown account', async () => {
    const here = await serviceScene();
    const known = await refused(wrong(here), 'wrong-credentials');
    const unknown = await refused(wrong(here, '192.0.2.7', 'nobody@example.com'), 'wrong-credentials');
    expect(known.message).to.equal('E-mail or password is wrong.');
    expect([unknown.message, unknown.details]).to.deep.equal([known.message, known.details]);
  });
  it('refuses the sixth try of an account from an address in a minute, even with the right password', async () => {
    const here = await serviceScene();
    for (let count = 0; count < 5; count += 1) await refused(wrong(here), 'wrong-credentials');
    const error = await refused(signingIn(here), 'too-many-attempts');
    expect(error.details).to.deep.equal({ retryAfterMs: MINUTE });
    expect(error.message).to.equal('Too many tries to sign in; wait before the next.');
    await signingIn(here, { address: '198.51.100.9' });
    here.time.now += MINUTE;
    await signingIn(here);
  });
  it('counts many at once', async () => {
    const here = await serviceScene();
    const ends = await Promise.allSettled(Array.from({ length: 20 }, () => wrong(here)));
    const codes = ends.map((end) => end.status === 'rejected' && end.reason.code);
    expect(codes.filter((code) => code === 'wrong-credentials')).to.have.length(5);
  });
  it('refuses the 21st try from an address in a minute, for any accounts', async () => {
    const here = await serviceScene();
    for (let count = 0; count < 20; count += 1)
      await refused(wrong(here, '192.0.2.7', `p${count}@example.com`), 'wrong-credentials');
    await refused(signingIn(here), 'too-many-attempts');
  });
  it('after 100 failures in an hour lets in only addresses that signed in before', async () => {
    const here = await serviceScene();
    await signingIn(here, { address: '203.0.113.1' });
    for (let count = 0; count < 100; count += 1) await refused(wrong(here, `198.51.100.${count}`), 'wrong-credentials');
    const error = await refused(signingIn(here, { address: '203.0.113.2' }), 'too-many-attempts');
    expect(error.details).to.deep.equal({ retryAfterMs: HOUR });
    await signingIn(here, { address: '203.0.113.1' });
  });
  it('from a device that is known goes on, and first, while thirty networks try as often as they may', async () => {
    const here = await serviceScene();
    const codes: string[] = [];
    const strangers = Array.from({ length: 30 * 20 }, async (_, place) => {
      const end = signingIn(here, { address: `192.0.${place % 30}.7`, email: `${place}@example.com` });
      codes.push(
        await end.then(
          () => 'signed in',
          ({ code }: DomainError) => code,
        ),
      );
    });
    await signingIn(here, { address: '198.51.100.1', device: 'of Ada' });
    const judgedBefore = codes.filter((code) => code === 'wrong-credentials');
    await Promise.all(strangers);
    expect(codes).to.include('unavailable').and.include('wrong-credentials');
    expect(judgedBefore).to.have.length.below(10);
  });
  it('counts the failures of a known device apart from its network, and from any number of other devices', async () => {
    const here = await serviceScene();
    const failing = async (device?: string) => {
      const wish = { password: 'wrong password', ...(device === undefined ? {} : { device }) };
      for (let count = 0; count < 5; count += 1) await refused(signingIn(here, wish), 'wrong-credentials');
    };
    await failing();
    await refused(signingIn(here), 'too-many-attempts');
    // More tries than one network has in a minute, and than one account has in an hour.
    for (let nth = 0; nth < 21; nth += 1) await failing(`laptop ${nth}`);
    await refused(signingIn(here, { device: 'laptop 0' }), 'too-many-attempts');
    await signingIn(here, { device: 'phone' });
  });
  it('does not count what succeeded', async () => {
    const here = await serviceScene();
    for (let count = 0; count < 10; count += 1) await signingIn(here);
  });
});

describe('Signing out', () => {
  it('ends that session and no other', async () => {
    const here = await serviceScene();
    const other = await signingIn(here);
    const found = await authenticateSession(here, here.opened.secret);
    if (!('principal' in found)) throw new Error(found.cause);
    const { deeds, here: listening } = noted(here);
    await signOut(listening, { by: { principal: found.principal, ...origin } });
    const resource = { type: 'user', id: here.opened.user.id };
    expect(deeds).to.deep.equal([{ teamId: null, action: 'session.close', resource, detail: {} }]);
    expect(await authenticateSession(here, here.opened.secret)).to.deep.equal({ cause: 'unknown' });
    expect(await authenticateSession(here, other.secret)).to.have.property('principal');
  });
});

describe('Setting the service up', () => {
  it('makes the first administrator and signs them in', async () => {
    const here = await serviceScene();
    const found = await authenticateSession(here, here.opened.secret);
    expect('principal' in found && found.principal).to.include({ name: 'Ada', administrator: true });
    expect((await signingIn(here)).user).to.deep.equal(here.opened.user);
    expect(here.opened.user).to.include({ emailVerified: true, administrator: true, createdAt: here.time.now });
  });
  it('is noted as a deed of its own', async () => {
    const { deeds, here } = noted(world());
    const resource = { type: 'user', id: (await settingUp(here)).user.id };
    expect(deeds).to.deep.equal([{ teamId: null, action: 'service.set_up', resource, detail: {} }]);
  });
  it('works once, which is said before anything else but a wrong token', async () => {
    const here = await serviceScene();
    const { message } = await refused(settingUp(here), 'already-set-up');
    expect(message).to.equal('The service has an administrator already.');
    await refused(settingUp(here, 'token-1', 'short'), 'already-set-up');
    await refused(settingUp(here, 'token-2', 'short'), 'wrong-setup-token');
  });
  it('of many at once works once', async () => {
    const here = world();
    const tries = Array.from({ length: 5 }, (_, index) =>
      settingUp(here, 'token-1', undefined, `p${index}@example.com`),
    );
    const ends = await Promise.allSettled(tries);
    expect(ends.filter((end) => end.status === 'fulfilled')).to.have.length(1);
  });
  it('allows five tries in a minute, counted where every instance sees them', async () => {
    const here = world();
    for (let tries = 0; tries < 5; tries += 1) await refused(settingUp(here, 'guessed'), 'wrong-setup-token');
    const { details, message } = await refused(settingUp(here), 'too-many-attempts');
    expect(details.retryAfterMs).to.equal(60_000);
    expect(message).to.equal('Too many tries to set up; wait before the next.');
  });
  it('counts as a sign-in from its address, and not as a failed try', async () => {
    const here = await serviceScene();
    const attempt = { id: 'try-1', account: 'ada@example.com', address: origin.address, at: here.time.now };
    expect(await here.stores.signIns.attempt(attempt)).to.include({ pair: 1, address: 1, addressKnown: true });
  });
  it('cannot be shut by tries from many other addresses', async () => {
    const here = world();
    const stranger = (index: number) =>
      here.stores.signIns.attempt({
        id: here.newId(),
        account: 'first setup',
        address: `10.0.0.${index}`,
        at: here.clock(),
      });
    for (let index = 0; index < 120; index += 1) await stranger(index);
    expect((await settingUp(here)).user.name).to.equal('Ada');
  });
  it('needs the setup token and a password of 12 characters', async () => {
    const here = world();
    const { message } = await refused(settingUp(here, 'token-2'), 'wrong-setup-token');
    expect(message).to.equal('The setup token is wrong.');
    const error = await refused(settingUp(here, 'token-1', 'short'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/password']);
    expect(await here.stores.users.any()).to.equal(false);
  });
});

/** The scene, and who asked for passwords to be hashed or verified from then on. */
const asking = <Here extends World>(here: Here) => {
  const askers: PasswordAsker[] = [];
  const { hashPassword, verifyPassword } = here.secrets;
  const hashing: Ports['secrets']['hashPassword'] = (password, asker, isWanted) => {
    askers.push(asker);
    return hashPassword(password, asker, isWanted);
  };
  const verifying: Ports['secrets']['verifyPassword'] = (password, stored, asker) => {
    askers.push(asker);
    return verifyPassword(password, stored, asker);
  };
  return { askers, here: { ...here, secrets: { ...here.secrets, hashPassword: hashing, verifyPassword: verifying } } };
};

describe('Hashing passwords, which takes turns', () => {
  it('is asked for by networks, but by accounts on their devices, in sessions and at set-up, which go first', async () => {
    const { askers, here } = asking(world());
    const scene = { ...here, opened: await settingUp(here) };
    await signingIn(here);
    await signingIn(here, { device: 'laptop', email: 'ADA@example.com' });
    await changing(scene, PASSWORD);
    const account = { name: 'ada@example.com', known: true };
    expect(askers).to.deep.equal([
      { name: 'first setup', known: true },
      { name: origin.address, known: false },
      account,
      account,
      account,
    ]);
  });
});

const NEW_PASSWORD = 'another long password';
const changing = async (here: Scene, oldPassword: string, newPassword = NEW_PASSWORD) => {
  const found = await authenticateSession(here, here.opened.secret);
  if (!('principal' in found)) throw new Error(found.cause);
  const deviceOf = () => null;
  return changePassword(here, { by: { principal: found.principal, ...origin }, oldPassword, newPassword, deviceOf });
};

describe('Changing the password', () => {
  it('lets the new one in and the old one no more, and ends the other sessions', async () => {
    const here = await serviceScene();
    const other = await signingIn(here);
    await changing(here, PASSWORD);
    expect(await authenticateSession(here, here.opened.secret)).to.have.property('principal');
    expect(await authenticateSession(here, other.secret)).to.deep.equal({ cause: 'unknown' });
    await refused(signingIn(here), 'wrong-credentials');
    await signingIn(here, { password: NEW_PASSWORD });
  });
  it('needs the old one, tried no more often than at sign-in', async () => {
    const here = await serviceScene();
    for (let count = 0; count < 5; count += 1) await refused(changing(here, 'wrong password'), 'wrong-credentials');
    await refused(changing(here, PASSWORD), 'too-many-attempts');
    here.time.now += 60_000;
    await signingIn(here);
  });
  it('is done once with one password, of two at the same time', async () => {
    const here = await serviceScene();
    const twice = whileVerifying(here, () => changing(here, PASSWORD));
    await refused(changing(twice, PASSWORD, 'the password of a thief'), 'wrong-credentials');
    await signingIn(here, { password: NEW_PASSWORD });
  });
  it('is noted at the moment when the account was had, and so is signing in', async () => {
    const { entries, here } = noted(waitingForLocks(await serviceScene()));
    const began = here.time.now;
    await changing(here, PASSWORD);
    const { session } = await signingIn(here, { password: NEW_PASSWORD });
    expect(entries).to.deep.equal([
      { action: 'password.change', at: began + 5000 },
      { action: 'session.open', at: began + 10_000 },
    ]);
    expect(session.createdAt).to.equal(began + 10_000);
  });
  it('is noted of the account, and there is none for a caller without one', async () => {
    const { deeds, here } = noted(await serviceScene());
    await changing(here, PASSWORD);
    const resource = { type: 'user', id: here.opened.user.id };
    expect(deeds).to.deep.equal([{ teamId: null, action: 'password.change', resource, detail: {} }]);
    const by = { principal: principal({}, { userId: 'of another service' }), ...origin };
    const wish = { by, oldPassword: PASSWORD, newPassword: NEW_PASSWORD, deviceOf: () => null };
    expect((await refused(changePassword(here, wish), 'not-found')).details).to.deep.equal({ what: 'user' });
  });
  it('needs 12 characters', async () => {
    const here = await serviceScene();
    const error = await refused(changing(here, PASSWORD, 'short'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/new_password']);
  });
});
