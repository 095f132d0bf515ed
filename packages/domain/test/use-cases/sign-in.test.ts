import { expect } from 'chai';
import { authenticateSession } from '../../src/use-cases/authenticate-session.js';
import { refused } from '../refusal.js';
import { serviceScene, signingIn, whileVerifying } from './people.js';
import { HOUR, MINUTE } from './world.js';

type Scene = Awaited<ReturnType<typeof serviceScene>>;
const wrong = (here: Scene, address = '192.0.2.7', email = 'ada@example.com') =>
  signingIn(here, { password: 'wrong password', address, email });

describe('Signing in', () => {
  it('opens a session under a new secret, whatever case the address is typed in', async () => {
    const here = await serviceScene();
    const opened = await signingIn(here, { email: 'ADA@EXAMPLE.COM' });
    expect(opened.secret).to.not.equal(here.opened.secret);
    expect(await authenticateSession(here)(opened.secret)).to.have.property('principal');
    expect(JSON.stringify(opened.session)).to.not.contain(opened.secret);
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
    expect(await authenticateSession(here)(here.opened.secret)).to.deep.equal({ cause: 'unknown' });
  });
  it('answers the same for a wrong password and an unknown account', async () => {
    const here = await serviceScene();
    const known = await refused(wrong(here), 'wrong-credentials');
    const unknown = await refused(wrong(here, '192.0.2.7', 'nobody@example.com'), 'wrong-credentials');
    expect([unknown.message, unknown.details]).to.deep.equal([known.message, known.details]);
  });
  it('refuses the sixth try of an account from an address in a minute, even with the right password', async () => {
    const here = await serviceScene();
    for (let count = 0; count < 5; count += 1) await refused(wrong(here), 'wrong-credentials');
    const error = await refused(signingIn(here), 'too-many-attempts');
    expect(error.details).to.deep.equal({ retryAfterMs: MINUTE });
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
  it('refuses the 21st try from an address in a minute, of whatever accounts', async () => {
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
  it('does not count what succeeded', async () => {
    const here = await serviceScene();
    for (let count = 0; count < 10; count += 1) await signingIn(here);
  });
});
