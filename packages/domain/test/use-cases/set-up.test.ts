import { expect } from 'chai';
import { authenticateSession } from '../../src/use-cases/authenticate-session.js';
import { pointers, refused } from '../refusal.js';
import { origin, serviceScene, settingUp, signingIn } from './people.js';
import { world } from './world.js';

describe('Setting the service up', () => {
  it('makes the first administrator and signs them in', async () => {
    const here = await serviceScene();
    const found = await authenticateSession(here)(here.opened.secret);
    expect('principal' in found && found.principal).to.include({ name: 'Ada', administrator: true });
    expect((await signingIn(here)).user).to.deep.equal(here.opened.user);
  });
  it('works once', async () => {
    const here = await serviceScene();
    await refused(settingUp(here), 'already-set-up');
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
    const { details } = await refused(settingUp(here), 'too-many-attempts');
    expect(details.retryAfterMs).to.equal(60_000);
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
    await refused(settingUp(here, 'token-2'), 'wrong-setup-token');
    const error = await refused(settingUp(here, 'token-1', 'short'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/password']);
    expect(await here.stores.users.any()).to.equal(false);
  });
});
